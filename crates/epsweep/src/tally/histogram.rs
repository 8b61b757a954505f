//! Counts by value, in the measure's units.

use super::kind::{OCTAVES, RowKind, magnitude};

/// A bin of a histogram: [low, high), or the atom `low == high`.
///
/// The last bin of a histogram holds its upper edge, the largest value. Bins of negative values that the simulation has counted
/// hold their upper edge in place of their lower one; for laws with a density that makes no difference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bin {
    /// lower edge
    pub low: f64,
    /// upper edge
    pub high: f64,
    /// values in it
    pub count: u64,
}

/// A finished histogram in the measure's units: the bins that are not empty, in ascending order, disjoint. The outermost edges
/// are the least and the largest value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    bins: Vec<Bin>,
    /// values in this bin and all before it
    ends: Vec<u64>,
    total: u64,
}

impl Histogram {
    /// From bins in ascending order; the empty ones are left out.
    pub fn new(mut bins: Vec<Bin>) -> Self {
        bins.retain(|b| b.count > 0);
        let ends: Vec<u64> = bins
            .iter()
            .scan(0, |end, b| {
                *end += b.count;
                Some(*end)
            })
            .collect();
        let total = ends.last().copied().unwrap_or(0);
        Histogram { bins, ends, total }
    }

    /// `count` values that all equal `value`.
    pub fn constant(value: f64, count: u64) -> Self {
        Histogram::new(vec![Bin {
            low: value,
            high: value,
            count,
        }])
    }

    /// From a row's counts, its least and its largest value.
    pub fn from_counts(kind: RowKind, counts: &[u64], min: f64, max: f64) -> Self {
        if !(min <= max) {
            return Histogram::default();
        }
        // no value lies outside of these two bins
        let (first, last) = (kind.place(min), kind.place(max));
        let counts = &counts[first..=last];
        let mut histogram = match kind {
            // the kind of most rows, where finding the edges is a matter of few instructions
            RowKind::Real {
                lowest,
                signed: false,
            } => Histogram::filled(first, counts, |bin| magnitude(lowest, bin)),
            _ => Histogram::filled(first, counts, |bin| {
                let stretch = kind.stretch(bin);
                (stretch.low, stretch.high)
            }),
        };
        // all other bins lie between the least and the largest value
        let narrow = |bin: &mut Bin| {
            bin.low = bin.low.max(min);
            bin.high = bin.high.min(max);
        };
        if let [outer, .., last] = histogram.bins.as_mut_slice() {
            narrow(outer);
            narrow(last);
        } else {
            histogram.bins.iter_mut().for_each(narrow);
        }
        histogram
    }

    /// The bins with a count, the first of which is bin `first`. Whether a bin is empty is, in the tails, a coin's throw: a bin is
    /// written without asking, and where it was empty the next takes its place.
    #[inline(always)]
    fn filled(first: usize, counts: &[u64], edges: impl Fn(usize) -> (f64, f64)) -> Self {
        let filled = counts.iter().filter(|count| **count > 0).count();
        let empty = Bin {
            low: 0.0,
            high: 0.0,
            count: 0,
        };
        // one place more, for an empty bin after all the others
        let (mut bins, mut ends) = (vec![empty; filled + 1], vec![0; filled + 1]);
        let (mut next, mut total) = (0, 0);
        for (bin, count) in (first..).zip(counts) {
            let (low, high) = edges(bin);
            total += count;
            bins[next] = Bin {
                low,
                high,
                count: *count,
            };
            ends[next] = total;
            next += usize::from(*count > 0);
        }
        bins.truncate(filled);
        ends.truncate(filled);
        Histogram { bins, ends, total }
    }

    /// Of values held in memory, in bins as fine as a simulation's; NaN values are left out.
    pub fn from_values(values: &[f64]) -> Self {
        let defined: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        let min = defined.iter().copied().fold(f64::INFINITY, f64::min);
        let max = defined.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if defined.is_empty() {
            return Histogram::default();
        }
        let largest = if -min > max { -min } else { max };
        // the largest magnitude lies in the highest octave
        let kind = match RowKind::real(largest) {
            RowKind::Real { lowest, .. } => RowKind::Real {
                lowest: (lowest + 22 - (OCTAVES - 1)).max(-1000),
                signed: min < 0.0,
            },
            other => other,
        };
        let mut counts = vec![0; kind.bins()];
        let mut place = [0];
        for x in &defined {
            kind.locate(&[*x], &mut place);
            counts[place[0] as usize] += 1;
        }
        Histogram::from_counts(kind, &counts, min, max)
    }

    /// The bins that are not empty.
    pub fn bins(&self) -> &[Bin] {
        &self.bins
    }

    /// Number of values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Least value; NaN where there is none.
    pub fn min(&self) -> f64 {
        self.bins.first().map_or(f64::NAN, |b| b.low)
    }

    /// Largest value; NaN where there is none.
    pub fn max(&self) -> f64 {
        self.bins.last().map_or(f64::NAN, |b| b.high)
    }

    /// Of `scale`·x + `shift` in place of x; a scale of zero yields an atom at `shift`.
    #[must_use]
    pub fn affine(&self, scale: f64, shift: f64) -> Self {
        if scale == 0.0 {
            return Histogram::constant(shift, self.total);
        }
        let of = |x: f64| scale * x + shift;
        if scale > 0.0 {
            let map = |b: &Bin| Bin {
                low: of(b.low),
                high: of(b.high),
                count: b.count,
            };
            return Histogram {
                bins: self.bins.iter().map(map).collect(),
                ends: self.ends.clone(),
                total: self.total,
            };
        }
        let map = |b: &Bin| {
            let (low, high) = (of(b.low), of(b.high));
            Bin {
                low: low.min(high),
                high: low.max(high),
                count: b.count,
            }
        };
        Histogram::new(self.bins.iter().rev().map(map).collect())
    }

    /// The `p`-quantile, for `p` in [0, 1], by Hyndman and Fan's type 7 (The American Statistician 50(4), 1996): the order
    /// statistics around rank p·(n − 1) are joined by a line. Within a bin, its values are taken as spread evenly; atoms, the
    /// least and the largest value are exact. NaN where there are no values.
    pub fn quantile(&self, p: f64) -> f64 {
        if self.total == 0 {
            return f64::NAN;
        }
        let rank = p.clamp(0.0, 1.0) * (self.total - 1) as f64;
        let below = rank.floor();
        let low = self.order_statistic(below as u64);
        let part = rank - below;
        if part == 0.0 {
            return low;
        }
        let high = self.order_statistic(below as u64 + 1);
        if low == high {
            low
        } else {
            low + part * (high - low)
        }
    }

    /// The value of rank `rank`, counted from 0; there must be a value.
    pub fn order_statistic(&self, rank: u64) -> f64 {
        if rank == 0 {
            return self.min();
        }
        if rank + 1 >= self.total {
            return self.max();
        }
        let index = self.ends.partition_point(|end| *end <= rank);
        let bin = &self.bins[index];
        if bin.low == bin.high {
            return bin.low;
        }
        let before = self.ends[index] - bin.count;
        let within = ((rank - before) as f64 + 0.5) / bin.count as f64;
        bin.low + (bin.high - bin.low) * within
    }

    /// Whether the bin that holds the `p`-quantile stands alone: at least 20 values, and none in the bins beside it. Where the law has a
    /// density the bins beside it are about as likely, and both empty in fewer than 1 of 10⁸ histograms: these are values that many share.
    pub fn stands_alone(&self, p: f64) -> bool {
        if self.total == 0 {
            return false;
        }
        let rank = (p.clamp(0.0, 1.0) * (self.total - 1) as f64) as u64;
        let index = self.ends.partition_point(|end| *end <= rank);
        let bin = &self.bins[index];
        // edges that belong together differ by rounding at most
        let apart = |low: f64, high: f64| high - low > 1e-9 * (low.abs() + high.abs());
        let before = index.checked_sub(1).map(|before| &self.bins[before]);
        bin.count >= 20
            && before.is_none_or(|before| apart(before.high, bin.low))
            && (self.bins.get(index + 1)).is_none_or(|after| apart(bin.high, after.low))
    }

    /// Share of the values up to `x`, those of the bin that holds `x` taken as spread evenly.
    pub fn cdf(&self, x: f64) -> f64 {
        let mut below = 0.0;
        for bin in &self.bins {
            if bin.high <= x {
                below += bin.count as f64;
            } else {
                if bin.low < x {
                    below += bin.count as f64 * ((x - bin.low) / (bin.high - bin.low));
                }
                break;
            }
        }
        below / self.total as f64
    }

    /// A smoothed estimate of the density at `x`; see [`Histogram::density_at_rank`].
    pub fn density(&self, x: f64) -> f64 {
        self.density_at_rank(self.cdf(x))
    }

    /// A smoothed estimate of the density at the `p`-quantile, as the standard error of that quantile needs it: the share of
    /// values in a window around it, over the window's width. The window reaches 1.54·n^{−1/3}·min(p, 1−p)^{2/3} of the values
    /// to either side, which follows the bandwidth of Hall and Sheather (Journal of the Royal Statistical Society B 50(3),
    /// 1988) at the 95 % level within a few per cent. Infinite at an atom, where a quantile has no error to first order;
    /// NaN where there are no values.
    pub fn density_at_rank(&self, p: f64) -> f64 {
        if self.total == 0 {
            return f64::NAN;
        }
        let n = self.total as f64;
        let tail = p.min(1.0 - p).max(1.0 / n);
        let reach = 1.54 * libm::cbrt(tail * tail / n);
        // a window of less than a value to either side would see a single gap
        let reach = reach.max(1.0 / n);
        let (low, high) = ((p - reach).max(0.0), (p + reach).min(1.0));
        (high - low) / (self.quantile(high) - self.quantile(low))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// n quantiles of the exponential law, at the middles of n equal parts
    fn exponential(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| -libm::log1p(-((i as f64 + 0.5) / n as f64)))
            .collect()
    }

    fn type_7(sorted: &[f64], p: f64) -> f64 {
        let rank = p * (sorted.len() - 1) as f64;
        let below = rank.floor() as usize;
        let above = (below + 1).min(sorted.len() - 1);
        sorted[below] + (rank - below as f64) * (sorted[above] - sorted[below])
    }

    #[test]
    fn values_that_many_share_stand_alone_and_those_of_a_density_do_not() {
        let quantiles = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];
        for n in [200, 1000, 10_000] {
            let smooth = Histogram::from_values(&exponential(n));
            assert!(quantiles.iter().all(|p| !smooth.stands_alone(*p)), "{n}");
        }
        // whole numbers, and roots of them
        let whole: Vec<f64> = exponential(10_000)
            .iter()
            .map(|x| (2.0 * x).floor())
            .collect();
        let roots: Vec<f64> = whole.iter().map(|x| libm::sqrt(x / 3.0)).collect();
        for values in [whole, roots] {
            let lattice = Histogram::from_values(&values);
            assert!(quantiles.iter().all(|p| lattice.stands_alone(*p)));
            let shifted = lattice.affine(0.37, 11.0);
            assert!(quantiles.iter().all(|p| shifted.stands_alone(*p)));
        }
        assert!(!Histogram::default().stands_alone(0.5));
        assert!(Histogram::constant(3.0, 100).stands_alone(0.5));
    }

    #[test]
    fn quantiles_are_within_a_bin_of_the_order_statistics() {
        let x = exponential(10_000);
        let h = Histogram::from_values(&x);
        assert_eq!(h.total(), 10_000);
        for p in [0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0] {
            let (got, exact) = (h.quantile(p), type_7(&x, p));
            assert!((got / exact - 1.0).abs() < 1e-3, "{p}: {got} {exact}");
        }
        assert_eq!((h.quantile(0.0), h.quantile(1.0)), (x[0], x[9999]));
        let signed: Vec<f64> = x.iter().map(|v| v - 1.0).collect();
        let h = Histogram::from_values(&signed);
        for p in [0.01, 0.25, 0.5, 0.75, 0.99] {
            // the 99 % quantile lies in a bin with a value or two
            let tolerance = if p < 0.9 { 1e-3 } else { 1.0 / 64.0 };
            assert!((h.quantile(p) - type_7(&signed, p)).abs() < tolerance);
        }
    }

    #[test]
    fn atoms_are_exact() {
        let flags = Histogram::from_counts(RowKind::Flag, &[3, 1], 0.0, 1.0);
        assert_eq!(flags.quantile(0.5), 0.0);
        assert_eq!(flags.quantile(1.0), 1.0);
        assert_eq!(
            flags.quantile(2.5 / 3.0),
            0.5,
            "type 7 joins 0 and 1 by a line"
        );
        let c = Histogram::from_values(&[7.25; 9]);
        assert_eq!((c.quantile(0.3), c.min(), c.max()), (7.25, 7.25, 7.25));
        assert_eq!(c.density(7.25), f64::INFINITY);
        assert!(Histogram::default().quantile(0.5).is_nan());
        assert!(Histogram::default().density(0.5).is_nan());
        // half the values are zero
        let mut x = vec![0.0; 500];
        x.extend(exponential(500));
        let h = Histogram::from_values(&x);
        assert_eq!(h.quantile(0.3), 0.0);
        assert!(h.quantile(0.75) > 0.6);
        assert_eq!(
            h.bins()[0],
            Bin {
                low: 0.0,
                high: 0.0,
                count: 500
            }
        );
    }

    #[test]
    fn nan_is_left_out() {
        let h = Histogram::from_values(&[1.0, f64::NAN, 2.0]);
        assert_eq!((h.total(), h.min(), h.max()), (2, 1.0, 2.0));
        assert_eq!(Histogram::from_values(&[f64::NAN]), Histogram::default());
    }

    #[test]
    fn huge_and_tiny_values_fit() {
        for scale in [1e-12, 1e12, 1e-290, 1e290] {
            let x: Vec<f64> = exponential(1000).iter().map(|v| v * scale).collect();
            let h = Histogram::from_values(&x);
            assert!((h.quantile(0.5) / type_7(&x, 0.5) - 1.0).abs() < 2e-3);
        }
    }

    #[test]
    fn affine_maps_commute_with_counting() {
        let x = exponential(2000);
        let h = Histogram::from_values(&x).affine(-3.0, 10.0);
        let y: Vec<f64> = x.iter().rev().map(|v| -3.0 * v + 10.0).collect();
        for p in [0.01, 0.3, 0.5, 0.99] {
            assert!((h.quantile(p) - type_7(&y, p)).abs() < 2e-2);
        }
        assert!(h.bins().is_sorted_by(|a, b| a.high <= b.low));
        assert_eq!(h.affine(0.0, 4.0), Histogram::constant(4.0, 2000));
    }

    #[test]
    fn the_density_is_that_of_the_law() {
        let h = Histogram::from_values(&exponential(100_000));
        for p in [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] {
            // the exponential law's density at its p-quantile is 1 − p
            let got = h.density(-libm::log1p(-p));
            assert!((got / (1.0 - p) - 1.0).abs() < 0.02, "{p}: {got}");
        }
        // at small n the window must not leave the sample
        let h = Histogram::from_values(&exponential(30));
        assert!(h.density_at_rank(0.99) > 0.0 && h.density_at_rank(0.01).is_finite());
    }

    #[test]
    fn the_cdf_inverts_the_quantile() {
        let h = Histogram::from_values(&exponential(5000));
        for p in [0.01, 0.2, 0.5, 0.9, 0.999] {
            assert!((h.cdf(h.quantile(p)) - p).abs() < 1e-3);
        }
        assert_eq!((h.cdf(-1.0), h.cdf(1e9)), (0.0, 1.0));
    }
}
