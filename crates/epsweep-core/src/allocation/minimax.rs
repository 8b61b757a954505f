//! The smallest largest weighted scale.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ ∝ wᵢ·Δᵢ, which minimises the largest wᵢ·bᵢ: at the optimum all are equal, since lowering one raises another.
/// It is not the minimum of the *expected* largest error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimax;

const ABOUT: About = About {
    name: "minimax",
    summary: "minimises the largest weighted noise scale, by making all equal",
    formula: "εᵢ ∝ wᵢ·Δᵢ",
    source: "makes every wᵢ·Δᵢ/εᵢ equal",
};

impl Allocation for Minimax {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| [weight, sensitivity, 1.0])
    }
}
