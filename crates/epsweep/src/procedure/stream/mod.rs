//! Queries that come one after another and are answered under one guarantee for all of them.
//!
//! A [`Method`] answers: a gate says which queries are above their thresholds, and closes when it has found enough. All trials of a block
//! go in lock-step through the positions; row i of a source belongs to position i, and threshold, query and answer noise have sources of
//! their own, so that a trial that stops early moves nothing. Under common random numbers all cells read the same rows.
//!
//! What a trial spends is compared with the guarantee in every trial that is run (`spending`); a trial beyond it ends the run with an error.
//!
//! A new method is a file beside `gate` and a variant of [`Method`]; measures read its [`Block`].

mod block;
mod cell;
mod finish;
mod gate;
mod layout;
mod loss;
mod run;
mod spending;
#[cfg(test)]
mod tests;

pub use block::Block;
pub use cell::{Method, StreamCell};
pub use gate::GateCell;
pub use loss::{LossTable, MOST_QUERIES};
pub use run::run;

use super::{At, Procedure, Rows};
use crate::measure::StreamMeasure;
use crate::tally::RowKind;
use epsweep_core::random::{Draws, Source};
use spending::Spending;
use std::sync::Arc;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct Stream {
    sources: Vec<Source>,
    spending: Arc<Spending>,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    cell: StreamCell,
    /// its index in the request
    index: usize,
    /// places of its sources, in the order in which the method names them
    sources: Vec<usize>,
    /// one row for each
    measures: Vec<StreamMeasure>,
}

impl Procedure for Stream {
    type Cell = Prepared;
    type Scratch = Block;
    // a row for every position is held for a whole chunk
    const CHUNK: usize = 512;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        (cell.measures.iter())
            .map(|measure| (measure.kind)(&cell.cell))
            .collect()
    }

    fn scratch(&self) -> Block {
        Block::default()
    }

    fn cell(&self, cell: &Prepared, draws: &Draws, at: At, block: &mut Block, rows: &mut Rows<'_>) {
        match &cell.cell.method {
            Method::Gate(gate) => gate.play(draws, &cell.sources, at, block),
        }
        self.spending
            .check(cell.index, &block.spent, cell.cell.guarantee);
        for (row, measure) in cell.measures.iter().enumerate() {
            (measure.kernel)(&cell.cell, block, rows.row(row));
        }
    }
}
