//! Noise mechanisms: calibration to a sensitivity and a budget, the law of the error, the privacy curve.
//!
//! To add a noise: one file here with a [`NoiseKind`], and one line in [`REGISTRY`].

mod laplace;

pub use laplace::Laplace;

use crate::about::About;
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
}

/// Noise that has been calibrated: the error that one query's answer gets, in the units of the answer.
pub trait Noise: Debug + Send + Sync {
    /// the name of its kind
    fn name(&self) -> &'static str;

    /// What the standard variate is multiplied by: 0 for a query without noise, infinite for one without budget.
    fn scale(&self) -> f64;

    /// The standard variate that is scaled.
    fn standard(&self) -> StandardLaw;

    /// The variance of the error: 0 without noise, infinite without budget.
    fn variance(&self) -> f64;

    /// Half the width of the analyst's own interval: answer ± half-width contains the truth with probability `level`. NaN unless
    /// `level` is in (0, 1).
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

/// All kinds of noise, in the order in which they are listed.
pub const REGISTRY: &[&dyn NoiseKind] = &[&laplace::LaplaceKind];

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static dyn NoiseKind> {
    REGISTRY
        .iter()
        .copied()
        .find(|kind| kind.about().name == name)
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Epsilon;

    /// Every kind of the registry, at Δ = 3 and ε = 1/2.
    fn each() -> impl Iterator<Item = (&'static dyn NoiseKind, Box<dyn Noise>)> {
        let budget = Budget::Pure(Epsilon::new(0.5).unwrap());
        REGISTRY.iter().map(move |&kind| {
            let noise = kind.calibrate(Sensitivity { l1: 3.0, l2: 3.0 }, Some(budget));
            (kind, noise.unwrap())
        })
    }

    #[test]
    fn names_are_unique_and_found() {
        for (index, kind_) in REGISTRY.iter().enumerate() {
            let name = kind_.about().name;
            assert!(std::ptr::eq(kind(name).unwrap().about(), kind_.about()));
            assert!(
                REGISTRY[..index]
                    .iter()
                    .all(|other| other.about().name != name)
            );
            assert!(!kind_.about().summary.is_empty() && !kind_.about().source.is_empty());
        }
        assert!(kind("lapalce").is_none());
    }

    #[test]
    fn the_laws_of_a_noise_agree_with_each_other() {
        for (kind, noise) in each() {
            assert_eq!(noise.name(), kind.about().name);
            let error = noise.error_law();
            let sd = error.sd().unwrap();
            assert!((sd * sd / noise.variance() - 1.0).abs() < 1e-12);
            assert_eq!(error.mean(), Some(0.0));
            for level in [0.5, 0.95, 0.999] {
                let half_width = noise.half_width(level);
                let inside = error.cdf(half_width).unwrap() - error.cdf(-half_width).unwrap();
                assert!((inside - level).abs() < 1e-9);
                let abs_error = noise.abs_error_law().cdf(half_width).unwrap();
                assert!((abs_error - level).abs() < 1e-9);
                let squared = noise
                    .squared_error_law()
                    .cdf(half_width * half_width)
                    .unwrap();
                assert!((squared - level).abs() < 1e-9);
            }
            let answer = noise.answer_law(40.0);
            assert_eq!(answer.mean(), Some(40.0));
            assert!(
                (answer.quantile(0.9).unwrap() - 40.0 - error.quantile(0.9).unwrap()).abs()
                    < 1e-12 * 40.0
            );
        }
    }

    #[test]
    fn the_privacy_curve_meets_the_budget_and_no_less() {
        for (_, noise) in each() {
            assert!(noise.delta(0.5) < 1e-12);
            assert!(noise.delta(0.45) > 1e-3);
            let curve: Vec<f64> = (0..10).map(|i| noise.delta(0.06 * f64::from(i))).collect();
            assert!(curve.windows(2).all(|pair| pair[0] >= pair[1]));
        }
    }

    #[test]
    fn without_sensitivity_there_is_no_noise_and_without_budget_no_release() {
        let budget = Some(Budget::Pure(Epsilon::new(0.5).unwrap()));
        for kind in REGISTRY {
            for spent in [None, budget] {
                let noise = kind
                    .calibrate(Sensitivity { l1: 0.0, l2: 0.0 }, spent)
                    .unwrap();
                assert_eq!((noise.scale(), noise.variance()), (0.0, 0.0));
                assert_eq!((noise.half_width(0.95), noise.delta(0.0)), (0.0, 0.0));
            }
            let noise = kind
                .calibrate(Sensitivity { l1: 1.0, l2: 1.0 }, None)
                .unwrap();
            assert_eq!(
                (noise.scale(), noise.half_width(0.95)),
                (f64::INFINITY, f64::INFINITY)
            );
            assert_eq!(noise.delta(0.0), 0.0);
            assert_eq!(noise.error_law().sd(), None);
            for bad in [-1.0, f64::NAN, f64::INFINITY] {
                let refused = kind
                    .calibrate(Sensitivity { l1: bad, l2: bad }, budget)
                    .unwrap_err();
                assert!(refused.to_string().contains("Δ"), "{refused}");
            }
        }
    }
}
