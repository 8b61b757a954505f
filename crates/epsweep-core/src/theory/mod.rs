//! Exact laws of the measures.
//!
//! Each law is a file. Laws of one query's error are elementary; those of all queries together (the largest error, their
//! mean, their root mean square) are computed by quadratures that keep full relative accuracy for scales that are
//! equal, nearly equal or 24 orders of magnitude apart.
//!
//! The law of one query's error is symmetric about 0 ([`Symmetric`]); from it follow the answer's, the absolute and the squared
//! error's ([`Answer`], [`Absolute`], [`Squared`]). For Laplace noise these have types of their own.
//!
//! A scale is a Laplace scale b = Δ/ε, or a Gaussian σ, in the units of the answer. A scale of 0 (a query without noise) is a point mass.
//! Constructors never fail: a law whose parameters are not finite, or negative, answers `None` to everything, which is
//! what theory knows about a query that got no budget.
//!
//! ```
//! use epsweep_core::theory::{Law, Maximum};
//!
//! let largest = Maximum::new(&[1.0, 1.0]); // the larger of two Laplace errors of scale 1
//! assert!((largest.mean().expect("it has one") - 1.5).abs() < 1e-12); // 1 + ½
//! let median = largest.quantile(0.5).expect("it has one");
//! assert!((median + f64::ln(1.0 - f64::sqrt(0.5))).abs() < 1e-9); // (1 − e^(−x))² = ½
//! ```

use std::fmt::Debug;

mod bernoulli;
mod clamped;
pub mod comparison;
mod complex;
mod component;
mod constant;
mod discrete;
mod discrete_gaussian;
mod discrete_laplace;
mod exponential;
mod faddeeva;
mod first_two;
mod inversion;
mod laplace;
mod laplace_mixture;
mod maximum;
mod mean_absolute;
mod normal;
#[cfg(test)]
mod properties;
mod quadratic;
mod quadrature;
mod rmse;
pub mod special;
mod squared_error;
mod squares;
mod staircase;
mod steps;
mod student_t;
mod symmetric;
#[cfg(test)]
mod trial;
mod weighted_mse;

pub use bernoulli::Bernoulli;
pub use clamped::{ClampedAbsError, ClampedLaplace, ClampedSquaredError};
pub use component::{GaussianErrors, LaplaceErrors};
pub use constant::Constant;
pub use discrete::Discrete;
pub use discrete_gaussian::DiscreteGaussian;
pub use discrete_laplace::DiscreteLaplace;
pub use exponential::Exponential;
pub use first_two::FirstTwo;
pub use laplace::Laplace;
pub use laplace_mixture::{LaplaceMixture, Of, Part};
pub use maximum::Maximum;
pub use mean_absolute::{MeanAbsolute, MeanAbsoluteGaussian};
pub use normal::Normal;
pub use quadratic::Quadratic;
pub use rmse::Rmse;
pub use squared_error::SquaredError;
pub use staircase::Staircase;
pub use steps::{SquaredSteps, Steps};
pub use student_t::StudentT;
pub use symmetric::{Absolute, Answer, Squared, Symmetric};
pub use weighted_mse::WeightedMse;

/// A univariate law that is known exactly, in the units of the measure. `None` where theory (or an affordable
/// computation) is silent.
pub trait Law: Debug + Send + Sync {
    /// the expectation
    fn mean(&self) -> Option<f64>;
    /// the standard deviation
    fn sd(&self) -> Option<f64>;
    /// the `p`-quantile, for `p` in (0, 1)
    fn quantile(&self, p: f64) -> Option<f64>;
    /// P(X ≤ x)
    fn cdf(&self, x: f64) -> Option<f64>;
    /// the density at `x`; `None` also where the law has none (discrete laws)
    fn density(&self, x: f64) -> Option<f64>;
}

/// `p` if it is a probability strictly between 0 and 1.
fn open_probability(p: f64) -> Option<f64> {
    (p > 0.0 && p < 1.0).then_some(p)
}

/// `scale` if it is finite and not negative.
fn valid_scale(scale: f64) -> Option<f64> {
    (0.0..f64::INFINITY).contains(&scale).then_some(scale)
}

/// `value` if it is finite: what leaves the range of f64 is not reported.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Scales of several queries relative to the largest one.
#[derive(Clone, Debug, PartialEq)]
struct Scales {
    /// how many queries there are, those without noise included
    count: usize,
    /// the largest scale, in the units of the answers; 0 if no query has noise
    unit: f64,
    /// the positive scales divided by `unit`, in the order of the queries
    relative: Vec<f64>,
}

impl Scales {
    /// `None` if there is no query, or a scale is negative, infinite or NaN.
    fn new(scales: &[f64]) -> Option<Self> {
        if scales.is_empty() {
            return None;
        }
        let mut unit = 0.0_f64;
        for &scale in scales {
            unit = unit.max(valid_scale(scale)?);
        }
        // a scale so small that its ratio underflows is no noise beside the largest
        let relative = (scales.iter().map(|scale| scale / unit))
            .filter(|&ratio| ratio > 0.0)
            .collect();
        Some(Self {
            count: scales.len(),
            unit,
            relative,
        })
    }
}
