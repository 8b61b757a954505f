//! Noise mechanisms: calibration to a sensitivity and a budget, the law of the error, the privacy curve.
//!
//! To add a noise: one file here with a [`NoiseKind`], and one line in [`REGISTRY`], or in [`TRANSFORMED`] if its error is
//! no scaled standard variate. What depends on the data at hand is calibrated by functions of its own: [`smooth`],
//! [`exponential_quantile`](exponential_quantile()).
//!
//! ```
//! use epsweep_core::budget::{Budget, Epsilon};
//! use epsweep_core::noise;
//! use epsweep_core::sensitivity::Sensitivity;
//!
//! let kind = noise::kind("laplace").expect("it is listed");
//! let spent = Budget::Pure(Epsilon::new(0.5)?);
//! let noise = kind.calibrate(Sensitivity::scalar(120.0)?, Some(spent))?;
//! assert_eq!(noise.scale(), 240.0); // Δ/ε
//! assert_eq!(noise.abs_error_law().mean(), Some(240.0)); // E|error| = b
//! assert_eq!(noise.delta(0.5), 0.0); // pure from ε = ½ on
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibrated;
mod discrete_gaussian;
mod discrete_laplace;
pub mod exact;
mod exponential_quantile;
mod gaussian;
mod laplace;
pub mod smooth;
mod staircase;
mod student_t;
#[cfg(test)]
mod tests;
mod transform;

pub use exponential_quantile::{ABOUT as EXPONENTIAL_QUANTILE, exponential_quantile};
pub use laplace::Laplace;
pub use student_t::{StudentT, student_t_scale};
pub use transform::Transform;

use crate::about::About;
use crate::accounting::AccountingError;
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::theory::Law;
use std::fmt::Debug;
use std::sync::Arc;

/// A kind of additive noise, by the name that a file uses.
pub trait NoiseKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// Why it may not have the privacy that it is calibrated to, if it is there as a control and for nothing else.
    fn control(&self) -> Option<&'static str> {
        None
    }

    /// Whether its values are whole numbers, so that many draws are equal.
    fn discrete(&self) -> bool {
        false
    }

    /// The noise that makes a query of this sensitivity private at the budget that is spent on it. `None` spends nothing: a query
    /// whose sensitivity is positive then has an infinite scale, that is, it cannot be released. A sensitivity of 0 needs no noise
    /// and no budget, its scale is 0.
    ///
    /// # Errors
    /// [`NoiseError`] if the sensitivity is not a finite non-negative number, if the budget is of a kind that this noise is not
    /// calibrated to, or if the scale leaves the range of normal doubles
    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError>;

    /// The condition of its proof that a budget does not meet, of a control that is calibrated even so; `None` where there is a proof.
    fn broken_condition(&self, spent: Budget) -> Option<&'static str> {
        let _ = spent;
        None
    }
}

/// Noise that has been calibrated: the error that one query's answer gets, in the units of the answer.
pub trait Noise: Debug + Send + Sync {
    /// the name of its kind
    fn name(&self) -> &'static str;

    /// The parameter of the noise in the units of the answer, by which the standard variate is multiplied unless there is a
    /// [transform](Noise::transform): 0 for a query without noise, infinite for one without budget.
    fn scale(&self) -> f64;

    /// The standard variate that is scaled; with a [transform](Noise::transform), the first of those that it takes.
    fn standard(&self) -> StandardLaw;

    /// How standard variates become errors, where that is more than a multiplication by the scale.
    fn transform(&self) -> Option<&dyn Transform> {
        None
    }

    /// The variance of the error: 0 without noise, infinite without budget.
    fn variance(&self) -> f64;

    /// Half the width of the analyst's own interval: answer ± half-width contains the truth with probability `level`, or, where
    /// errors are integers, the smallest with at least that. NaN unless `level` is in (0, 1).
    fn half_width(&self, level: f64) -> f64;

    /// The privacy curve: the smallest δ for which one release is (`epsilon`, δ)-private, for `epsilon` ≥ 0.
    fn delta(&self, epsilon: f64) -> f64;

    /// The law of the answer for a given true answer: density, distribution, quantiles, moments.
    fn answer_law(&self, truth: f64) -> Arc<dyn Law>;

    /// The law of the signed error.
    fn error_law(&self) -> Arc<dyn Law> {
        self.answer_law(0.0)
    }

    /// The law of the absolute error.
    fn abs_error_law(&self) -> Arc<dyn Law>;

    /// The law of the squared error.
    fn squared_error_law(&self) -> Arc<dyn Law>;
}

/// The kinds whose error is a standard variate times a scale, in the order in which they are listed.
pub const REGISTRY: &[&dyn NoiseKind] = &[
    &laplace::LaplaceKind,
    &gaussian::ANALYTIC,
    &gaussian::CLASSIC_KIND,
    &gaussian::CONTROL_KIND,
];

/// The kinds whose noise has a [`Transform`]: a procedure that only scales its variates must not offer them.
pub const TRANSFORMED: &[&dyn NoiseKind] = &[
    &discrete_laplace::DiscreteLaplaceKind,
    &discrete_gaussian::DiscreteGaussianKind,
    &staircase::ABSOLUTE,
    &staircase::SQUARED,
    &student_t::StudentTKind,
];

/// All kinds.
pub fn kinds() -> impl Iterator<Item = &'static dyn NoiseKind> {
    REGISTRY.iter().chain(TRANSFORMED).copied()
}

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static dyn NoiseKind> {
    kinds().find(|kind| kind.about().name == name)
}

/// Why noise cannot be calibrated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoiseError {
    /// a sensitivity that is no distance
    #[error(
        "the sensitivity Δ is {value:?}, but must be finite and at least 0: bound the query's columns"
    )]
    Sensitivity {
        /// the value refused
        value: f64,
    },
    /// a budget of another kind of privacy
    #[error(
        "{noise} noise is calibrated to {wanted}, but the budget of the query is {budget}: choose a budget of that kind or another noise"
    )]
    Budget {
        /// the name of the noise
        noise: &'static str,
        /// the kind of budget it takes
        wanted: &'static str,
        /// what was to be spent
        budget: String,
    },
    /// a scale beyond the range of normal doubles
    #[error(
        "the scale {rule} is {scale:?} for Δ = {sensitivity:?} and ε = {epsilon:?}, but must lie between 2.3e-308 and 1.8e308: \
         measure the query in other units or change its budget"
    )]
    Scale {
        /// how the scale is computed
        rule: &'static str,
        /// Δ
        sensitivity: f64,
        /// ε spent on the query
        epsilon: f64,
        /// what came out
        scale: f64,
    },
    /// a scale beyond the range that can be served
    #[error(
        "the scale by {rule} is {scale:?} for Δ = {sensitivity:?} and {budget}, but must lie between {least:e} and {most:e}: \
         measure the query in other units or change its budget"
    )]
    Range {
        /// how the scale is computed
        rule: &'static str,
        /// Δ
        sensitivity: f64,
        /// what is spent on the query
        budget: String,
        /// what came out
        scale: f64,
        /// the smallest that can be served
        least: f64,
        /// the largest that can be served
        most: f64,
    },
    /// a formula that does not cover the budget
    #[error("{noise} noise: {error}")]
    Calibration {
        /// the name of the noise
        noise: &'static str,
        /// what the formula says
        error: AccountingError,
    },
    /// a sensitivity that is no integer, of noise for integers
    #[error(
        "{noise} noise adds integers to integer answers, but the sensitivity Δ is {value:?}: ask a query whose answers and \
         sensitivity are integers (a count, a sum of integers), or use another noise"
    )]
    Fraction {
        /// the name of the noise
        noise: &'static str,
        /// Δ
        value: f64,
    },
}
