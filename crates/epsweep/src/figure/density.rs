//! Recorded bins, binned anew for a picture.

use super::axis::Axis;
use super::panel::Frame;
use crate::record::HistogramRow;

/// Parts of a log axis that a bin may cover that has no neighbours for the exact curve to go through its mean density.
const MOST_PARTS: f64 = 4.0;

/// Densities over equal parts of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Density {
    /// edges of the parts, one more than densities
    pub edges: Vec<f64>,
    /// share of the trials per unit (per decade on a log axis)
    pub heights: Vec<f64>,
    /// trials per part; a recorded bin that an edge cuts is split in proportion
    pub counts: Vec<f64>,
    /// trials outside the axis
    pub outside: f64,
    /// trials in all
    pub total: u64,
}

impl Density {
    /// Distributes recorded bins over `parts` equal parts of an axis.
    pub fn new(bins: &[&HistogramRow], axis: &Axis, parts: usize) -> Density {
        let parts = parts.max(1);
        let mut counts = vec![0.0; parts];
        let total: u64 = bins.iter().map(|b| b.count).sum();
        let scale = parts as f64;
        for bin in bins {
            let count = bin.count as f64;
            let (low, high) = (axis.position(bin.low), axis.position(bin.high));
            if high > low {
                // what lies outside the axis has been cut off: put that share outside
                let inside = share_inside(bin, axis);
                let (first, last) = (
                    (low * scale) as usize,
                    ((high * scale).ceil() as usize).min(parts),
                );
                for (part, sum) in counts
                    .iter_mut()
                    .enumerate()
                    .take(last)
                    .skip(first.min(parts - 1))
                {
                    let from = low.max(part as f64 / scale);
                    let to = high.min((part + 1) as f64 / scale);
                    if to > from {
                        *sum += count * inside * (to - from) / (high - low);
                    }
                }
            } else if axis.holds(bin.low) && axis.holds(bin.high) {
                counts[((low * scale) as usize).min(parts - 1)] += count;
            }
        }
        let edges: Vec<f64> = (0..=parts).map(|i| axis.value(i as f64 / scale)).collect();
        let width = |i: usize| {
            if axis.is_log() {
                libm::log10(edges[i + 1]) - libm::log10(edges[i])
            } else {
                edges[i + 1] - edges[i]
            }
        };
        let heights = (0..parts)
            .map(|i| counts[i] / (total.max(1) as f64 * width(i)))
            .map(|h| if h.is_finite() { h } else { 0.0 })
            .collect();
        let outside = (total as f64 - counts.iter().sum::<f64>()).max(0.0);
        Density {
            edges,
            heights,
            counts,
            outside,
            total,
        }
    }

    /// The outline of the filled histogram on the page.
    pub fn outline(&self, frame: &Frame) -> Vec<(f64, f64)> {
        let parts = self.heights.len() as f64;
        let x = |i: usize| frame.plot.left + i as f64 / parts * frame.plot.width();
        let mut points = vec![(x(0), frame.plot.bottom)];
        for (i, height) in self.heights.iter().enumerate() {
            points.push((x(i), frame.y(*height)));
            points.push((x(i + 1), frame.y(*height)));
        }
        points.push((x(self.heights.len()), frame.plot.bottom));
        points
    }
}

/// Share of a bin's width that lies on the axis.
fn share_inside(bin: &HistogramRow, axis: &Axis) -> f64 {
    let (low, high) = (bin.low.max(axis.value(0.0)), bin.high.min(axis.value(1.0)));
    let share = (high - low) / (bin.high - bin.low);
    if share.is_finite() {
        share.clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// The exact density at points of the axis, from the exact probabilities of recorded bins. Neighbouring bins are joined
/// until they are about a quarter as wide as a part, and have their mean density in their middle. Within a bin that covers more than a part, as the lowest
/// do on a log axis, the density is that of a cubic distribution function, whose slopes at the edges are those between the neighbours. Gaps (where no
/// trial fell) interrupt the curve only for what they miss; those no wider than the bins beside them are filled. A wide bin without neighbours says nothing
/// about the shape within: there is no curve on a log axis.
pub fn exact_curve(bins: &[&HistogramRow], axis: &Axis, parts: usize) -> Vec<(f64, f64)> {
    let wide = 1.0 / parts.max(1) as f64;
    let mut curve = Vec::new();
    for run in runs(bins, axis, wide / 4.0) {
        let slopes = slopes(&run);
        for (place, piece) in run.iter().enumerate() {
            let (from, to) = (axis.position(piece.low), axis.position(piece.high));
            let per_unit = |x: f64| match axis.is_log() {
                true => x * std::f64::consts::LN_10,
                false => 1.0,
            };
            if to - from <= wide {
                let width = match axis.is_log() {
                    true => libm::log10(piece.high) - libm::log10(piece.low),
                    false => piece.high - piece.low,
                };
                let density = piece.probability / width;
                if density.is_finite() && axis.holds(piece.low) && axis.holds(piece.high) {
                    curve.push((axis.value(f64::midpoint(from, to)), density));
                }
                continue;
            }
            if axis.is_log() && run.len() == 1 && to - from > MOST_PARTS * wide {
                continue;
            }
            let steps = libm::ceil(2.0 * (to - from) / wide);
            // with its own edges where no neighbour goes on
            let first = if place == 0 { 0.0 } else { 0.5 };
            let last = steps - if place + 1 == run.len() { 0.0 } else { 0.5 };
            let inner = (1..steps as usize).map(|step| step as f64);
            let points = std::iter::once(first).chain(inner).chain([last]);
            curve.extend(points.filter_map(|step| {
                let x = axis.value(from + step / steps * (to - from));
                let density = piece.density(x, slopes[place], slopes[place + 1]) * per_unit(x);
                density.is_finite().then_some((x, density))
            }));
        }
    }
    curve
}

/// A stretch of the line and the exact probability of it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    low: f64,
    high: f64,
    probability: f64,
}

impl Piece {
    fn mean(&self) -> f64 {
        self.probability / (self.high - self.low)
    }

    /// The slope of the cubic that has the distribution function's values and slopes at both edges.
    fn density(&self, x: f64, left: f64, right: f64) -> f64 {
        let t = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let square = t * t;
        let density = left * (1.0 - 4.0 * t + 3.0 * square)
            + right * (3.0 * square - 2.0 * t)
            + 6.0 * (t - square) * self.mean();
        density.max(0.0)
    }
}

/// Bins with exact probabilities, joined until each covers at least some part of the axis, in runs without large gaps.
fn runs(bins: &[&HistogramRow], axis: &Axis, least: f64) -> Vec<Vec<Piece>> {
    let covers = |piece: &Piece| axis.position(piece.high) - axis.position(piece.low);
    let mut runs: Vec<Vec<Piece>> = Vec::new();
    let mut goes_on = false;
    for bin in bins {
        let probability = bin.exact.filter(|p| p.is_finite() && *p >= 0.0);
        let (Some(probability), true) = (probability, bin.high > bin.low) else {
            goes_on = false;
            continue;
        };
        let mut piece = Piece {
            low: bin.low,
            high: bin.high,
            probability,
        };
        let last = runs.last_mut().filter(|_| goes_on);
        goes_on = true;
        let Some(run) = last else {
            runs.push(vec![piece]);
            continue;
        };
        let Some(before) = run.last_mut() else {
            continue;
        };
        let width = piece.high - piece.low;
        let gap = piece.low - before.high;
        if gap > width.min(before.high - before.low) {
            runs.push(vec![piece]);
            continue;
        }
        if gap.abs() > 1e-9 * width {
            piece.probability += gap * f64::midpoint(piece.mean(), before.mean());
        }
        piece.low = before.high;
        if covers(before) < least {
            before.high = piece.high;
            before.probability += piece.probability;
        } else {
            run.push(piece);
        }
    }
    runs
}

/// The density at the edges of pieces: between two of them as if it were linear across both, at the ends as it goes on from there; no more than
/// keeps the distribution function from falling.
fn slopes(run: &[Piece]) -> Vec<f64> {
    let width = |piece: &Piece| piece.high - piece.low;
    let between =
        |a: &Piece, b: &Piece| (width(a) * b.mean() + width(b) * a.mean()) / (width(a) + width(b));
    let end = |own: &Piece, next: Option<&Piece>| {
        let slope = next.map_or(own.mean(), |next| 2.0 * own.mean() - between(own, next));
        // of widths beyond all numbers there is none
        slope.max(0.0).min(3.0 * own.mean())
    };
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return Vec::new();
    };
    let inner = run.windows(2).map(|two| {
        let most = 3.0 * two[0].mean().min(two[1].mean());
        between(&two[0], &two[1]).max(0.0).min(most)
    });
    let before_last = run.len().checked_sub(2).map(|place| &run[place]);
    std::iter::once(end(first, run.get(1)))
        .chain(inner)
        .chain([end(last, before_last)])
        .collect()
}

/// The stretches of a curve that lie on an axis. What is above is cut off where the curve leaves, and not drawn along the edge.
pub fn within(curve: &[(f64, f64)], axis: &Axis) -> Vec<Vec<(f64, f64)>> {
    let top = axis.value(1.0);
    let crossing = |inside: (f64, f64), beyond: (f64, f64)| {
        let share = (top - inside.1) / (beyond.1 - inside.1);
        (inside.0 + share * (beyond.0 - inside.0), top)
    };
    let mut stretches = vec![Vec::new()];
    for (place, point) in curve.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| curve[before]);
        let held = axis.holds(point.1);
        match before {
            Some(before) if held && !axis.holds(before.1) => {
                stretches.push(vec![crossing(*point, before), *point]);
            }
            Some(before) if !held && axis.holds(before.1) => {
                if let Some(last) = stretches.last_mut() {
                    last.push(crossing(before, *point));
                }
            }
            _ if held => {
                if let Some(last) = stretches.last_mut() {
                    last.push(*point);
                }
            }
            _ => {}
        }
    }
    stretches
}

/// The highest point of each stretch of a curve that lies above an axis.
pub fn leaves(curve: &[(f64, f64)], axis: &Axis) -> Vec<(f64, f64)> {
    let beyond = curve.split(|(_, density)| axis.holds(*density));
    let highest = beyond.filter_map(|stretch| {
        let of = stretch.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        of.copied()
    });
    highest.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bin(low: f64, high: f64, count: u64) -> HistogramRow {
        HistogramRow {
            cell: "-".to_owned(),
            axes: Vec::new(),
            subject: "all".to_owned(),
            measure: "rmse".to_owned(),
            low,
            high,
            count,
            exact: Some(high - low),
        }
    }

    #[test]
    fn counts_add_up_and_the_maximum_is_not_lost() {
        let rows: Vec<HistogramRow> = [(0.0, 2), (1.0, 1), (2.0, 1), (3.0, 1), (9.0, 2), (10.0, 3)]
            .map(|(v, n)| bin(v, v, n))
            .to_vec();
        let bins: Vec<&HistogramRow> = rows.iter().collect();
        let density = Density::new(&bins, &Axis::exactly(0.0, 10.0), 10);
        assert_eq!(
            density.counts,
            [2.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0]
        );
        assert_eq!(density.outside, 0.0);
        assert!((density.heights[9] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn what_lies_outside_is_counted() {
        let rows = [bin(0.0, 1.0, 60), bin(1.0, 2.0, 30), bin(2.0, 4.0, 10)];
        let bins: Vec<&HistogramRow> = rows.iter().collect();
        let density = Density::new(&bins, &Axis::exactly(0.0, 3.0), 6);
        assert!((density.outside - 5.0).abs() < 1e-9, "{density:?}");
        assert!((density.counts.iter().sum::<f64>() - 95.0).abs() < 1e-9);
        assert!((density.heights[0] - 0.6).abs() < 1e-9);
    }

    #[test]
    fn the_exact_curve_of_a_uniform_law_is_flat() {
        let rows: Vec<HistogramRow> = (0..10)
            .map(|i| bin(f64::from(i) / 10.0, f64::from(i + 1) / 10.0, 1))
            .collect();
        let bins: Vec<&HistogramRow> = rows.iter().collect();
        let curve = exact_curve(&bins, &Axis::exactly(0.0, 1.0), 5);
        assert!(curve.len() >= 4);
        assert!(
            curve.iter().all(|(_, d)| (d - 1.0).abs() < 1e-9),
            "{curve:?}"
        );
    }

    #[test]
    fn on_a_log_axis_the_exact_curve_goes_through_bins_that_are_wide_there() {
        // the uniform law on (0.001, 1): its density per decade is x·ln 10
        let rows: Vec<HistogramRow> = (0..100)
            .map(|i| {
                bin(
                    (f64::from(i) / 100.0).max(0.001),
                    f64::from(i + 1) / 100.0,
                    1,
                )
            })
            .collect();
        let bins: Vec<&HistogramRow> = rows.iter().collect();
        let axis = Axis::logarithmic([0.001, 1.0]).expect("positive");
        let curve = exact_curve(&bins, &axis, 60);
        assert!(curve[0].0 < 0.0011, "{curve:?}");
        let steps = curve.windows(2).map(|two| two[1].0 / two[0].0);
        assert!(
            steps.clone().all(|step| step > 1.0 && step < 1.3),
            "{curve:?}"
        );
        for (x, density) in curve {
            assert!((density / (x * std::f64::consts::LN_10) - 1.0).abs() < 0.03);
        }
    }

    #[test]
    fn a_curve_ends_where_it_leaves_the_axis_and_its_height_is_said() {
        let axis = Axis::exactly(0.0, 1.0);
        let curve = [(0.0, 0.5), (1.0, 1.5), (2.0, 4.0), (3.0, 0.0)];
        assert_eq!(
            within(&curve, &axis),
            [vec![(0.0, 0.5), (0.5, 1.0)], vec![(2.75, 1.0), (3.0, 0.0)]]
        );
        assert_eq!(leaves(&curve, &axis), [(2.0, 4.0)]);
        let low = [(0.0, 0.1), (1.0, 0.2)];
        assert_eq!(within(&low, &axis), [low.to_vec()]);
        assert_eq!(leaves(&low, &axis), []);
    }
}
