//! The largest weighted mean squared error.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError};

/// max wᵢ·E eᵢ². Its optimum is s ∝ √w·Δ where shares divide ε, and s ∝ w·Δ² where they divide ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestMse;

const ABOUT: About = About {
    name: "largest-mse",
    summary: "the largest weighted mean squared error",
    formula: "max wᵢ·E eᵢ²",
    source: "at the optimum all wᵢ·E eᵢ² are equal",
};

impl Objective for LargestMse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError> {
        let square = law.mean_square();
        Ok(Form::Largest {
            power: 2.0,
            coefficients: queries
                .weights
                .iter()
                .map(|weight| weight * square)
                .collect(),
        })
    }
}
