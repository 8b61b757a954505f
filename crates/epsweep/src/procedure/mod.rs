//! What one trial does with its budget.
//!
//! One trait serves all procedures. A procedure fills blocks of outcomes from the noise of a chunk; the engine draws, tallies,
//! pairs and merges without knowing what is simulated. There is one virtual call per (tile, chunk), none per trial.

pub mod clip_then_sum;
pub mod compose;
mod drive;
mod keeping;
mod listing;
mod pairing;
mod plain;
mod reading;
pub mod release;
mod rounds;
pub mod select;
mod single;
mod sources;
pub mod stream;
mod tiles;
pub mod train;
mod weigh;

pub use drive::{Outcome, Quantiles, RunError, Task};
pub use rounds::{Judge, Until};

pub use crate::engine::{At, Procedure, Rows, Single};

use crate::engine::Progress;
use crate::study::Study;
use crate::tally::CellTally;
use std::sync::atomic::AtomicBool;

/// Simulates every cell. Cells are handed to `sink` as they are finished, from any thread and in any order. When `stop` becomes true, the
/// work in flight is finished and the cells that are not complete are left out.
///
/// # Errors
/// If the task contradicts itself, or if threads cannot be started.
pub fn simulate(
    study: &Study,
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    match study {
        Study::Release(cells) => {
            let request = release::Request::new(cells, task);
            release::run(&request, progress, stop, sink)
        }
        Study::Select(cells) => select::run(cells, task, progress, stop, sink),
        Study::Stream(cells) => stream::run(cells, task, progress, stop, sink),
        Study::Train(cells) => train::run(cells, task, progress, stop, sink),
        Study::ClipThenSum(cells) => clip_then_sum::run(cells, task, progress, stop, sink),
        Study::Compose(cells) => compose::run(cells, task, progress, stop, sink),
    }
}

/// Whether cells share their noise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Streams {
    /// common random numbers: the noise of a query is the same in all cells, up to its scale
    #[default]
    Common,
    /// every cell draws for itself
    Independent,
}

impl Streams {
    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Streams::Common => "common",
            Streams::Independent => "independent",
        }
    }
}

/// What becomes of a run in which a trial fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OnError {
    /// it ends, and says which trial it was
    #[default]
    Stop,
    /// it goes on without the trial, and counts it
    Record,
}

impl OnError {
    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            OnError::Stop => "stop",
            OnError::Record => "record",
        }
    }
}
