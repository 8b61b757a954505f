//! What came of a block of trials, whatever answered.

use epsweep_core::stream::Played;
use epsweep_core::stream::policy::Room;

/// Working memory of a worker: one value per trial in each list.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// queries that got an answer
    pub answered: Vec<u32>,
    /// what was spent, in the unit of the guarantee; infinite where an audit found more than that
    pub spent: Vec<f64>,
    /// what a gate did
    pub gate: Played,
    /// what a policy did
    pub policy: Option<Room>,
}
