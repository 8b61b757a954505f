//! Paired comparisons.

use super::levels::Levels;
use crate::record::{ComparisonRow, PairNames, Resolved, pair_names};
use crate::tally::{CellTally, Histogram, OutcomeTally, PairTally};
use epsweep_core::statistics::{
    Interval, PairedDifference, StatisticsError, cochran_sufficient, holm,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, HashMap};

/// Share of the measure's mean up to which a difference is one of rounding: two ways to add up the same numbers part by less.
const ROUNDING: f64 = 1e-9;

/// A comparison in the making.
struct Found<'a> {
    row: ComparisonRow,
    p: f64,
    t: f64,
    pair: &'a PairTally,
}

/// The paired comparisons of these cells, in the order of the cells.
///
/// p values are adjusted by Holm's method within a family: all comparisons of one measure and subject at one point of the axes
/// that are not compared. Comparisons that carry the same evidence (the same wins and the same t: two allocations that come to the same
/// shares, or a pair and its mirror image) count once in the family and get the same p value. Fewer than two shared trials yield no row. Where the whole
/// interval is within rounding of zero all trials are ties, and p is 1.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn comparisons(
    cells: &[CellTally],
    resolved: &Resolved,
) -> Result<Vec<ComparisonRow>, StatisticsError> {
    comparisons_named(cells, resolved.level, &|a, b| pair_names(resolved, a, b))
}

/// As [`comparisons`], at this level, of cells that are in no resolved experiment at hand: `names` says what two of them are called.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn comparisons_named(
    cells: &[CellTally],
    level: f64,
    names: &(dyn Fn(usize, usize) -> PairNames + Sync),
) -> Result<Vec<ComparisonRow>, StatisticsError> {
    let levels = Levels::new(level)?;
    let compared: Vec<(&CellTally, &PairTally)> = compared(cells).collect();
    let found: Vec<Found> = compared
        .into_par_iter()
        .map(|(cell, pair)| compare(cell, pair, names, &levels))
        .collect::<Result<_, _>>()?;
    let mut families: BTreeMap<(&str, &str, &[String]), Vec<usize>> = BTreeMap::new();
    for (index, f) in found.iter().enumerate() {
        let key = (
            f.row.measure.as_str(),
            f.row.subject.as_str(),
            f.row.axes.as_slice(),
        );
        families.entry(key).or_default().push(index);
    }
    let mut adjusted = vec![1.0; found.len()];
    for family in families.into_values() {
        adjust(&family, &found, &mut adjusted);
    }
    Ok(found
        .into_iter()
        .zip(adjusted)
        .map(|(mut f, p)| {
            f.row.p_adjusted = p;
            f.row
        })
        .collect())
}

/// Whether a pair yields a row: not where fewer than two trials are shared.
pub(crate) fn is_compared(pair: &PairTally) -> bool {
    pair.moments.n >= 2
}

/// The pairs that are compared, in the order of the rows, each with its first cell: those with at least two shared trials.
pub(crate) fn compared(cells: &[CellTally]) -> impl Iterator<Item = (&CellTally, &PairTally)> {
    (cells.iter())
        .flat_map(|cell| cell.pairs.iter().map(move |pair| (cell, pair)))
        .filter(|(_, pair)| is_compared(pair))
}

/// Whether the trials are too few for the interval of a paired difference, and its skewness if so. One that is the same in every trial has none.
pub(crate) fn skewed(pair: &PairTally) -> Option<f64> {
    let skewness = pair.moments.skewness();
    (skewness.is_finite() && !cochran_sufficient(pair.moments.n, skewness)).then_some(skewness)
}

fn compare<'a>(
    cell: &CellTally,
    pair: &'a PairTally,
    names: &dyn Fn(usize, usize) -> PairNames,
    levels: &Levels,
) -> Result<Found<'a>, StatisticsError> {
    let PairNames { axes, a, b } = names(cell.cell, pair.against);
    let (d, interval) = difference(pair, levels)?;
    let same = (cell.outcomes.iter()).any(|own| is_same(own, pair, &interval));
    let (win, tie, loss) = match same {
        true => (0, pair.moments.n, 0),
        false => (pair.win, pair.tie, pair.loss),
    };
    let (p, t) = if same { (1.0, 0.0) } else { (d.p, d.t) };
    Ok(Found {
        row: ComparisonRow {
            axes,
            a,
            b,
            subject: pair.subject.clone(),
            measure: pair.measure.to_string(),
            difference: d.difference,
            mcse: d.mcse,
            low: interval.low,
            high: interval.high,
            p_adjusted: p,
            win,
            tie,
            loss,
            trials: pair.moments.n,
        },
        p,
        t,
        pair,
    })
}

/// The paired difference, with its interval.
fn difference(
    pair: &PairTally,
    levels: &Levels,
) -> Result<(PairedDifference, Interval), StatisticsError> {
    let d = PairedDifference::new(&pair.moments)?;
    let half_width = levels.trials(d.n)?.t * d.mcse;
    Ok((d, Interval::around(d.difference, half_width)))
}

/// Whether a difference with this interval is one of rounding, as the first cell's own values of that measure say: then all trials are ties, and
/// nothing tells the two cells apart.
fn is_same(own: &OutcomeTally, pair: &PairTally, interval: &Interval) -> bool {
    let far = interval.low.abs().max(interval.high.abs());
    own.subject == pair.subject
        && own.measure == pair.measure
        && far <= ROUNDING * own.moments.mean.abs()
}

/// Gives up what [`comparisons`] do not need of a cell, at this level: all but its pairs and the moments that tell a difference from rounding.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn keep_compared(cell: &mut CellTally, level: f64) -> Result<(), StatisticsError> {
    let levels = Levels::new(level)?;
    let mut needed = vec![false; cell.outcomes.len()];
    for pair in cell.pairs.iter().filter(|pair| is_compared(pair)) {
        let (_, interval) = difference(pair, &levels)?;
        for (needed, own) in needed.iter_mut().zip(&cell.outcomes) {
            *needed |= is_same(own, pair, &interval);
        }
    }
    let mut needed = needed.into_iter();
    cell.outcomes.retain(|_| needed.next() == Some(true));
    for own in &mut cell.outcomes {
        (own.histogram, own.order, own.law) = (Histogram::default(), None, None);
    }
    cell.outcomes.shrink_to_fit();
    (cell.fit, cell.exact) = (None, Vec::new());
    Ok(())
}

/// Adjusts the p values of a family.
fn adjust(family: &[usize], found: &[Found], adjusted: &mut [f64]) {
    // the first of every group of comparisons with the same evidence, and for each comparison the group that it belongs to
    let mut first: Vec<usize> = Vec::new();
    // the groups with the same counts, by the bits of |t|, which are in the order of the numbers
    let mut known: HashMap<Counts, BTreeMap<u64, usize>> = HashMap::new();
    let mut group = Vec::with_capacity(family.len());
    for index in family {
        let own = &found[*index];
        let (known, t) = (known.entry(counts(own)).or_default(), own.t.abs());
        let infinite = f64::INFINITY.to_bits();
        // wider than what is the same, so that rounding leaves nothing out; what is infinite is near everything
        let (low, high) = match t.is_finite() {
            true => [1.0 - 2.0 * NEAR, 1.0 + 2.0 * NEAR]
                .map(|part| (part * t).to_bits())
                .into(),
            false => (0, infinite),
        };
        let near = (known.range(low..=high)).chain(known.range(infinite..=infinite));
        let same = near.filter(|(_, place)| same_evidence(own, &found[first[**place]]));
        let place = same.map(|(_, place)| *place).min().unwrap_or(first.len());
        if place == first.len() {
            first.push(*index);
            if !t.is_nan() {
                known.insert(t.to_bits(), place);
            }
        }
        group.push(place);
    }
    let p: Vec<f64> = first.iter().map(|i| found[*i].p).collect();
    let p = holm(&p);
    for (index, place) in family.iter().zip(group) {
        adjusted[*index] = p[place];
    }
}

/// Share up to which two t are the same.
const NEAR: f64 = 1e-9;

/// Wins of the one that has fewer, ties, wins of the other, trials.
type Counts = (u64, u64, u64, u64);

fn counts(of: &Found) -> Counts {
    let (win, loss) = (of.pair.win, of.pair.loss);
    (win.min(loss), of.pair.tie, win.max(loss), of.pair.moments.n)
}

fn same_evidence(a: &Found, b: &Found) -> bool {
    let (s, t) = (a.t.abs(), b.t.abs());
    counts(a) == counts(b) && (s == t || (s - t).abs() <= NEAR * s.max(t))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cell whose error is 1 ± 0.1, compared with one that differs by about `far`.
    fn cell(far: f64) -> CellTally {
        let values: Vec<f64> = (0..100).map(|i| 1.0 + 0.1 * f64::from(i % 3 - 1)).collect();
        let differences: Vec<f64> = (0..100).map(|i| far * f64::from(1 + i % 5)).collect();
        let mut own = OutcomeTally::of_values(&values, None);
        (own.subject, own.measure) = ("all".into(), "rmse");
        let mut other = own.clone();
        other.measure = "max_abs_error";
        CellTally {
            cell: 1,
            trials: 100,
            outcomes: vec![other, own],
            pairs: vec![PairTally {
                against: 0,
                subject: "all".into(),
                measure: "rmse",
                moments: OutcomeTally::of_values(&differences, None).moments,
                win: 30,
                tie: 0,
                loss: 70,
            }],
            fit: None,
            exact: Vec::new(),
            failed: Default::default(),
        }
    }

    fn comparison(pair: &PairTally, t: f64, p: f64) -> Found<'_> {
        let row = ComparisonRow {
            axes: Vec::new(),
            a: String::new(),
            b: String::new(),
            subject: String::new(),
            measure: String::new(),
            difference: t,
            mcse: 1.0,
            low: 0.0,
            high: 0.0,
            p_adjusted: p,
            win: pair.win,
            tie: pair.tie,
            loss: pair.loss,
            trials: pair.moments.n,
        };
        Found { row, p, t, pair }
    }

    /// Each compared with the first of every group, one after another.
    fn one_by_one(found: &[Found]) -> Vec<f64> {
        let (mut first, mut group) = (Vec::<usize>::new(), Vec::new());
        for (index, own) in found.iter().enumerate() {
            let same = |other: &usize| same_evidence(own, &found[*other]);
            let place = first.iter().position(same).unwrap_or(first.len());
            if place == first.len() {
                first.push(index);
            }
            group.push(place);
        }
        let p = holm(&first.iter().map(|i| found[*i].p).collect::<Vec<_>>());
        group.into_iter().map(|place| p[place]).collect()
    }

    /// Many with the same counts and t that are apart, near or chained, of either sign, infinite or none.
    #[test]
    fn evidence_is_grouped_as_if_each_were_compared_with_all_before() {
        let pairs: Vec<PairTally> = [(0, 100), (30, 70), (70, 30)]
            .map(|(win, loss)| PairTally {
                win,
                loss,
                ..cell(1.0).pairs.remove(0)
            })
            .into();
        let found: Vec<Found> = (0..3000_u32)
            .map(|i| {
                let step = f64::from(i * 7919 % 1000);
                let t = match i % 11 {
                    0 => f64::INFINITY,
                    1 => f64::NAN,
                    2 => 0.0,
                    3 | 4 => 5.0 * (1.0 + 0.4e-9 * step),
                    5 => -5.0 - step,
                    _ => 1.0 + f64::from(i),
                };
                // those of one kind of counts have no infinite t, which is the same as any
                let kind = if t.is_infinite() { 0 } else { i as usize % 3 };
                comparison(&pairs[kind], t, f64::from(i * 31 % 1009) / 1e6)
            })
            .collect();
        let family: Vec<usize> = (0..found.len()).collect();
        let mut adjusted = vec![1.0; found.len()];
        adjust(&family, &found, &mut adjusted);
        let expected = one_by_one(&found);
        assert!(
            adjusted
                .iter()
                .zip(&expected)
                .all(|(a, b)| a.to_bits() == b.to_bits())
        );
        // 45 000 distinct ones, all pairs of 300 cells: a minute if each were compared with all before
        let many: Vec<Found> = (0..45_000)
            .map(|i| comparison(&pairs[0], 1.0 + f64::from(i), 1e-3))
            .collect();
        let family: Vec<usize> = (0..many.len()).collect();
        let mut adjusted = vec![0.5; many.len()];
        adjust(&family, &many, &mut adjusted);
        assert!(adjusted.iter().all(|p| *p == 1.0));
    }

    #[test]
    fn what_is_kept_for_comparisons_is_enough_for_them() {
        let names = |_, _| PairNames {
            axes: Vec::new(),
            a: "one".into(),
            b: "other".into(),
        };
        for (far, ties, kept) in [(1e-13, 100, 1), (1e-3, 0, 0)] {
            let mut cell = cell(far);
            let whole = comparisons_named(std::slice::from_ref(&cell), 0.95, &names).unwrap();
            assert_eq!(whole[0].tie, ties, "{far}");
            keep_compared(&mut cell, 0.95).unwrap();
            assert_eq!(cell.outcomes.len(), kept, "{far}");
            assert!(
                cell.outcomes
                    .iter()
                    .all(|own| own.histogram.bins().is_empty())
            );
            let again = comparisons_named(std::slice::from_ref(&cell), 0.95, &names).unwrap();
            assert_eq!(again, whole);
        }
    }
}
