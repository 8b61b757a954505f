//! The optimum for the expected largest error.

use super::solver::{self, ExpectedLargest};
use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// Minimises E max |eᵢ|, whatever the weights. There is no closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalMax;

const ABOUT: About = About {
    name: "optimal-max",
    summary: "minimises the expected largest error of all queries, and of all numbers of a query with many; weights do not count",
    formula: "sᵢ ∝ ∂(E max |e|)/∂ ln bᵢ",
    source: "Karush–Kuhn–Tucker conditions: each share is the part of E max |e| that its query pulls with",
};

impl Allocation for OptimalMax {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        solver::shares(&ExpectedLargest, problem, &ABOUT)
    }
}
