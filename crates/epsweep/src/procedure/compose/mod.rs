//! Releases that are counted: what they cost together, by an accountant. Nothing is drawn, so a cell has exact values and no trials.

#[cfg(test)]
mod tests;

use crate::engine::{Progress, each};
use crate::measure::Rule;
use crate::procedure::drive::{Outcome, RunError, Task};
use crate::study::compose::ComposeCell;
use crate::tally::{CellTally, ExactTally};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Computes the cells, one after another on every thread. They are handed to `sink` as they are finished; what they hold depends on neither
/// threads nor order. When `stop` becomes true, the cells that are not complete are left out.
///
/// # Errors
/// If threads cannot be started.
pub fn run(
    cells: &[ComposeCell],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    // nothing is compared: a batch has its own cells alone
    let part = task.kept.part;
    if part.is_none_or(|part| part.tile == 0) {
        progress.begin(part.map_or(cells.len(), |part| part.of) as u64);
    }
    let finished = AtomicUsize::new(0);
    each(cells.len(), task.jobs, &|cell| {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        sink(CellTally {
            cell,
            trials: 0,
            outcomes: Vec::new(),
            pairs: Vec::new(),
            fit: None,
            exact: exact(&cells[cell], task),
            failed: Default::default(),
        });
        finished.fetch_add(1, Ordering::Relaxed);
        progress.advance(1);
    })?;
    let finished = finished.into_inner();
    Ok(Outcome {
        finished,
        tiles: cells.len(),
        stopped: finished < cells.len(),
    })
}

/// The measures of a cell that have a value, or say why not.
fn exact(cell: &ComposeCell, task: &Task<'_>) -> Vec<ExactTally> {
    let measured = task.measures.iter().filter_map(|measure| {
        let Rule::Count(value) = measure.rule() else {
            return None;
        };
        let value = value(cell).transpose()?;
        Some(ExactTally {
            subject: "all",
            measure: measure.about().name,
            value: value.map_err(|refusal| refusal.to_string()),
        })
    });
    measured.collect()
}
