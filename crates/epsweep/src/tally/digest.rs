//! What makes two runs the same: a hash over every bit of their tallies.

use super::{CellTally, Histogram};
use epsweep_core::statistics::Moments;
use std::collections::BTreeMap;

impl CellTally {
    /// Hash of the tallies: moments, counts, extremes, pairs, by their bits. Laws, evidence and the cell's index in the plan are
    /// left out, so that the hash says the same of a cell in another experiment.
    pub fn digest(&self) -> blake3::Hash {
        let mut hash = Hash(blake3::Hasher::new());
        hash.word(self.trials);
        for outcome in &self.outcomes {
            hash.text(&outcome.subject);
            hash.text(outcome.measure);
            hash.moments(&outcome.moments);
            hash.histogram(&outcome.histogram);
            hash.word(outcome.min.to_bits());
            hash.word(outcome.max.to_bits());
            hash.word(outcome.undefined);
        }
        for pair in &self.pairs {
            hash.text(&pair.subject);
            hash.text(pair.measure);
            hash.moments(&pair.moments);
            for count in [pair.win, pair.tie, pair.loss] {
                hash.word(count);
            }
        }
        hash.0.finalize()
    }
}

struct Hash(blake3::Hasher);

impl Hash {
    fn word(&mut self, word: u64) {
        self.0.update(&word.to_le_bytes());
    }

    /// The length goes first, so that no two lists of texts look alike.
    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    fn moments(&mut self, m: &Moments) {
        self.word(m.n);
        for x in [m.mean, m.m2, m.m3, m.m4] {
            self.word(x.to_bits());
        }
    }

    fn histogram(&mut self, histogram: &Histogram) {
        self.word(histogram.bins().len() as u64);
        for bin in histogram.bins() {
            self.word(bin.low.to_bits());
            self.word(bin.high.to_bits());
            self.word(bin.count);
        }
    }
}

/// Hash of a run from those of its cells, which may come in any order.
#[derive(Clone, Debug, Default)]
pub struct RunDigest {
    cells: BTreeMap<usize, blake3::Hash>,
}

impl RunDigest {
    /// Takes a finished cell in.
    pub fn insert(&mut self, cell: &CellTally) {
        self.cells.insert(cell.cell, cell.digest());
    }

    /// The hash over all cells in the plan's order, in hexadecimal.
    pub fn finish(&self) -> String {
        let mut hash = blake3::Hasher::new();
        for cell in self.cells.values() {
            hash.update(cell.as_bytes());
        }
        hash.finalize().to_hex().to_string()
    }
}
