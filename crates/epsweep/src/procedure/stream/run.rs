//! The entry: cells in, finished tallies out.

use super::finish::Finished;
use super::layout::{Plan, Question};
use super::spending::Spending;
use super::{Stream, StreamCell};
use crate::engine::{Progress, Work};
use crate::procedure::Procedure;
use crate::procedure::drive::{Order, Outcome, Planned, RunError, Task, drive, validate};
use crate::procedure::tiles::{Group, Size, divide};
use crate::tally::{CellTally, Tally};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Simulates the cells. They are handed to `sink` as their tiles are finished, from any thread and in any order; what they hold depends on
/// neither. When `stop` becomes true, the work in flight is finished and the cells that are not complete are left out.
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
    validate(task, cells.len())?;
    let question = Question {
        cells,
        measures: task.measures,
        streams: task.streams,
        spending: Arc::new(Spending::default()),
    };
    let groups = divide(cells.len(), task.pairs, |cell| cost_of(&question, cell));
    let plan = |group: &Group| Plan::new(&question, &group.members, &group.pairs);
    let size = (cells.len(), Stream::CHUNK);
    let outcome = drive(task, size, &groups, plan, progress, stop, sink)?;
    match question.spending.excess() {
        None => Ok(outcome),
        Some(excess) => Err(RunError::Overspent {
            cell: cells[excess.cell].id.clone(),
            spent: excess.spent,
            guarantee: cells[excess.cell].guarantee,
        }),
    }
}

impl Planned for Plan {
    fn work(&self) -> &dyn Work {
        &self.tile
    }

    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally)) {
        Finished::new(self, tally, order).cells().for_each(sink);
    }
}

/// What a cell costs in a worker's buffers.
fn cost_of(question: &Question<'_>, cell: usize) -> Size {
    let alone = Plan::new(question, &[(cell, false)], &[]);
    let layout = alone.tile.layout();
    let rows = layout.kinds().len();
    let bins: usize = layout.kinds().iter().map(|kind| kind.bins()).sum();
    Size {
        tallied: bins * size_of::<u32>() + 1024,
        kept: rows * alone.tile.chunk_len() * size_of::<f64>(),
        paired: rows * 512,
    }
}
