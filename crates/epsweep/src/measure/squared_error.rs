//! the squared error of the answer.

use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct SquaredError;

impl Measure for SquaredError {
    fn about(&self) -> &'static About {
        &About {
            name: "squared_error",
            summary: "the squared error of the answer",
            formula: "(a − q)²",
            source: "definition",
        }
    }

    fn of_error(&self) -> Option<Standard> {
        Some(Standard::Squared)
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| {
                let scale = q.unit();
                Value::affine(Standard::Squared, scale * scale, 0.0)
            },
            law: |q, _| Some(q.noise.squared_error_law()),
            interval: false,
        })
    }
}
