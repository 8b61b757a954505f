//! Where outputs come from.

use super::run::AuditFailure;
use epsweep_core::audit::Outputs;

/// What runs are for. The parts share no draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// to learn cells and put them in order
    Order,
    /// to choose the event
    Choose,
    /// to count it
    Certify,
}

impl Part {
    /// As it stands in the address of a draw.
    pub fn name(self) -> &'static str {
        match self {
            Part::Order => "order",
            Part::Choose => "choose",
            Part::Certify => "certify",
        }
    }
}

/// The address of a block of runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// which pair of inputs
    pub pair: usize,
    /// which of the two, 0 or 1
    pub side: usize,
    /// what for
    pub part: Part,
    /// number of the block in its part
    pub chunk: u64,
    /// runs in it, at most [`Sampler::chunk`]
    pub runs: usize,
}

/// Something that can be run on pairs of inputs.
pub(super) trait Sampler: Sync {
    /// How the inputs of each pair differ, and what they are.
    fn pairs(&self) -> &[Shown];

    /// Runs in a whole block.
    fn chunk(&self) -> usize;

    /// What each number of an output would be without noise, on both inputs; `None` where that is not known.
    fn centres(&self, pair: usize) -> Option<[Vec<f64>; 2]>;

    /// The outputs of a block.
    ///
    /// # Errors
    /// [`AuditFailure`] if a run fails
    fn sample(&self, block: &Block) -> Result<Outputs, AuditFailure>;

    /// What an outcome is called; `None` where there is but one.
    fn outcome(&self, outcome: u32) -> Option<String>;
}

/// A pair of inputs as it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// how they differ; empty where the file gives them
    pub words: String,
    /// one and the other
    pub inputs: [String; 2],
}
