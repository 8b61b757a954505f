//! Queries that come one after another and are answered under one guarantee for all of them.
//!
//! A [`Method`] answers: a gate says which queries are above their thresholds, and closes when it has found enough; a policy releases values,
//! and decides online how much each may cost. All trials of a block
//! go in lock-step through the positions; row i of a source belongs to position i, and threshold, query and answer noise have sources of
//! their own, so that a trial that stops early moves nothing. Under common random numbers all cells read the same rows.
//!
//! What a trial spends is compared with the guarantee in every trial that is run (`spending`); a trial beyond it ends the run with an error.
//!
//! A new method is a file beside `gate` and a variant of [`Method`]; measures read its [`Block`].

mod ask;
#[cfg(test)]
mod policy_tests;
mod run;
mod spending;
#[cfg(test)]
mod tests;

pub use run::run;

use super::plain::{Plain, Reported};
use super::{At, Procedure, Rows};
use crate::measure::Measure;
use crate::study::stream::{Block, Method, Quantity, StreamCell};
use crate::tally::RowKind;
use ask::{Ask, asked};
use epsweep_core::random::{Draws, Source};
use epsweep_core::theory::Law;
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
    measures: Vec<Ask>,
    /// whether a trial may have no number in it
    may_be_undefined: Vec<bool>,
}

impl Plain for Stream {
    type Spec = StreamCell;
    type Context = Arc<Spending>;

    fn id(spec: &StreamCell) -> &str {
        &spec.id
    }

    fn reported(spec: &StreamCell, measures: &[&'static dyn Measure]) -> Vec<Reported> {
        (asked(measures, spec).into_iter())
            .map(|asked| Reported {
                kind: asked.ask.kind(spec),
                few: matches!(
                    asked.ask,
                    Ask::Some(Quantity::Spent(_) | Quantity::MostSpent)
                ),
                subject: asked.subject,
                measure: asked.measure,
            })
            .collect()
    }

    fn laws(spec: &StreamCell, measures: &[&'static dyn Measure]) -> Vec<Option<Arc<dyn Law>>> {
        let asked = asked(measures, spec);
        asked.iter().map(|asked| asked.ask.law(spec)).collect()
    }

    fn drawn(spec: &StreamCell) -> Vec<Source> {
        spec.method.sources()
    }

    fn prepared(
        spec: &StreamCell,
        index: usize,
        measures: &[&'static dyn Measure],
        sources: Vec<usize>,
    ) -> Prepared {
        let asked = asked(measures, spec);
        Prepared {
            cell: spec.clone(),
            index,
            sources,
            measures: asked.iter().map(|asked| asked.ask).collect(),
            may_be_undefined: (asked.iter())
                .map(|asked| asked.measure.may_be_undefined())
                .collect(),
        }
    }

    fn new(sources: Vec<Source>, spending: &Arc<Spending>) -> Stream {
        Stream {
            sources,
            spending: spending.clone(),
        }
    }

    fn evidence(spec: &StreamCell) -> String {
        spec.method.evidence()
    }
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
            .map(|measure| measure.kind(&cell.cell))
            .collect()
    }

    fn may_be_undefined(&self, cell: &Prepared, row: usize) -> bool {
        cell.may_be_undefined[row]
    }

    fn scratch(&self) -> Block {
        Block::default()
    }

    fn cell(&self, cell: &Prepared, draws: &Draws, at: At, block: &mut Block, rows: &mut Rows<'_>) {
        match &cell.cell.method {
            Method::Gate(gate) => gate.play(draws, &cell.sources, at, block),
            Method::Policy(policy) => policy.play(draws, &cell.sources, at, block),
        }
        self.spending
            .check(cell.index, &block.spent, cell.cell.guarantee);
        for (row, measure) in cell.measures.iter().enumerate() {
            measure.fill(&cell.cell, block, rows.row(row));
        }
    }
}
