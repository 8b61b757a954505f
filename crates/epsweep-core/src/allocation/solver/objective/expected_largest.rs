//! The expected largest error.

use super::{Form, Objective};
use crate::about::About;
use crate::allocation::ErrorLaw;
use crate::allocation::solver::{Queries, SolverError, largest};

/// E maxᵢ |eᵢ|, the mean of the measure `max_abs_error`; weights do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedLargest;

const ABOUT: About = About {
    name: "expected-largest",
    summary: "the expected largest absolute error of all queries, and of all numbers of a query with many",
    formula: "E max |eᵢ|",
    source: "convex in the shares: for given noise, every error is",
};

impl Objective for ExpectedLargest {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn form(&self, _law: ErrorLaw, _queries: &Queries<'_>) -> Result<Form, SolverError> {
        Ok(Form::Law(largest::expectation))
    }
}
