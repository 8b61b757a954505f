//! In proportion to the sensitivity.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ ∝ Δᵢ: all queries get the same noise scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proportional;

const ABOUT: About = About {
    name: "proportional",
    summary: "in proportion to the sensitivity: the noise scales become equal",
    formula: "εᵢ ∝ Δᵢ",
    source: "makes every Δᵢ/εᵢ equal",
};

impl Allocation for Proportional {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn depends_on_setting(&self) -> bool {
        false
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        problem.shares_of_products(&ABOUT, |sensitivity, _| [sensitivity, 1.0, 1.0, 1.0])
    }
}
