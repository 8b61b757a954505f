//! the absolute error of the answer.

use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct AbsError;

impl Measure for AbsError {
    fn about(&self) -> &'static About {
        &About {
            name: "abs_error",
            summary: "the absolute error of the answer",
            formula: "|a − q|",
            source: "definition",
        }
    }

    fn of_error(&self) -> Option<Standard> {
        Some(Standard::Absolute)
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| Value::affine(Standard::Absolute, q.unit(), 0.0),
            law: |q, _| Some(q.noise.abs_error_law()),
            interval: false,
        })
    }
}
