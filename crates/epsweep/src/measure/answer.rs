//! the noisy answer that is released.

use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Answer;

impl Measure for Answer {
    fn about(&self) -> &'static About {
        &About {
            name: "answer",
            summary: "the noisy answer that is released",
            formula: "a = q + b·L",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| Value::affine(Standard::Signed, q.unit(), q.truth),
            law: |q, _| Some(q.noise.answer_law(q.truth)),
            interval: false,
        })
    }

    fn compared(&self) -> bool {
        false
    }
}
