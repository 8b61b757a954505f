//! The digest of a run's tallies.

use crate::tally::CellTally;
use epsweep_core::statistics::Moments;

/// A blake3 hash of the finished tallies, bit by bit: equal digests mean equal numbers, whatever the number of threads, shards
/// and instruction set.
pub fn tally_digest(cells: &[CellTally]) -> String {
    let mut hash = Hash(blake3::Hasher::new());
    for cell in cells {
        hash.count(cell.cell as u64);
        hash.count(cell.trials);
        hash.count(cell.outcomes.len() as u64);
        for outcome in &cell.outcomes {
            hash.text(&outcome.subject);
            hash.text(outcome.measure);
            hash.moments(&outcome.moments);
            hash.real(outcome.min);
            hash.real(outcome.max);
            hash.count(outcome.undefined);
            hash.count(outcome.histogram.bins().len() as u64);
            for bin in outcome.histogram.bins() {
                hash.real(bin.low);
                hash.real(bin.high);
                hash.count(bin.count);
            }
        }
        hash.count(cell.pairs.len() as u64);
        for pair in &cell.pairs {
            hash.count(pair.against as u64);
            hash.text(&pair.subject);
            hash.text(pair.measure);
            hash.moments(&pair.moments);
            for n in [pair.win, pair.tie, pair.loss] {
                hash.count(n);
            }
        }
    }
    hash.0.finalize().to_hex().to_string()
}

struct Hash(blake3::Hasher);

impl Hash {
    fn count(&mut self, n: u64) {
        self.0.update(&n.to_le_bytes());
    }

    fn real(&mut self, x: f64) {
        self.count(x.to_bits());
    }

    /// With its length, so that two neighbouring texts cannot run together.
    fn text(&mut self, text: &str) {
        self.count(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    fn moments(&mut self, m: &Moments) {
        self.count(m.n);
        for x in [m.mean, m.m2, m.m3, m.m4] {
            self.real(x);
        }
    }
}
