//! The width of the analyst's interval.

use super::{Measure, QueryRule, Rule, Value};
use epsweep_core::about::About;
use epsweep_core::theory::Constant;
use std::sync::Arc;

/// The measure. It is the same in every trial: the scale is public.
#[derive(Debug)]
pub struct IntervalWidth;

impl Measure for IntervalWidth {
    fn about(&self) -> &'static About {
        &About {
            name: "interval_width",
            summary: "the width of the analyst's interval, answer ± the noise law's quantile at the level",
            formula: "2h, where P(|b·L| ≤ h) = level; for Laplace noise h = −b·ln(1 − level)",
            source: "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), theorem 3.8",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, level| {
                let width = 2.0 * q.noise.half_width(level);
                match width.is_finite() {
                    true => Value::Constant(width),
                    false => Value::Undefined,
                }
            },
            law: |q, level| {
                let width = 2.0 * q.noise.half_width(level);
                match width.is_finite() {
                    true => Some(Arc::new(Constant::new(width))),
                    false => None,
                }
            },
            interval: true,
        })
    }
}
