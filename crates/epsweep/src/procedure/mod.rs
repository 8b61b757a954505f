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
mod study;
mod tiles;
pub mod train;
mod weigh;

pub use drive::{Outcome, Quantiles, RunError, Task};
pub use rounds::{Judge, Until};
pub use study::{Kind, Study, StudyCell};

pub use crate::engine::{At, Procedure, Rows, Single};

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
