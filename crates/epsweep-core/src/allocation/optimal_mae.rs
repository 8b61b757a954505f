//! The optimum for absolute errors.

use super::{Allocation, AllocationError, Problem, Setting};
use crate::about::About;
use crate::budget::Shares;

/// Minimises Σ wᵢ·E|eᵢ|. Where shares divide ε, εᵢ ∝ √(wᵢ·Δᵢ): by Lagrange, wᵢ·Δᵢ/εᵢ² is the same for every query.
/// Where they divide ρ, ρᵢ ∝ (wᵢ·Δᵢ)^(2/3), with wᵢ·Δᵢ/ρᵢ^(3/2) the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalMae;

const ABOUT: About = About {
    name: "optimal-mae",
    summary: "minimises the weighted mean absolute error",
    formula: "εᵢ ∝ √(wᵢ·Δᵢ), ρᵢ ∝ (wᵢ·Δᵢ)^(2/3)",
    source: "Lagrange condition of min Σ wᵢ·Δᵢ/εᵢ subject to Σεᵢ = ε; of min Σ wᵢ·Δᵢ/√ρᵢ subject to Σρᵢ = ρ",
};

impl Allocation for OptimalMae {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| match problem.setting {
            Setting::LaplacePure => [weight.sqrt(), sensitivity.sqrt(), 1.0, 1.0],
            Setting::LaplaceZcdp | Setting::GaussianZcdp => {
                let roots = libm::cbrt(weight) * libm::cbrt(sensitivity);
                [roots, roots, 1.0, 1.0]
            }
        })
    }
}
