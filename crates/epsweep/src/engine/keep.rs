//! What outlives a simulation: tallies that are kept while it runs, and those of earlier ones.

use super::{Listing, Scale, TrialDraws};
use crate::tally::{Layout, Tally};
use std::fmt::Debug;
use std::sync::Mutex;
use std::time::Duration;

/// Where tallies are kept. Tiles are known by their number in the run's order, which depends on the experiment alone.
///
/// Whatever cannot be kept is the keeper's to report, after the simulation; it says by `false` that going on is of no use.
pub trait Keep: Debug + Sync {
    /// What is known of a tile from before: a tally of the first trials of those wanted, or of all.
    fn known(&self, tile: usize, layout: &Layout) -> Option<Tally>;

    /// A tile of which all wanted trials are in. Called once for each, from any thread; not for those that were known to be complete.
    fn finished(&self, tile: usize, tally: &Tally) -> bool;

    /// The tiles that are not finished, at a moment in which nothing runs.
    fn paused(&self, open: &[(usize, &Tally)]) -> bool;

    /// How long to simulate between two pauses.
    fn interval(&self) -> Duration;

    /// Whether all is known, so that a tile that is not is a failure, and nothing is to be simulated.
    fn complete(&self) -> bool {
        false
    }
}

/// A shard of a run: of N parts of each tile's chunks, the I-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// from 1 to `of`
    pub index: u64,
    /// number of parts
    pub of: u64,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Shard = Shard { index: 1, of: 1 };

    /// Its chunks, of so many: parts of nearly the same size, which together are all chunks, each once.
    pub fn chunks(self, chunks: u64) -> std::ops::Range<u64> {
        let bound =
            |part: u64| (u128::from(chunks) * u128::from(part) / u128::from(self.of)) as u64;
        bound(self.index - 1)..bound(self.index)
    }

    /// Whether it is all of the run.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

/// The trial that is wanted, alone.
#[derive(Clone, Copy, Debug)]
pub struct Single<'a> {
    /// index of the cell
    pub cell: usize,
    /// the trial, from 0
    pub trial: u64,
    /// where its draws go
    pub drawn: &'a Mutex<Vec<TrialDraws>>,
}

/// A batch of a run whose cells are not all at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// cells of the batch: the first of those that are given. The others are there to be compared with, and belong to other batches
    pub own: usize,
    /// cells of the run
    pub of: usize,
    /// number of its first tile in the run
    pub tile: usize,
}

/// What of a run is simulated, and where its tallies are kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept<'a> {
    /// the batch of the run that the given cells are; all of it by default
    pub part: Option<Part>,
    /// the shard that is wanted; only of the whole are cells handed on
    pub shard: Shard,
    /// where tallies are kept, if anywhere
    pub keep: Option<&'a dyn Keep>,
    /// what is wanted in place of the tallies of all, if anything
    pub instead: Option<Instead<'a>>,
}

impl Kept<'_> {
    /// How many of the given cells are simulated.
    pub fn own(&self, given: usize) -> usize {
        self.part.map_or(given, |part| part.own.min(given))
    }
}

/// What a procedure can be asked for in place of its tallies.
#[derive(Clone, Copy, Debug)]
pub enum Instead<'a> {
    /// one trial of one cell
    Single(Single<'a>),
    /// the numbers of a cell's trials, one by one
    Listing(Listing<'a>),
    /// the weight of the tiles; nothing is drawn
    Scale(&'a Scale),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_every_chunk_once() {
        for chunks in [0, 1, 5, 24, 25, 1 << 40] {
            for of in [1, 2, 7, 1000] {
                let mut next = 0;
                for index in 1..=of {
                    let part = Shard { index, of }.chunks(chunks);
                    assert_eq!(part.start, next);
                    next = part.end;
                }
                assert_eq!(next, chunks);
            }
        }
        // quarters meet halves
        let (half, quarter) = (Shard { index: 2, of: 2 }, Shard { index: 3, of: 4 });
        assert_eq!(half.chunks(25).start, quarter.chunks(25).start);
    }
}
