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

pub use drive::{Outcome, Quantiles, RunError, Task};
pub use listing::{Listed, Listing, TakeTrials};
pub use rounds::{Judge, Until};
pub use single::Single;
pub use study::{Kind, Study, StudyCell};

use crate::engine::BLOCK;
use crate::tally::RowKind;
use epsweep_core::random::{Draws, Level, Source};

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

/// The part of a chunk that is being simulated, and the instruction set to use.
#[derive(Clone, Copy, Debug)]
pub struct At {
    /// first trial, by its place in the chunk
    pub first: usize,
    /// number of trials, at most [`BLOCK`]
    pub len: usize,
    /// the instruction set; results do not depend on it
    pub level: Level,
}

impl At {
    /// These trials' part of a row that holds a whole chunk.
    #[inline]
    pub fn of<'a>(&self, row: &'a [f64]) -> &'a [f64] {
        &row[self.first..self.first + self.len]
    }
}

/// The outcomes of one block: one row per measure, one value per trial.
#[derive(Debug)]
pub struct Rows<'a> {
    buffer: &'a mut [f64],
    len: usize,
}

impl<'a> Rows<'a> {
    /// Rows of `len` trials in a buffer of [`BLOCK`] values per row.
    pub fn new(buffer: &'a mut [f64], len: usize) -> Rows<'a> {
        Rows { buffer, len }
    }

    /// The row to be filled with row `row`'s outcomes. A NaN marks a trial in which the outcome is undefined.
    #[inline]
    pub fn row(&mut self, row: usize) -> &mut [f64] {
        &mut self.buffer[row * BLOCK..][..self.len]
    }
}

/// A procedure, with what its cells have in common.
///
/// Every outcome must be a function of the cell, the addressed draws and the trial alone: not of the block's size, of the
/// other cells, or of what was simulated before. Then a cell's bits do not depend on its company.
pub trait Procedure: Sync {
    /// One point of the sweep, resolved: scales, tables, thresholds.
    type Cell: Sync;
    /// Working memory of one worker. Nothing in it may outlive a block.
    type Scratch;
    /// Trials per chunk: a power of two, and a multiple of [`BLOCK`] or less than it. Part of what a run is identified by.
    const CHUNK: usize;

    /// The noise that the cells share.
    fn sources(&self) -> Vec<Source>;

    /// Rows that depend on the noise alone: tallied once for all cells.
    fn shared_rows(&self) -> Vec<RowKind> {
        Vec::new()
    }

    /// Rows of a cell.
    fn rows(&self, cell: &Self::Cell) -> Vec<RowKind>;

    /// Whether a trial may rightly have no number in row `row` of a cell, such as a share of nothing. In any other row a NaN means that the
    /// trial has failed.
    fn may_be_undefined(&self, cell: &Self::Cell, row: usize) -> bool {
        let _ = (cell, row);
        false
    }

    /// Fresh working memory.
    fn scratch(&self) -> Self::Scratch;

    /// A block of shared row `row`: either a part of the draws, or computed into `room`, which has the block's length.
    fn shared<'a>(&self, row: usize, draws: &'a Draws, at: At, room: &'a mut [f64]) -> &'a [f64] {
        let _ = (row, draws, at);
        room
    }

    /// A block of all rows of a cell.
    fn cell(
        &self,
        cell: &Self::Cell,
        draws: &Draws,
        at: At,
        scratch: &mut Self::Scratch,
        rows: &mut Rows<'_>,
    );
}
