//! The optimum for absolute errors.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ ∝ √(wᵢ·Δᵢ), which minimises Σ wᵢ·Δᵢ/εᵢ at a given Σεᵢ: by Lagrange, wᵢ·Δᵢ/εᵢ² is the same for every query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalMae;

const ABOUT: About = About {
    name: "optimal-mae",
    summary: "minimises the weighted mean absolute error of Laplace noise",
    formula: "εᵢ ∝ √(wᵢ·Δᵢ)",
    source: "Lagrange condition of min Σ wᵢ·Δᵢ/εᵢ subject to Σεᵢ = ε",
};

impl Allocation for OptimalMae {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| {
            [weight.sqrt(), sensitivity.sqrt(), 1.0]
        })
    }
}
