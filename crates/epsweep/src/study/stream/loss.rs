//! What each output of a gate tells of a neighbouring stream.

use epsweep_core::stream::{Calibrated, Queries, StreamError, output};

/// Most queries of a stream whose outputs are listed one by one.
pub const MOST_QUERIES: usize = 10;

/// Rounding that a log-ratio may have, relative to ε.
const SLACK: f64 = 1e-9;

/// The log-ratio of each output's probabilities on a stream and on its neighbour.
#[derive(Clone, Debug)]
pub struct LossTable {
    /// by the answers as bits, with a one above the last
    leaks: Vec<bool>,
    /// the largest |log-ratio|
    pub worst: f64,
    /// the probability of outputs whose |log-ratio| is above the claimed ε
    pub leak: f64,
}

impl LossTable {
    /// Of all outputs of the gate on a stream and on a neighbouring one of equal length.
    ///
    /// # Errors
    /// [`StreamError::LawTooDear`] for more than [`MOST_QUERIES`] queries
    pub fn new(
        gate: &Calibrated,
        queries: &Queries,
        neighbour: &Queries,
    ) -> Result<LossTable, StreamError> {
        if queries.len() > MOST_QUERIES {
            return Err(StreamError::LawTooDear {
                steps: libm::exp2(queries.len() as f64),
                limit: libm::exp2(MOST_QUERIES as f64),
            });
        }
        let mut table = LossTable {
            leaks: vec![false; 2 << queries.len()],
            worst: 0.0,
            leak: 0.0,
        };
        for answers in output::outputs(gate, queries.len()) {
            let here = output::log_probability(gate, queries, &answers)?;
            let there = output::log_probability(gate, neighbour, &answers)?;
            // impossible on both sides: the same
            let ratio = if here == there {
                0.0
            } else {
                (here - there).abs()
            };
            table.worst = table.worst.max(ratio);
            if ratio > gate.claimed * (1.0 + SLACK) {
                let place =
                    (answers.iter().rev()).fold(1, |bits, above| bits << 1 | usize::from(*above));
                table.leaks[place] = true;
                table.leak += libm::exp(here);
            }
        }
        Ok(table)
    }

    /// Whether the |log-ratio| of an output is above the claimed ε.
    pub fn leaks(&self, bits: u64, answered: u32) -> bool {
        let place = (1u64 << answered.min(63)) | bits;
        self.leaks.get(place as usize).copied().unwrap_or(false)
    }
}
