//! Generated streams: the true answers to the queries of a stream, one after another.
//!
//! To add a sequence: one file here with a [`Sequence`], and one line in [`REGISTRY`].
//!
//! Draws are addressed: the answer at a position depends on the parameters, the seed, the sequence's name and what comes before it. A
//! longer stream begins with the shorter one. The seed is the stream's own: another seed of the run gives the same stream other noise.

mod adversarial;
mod bursty;
mod drifting;
mod stationary;

use super::parameter::{self, Parameter, ParameterError};
use crate::about::About;
use crate::random::{Draws, Source, StandardLaw};
use std::fmt::Debug;

/// A kind of stream.
pub trait Sequence: Debug + Send + Sync {
    /// What it is.
    fn about(&self) -> &'static About;

    /// What can be set of it.
    fn parameters(&self) -> &'static [Parameter];

    /// Writes the answers at the positions from the first on; the parameters are in their ranges.
    fn fill(&self, parameters: &[f64], seed: u64, answers: &mut [f64]);

    /// The first `length` true answers.
    ///
    /// # Errors
    /// [`ParameterError`] if there is not one value in its range for each parameter
    fn generate(
        &self,
        parameters: &[f64],
        seed: u64,
        length: usize,
    ) -> Result<Vec<f64>, ParameterError> {
        parameter::check(self.about().name, self.parameters(), parameters)?;
        let mut answers = vec![0.0; length];
        self.fill(parameters, seed, &mut answers);
        Ok(answers)
    }
}

/// All sequences, in the order in which they are listed.
pub const REGISTRY: &[&dyn Sequence] = &[
    &stationary::Stationary,
    &bursty::Bursty,
    &drifting::Drifting,
    &adversarial::Adversarial,
];

/// The sequence of that name.
pub fn named(name: &str) -> Option<&'static dyn Sequence> {
    (REGISTRY.iter().copied()).find(|sequence| sequence.about().name == name)
}

/// The level around which a stream lies.
const LEVEL: Parameter = Parameter {
    name: "level",
    summary: "the usual answer",
    default: Some(100.0),
    range: parameter::Range::Finite,
};

/// How far answers are scattered.
const SPREAD: Parameter = Parameter {
    name: "spread",
    summary: "standard deviation of the answers about what is usual",
    default: Some(1.0),
    range: parameter::Range::NonNegative,
};

/// Positions that are drawn at once.
const CHUNK: usize = 4096;

/// Fills with variates of `law` for what they are needed for in a sequence.
fn draw(of: &'static About, what: &str, law: StandardLaw, seed: u64, out: &mut [f64]) {
    let source = Source::new(&format!("sequence/{}/{what}", of.name), law, 1);
    let mut draws = Draws::new(seed, CHUNK, &[source]);
    for (chunk, out) in out.chunks_mut(CHUNK).enumerate() {
        draws.go_to_first(chunk as u64, out.len());
        out.copy_from_slice(draws.row(0, 0));
    }
}

#[cfg(test)]
mod tests;
