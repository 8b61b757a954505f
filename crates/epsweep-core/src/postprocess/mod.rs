//! Steps that are taken on released answers, without any look at the data.
//!
//! What is computed from a private release is as private as the release (Dwork and Roth, The Algorithmic Foundations of Differential
//! Privacy, 2014, proposition 2.1), so that a step costs no budget. It changes errors, though: a projection onto a convex set
//! that holds the truth never raises the squared error of a vector (in any trial), while it may bias single answers. Errors are
//! therefore told before and after.
//!
//! A step works on the vector of a query's outputs. A vector with a number that is not finite is told as all NaN, so that no
//! step hides an overflow.
//!
//! To add a step: one file here, and one line in [`REGISTRY`].

mod clamp;
mod isotonic;
mod non_negative;
mod round;
mod simplex;
mod total;

pub use clamp::Clamp;
pub use isotonic::{Direction, Isotonic};
pub use non_negative::NonNegative;
pub use round::{Round, rounds};
pub use simplex::Simplex;
pub use total::Total;

use crate::about::About;
use crate::query::{Arguments, Parameter, QueryError};
use std::fmt::Debug;

/// A step on released answers.
pub trait Step: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what it does, in words: `clamp to [0, 120]`
    fn definition(&self) -> String;

    /// The ends of the interval to whose nearer end each number is moved if it lies outside, where that is all that the step does; an end
    /// may be infinite.
    fn interval(&self) -> Option<[f64; 2]> {
        None
    }

    /// Takes the step, in place. The numbers are finite.
    fn take(&self, values: &mut [f64]);

    /// Takes the step; where a number is not finite, all become NaN.
    fn apply(&self, values: &mut [f64]) {
        if values.iter().all(|value| value.is_finite()) {
            self.take(values);
        } else {
            values.fill(f64::NAN);
        }
    }
}

/// A kind of step, by the name that a file uses.
pub trait StepKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what can be said of it in a file
    fn parameters(&self) -> &'static [Parameter];

    /// An example of its parameters, as an inline table of TOML.
    fn example(&self) -> &'static str;

    /// A step of this kind.
    ///
    /// # Errors
    /// [`QueryError`] if an argument is unknown, missing, of the wrong kind, or outside its range
    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError>;
}

/// All kinds of steps, in the order in which they are listed.
pub const REGISTRY: &[&dyn StepKind] = &[
    &clamp::ClampKind,
    &round::RoundKind,
    &non_negative::NonNegativeKind,
    &total::TotalKind,
    &simplex::SimplexKind,
    &isotonic::IsotonicKind,
];

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static dyn StepKind> {
    REGISTRY
        .iter()
        .copied()
        .find(|kind| kind.about().name == name)
}

/// A number that must be finite.
fn finite(
    step: &'static About,
    arguments: &Arguments,
    name: &'static str,
) -> Result<f64, QueryError> {
    let value = arguments.number(name).unwrap_or(f64::NAN);
    if value.is_finite() {
        return Ok(value);
    }
    Err(QueryError::Range {
        query: step.name,
        argument: name,
        value,
        rule: "finite",
    })
}

#[cfg(test)]
mod tests;
