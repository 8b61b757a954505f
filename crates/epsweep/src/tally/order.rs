//! Order statistics: chosen values of a row, by their ranks, exact to the last bit.
//!
//! The histogram of a finished row says in which bins the wanted ranks lie. The noise can be drawn again, so the row is
//! computed once more and only the values of these bins are kept, or where they are too many, counted in finer bins, until few
//! enough are left. Everything here is counting and comparing: no result depends on the order in which values come.

use super::kind::RowKind;

/// Finer bins that a bracket is divided into by a pass over all trials, as a power of two. (The result does not depend on it.)
const FINER: u32 = 12;

/// The same for values held in memory, where there are fewer to divide.
const FINER_IN_MEMORY: u32 = 8;

/// Values that are sorted rather than counted once more.
const FEW: usize = 4096;

/// Some order statistics of a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderStatistics {
    n: u64,
    known: Vec<(u64, f64)>,
}

impl OrderStatistics {
    /// Of `n` values, those of the ranks (counted from 0, ascending) that are paired with them.
    pub fn new(n: u64, known: Vec<(u64, f64)>) -> Self {
        OrderStatistics { n, known }
    }

    /// Number of values of the sample.
    pub fn total(&self) -> u64 {
        self.n
    }

    /// The ranks and values that are known, in ascending order.
    pub fn known(&self) -> &[(u64, f64)] {
        &self.known
    }

    /// The value of rank `rank`, counted from 0, if it is known.
    pub fn get(&self, rank: u64) -> Option<f64> {
        let found = self.known.binary_search_by_key(&rank, |(rank, _)| *rank);
        found.ok().map(|at| self.known[at].1)
    }

    /// The `p`-quantile by Hyndman and Fan's type 7, if the order statistics around it are known.
    pub fn quantile(&self, p: f64) -> Option<f64> {
        let (below, part) = rank_of(self.n, p)?;
        let low = self.get(below)?;
        if part == 0.0 {
            return Some(low);
        }
        let high = self.get(below + 1)?;
        // equal neighbours first: they may both be infinite
        Some(if low == high {
            low
        } else {
            low + part * (high - low)
        })
    }

    /// Of `scale`·x + `shift` in place of x; the scale must not be negative.
    #[must_use]
    pub fn affine(&self, scale: f64, shift: f64) -> Self {
        let map = |(rank, x): &(u64, f64)| (*rank, scale * x + shift);
        OrderStatistics {
            n: self.n,
            known: self.known.iter().map(map).collect(),
        }
    }
}

/// The rank at or below p·(n − 1), and what is left of it.
fn rank_of(n: u64, p: f64) -> Option<(u64, f64)> {
    let rank = p.clamp(0.0, 1.0) * n.checked_sub(1)? as f64;
    Some((rank.floor() as u64, rank - rank.floor()))
}

/// Ranks, counted from 0, of the order statistics that the `p`-quantile of `n` values lies between.
pub fn ranks_of_quantile(n: u64, p: f64) -> impl Iterator<Item = u64> {
    let pair = rank_of(n, p).map(|(below, part)| [Some(below), (part > 0.0).then_some(below + 1)]);
    pair.into_iter().flatten().flatten()
}

/// An integer that is ordered as the float is.
pub(super) fn key(x: f64) -> u64 {
    let bits = x.to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

fn value(key: u64) -> f64 {
    f64::from_bits(if key >> 63 == 1 { key ^ 1 << 63 } else { !key })
}

/// A stretch of values in which a wanted rank lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bracket {
    /// key of the least value that belongs to it
    first: u64,
    /// key of the largest
    last: u64,
    /// values of the row that are less
    below: u64,
    /// values of the row in it
    count: u64,
}

impl Bracket {
    /// By how many bits keys are shifted to name its finer bins.
    fn shift(&self, finer: u32) -> u32 {
        (u64::BITS - (self.last - self.first).leading_zeros()).saturating_sub(finer)
    }

    /// Whether all of it is one value.
    fn is_value(&self) -> bool {
        self.first == self.last
    }
}

/// The brackets of a row's wanted ranks, in ascending order, disjoint.
#[derive(Clone, Debug)]
pub(crate) struct Brackets {
    n: u64,
    ranks: Vec<u64>,
    list: Vec<Bracket>,
    /// the histogram's bins that they lie in
    places: Vec<usize>,
    /// whether they are still those bins
    whole_bins: bool,
}

impl Brackets {
    /// The bins of a row of reals that hold the wanted ranks, in any order; ranks past the last value are left out.
    pub fn new(kind: RowKind, counts: &[u64], mut ranks: Vec<u64>) -> Brackets {
        let n = counts.iter().sum();
        ranks.retain(|rank| *rank < n);
        ranks.sort_unstable();
        ranks.dedup();
        let (mut list, mut places) = (Vec::new(), Vec::new());
        let (mut below, mut next) = (0, 0);
        for (bin, count) in counts.iter().enumerate() {
            if ranks.get(next).is_some_and(|rank| *rank < below + count) {
                let (first, last) = kind.keys(bin);
                list.push(Bracket {
                    first,
                    last,
                    below,
                    count: *count,
                });
                places.push(bin);
                next += ranks[next..].partition_point(|rank| *rank < below + count);
            }
            below += count;
        }
        Brackets {
            n,
            ranks,
            list,
            places,
            whole_bins: true,
        }
    }

    /// The histogram's bins that values must lie in to be of interest.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Values of the row that lie in brackets and are not known by it alone.
    pub fn count(&self) -> u64 {
        let open = self.list.iter().filter(|b| !b.is_value());
        open.map(|b| b.count).sum()
    }

    /// The bracket that a value of one of the [places](Brackets::places) lies in.
    #[inline]
    fn find(&self, key: u64) -> Option<usize> {
        let at = self.list.partition_point(|b| b.last < key);
        self.list.get(at).filter(|b| b.first <= key).map(|_| at)
    }

    /// Keys of those of the values, all of which lie in the [places](Brackets::places) or are NaN, that lie in a bracket.
    #[inline]
    pub fn keep(&self, values: &[f64], kept: &mut Vec<u64>) {
        let keys = values.iter().filter(|x| !x.is_nan()).map(|x| key(*x));
        if self.whole_bins {
            kept.extend(keys);
        } else {
            kept.extend(keys.filter(|key| self.wants(*key)));
        }
    }

    fn wants(&self, key: u64) -> bool {
        self.find(key).is_some_and(|at| !self.list[at].is_value())
    }

    /// Counts values in finer bins, 2^`finer` for each bracket.
    #[inline]
    fn count_finer(&self, finer: u32, keys: impl Iterator<Item = u64>, counts: &mut [u64]) {
        for key in keys {
            if let Some(at) = self.find(key) {
                let bracket = &self.list[at];
                let bin = (key - bracket.first) >> bracket.shift(finer);
                counts[(at << finer) + bin as usize] += 1;
            }
        }
    }

    /// Counts values as for [`Brackets::keep`] in finer bins. `counts` are [`Brackets::finer_bins`] many.
    pub fn count_values(&self, values: &[f64], counts: &mut [u64]) {
        let keys = values.iter().filter(|x| !x.is_nan()).map(|x| key(*x));
        self.count_finer(FINER, keys, counts);
    }

    /// Number of finer bins of all brackets.
    pub fn finer_bins(&self) -> usize {
        self.list.len() << FINER
    }

    /// The finer bins that hold the wanted ranks.
    pub fn narrowed(&self, counts: &[u64]) -> Brackets {
        self.narrowed_by(FINER, counts)
    }

    fn narrowed_by(&self, finer: u32, counts: &[u64]) -> Brackets {
        let mut list = Vec::with_capacity(self.list.len());
        let mut next = 0;
        for (bracket, counts) in self.list.iter().zip(counts.chunks_exact(1 << finer)) {
            let mut below = bracket.below;
            let shift = bracket.shift(finer);
            for (bin, count) in counts.iter().enumerate() {
                let wanted = |rank: &u64| *rank < below + count;
                if *count > 0 && self.ranks.get(next).is_some_and(wanted) {
                    let first = bracket.first + ((bin as u64) << shift);
                    let last = first.saturating_add((1 << shift) - 1).min(bracket.last);
                    list.push(Bracket {
                        first,
                        last,
                        below,
                        count: *count,
                    });
                    next += self.ranks[next..].partition_point(wanted);
                }
                below += count;
            }
        }
        Brackets {
            list,
            whole_bins: false,
            ..self.clone()
        }
    }

    /// The wanted order statistics from the keys of all values in brackets, in any order.
    pub fn select(mut self, mut keys: Vec<u64>) -> OrderStatistics {
        while keys.len() > FEW {
            let finer = FINER_IN_MEMORY;
            let mut counts = vec![0; self.list.len() << finer];
            self.count_finer(finer, keys.iter().copied(), &mut counts);
            // a bracket of one value has lost its keys: all of them are that value
            for (bracket, counts) in self.list.iter().zip(counts.chunks_exact_mut(1 << finer)) {
                if bracket.is_value() {
                    counts[0] = bracket.count;
                }
            }
            self = self.narrowed_by(finer, &counts);
            keys.retain(|key| self.wants(*key));
        }
        keys.sort_unstable();
        let mut known = Vec::with_capacity(self.ranks.len());
        for rank in &self.ranks {
            let at = self.list.partition_point(|b| b.below + b.count <= *rank);
            let bracket = &self.list[at];
            let found = if bracket.is_value() {
                bracket.first
            } else {
                let start = keys.partition_point(|key| *key < bracket.first);
                keys[start + (rank - bracket.below) as usize]
            };
            known.push((*rank, value(found)));
        }
        OrderStatistics::new(self.n, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(kind: RowKind, values: &[f64]) -> Vec<u64> {
        let mut counts = vec![0; kind.bins()];
        for x in values {
            let mut place = [0];
            kind.locate(&[*x], &mut place);
            counts[place[0] as usize] += 1;
        }
        counts
    }

    fn spread(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| {
                let u = (i as f64 * 0.618_033_988_749_894_9).fract();
                libm::tan((u - 0.5) * 3.0)
            })
            .collect()
    }

    /// Through one narrowing by counting, and directly.
    fn check(kind: RowKind, values: &[f64], ranks: &[u64]) {
        let brackets = Brackets::new(kind, &counts(kind, values), ranks.to_vec());
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let mut keys = Vec::new();
        brackets.keep(values, &mut keys);
        // all values were passed, not only those of the places
        keys.retain(|key| brackets.find(*key).is_some());
        let mut finer = vec![0; brackets.finer_bins()];
        brackets.count_values(values, &mut finer);
        let narrow = brackets.narrowed(&finer);
        let mut few = Vec::new();
        narrow.keep(values, &mut few);
        assert_eq!(few.len() as u64, narrow.count());
        assert!(few.len() < 1 + keys.len() / 4);
        for found in [brackets.select(keys), narrow.select(few)] {
            for rank in ranks {
                assert_eq!(found.get(*rank), Some(sorted[*rank as usize]), "{rank}");
            }
        }
    }

    #[test]
    fn order_statistics_are_those_of_sorting() {
        let x = spread(100_000);
        let ranks = [0, 1, 17, 25_000, 50_000, 50_001, 99_000, 99_998, 99_999];
        check(RowKind::signed(1.0), &x, &ranks);
        // octaves that leave many values below and above
        check(RowKind::signed(1e6), &x, &ranks);
        check(RowKind::signed(1e-6), &x, &ranks);
        let magnitudes: Vec<f64> = x.iter().map(|x| x.abs()).collect();
        check(RowKind::real(1.0), &magnitudes, &ranks);
    }

    #[test]
    fn ties_are_one_value_each() {
        let mut x = vec![2.5; 30_000];
        x.extend(vec![0.0; 30_000]);
        x.extend(spread(40_000).iter().map(|x| x.abs()));
        let kind = RowKind::real(1.0);
        let brackets = Brackets::new(kind, &counts(kind, &x), vec![0, 10_000, 80_000]);
        let mut keys = Vec::new();
        brackets.keep(&x, &mut keys);
        keys.retain(|key| brackets.find(*key).is_some());
        x.sort_by(f64::total_cmp);
        let found = brackets.select(keys);
        for rank in [0, 10_000, 80_000] {
            assert_eq!(found.get(rank), Some(x[rank as usize]));
        }
    }

    #[test]
    fn keys_are_ordered_and_bins_have_theirs() {
        let x = [
            -f64::INFINITY,
            -3.5,
            -1e-310,
            -0.0,
            0.0,
            1e-310,
            2.0,
            f64::INFINITY,
        ];
        assert!(x.windows(2).all(|w| key(w[0]) < key(w[1])));
        assert!(x.iter().all(|x| value(key(*x)).to_bits() == x.to_bits()));
        for kind in [
            RowKind::signed(1.0),
            RowKind::signed(1e-290),
            RowKind::real(1e290),
        ] {
            for pair in (0..kind.bins()).collect::<Vec<_>>().windows(2) {
                assert_eq!(kind.keys(pair[0]).1 + 1, kind.keys(pair[1]).0);
            }
            for bin in [0, 1, 2, kind.bins() / 2, kind.bins() - 2, kind.bins() - 1] {
                let (first, last) = kind.keys(bin);
                for key in [first, last] {
                    let mut place = [0];
                    kind.locate(&[value(key)], &mut place);
                    assert_eq!(place[0] as usize, bin);
                }
            }
        }
    }

    #[test]
    fn quantiles_are_of_type_7() {
        let o = OrderStatistics::new(5, vec![(2, 10.0), (3, 20.0)]);
        assert_eq!(o.quantile(0.5), Some(10.0));
        assert_eq!(o.quantile(0.625), Some(15.0));
        assert_eq!(o.quantile(0.9), None);
        assert_eq!(o.affine(2.0, 1.0).quantile(0.625), Some(31.0));
        assert_eq!(ranks_of_quantile(5, 0.625).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(ranks_of_quantile(5, 0.5).collect::<Vec<_>>(), [2]);
        assert_eq!(ranks_of_quantile(0, 0.5).count(), 0);
    }
}
