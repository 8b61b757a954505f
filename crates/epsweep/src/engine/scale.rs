//! Weighing a run in place of simulating it.

use std::sync::{Mutex, PoisonError};

/// Weighs tiles in place of simulating them.
#[derive(Debug)]
pub struct Scale {
    /// trials of a cell
    trials: f64,
    weight: Mutex<Weight>,
}

/// Bytes of the tiles of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Weight {
    /// of a worker at the tile that needs most: bins of 32 bits, draws of a chunk, rows that are kept for comparisons
    pub session: f64,
    /// of the tally of the tile that has most: bins of 64 bits
    pub tally: f64,
    /// of the tallies of all tiles
    pub tallies: f64,
    /// how many tiles
    pub tiles: usize,
    /// rows that are tallied
    pub rows: f64,
    /// outcomes that are read off them
    pub outcomes: f64,
    /// bytes of their histograms
    pub histograms: f64,
}

impl Weight {
    /// The weight of these tiles and others.
    pub fn add(&mut self, more: &Weight) {
        self.session = self.session.max(more.session);
        self.tally = self.tally.max(more.tally);
        self.tallies += more.tallies;
        self.tiles += more.tiles;
        self.rows += more.rows;
        self.outcomes += more.outcomes;
        self.histograms += more.histograms;
    }
}

impl Scale {
    /// For cells with so many trials.
    pub fn new(trials: f64) -> Scale {
        Scale {
            trials,
            weight: Mutex::default(),
        }
    }

    /// What was weighed.
    pub fn weight(self) -> Weight {
        self.weight
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Trials of a cell.
    pub fn trials(&self) -> f64 {
        self.trials
    }

    /// Takes down what was weighed.
    pub fn put(&self, weight: Weight) {
        *(self.weight.lock()).unwrap_or_else(PoisonError::into_inner) = weight;
    }
}
