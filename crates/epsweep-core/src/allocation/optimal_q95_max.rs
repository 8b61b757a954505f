//! The optimum for the 95 % quantile of the largest error.

use super::solver::{self, QuantileLargest};
use super::{Allocation, AllocationError, Problem};
use crate::about::About;
use crate::budget::Shares;

/// Minimises the 95 % quantile of max |eᵢ|, whatever the weights. There is no closed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptimalQ95Max;

const ABOUT: About = About {
    name: "optimal-q95-max",
    summary: "minimises the 95 % quantile of the largest error of all queries, and of all numbers of a query with many; weights do not count",
    formula: "sᵢ ∝ ∂(q₉₅ of max |e|)/∂ ln bᵢ",
    source: "Karush–Kuhn–Tucker conditions: sᵢ ∝ y·f(y)/F(y) at y = q₉₅/bᵢ",
};

impl Allocation for OptimalQ95Max {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError> {
        solver::shares(&QuantileLargest, problem, &ABOUT)
    }
}
