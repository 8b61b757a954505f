//! What makes two runs the same: a hash over every bit of their tallies.

use super::{CellTally, Histogram};
use epsweep_core::statistics::Moments;
use std::collections::BTreeMap;

impl CellTally {
    /// Hash of the tallies: moments, counts, extremes, pairs, by their bits. Laws, evidence and the cell's index in the plan are
    /// left out, so that the hash says the same of a cell in another experiment.
    pub fn digest(&self) -> blake3::Hash {
        // one long message: a hash is fastest when it gets much at once
        let mut message = Message(Vec::new());
        message.word(self.trials);
        for outcome in &self.outcomes {
            message.text(&outcome.subject);
            message.text(outcome.measure);
            message.moments(&outcome.moments);
            message.histogram(&outcome.histogram);
            // nothing at all where there are none: runs without them keep their hash
            if let Some(order) = &outcome.order {
                message.word(order.known().len() as u64);
                for (rank, value) in order.known() {
                    message.word(*rank);
                    message.number(*value);
                }
            }
            message.number(outcome.min);
            message.number(outcome.max);
            message.word(outcome.undefined);
        }
        for pair in &self.pairs {
            message.text(&pair.subject);
            message.text(pair.measure);
            message.moments(&pair.moments);
            message.word(pair.win);
            message.word(pair.tie);
            message.word(pair.loss);
        }
        // nothing where there is none, as above
        for exact in &self.exact {
            message.text(exact.subject);
            message.text(exact.measure);
            match &exact.value {
                Ok(value) => message.number(*value),
                Err(refusal) => message.text(refusal),
            }
        }
        blake3::hash(&message.0)
    }
}

struct Message(Vec<u8>);

impl Message {
    fn word(&mut self, word: u64) {
        self.0.extend_from_slice(&word.to_le_bytes());
    }

    fn number(&mut self, number: f64) {
        self.word(number.to_bits());
    }

    /// The length goes first, so that no two lists of texts look alike.
    fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn moments(&mut self, m: &Moments) {
        self.word(m.n);
        for x in [m.mean, m.m2, m.m3, m.m4] {
            self.number(x);
        }
    }

    fn histogram(&mut self, histogram: &Histogram) {
        self.word(histogram.bins().len() as u64);
        for bin in histogram.bins() {
            self.number(bin.low);
            self.number(bin.high);
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
        self.insert_hash(cell.cell, cell.digest());
    }

    /// Takes the hash of a finished cell in.
    pub fn insert_hash(&mut self, cell: usize, hash: blake3::Hash) {
        self.cells.insert(cell, hash);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tally::{Nature, OutcomeTally};

    fn cell(cell: usize, values: &[f64]) -> CellTally {
        let outcome = OutcomeTally {
            subject: String::from("all"),
            measure: "rmse",
            moments: Moments::from_values(values),
            histogram: Histogram::from_values(values),
            order: None,
            min: values[0],
            max: values[values.len() - 1],
            undefined: 0,
            nature: Nature::Number,
            law: None,
            evidence: String::new(),
        };
        CellTally {
            cell,
            trials: values.len() as u64,
            outcomes: vec![outcome],
            pairs: Vec::new(),
            fit: None,
            exact: Vec::new(),
            failed: Default::default(),
        }
    }

    #[test]
    fn the_order_of_arrival_does_not_matter_and_a_bit_does() {
        let x = [1.0, 2.0, 4.0];
        let run = |cells: &[CellTally]| {
            let mut digest = RunDigest::default();
            cells.iter().for_each(|c| digest.insert(c));
            digest.finish()
        };
        let (a, b) = (cell(0, &x), cell(1, &[1.0, 2.0, 5.0]));
        let digest = run(&[a.clone(), b.clone()]);
        assert_eq!(digest, run(&[b.clone(), a.clone()]));
        assert_eq!(digest.len(), 64);
        assert_eq!(a.digest(), cell(7, &x).digest());
        // the cells the other way round are another run
        assert_ne!(digest, run(&[cell(1, &x), cell(0, &[1.0, 2.0, 5.0])]));
        let mut other = a.clone();
        other.outcomes[0].moments.m4 = f64::from_bits(other.outcomes[0].moments.m4.to_bits() + 1);
        assert_ne!(other.digest(), a.digest());
        let mut other = a.clone();
        other.outcomes[0].undefined = 1;
        assert_ne!(other.digest(), a.digest());
    }
}
