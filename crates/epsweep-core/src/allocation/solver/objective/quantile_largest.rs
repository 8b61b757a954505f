//! A high quantile of the largest error.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError, largest};

/// The 95 % quantile of maxᵢ |eᵢ|; weights do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantileLargest;

const ABOUT: About = About {
    name: "q95-largest",
    summary: "the 95 % quantile of the largest absolute error of all queries, and of all numbers of a query with many",
    formula: "q₉₅ of max |eᵢ|",
    source: "quasi-convex in the shares: ln P(max |eᵢ| ≤ x) is concave in them",
};

impl Objective for QuantileLargest {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, _law: ErrorLaw, _queries: &Queries<'_>) -> Result<Form, SolverError> {
        Ok(Form::Law(|law, scales, numbers| {
            largest::quantile(law, scales, numbers, 0.95)
        }))
    }
}
