//! The rows of `histograms.csv`.

use crate::record::{HistogramRow, Resolved};
use crate::tally::{BULK_BINS, CellTally, OutcomeTally};
use rayon::prelude::*;

/// Up to this many cells, the histograms that a reader may want are all written; beyond, only those that a figure names.
pub(crate) const ALL_UP_TO: usize = 24;

/// The histograms of a run: the answers of every query and the measures of all queries together where there are at most 24 cells,
/// and whatever a figure draws, which `drawn` says of a cell's place and a measure. Bins are coarsened to what a figure can show, and carry their
/// exact probability where theory knows it. `resolved` may hold a part of the run's cells, if it holds these.
pub fn histogram_rows(
    cells: &[CellTally],
    resolved: &Resolved,
    drawn: &(dyn Fn(usize, &str) -> bool + Sync),
) -> Vec<HistogramRow> {
    let of_run = resolved.axes.iter().map(|axis| axis.labels.len());
    let few = of_run.product::<usize>() <= ALL_UP_TO;
    let wanted = |cell: usize, outcome: &OutcomeTally| {
        few && (outcome.subject == "all" || outcome.measure == "answer")
            || drawn(cell, outcome.measure)
    };
    cells
        .par_iter()
        .flat_map_iter(|cell| {
            cell.outcomes
                .iter()
                .filter(|o| wanted(cell.cell, o))
                .flat_map(|o| rows(cell, o, resolved))
        })
        .collect()
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
