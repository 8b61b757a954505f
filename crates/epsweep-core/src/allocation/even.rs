//! The same for every query.

use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// εᵢ = ε/k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Even;

const ABOUT: About = About {
    name: "even",
    summary: "every query gets the same, whatever its sensitivity and weight",
    formula: "εᵢ = ε/k",
    source: "the usual default",
};

impl Allocation for Even {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn depends_on_setting(&self) -> bool {
        false
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        let queries = problem.checked()?;
        Ok(Shares::from_weights(&vec![1.0; queries])?)
    }
}
