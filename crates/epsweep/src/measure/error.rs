//! the signed error of the answer.

use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Error;

impl Measure for Error {
    fn about(&self) -> &'static About {
        &About {
            name: "error",
            summary: "the signed error of the answer",
            formula: "a − q",
            source: "definition",
        }
    }

    fn of_error(&self) -> Option<Standard> {
        Some(Standard::Signed)
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| Value::affine(Standard::Signed, q.unit(), 0.0),
            law: |q, _| Some(q.noise.error_law()),
            interval: false,
        })
    }
}
