//! In proportion to the squared sensitivity.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// ρᵢ ∝ Δᵢ²: under a divided zCDP budget all queries get Gaussian noise of the same σᵢ = Δᵢ/√(2ρᵢ), the smallest σ that all of them
/// can have. What [`super::Proportional`] is to Laplace noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EqualSigma;

const ABOUT: About = About {
    name: "equal-sigma",
    summary: "by the squared sensitivity: under zCDP, Gaussian noise of equal σ",
    formula: "ρᵢ ∝ Δᵢ²",
    source: "makes every Δᵢ²/ρᵢ equal",
};

impl Allocation for EqualSigma {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn depends_on_setting(&self) -> bool {
        false
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, _| {
            [sensitivity, sensitivity, 1.0, 1.0]
        })
    }
}
