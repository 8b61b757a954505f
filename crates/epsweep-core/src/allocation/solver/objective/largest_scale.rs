//! The largest weighted scale.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError};

/// max wᵢ·bᵢ. Its optimum is s ∝ w·Δ where shares divide ε, and s ∝ (w·Δ)² where they divide ρ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LargestScale;

const ABOUT: About = About {
    name: "largest-scale",
    summary: "the largest weighted noise scale",
    formula: "max wᵢ·bᵢ",
    source: "at the optimum all wᵢ·bᵢ are equal",
};

impl Objective for LargestScale {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, _law: ErrorLaw, queries: &Queries<'_>) -> Result<Form, SolverError> {
        Ok(Form::Largest {
            power: 1.0,
            coefficients: queries.weights.to_vec(),
        })
    }
}
