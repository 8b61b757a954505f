//! The weighted mean absolute error.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError};

/// Σ wᵢ·E|eᵢ|. Its optimum is s ∝ √(w·Δ) where shares divide ε, and s ∝ (w·Δ)^(2/3) where they divide ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedMae;

const ABOUT: About = About {
    name: "weighted-mae",
    summary: "the weighted sum of the mean absolute errors of the queries (one with many numbers counts once; the measure `mean_abs_error` counts each of them)",
    formula: "Σ wᵢ·E|eᵢ|",
    source: "E|e| is b for Laplace noise, σ·√(2/π) for Gaussian",
};

impl Objective for WeightedMae {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError> {
        let absolute = law.mean_absolute();
        Ok(Form::Sum {
            power: 1.0,
            coefficients: queries
                .weights
                .iter()
                .map(|weight| weight * absolute)
                .collect(),
        })
    }
}
