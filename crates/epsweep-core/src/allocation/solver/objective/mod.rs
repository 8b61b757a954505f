//! What an allocation is to make small.
//!
//! To add an objective: one file here with an [`Objective`], and one line in [`REGISTRY`].

mod expected_largest;
mod largest_mse;
mod largest_scale;
mod quantile_largest;
mod relative;
mod weighted_mae;
mod weighted_mse;

pub use expected_largest::ExpectedLargest;
pub use largest_mse::LargestMse;
pub use largest_scale::LargestScale;
pub use quantile_largest::QuantileLargest;
pub use relative::Relative;
pub use weighted_mae::WeightedMae;
pub use weighted_mse::WeightedMse;

use super::largest::Pull;
use super::{Queries, SolverError};
use crate::about::About;
use crate::allocation::ErrorLaw;
use std::fmt::Debug;

/// An objective of the noise scales.
pub trait Objective: Sync + Send + Debug {
    /// name, formula and source
    fn about(&self) -> &'static About;

    /// How it depends on the scales.
    ///
    /// # Errors
    /// [`SolverError`] if the queries lack what the objective needs
    fn form(&self, law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError>;
}

/// How an objective depends on the scales bᵢ.
#[derive(Clone, Debug)]
pub enum Form {
    /// Σ cᵢ·bᵢᵐ
    Sum {
        /// m
        power: f64,
        /// cᵢ
        coefficients: Vec<f64>,
    },
    /// max cᵢ·bᵢᵐ
    Largest {
        /// m
        power: f64,
        /// cᵢ
        coefficients: Vec<f64>,
    },
    /// a smooth functional, homogeneous of degree 1, of the law of the largest error: of the scales, and of how many numbers have each
    Law(fn(ErrorLaw, &[f64], &[f64]) -> Option<Pull>),
}

/// All objectives, in the order in which they are listed.
pub const REGISTRY: &[&dyn Objective] = &[
    &WeightedMse,
    &WeightedMae,
    &LargestScale,
    &LargestMse,
    &ExpectedLargest,
    &QuantileLargest,
    &Relative,
];

/// The objective of that name.
pub fn named(name: &str) -> Option<&'static dyn Objective> {
    REGISTRY
        .iter()
        .copied()
        .find(|objective| objective.about().name == name)
}
