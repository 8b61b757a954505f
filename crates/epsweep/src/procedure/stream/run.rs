//! The entry: cells in, finished tallies out.

use super::Stream;
use super::spending::Spending;
use crate::engine::Progress;
use crate::procedure::drive::{Outcome, RunError, Task};
use crate::procedure::plain;
use crate::study::stream::StreamCell;
use crate::tally::CellTally;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Simulates the cells; like every plain procedure, in parallel and without leaving a trace of the schedule.
///
/// # Errors
/// If the task contradicts itself, if threads cannot be started, or if a trial spent more than its guarantee.
pub fn run(
    cells: &[StreamCell],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    let spending = Arc::new(Spending::default());
    let outcome = plain::run::<Stream>(cells, &spending, task, progress, stop, sink)?;
    match spending.excess() {
        None => Ok(outcome),
        Some(excess) => Err(RunError::Overspent {
            cell: cells[excess.cell].id.clone(),
            spent: excess.spent,
            guarantee: cells[excess.cell].guarantee,
        }),
    }
}
