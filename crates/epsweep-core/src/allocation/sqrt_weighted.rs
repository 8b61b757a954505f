//! By the root of the weight times the sensitivity.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ ∝ √wᵢ·Δᵢ.
///
/// Under Laplace noise this makes all wᵢ·MSEᵢ equal, which minimises the largest of them.
/// It minimises the weighted *mean* squared error only for Gaussian noise with a divided zCDP budget,
/// not here (see [`super::OptimalMse`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqrtWeighted;

const ABOUT: About = About {
    name: "sqrt-weighted",
    summary: "by √weight × sensitivity: the weighted squared errors become equal",
    formula: "εᵢ ∝ √wᵢ·Δᵢ",
    source: "makes every wᵢ·2(Δᵢ/εᵢ)² equal",
};

impl Allocation for SqrtWeighted {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn depends_on_setting(&self) -> bool {
        false
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, weight| {
            [weight.sqrt(), sensitivity, 1.0, 1.0]
        })
    }
}
