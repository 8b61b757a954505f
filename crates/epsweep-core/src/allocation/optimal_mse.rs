//! The optimum for squared errors.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ ∝ (wᵢ·Δᵢ²)^(1/3), which minimises Σ wᵢ·2(Δᵢ/εᵢ)² at a given Σεᵢ:
/// by Lagrange, wᵢ·Δᵢ²/εᵢ³ is the same for every query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalMse;

const ABOUT: About = About {
    name: "optimal-mse",
    summary: "minimises the weighted mean squared error of Laplace noise",
    formula: "εᵢ ∝ (wᵢ·Δᵢ²)^(1/3)",
    source: "Lagrange condition of min Σ wᵢ·2(Δᵢ/εᵢ)² subject to Σεᵢ = ε",
};

impl Allocation for OptimalMse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| {
            let root = libm::cbrt(sensitivity);
            [libm::cbrt(weight), root, root]
        })
    }
}
