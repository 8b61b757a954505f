//! All that is known of a tile after some of its chunks.

use super::counts::{Counts, Layout};
use super::faults::Faults;
use super::forest::{Forest, Leaf};

/// A tile's tally: this, and not what is folded from it, is what checkpoints and shards hold.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    /// moments of the complete chunks
    pub forest: Forest,
    /// moments of the partial last chunk, a leaf of its own that never enters the forest: to extend a run the chunk is simulated
    /// whole again
    pub tail: Option<Leaf>,
    /// integers and extremes of all trials
    pub counts: Counts,
    /// trials that are in
    pub trials: u64,
    /// those that failed
    pub faults: Faults,
}

impl Tally {
    /// Nothing yet.
    pub fn new(layout: &Layout) -> Tally {
        Tally {
            forest: Forest::default(),
            tail: None,
            counts: Counts::new(layout),
            trials: 0,
            faults: Faults::default(),
        }
    }

    /// Whether the other tally is of other chunks, so that it can be taken in.
    pub fn takes(&self, other: &Tally) -> bool {
        (self.tail.is_none() || other.tail.is_none()) && self.forest.takes(&other.forest)
    }

    /// Takes in the tally of other chunks of the same tile.
    ///
    /// # Panics
    /// If a chunk is in both.
    pub fn absorb(&mut self, other: Tally) {
        self.forest.absorb(other.forest);
        assert!(
            self.tail.is_none() || other.tail.is_none(),
            "the last chunk was tallied twice"
        );
        self.tail = self.tail.take().or(other.tail);
        self.counts.absorb(&other.counts);
        self.trials += other.trials;
        self.faults.absorb(other.faults);
    }

    /// Moments of every row, then of every paired row; `None` where there are no trials.
    pub fn moments(&self) -> Option<Leaf> {
        self.forest.fold(self.tail.as_ref())
    }
}
