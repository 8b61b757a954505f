//! What theory knows of several queries together.

use crate::study::release::{Origin, ReleaseQuery};
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The scales of several queries whose errors are scaled variates of one law.
pub(super) enum CommonScales {
    /// Laplace scales
    Laplace(Vec<f64>),
    /// standard deviations of Gaussian noise
    Gaussian(Vec<f64>),
}

/// The scales of all queries, where all their noise is Laplace, or all is Gaussian.
pub(super) fn common_scales(queries: &[ReleaseQuery]) -> Option<CommonScales> {
    let law = queries.first()?.noise.standard();
    let scales: Option<Vec<f64>> = (queries.iter())
        .map(|q| (q.is_scaled() && q.noise.standard() == law).then(|| q.noise.scale()))
        .collect();
    match law {
        StandardLaw::Laplace => scales.map(CommonScales::Laplace),
        StandardLaw::Normal => scales.map(CommonScales::Gaussian),
        _ => None,
    }
}

/// The first two moments of the weighted mean Σwᵢ·Xᵢ/Σwᵢ of what each query has a law `of`. Its expectation is that of the single ones,
/// whether they depend on each other or not: answers to ranges, whatever the strategy, noise of different kinds, and what is left after steps that are
/// known. Its standard deviation is known where each query has noise of its own.
pub(super) fn weighted_mean(
    queries: &[ReleaseQuery],
    weight: impl Fn(&ReleaseQuery) -> f64,
    of: impl Fn(&ReleaseQuery) -> Arc<dyn Law>,
) -> Option<Arc<dyn Law>> {
    let weights: Vec<f64> = queries.iter().map(weight).collect();
    let total: f64 = weights.iter().sum();
    let (mut means, mut variances) = (Vec::new(), Vec::new());
    for (query, weight) in queries.iter().zip(&weights) {
        if *weight == 0.0 {
            continue;
        }
        let (law, part) = (of(query), weight / total);
        means.push(part * law.mean()?);
        let own = matches!(query.origin, Origin::Noise(_));
        let sd = law.sd().filter(|_| own).unwrap_or(f64::NAN);
        variances.push(part * part * sd * sd);
    }
    if means.is_empty() {
        return None;
    }
    let sd = variances.iter().sum::<f64>().sqrt();
    Some(Arc::new(FirstTwo::new(means.iter().sum(), sd)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::theory::WeightedMse;

    #[test]
    fn moments_are_those_of_the_law_that_is_known() {
        let queries: Vec<ReleaseQuery> = [(0.5, 1.0), (3.0, 2.0), (2.0, 0.0)]
            .into_iter()
            .map(|(scale, weight)| ReleaseQuery {
                weight,
                ..ReleaseQuery::laplace("q", 7.0, scale)
            })
            .collect();
        let known = WeightedMse::new(&[0.5, 3.0, 2.0], &[1.0, 2.0, 0.0]);
        let found = weighted_mean(&queries, |q| q.weight, |q| q.noise.squared_error_law()).unwrap();
        let close = |a: Option<f64>, b: Option<f64>| (a.unwrap() / b.unwrap() - 1.0).abs() < 1e-14;
        assert!(close(found.mean(), known.mean()) && close(found.sd(), known.sd()));
        // of what depends on each other, the mean alone
        let derived: Vec<ReleaseQuery> = (queries.into_iter())
            .map(|query| ReleaseQuery {
                origin: Origin::Derived {
                    derivation: 0,
                    output: 0,
                },
                ..query
            })
            .collect();
        let found = weighted_mean(&derived, |q| q.weight, |q| q.noise.squared_error_law()).unwrap();
        assert!(close(found.mean(), known.mean()) && found.sd().is_none());
        assert!(weighted_mean(&[], |q| q.weight, |q| q.noise.abs_error_law()).is_none());
    }
}
