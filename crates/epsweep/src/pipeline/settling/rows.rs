//! The rows of `convergence.csv`: means after the first trials of a run, for figures of how errors fall.

use crate::figure::{draws_settling, draws_settling_of};
use crate::record::{Resolved, SummaryRow};
use crate::summary::summarise;
use crate::tally::CellTally;
use epsweep_core::statistics::StatisticsError;
use std::collections::HashMap;

/// The fewest trials of which an error is told.
const FEWEST: u64 = 64;
/// The most trials that are simulated once more for it.
const MOST: u64 = 1 << 20;

/// After how many trials means are recorded besides the last: powers of two from 64 to a quarter of `trials` (at most 2²⁰), so that
/// they cost at most half as much again; none if no figure draws them.
pub(super) fn settling_trials(resolved: &Resolved, trials: u64) -> Vec<u64> {
    if !draws_settling(resolved) {
        return Vec::new();
    }
    (0..u64::BITS)
        .map(|power| 1 << power)
        .filter(|count| (FEWEST..=MOST.min(trials / 4)).contains(count))
        .collect()
}

/// The means that a figure of convergence draws, of the tallies of all cells.
///
/// # Errors
/// See [`summarise`].
pub(super) fn settling_means(
    cells: &[CellTally],
    resolved: &Resolved,
) -> Result<Vec<SummaryRow>, StatisticsError> {
    let wanted = wanted(resolved);
    let mut rows = summarise(cells, resolved)?.rows;
    rows.retain(&wanted);
    Ok(rows)
}

/// The rows of means that a figure of convergence draws: those of all trials in `rows`, and in `earlier` those of the first trials, fewer
/// before more. By cell, subject and measure, then by trials.
pub(super) fn settling_rows(
    earlier: Vec<SummaryRow>,
    rows: &[SummaryRow],
    resolved: &Resolved,
) -> Vec<SummaryRow> {
    let key = |row: &SummaryRow| [&row.cell, &row.subject, &row.measure].map(|t| t.to_string());
    let mut found: HashMap<[String; 3], Vec<SummaryRow>> = HashMap::new();
    for row in earlier {
        found.entry(key(&row)).or_default().push(row);
    }
    let wanted = wanted(resolved);
    let mut out = Vec::new();
    for last in rows.iter().filter(|row| wanted(row)) {
        let before = found.remove(&key(last)).unwrap_or_default();
        // a cell that stopped early has no more trials than it has
        out.extend(before.into_iter().filter(|row| row.trials < last.trials));
        out.push(last.clone());
    }
    out
}

/// Whether a figure of convergence draws a row.
fn wanted(resolved: &Resolved) -> impl Fn(&SummaryRow) -> bool {
    let places: HashMap<&str, usize> = (resolved.cells.iter().enumerate())
        .map(|(place, cell)| (cell.id.as_str(), place))
        .collect();
    move |row| {
        let place = places.get(&*row.cell);
        &*row.statistic == "mean"
            && place.is_some_and(|cell| draws_settling_of(resolved, *cell, &row.measure))
    }
}
