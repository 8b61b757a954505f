//! The smallest largest weighted scale.

use super::{Allocation, AllocationError, Problem, Setting};
use crate::about::About;
use crate::budget::Shares;

/// Minimises the largest wᵢ·bᵢ: at the optimum all are equal, since lowering one raises another. So εᵢ ∝ wᵢ·Δᵢ where shares divide ε,
/// and ρᵢ ∝ (wᵢ·Δᵢ)² where they divide ρ.
/// It is not the minimum of the *expected* largest error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimax;

const ABOUT: About = About {
    name: "minimax",
    summary: "minimises the largest weighted noise scale, by making all equal",
    formula: "εᵢ ∝ wᵢ·Δᵢ, ρᵢ ∝ (wᵢ·Δᵢ)²",
    source: "makes every wᵢ·bᵢ equal",
};

impl Allocation for Minimax {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| match problem.setting {
            Setting::LaplacePure => [weight, sensitivity, 1.0, 1.0],
            Setting::LaplaceZcdp | Setting::GaussianZcdp => {
                [weight, weight, sensitivity, sensitivity]
            }
        })
    }
}
