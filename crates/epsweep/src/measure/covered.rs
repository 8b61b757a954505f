//! Whether the analyst's interval holds the true answer.

use super::{Measure, QueryRule, Rule, Standard, Value};
use crate::study::release::ReleaseQuery;
use epsweep_core::about::About;
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{Bernoulli, Constant, Law, Normal, Symmetric};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Covered;

impl Measure for Covered {
    fn about(&self) -> &'static About {
        &About {
            name: "covered",
            summary: "1 if the analyst's interval, answer ± the noise law's quantile at the level, holds the true answer",
            formula: "1 if |a − q| ≤ h, where P(|b·L| ≤ h) = level; for Laplace noise h = −b·ln(1 − level)",
            source: "Dwork and Roth, The Algorithmic Foundations of Differential Privacy (2014), theorem 3.8",
        }
    }

    fn flag(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule {
        Rule::Query(QueryRule {
            value,
            law,
            interval: true,
        })
    }
}

fn value(query: &ReleaseQuery, level: f64) -> Value {
    let scale = query.noise.scale();
    if scale == 0.0 {
        return Value::Constant(1.0);
    }
    // from the law where we can: the quotient of two rounded numbers would differ from cell to cell in its last bit, and
    // cells that share their noise must share the row of flags
    let threshold = match (query.is_scaled(), query.noise.standard()) {
        (true, StandardLaw::Laplace) => -libm::log1p(-level),
        (true, StandardLaw::Normal) => Normal::new(1.0)
            .and_then(|law| law.above_quantile(0.5 * (1.0 - level)))
            .unwrap_or(f64::NAN),
        _ => query.noise.half_width(level) / query.unit(),
    };
    match scale.is_finite() && threshold.is_finite() {
        true => Value::affine(Standard::Within(threshold), 1.0, 0.0),
        false => Value::Undefined,
    }
}

fn law(query: &ReleaseQuery, level: f64) -> Option<Arc<dyn Law>> {
    let scale = query.noise.scale();
    if scale == 0.0 {
        return Some(Arc::new(Constant::new(1.0)));
    }
    let width = query.noise.half_width(level);
    if !scale.is_finite() || !width.is_finite() {
        return None;
    }
    match (query.is_scaled(), query.noise.standard()) {
        (true, StandardLaw::Laplace | StandardLaw::Normal) => Some(Arc::new(Bernoulli::new(level))),
        // integers within a width have more than the level
        _ => {
            let inside = query.noise.abs_error_law().cdf(width)?;
            Some(Arc::new(Bernoulli::new(inside)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_scales_share_the_threshold() {
        let expected = Value::affine(Standard::Within(-libm::log1p(-0.95)), 1.0, 0.0);
        for scale in [1e-12, 0.36, 121.12, 1e12] {
            let query = ReleaseQuery::laplace("a", 1.0, scale);
            assert_eq!(value(&query, 0.95), expected);
            // which is the half width in units of the scale
            let ratio = query.noise.half_width(0.95) / scale;
            assert!((ratio + libm::log1p(-0.95)).abs() < 1e-14);
        }
        let free = ReleaseQuery::laplace("a", 1.0, 0.0);
        assert_eq!(value(&free, 0.95), Value::Constant(1.0));
    }
}
