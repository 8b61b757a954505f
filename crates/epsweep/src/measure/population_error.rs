//! The error of the answer as an estimate of the population.

use super::scaled::Shifted;
use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;
use std::sync::Arc;

/// The measure. The records are one sample, whose own error is the same in all trials; it is undefined where the population's
/// number is not known.
#[derive(Debug)]
pub struct PopulationError;

impl Measure for PopulationError {
    fn about(&self) -> &'static About {
        &About {
            name: "population_error",
            summary: "the signed distance of the answer from what it is in the population that the records were drawn from",
            formula: "a − θ = (a − q) + (q − θ)",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| match q.parameter {
                Some(parameter) => Value::affine(Standard::Signed, q.unit(), q.truth - parameter),
                None => Value::Undefined,
            },
            law: |q, _| {
                let shift = q.truth - q.parameter?;
                Some(Arc::new(Shifted::new(q.noise.error_law(), shift)))
            },
            interval: false,
        })
    }

    fn by_default(&self) -> bool {
        false
    }
}
