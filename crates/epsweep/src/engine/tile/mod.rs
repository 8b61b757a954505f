//! Cells that share their noise, and how a worker simulates them.

mod again;
mod session;

use self::again::Again;
use self::session::{Open, seats};
use super::BLOCK;
use super::guard::Hand;
use super::replay::Replay;
use super::{At, Procedure};
use crate::tally::{Fault, Faults, Layout, Leaf, Pool, SessionCounts, What};
use epsweep_core::random::{Draws, Level, Source};
use std::collections::HashSet;
use std::ops::Range;

/// Cells that share their noise, with the pairs that are compared trial by trial.
#[derive(Debug)]
pub struct Tile<P: Procedure> {
    /// the procedure
    pub procedure: P,
    /// the cells
    pub cells: Vec<TileCell<P::Cell>>,
    /// the pairs
    pub pairs: Vec<Pair>,
}

/// A cell in a tile.
#[derive(Debug)]
pub struct TileCell<C> {
    /// the cell
    pub cell: C,
    /// simulated only to be compared with: it is tallied in another tile
    pub guest: bool,
}

/// Two different cells of a tile that are compared, a − b, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// index of the first cell in the tile
    pub a: usize,
    /// index of the second cell in the tile
    pub b: usize,
    /// which row of a is compared with which row of b
    pub rows: Vec<(usize, usize)>,
}

/// A tile, whatever its procedure. Its layout holds the shared rows, the rows of each cell that is no guest, in order, and
/// the rows of each pair.
pub trait Work: Sync {
    /// Trials per chunk.
    fn chunk_len(&self) -> usize;
    /// The rows that are tallied.
    fn layout(&self) -> Layout;
    /// Number of cells that are tallied here.
    fn cells(&self) -> usize;
    /// Bytes of a worker's own beside its counts: the draws of a chunk, the rows of cells that others are compared with, and a block.
    fn buffers(&self) -> usize;
    /// A worker's own simulation of the tile.
    fn open(&self, seed: u64, level: Level, pool: &Pool) -> Box<dyn Session + '_>;
    /// A worker's simulation that is not tallied.
    fn replay(&self, seed: u64, level: Level) -> Box<dyn Replay + '_>;
    /// One trial, by its chunk and its place in the chunk, simulated alone.
    fn alone(&self, seed: u64, level: Level, chunk: u64, place: usize) -> TrialAlone;
    /// The draws of one trial, by its chunk and its place in the chunk.
    fn draws(&self, seed: u64, level: Level, chunk: u64, place: usize) -> Vec<TrialDraws>;
}

/// What came of one trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialAlone {
    /// a number for each row of the layout
    pub values: Vec<f64>,
    /// what failed
    pub faults: Faults,
}

/// What one trial draws from a source.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialDraws {
    /// what the draws are for
    pub purpose: String,
    /// standard variates of the trial, one for each row; the first [`SHOWN`] of the trial's own stream where the source has one
    pub values: Vec<f64>,
    /// rows of the source; `None` where each trial has a stream of its own, which does not end
    pub rows: Option<usize>,
}

/// Draws of a trial's own stream that are shown, and most rows.
pub const SHOWN: usize = 64;

/// One worker's simulation of one tile: owns its noise, its working memory and its counts.
pub trait Session {
    /// Simulates a chunk and tallies its trials `0..to`. Those before `counted` are in the counts already (a partial last chunk is made
    /// longer): they enter the moments only.
    fn chunk(&mut self, chunk: u64, counted: usize, to: usize) -> Leaf;
    /// Hands over the trials that failed since it was last asked, but for those that were in the counts.
    fn faults(&mut self) -> Faults;
    /// What has been counted.
    fn finish(self: Box<Self>) -> SessionCounts;
}

impl<P: Procedure> Tile<P> {
    /// Number of rows that the cells share.
    pub fn shared_rows(&self) -> usize {
        self.procedure.shared_rows().len()
    }

    /// First row in the layout of each cell, by its place in the tile. A guest has none: its number is the next cell's.
    pub fn first_rows(&self) -> Vec<usize> {
        let mut next = self.shared_rows();
        let first = |cell: &TileCell<P::Cell>| {
            let first = next;
            if !cell.guest {
                next += self.procedure.rows(&cell.cell).len();
            }
            first
        };
        self.cells.iter().map(first).collect()
    }

    fn tallied(&self) -> impl Iterator<Item = &TileCell<P::Cell>> {
        self.cells.iter().filter(|c| !c.guest)
    }
}

impl<P: Procedure> Work for Tile<P> {
    fn chunk_len(&self) -> usize {
        P::CHUNK
    }

    fn layout(&self) -> Layout {
        let mut kinds = self.procedure.shared_rows();
        for cell in self.tallied() {
            kinds.extend(self.procedure.rows(&cell.cell));
        }
        Layout::new(kinds, self.pairs.iter().map(|p| p.rows.len()).sum())
    }

    fn cells(&self) -> usize {
        self.tallied().count()
    }

    fn buffers(&self) -> usize {
        let sources = self.procedure.sources();
        let drawn: usize = sources.iter().map(Source::rows).sum();
        let compared: HashSet<usize> = self.pairs.iter().map(|p| p.a.min(p.b)).collect();
        let rows = |cell: &TileCell<P::Cell>| self.procedure.rows(&cell.cell).len();
        let kept: usize = (compared.iter().filter_map(|at| self.cells.get(*at)))
            .map(rows)
            .sum();
        let most = self.cells.iter().map(rows).max().unwrap_or(0);
        ((drawn + kept) * P::CHUNK + most * BLOCK) * size_of::<f64>()
    }

    fn open(&self, seed: u64, level: Level, pool: &Pool) -> Box<dyn Session + '_> {
        Box::new(Open::new(self, seed, level, pool))
    }

    fn replay(&self, seed: u64, level: Level) -> Box<dyn Replay + '_> {
        Box::new(Again::new(self, seed, level))
    }

    fn alone(&self, seed: u64, level: Level, chunk: u64, place: usize) -> TrialAlone {
        let seats = seats(self);
        let mut hand = hand(self, seed, level);
        hand.draws.go_to(chunk);
        let at = At {
            first: place,
            len: 1,
            level,
        };
        let (mut values, mut faults) = (Vec::new(), Faults::default());
        let mut shared = None;
        for row in 0..self.shared_rows() {
            let (value, panicked) = hand.shared(row, at);
            values.push(value[0]);
            shared = shared.or(panicked);
        }
        let tallied = seats.iter().zip(&self.cells).filter(|(_, c)| !c.guest);
        for (number, (seat, cell)) in tallied.enumerate() {
            let panics = hand.fill(&cell.cell, at, seat.rows);
            values.extend((0..seat.rows).map(|row| hand.block[row * BLOCK]));
            let own = seat.fault(&hand.block, &panics, 0);
            if let Some(what) = own.or(shared.clone().map(What::Panic)) {
                let trial = chunk * P::CHUNK as u64 + place as u64;
                faults.add(number, Fault { trial, chunk, what });
            }
        }
        TrialAlone { values, faults }
    }

    fn draws(&self, seed: u64, level: Level, chunk: u64, place: usize) -> Vec<TrialDraws> {
        let sources = self.procedure.sources();
        let mut draws = Draws::with_level(level, seed, P::CHUNK, &sources);
        draws.go_to(chunk);
        let each = sources.iter().enumerate().map(|(index, source)| {
            let mut values = vec![0.0; SHOWN];
            match source.rows() {
                0 => draws.trial(index, place).fill(&mut values),
                rows => {
                    values.truncate(rows);
                    for (row, value) in values.iter_mut().enumerate() {
                        *value = draws.row(index, row)[place];
                    }
                }
            }
            TrialDraws {
                purpose: source.purpose().to_owned(),
                values,
                rows: Some(source.rows()).filter(|rows| *rows > 0),
            }
        });
        each.collect()
    }
}

/// What a tile's cells are simulated with.
fn hand<P: Procedure>(tile: &Tile<P>, seed: u64, level: Level) -> Hand<'_, P> {
    let procedure = &tile.procedure;
    let draws = Draws::with_level(level, seed, P::CHUNK, &procedure.sources());
    let rows = tile.cells.iter().map(|c| procedure.rows(&c.cell).len());
    Hand::new(procedure, draws, rows.max().unwrap_or(0))
}

/// `to` trials, rounded up to whole blocks.
fn in_blocks<P: Procedure>(to: usize) -> usize {
    to.next_multiple_of(BLOCK.min(P::CHUNK)).min(P::CHUNK)
}

/// The blocks of a chunk that hold its trials `0..to`.
fn blocks<P: Procedure>(level: Level, to: usize) -> impl Iterator<Item = At> {
    let len = BLOCK.min(P::CHUNK);
    (0..to.min(P::CHUNK))
        .step_by(len)
        .map(move |first| At { first, len, level })
}

/// Which trials of a chunk are wanted.
struct Wanted {
    counted: usize,
    to: usize,
}

impl Wanted {
    /// The block's trials that enter the moments.
    fn entering(&self, at: At) -> Range<usize> {
        0..self.to.clamp(at.first, at.first + at.len) - at.first
    }

    /// The block's trials that enter the counts.
    fn counted(&self, at: At) -> Range<usize> {
        let entering = self.entering(at);
        let from = self.counted.clamp(at.first, at.first + at.len) - at.first;
        from.min(entering.end)..entering.end
    }
}
