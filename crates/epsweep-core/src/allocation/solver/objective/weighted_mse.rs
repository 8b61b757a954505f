//! The weighted mean squared error.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError};

/// Σ wᵢ·E eᵢ². Its optimum is s ∝ (w·Δ²)^(1/3) where shares divide ε, and s ∝ √w·Δ where they divide ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightedMse;

const ABOUT: About = About {
    name: "weighted-mse",
    summary: "the weighted sum of the mean squared errors (divided by Σwᵢ it is the mean of the measure `weighted_mse`)",
    formula: "Σ wᵢ·E eᵢ²",
    source: "E e² is 2b² for Laplace noise, σ² for Gaussian",
};

impl Objective for WeightedMse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError> {
        let square = law.mean_square();
        Ok(Form::Sum {
            power: 2.0,
            coefficients: queries
                .weights
                .iter()
                .map(|weight| weight * square)
                .collect(),
        })
    }
}
