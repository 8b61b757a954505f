//! The absolute error over the magnitude of the true answer.

use super::{Measure, QueryRule, Rule, Standard, Value};
use epsweep_core::about::About;
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{Absolute, Exponential, Normal};
use std::sync::Arc;

/// The measure. Where the true answer is zero it is undefined in every trial, and reported so.
#[derive(Debug)]
pub struct RelativeError;

impl Measure for RelativeError {
    fn about(&self) -> &'static About {
        &About {
            name: "relative_error",
            summary: "the absolute error over the magnitude of the true answer; undefined where that is zero",
            formula: "|a − q| / |q|",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| Value::affine(Standard::Absolute, q.noise.scale() / q.truth.abs(), 0.0),
            law: |q, _| match q.noise.standard() {
                StandardLaw::Laplace if q.truth != 0.0 => {
                    Some(Arc::new(Exponential::new(q.noise.scale() / q.truth.abs())))
                }
                StandardLaw::Normal if q.truth != 0.0 => {
                    let law = Normal::new(q.noise.scale() / q.truth.abs())?;
                    Some(Arc::new(Absolute::new(Arc::new(law))))
                }
                _ => None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::procedure::release::ReleaseQuery;

    #[test]
    fn undefined_where_the_truth_is_zero() {
        let Rule::Query(rule) = RelativeError.rule() else {
            panic!("a measure of each query");
        };
        let zero = ReleaseQuery::laplace("a", 0.0, 2.0);
        assert_eq!((rule.value)(&zero, 0.95), Value::Undefined);
        assert!((rule.law)(&zero, 0.95).is_none());
        // the sign of the truth does not matter
        let query = ReleaseQuery::laplace("a", -4.0, 2.0);
        let expected = Value::affine(Standard::Absolute, 0.5, 0.0);
        assert_eq!((rule.value)(&query, 0.95), expected);
        let mean = (rule.law)(&query, 0.95).and_then(|law| law.mean());
        assert_eq!(mean, Some(0.5));
        let free = ReleaseQuery::laplace("a", 5.0, 0.0);
        assert_eq!((rule.value)(&free, 0.95), Value::Constant(0.0));
    }
}
