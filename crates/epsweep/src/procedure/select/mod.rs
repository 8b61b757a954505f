//! Choosing candidates by their scores: in each trial a mechanism chooses one, or fills several slots.
//!
//! Candidates are known by their rank, from the best score to the worst, so that every measure is a function of ranks and of the
//! [`Ranking`](crate::study::select::Ranking). Under common random numbers (the default) all cells that take variates of the same law read the same ones, named by the
//! procedure and the path; with [`Path::InverseCdf`](crate::study::select::Path::InverseCdf) equal variates give choices that are as alike as can be, which pairs the cells. With
//! independent streams the cell's canonical text enters the name.

mod finish;
mod layout;
mod run;
#[cfg(test)]
mod tests;

pub use run::run;

use super::{At, Procedure, Rows};
use crate::engine::BLOCK;
use crate::measure::ChoiceMeasure;
use crate::study::select::{Sampler, SelectCell};
use crate::tally::RowKind;
use epsweep_core::random::{Draws, Source};

/// Candidates up to which each has a count of its own in the tally of a single choice; beyond, only those that results show have, and the
/// others share one.
const COUNTED: usize = 1024;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct Select {
    sources: Vec<Source>,
    /// how many cells there are, each with a number
    cells: usize,
    /// the most slots of one
    slots: usize,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    cell: SelectCell,
    /// its place in the tile
    number: usize,
    source: usize,
    /// the rows behind those of the chosen ranks
    measures: Vec<ChoiceMeasure>,
    chosen: ChosenRows,
}

/// How it is tallied who is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChosenRows {
    /// in one row, the rank: the last of so many counts is of all ranks from it on
    Rank {
        /// counts
        counts: usize,
    },
    /// in a row of flags for each of the best ranks
    Flags {
        /// rows
        shown: usize,
    },
}

impl ChosenRows {
    fn of(cell: &SelectCell) -> ChosenRows {
        let (shown, permitted) = (
            cell.ranking.names().len(),
            cell.ranking.scores().permitted(),
        );
        if cell.slots > 1 {
            return ChosenRows::Flags { shown };
        }
        let counts = match permitted <= COUNTED {
            true => permitted,
            false => shown + 1,
        };
        ChosenRows::Rank { counts }
    }

    fn rows(self) -> usize {
        match self {
            ChosenRows::Rank { .. } => 1,
            ChosenRows::Flags { shown } => shown,
        }
    }

    fn fill(self, slots: usize, chosen: &[u32], rows: &mut Rows<'_>) {
        match self {
            ChosenRows::Rank { counts } => {
                let last = counts as u32 - 1;
                for (to, rank) in rows.row(0).iter_mut().zip(chosen) {
                    *to = f64::from((*rank).min(last));
                }
            }
            ChosenRows::Flags { shown } => {
                for rank in 0..shown {
                    let trials = chosen.chunks_exact(slots);
                    for (to, trial) in rows.row(rank).iter_mut().zip(trials) {
                        *to = f64::from(u8::from(trial.contains(&(rank as u32))));
                    }
                }
            }
        }
    }
}

/// Working memory: the ranks chosen in a block, and the samplers that need room of their own.
#[derive(Debug)]
pub struct Room {
    chosen: Vec<u32>,
    own: Vec<Option<Sampler>>,
}

impl Procedure for Select {
    type Cell = Prepared;
    type Scratch = Room;
    const CHUNK: usize = 4096;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        let mut kinds = match cell.chosen {
            ChosenRows::Rank { counts } => vec![RowKind::Index { n: counts }],
            ChosenRows::Flags { shown } => vec![RowKind::Flag; shown],
        };
        let (ranking, slots) = (&cell.cell.ranking, cell.cell.slots);
        kinds.extend(cell.measures.iter().map(|m| (m.kind)(ranking, slots)));
        kinds
    }

    fn scratch(&self) -> Room {
        Room {
            chosen: vec![0; BLOCK * self.slots],
            own: vec![None; self.cells],
        }
    }

    fn cell(&self, cell: &Prepared, draws: &Draws, at: At, room: &mut Room, rows: &mut Rows<'_>) {
        let SelectCell {
            ranking,
            slots,
            sampler,
            ..
        } = &cell.cell;
        let chosen = &mut room.chosen[..at.len * slots];
        sampler.choose(cell.source, draws, at, &mut room.own[cell.number], chosen);
        cell.chosen.fill(*slots, chosen, rows);
        let first = cell.chosen.rows();
        for (row, measure) in cell.measures.iter().enumerate() {
            (measure.kernel)(ranking, *slots, chosen, rows.row(first + row));
        }
    }
}
