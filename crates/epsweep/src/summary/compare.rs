//! Paired comparisons.

use super::levels::Levels;
use crate::record::{ComparisonRow, PairNames, Resolved, pair_names};
use crate::tally::{CellTally, PairTally};
use epsweep_core::statistics::{
    Interval, PairedDifference, StatisticsError, cochran_sufficient, holm,
};
use rayon::prelude::*;
use std::collections::BTreeMap;

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
    let levels = Levels::new(resolved.level)?;
    let compared: Vec<(&CellTally, &PairTally)> = compared(cells).collect();
    let found: Vec<Found> = compared
        .into_par_iter()
        .map(|(cell, pair)| compare(cell, pair, resolved, &levels))
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
    resolved: &Resolved,
    levels: &Levels,
) -> Result<Found<'a>, StatisticsError> {
    let PairNames { axes, a, b } = pair_names(resolved, cell.cell, pair.against);
    let d = PairedDifference::new(&pair.moments)?;
    let half_width = levels.trials(d.n)?.t * d.mcse;
    let interval = Interval::around(d.difference, half_width);
    // what differs by rounding alone is the same: all trials are ties, and nothing tells the two apart
    let far = interval.low.abs().max(interval.high.abs());
    let own = (cell.outcomes.iter())
        .find(|own| own.subject == pair.subject && own.measure == pair.measure);
    let same = own.is_some_and(|own| far <= ROUNDING * own.moments.mean.abs());
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

/// Adjusts the p values of a family.
fn adjust(family: &[usize], found: &[Found], adjusted: &mut [f64]) {
    // the first of every group of comparisons with the same evidence, and for each comparison the group that it belongs to
    let mut first: Vec<usize> = Vec::new();
    let mut group = Vec::with_capacity(family.len());
    for index in family {
        let same = |other: &usize| same_evidence(&found[*index], &found[*other]);
        let place = first.iter().position(same).unwrap_or_else(|| {
            first.push(*index);
            first.len() - 1
        });
        group.push(place);
    }
    let p: Vec<f64> = first.iter().map(|i| found[*i].p).collect();
    let p = holm(&p);
    for (index, place) in family.iter().zip(group) {
        adjusted[*index] = p[place];
    }
}

fn same_evidence(a: &Found, b: &Found) -> bool {
    let counts = |f: &Found| {
        let (w, l) = (f.pair.win.min(f.pair.loss), f.pair.win.max(f.pair.loss));
        (w, f.pair.tie, l, f.pair.moments.n)
    };
    let (s, t) = (a.t.abs(), b.t.abs());
    counts(a) == counts(b) && (s == t || (s - t).abs() <= 1e-9 * s.max(t))
}
