//! The optimum for squared errors.

use super::{Allocation, AllocationError, Problem, Setting};
use crate::about::About;
use crate::budget::Shares;

/// Minimises Σ wᵢ·E eᵢ². Where shares divide ε, εᵢ ∝ (wᵢ·Δᵢ²)^(1/3): by Lagrange, wᵢ·Δᵢ²/εᵢ³ is the same for every query.
/// Where they divide ρ, ρᵢ ∝ √wᵢ·Δᵢ, with wᵢ·Δᵢ²/ρᵢ² the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalMse;

const ABOUT: About = About {
    name: "optimal-mse",
    summary: "minimises the weighted mean squared error",
    formula: "εᵢ ∝ (wᵢ·Δᵢ²)^(1/3), ρᵢ ∝ √wᵢ·Δᵢ",
    source: "Lagrange condition of min Σ wᵢ·2(Δᵢ/εᵢ)² subject to Σεᵢ = ε; of min Σ wᵢ·Δᵢ²/ρᵢ subject to Σρᵢ = ρ",
};

impl Allocation for OptimalMse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| match problem.setting {
            Setting::LaplacePure => {
                let root = libm::cbrt(sensitivity);
                [libm::cbrt(weight), root, root, 1.0]
            }
            Setting::LaplaceZcdp | Setting::GaussianZcdp => [weight.sqrt(), sensitivity, 1.0, 1.0],
        })
    }
}
