//! the weighted mean of the squared errors of the queries in a trial.

use super::kernel::{Errors, Reduction, reduce};
use super::together::{CommonScales, common_scales, weighted_mean};
use super::{AllRule, Measure, Rule};
use epsweep_core::about::About;
use epsweep_core::dispatch;
use epsweep_core::random::isa::Isa;
use epsweep_core::theory;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct WeightedMse;

impl Measure for WeightedMse {
    fn about(&self) -> &'static About {
        &About {
            name: "weighted_mse",
            summary: "the weighted mean of the squared errors of the queries in a trial (the objective `weighted-mse` of `allocate` is the sum, not divided by Σwᵢ)",
            formula: "Σᵢ wᵢ·(aᵢ − qᵢ)² / Σᵢ wᵢ",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::All(AllRule {
            kernel: fill,
            law: |queries, _| {
                let weights: Vec<f64> = queries.iter().map(|q| q.weight).collect();
                match common_scales(queries) {
                    Some(CommonScales::Laplace(scales)) => {
                        Some(Arc::new(theory::WeightedMse::new(&scales, &weights)))
                    }
                    Some(CommonScales::Gaussian(sigmas)) => {
                        Some(Arc::new(theory::WeightedMse::gaussian(&sigmas, &weights)))
                    }
                    None => weighted_mean(queries, |q| q.weight, |q| q.noise.squared_error_law()),
                }
            },
            degree: 2,
            weighted: true,
            per_record: false,
        })
    }
}

dispatch! {
    /// A block of the measure.
    fn fill(errors: &Errors<'_>, out: &mut [f64]) = reduce::<_, WeightedMse>;
}

impl Reduction for WeightedMse {
    #[inline(always)]
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, weight: f64) -> I::F {
        isa.add(sofar, isa.mul(isa.splat(weight), isa.mul(error, error)))
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F {
        let unit = isa.splat(errors.unit);
        isa.mul(unit, isa.mul(unit, sofar))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_computes_the_formula() {
        super::super::kernel::tests::check(super::fill, |e, w| {
            e.iter().zip(w).map(|(x, w)| w * x * x).sum::<f64>()
        });
    }
}
