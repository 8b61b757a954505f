//! The rows of `histograms.csv`.

use crate::figure;
use crate::record::{HistogramRow, Resolved, ResolvedFigure};
use crate::tally::{BULK_BINS, CellTally, OutcomeTally};
use rayon::prelude::*;

/// Up to this many cells, the histograms that a reader may want are all written; beyond, only those that a figure names.
pub(crate) const ALL_UP_TO: usize = 24;

/// The histograms of a run: the answers of every query and the measures of all queries together where there are at most 24 cells,
/// and whatever a figure draws. Bins are coarsened to what a figure can show, and carry their exact probability where theory knows it.
pub fn histogram_rows(cells: &[CellTally], resolved: &Resolved) -> Vec<HistogramRow> {
    cells
        .par_iter()
        .flat_map_iter(|cell| {
            cell.outcomes
                .iter()
                .filter(|o| wanted(cell.cell, o, resolved))
                .flat_map(|o| rows(cell, o, resolved))
        })
        .collect()
}

fn wanted(cell: usize, outcome: &OutcomeTally, resolved: &Resolved) -> bool {
    let of_all = outcome.subject == "all";
    if resolved.cells.len() <= ALL_UP_TO && (of_all || outcome.measure == "answer") {
        return true;
    }
    resolved.figures.iter().any(|figure| {
        let kind = (figure::REGISTRY.iter()).find(|kind| kind.about().name == figure.kind);
        if !kind.is_some_and(|kind| kind.draws_histograms()) {
            return false;
        }
        let drawn = match &figure.measure {
            Some(measure) => measure == outcome.measure,
            None if figure.kind == "article-panel" => {
                matches!(outcome.measure, "answer" | "max_abs_error")
            }
            None => usual_measure(resolved) == Some(outcome.measure),
        };
        drawn && shows(figure, cell, resolved)
    })
}

/// Whether a figure is of a cell.
pub(super) fn shows(figure: &ResolvedFigure, cell: usize, resolved: &Resolved) -> bool {
    figure.cells.iter().all(|(axis, labels)| {
        let place = resolved.axes.iter().position(|a| a.name == *axis);
        place.is_none_or(|i| labels.contains(&resolved.cells[cell].labels[i]))
    })
}

/// What a figure draws that names no measure.
fn usual_measure(resolved: &Resolved) -> Option<&str> {
    let has = |measure: &&str| resolved.measures.iter().any(|m| m == measure);
    [
        "max_abs_error",
        "rmse",
        "abs_error",
        "utility_loss",
        "stream_error",
    ]
    .into_iter()
    .find(has)
    .or(resolved.measures.first().map(String::as_str))
}

fn rows<'a>(
    cell: &'a CellTally,
    outcome: &'a OutcomeTally,
    resolved: &'a Resolved,
) -> impl Iterator<Item = HistogramRow> + 'a {
    let named = &resolved.cells[cell.cell];
    let coarse = outcome.histogram.coarsen(BULK_BINS);
    let law = outcome.law.as_ref();
    let cdf = move |x: f64| law.and_then(|law| law.cdf(x));
    // the upper edge of a bin is mostly the lower edge of the next: its probability is computed once
    let mut last: Option<(f64, Option<f64>)> = None;
    (0..coarse.bins().len()).map(move |i| {
        let bin = coarse.bins()[i];
        let smooth = law.is_some_and(|law| law.density((bin.low + bin.high) / 2.0).is_some());
        let exact = if !smooth || bin.low == bin.high {
            None
        } else {
            let below = match last {
                Some((edge, value)) if edge == bin.low => value,
                _ => cdf(bin.low),
            };
            let above = cdf(bin.high);
            last = Some((bin.high, above));
            below.zip(above).map(|(b, a)| (a - b).max(0.0))
        };
        HistogramRow {
            cell: named.id.clone(),
            axes: named.labels.clone(),
            subject: outcome.subject.clone(),
            measure: outcome.measure.to_string(),
            low: bin.low,
            high: bin.high,
            count: bin.count,
            exact,
        }
    })
}
