//! The absolute error over the magnitude of the true answer.

use super::scaled::Scaled;
use super::{Measure, QueryRule, Rule, Standard, Value};
use crate::study::release::ReleaseQuery;
use epsweep_core::about::About;
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{Absolute, Exponential, Normal};
use std::sync::Arc;

/// The measure. Where the true answer is zero it is undefined in every trial, and reported so, unless the query has a floor.
#[derive(Debug)]
pub struct RelativeError;

impl Measure for RelativeError {
    fn about(&self) -> &'static About {
        &About {
            name: "relative_error",
            summary: "the absolute error over the magnitude of the true answer, or the query's floor if that is larger; undefined over zero",
            formula: "|a − q| / max(|q|, floor)",
            source: "definition; the floor is the sanity bound of Xiao, Wang and Gehrke (ICDE 2010), §7",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value: |q, _| Value::affine(Standard::Absolute, q.unit() / divisor(q), 0.0),
            law: |q, _| match q.noise.standard() {
                _ if divisor(q) == 0.0 => None,
                StandardLaw::Laplace if q.is_scaled() => {
                    Some(Arc::new(Exponential::new(q.noise.scale() / divisor(q))))
                }
                StandardLaw::Normal if q.is_scaled() => {
                    let law = Normal::new(q.noise.scale() / divisor(q))?;
                    Some(Arc::new(Absolute::new(Arc::new(law))))
                }
                _ => Some(Arc::new(Scaled::new(
                    q.noise.abs_error_law(),
                    1.0 / divisor(q),
                ))),
            },
            interval: false,
        })
    }
}

fn divisor(query: &ReleaseQuery) -> f64 {
    query.truth.abs().max(query.floor)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // with a floor, every truth has one
        let floored = ReleaseQuery { floor: 8.0, ..zero };
        let expected = Value::affine(Standard::Absolute, 0.25, 0.0);
        assert_eq!((rule.value)(&floored, 0.95), expected);
        let mean = (rule.law)(&floored, 0.95).and_then(|law| law.mean());
        assert_eq!(mean, Some(0.25));
        let free = ReleaseQuery::laplace("a", 5.0, 0.0);
        assert_eq!((rule.value)(&free, 0.95), Value::Constant(0.0));
    }
}
