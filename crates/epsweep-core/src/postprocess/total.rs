//! The answers of a histogram add up to a known total.

use super::{Step, StepKind, finite};
use crate::about::About;
use crate::query::{Arguments, Parameter, ParameterKind, QueryError};
use crate::shortest::Shortest;
use crate::summation;

const ABOUT: About = About {
    name: "total",
    summary: "moves all answers of a histogram by the same amount, so that they add up to a known total",
    formula: "xᵢ + (total − Σx)/n, the projection onto the vectors with that total",
    source: "Hay, Rastogi, Miklau and Suciu (PVLDB 3, 2010), §4; the least-squares solution for one constraint",
};

pub(super) const TOTAL: Parameter = Parameter {
    name: "total",
    kind: ParameterKind::Number,
    required: true,
    summary: "what the answers add up to, known from elsewhere: the public number of rows",
};

/// The kind `total`.
pub(super) struct TotalKind;

impl StepKind for TotalKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[TOTAL]
    }

    fn example(&self) -> &'static str {
        "{ total = 1000 }"
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, &[TOTAL])?;
        Ok(Box::new(Total(finite(&ABOUT, arguments, "total")?)))
    }
}

/// The answers add up to this.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Total(pub f64);

impl Step for Total {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("add up to {}", Shortest(self.0))
    }

    fn take(&self, values: &mut [f64]) {
        let move_by = (self.0 - summation::sum(values)) / values.len() as f64;
        for value in values {
            *value += move_by;
        }
    }
}
