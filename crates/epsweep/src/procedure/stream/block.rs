//! What came of a block of trials, whatever answered.

use epsweep_core::stream::Played;

/// Working memory of a worker: one value per trial in each list.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// queries that got an answer
    pub answered: Vec<u32>,
    /// ε that was spent
    pub spent: Vec<f64>,
    /// what a gate did
    pub gate: Played,
}
