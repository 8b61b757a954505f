//! the mean absolute error of the answers in a trial.

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
pub struct MeanAbsError;

impl Measure for MeanAbsError {
    fn about(&self) -> &'static About {
        &About {
            name: "mean_abs_error",
            summary: "the mean absolute error of the answers in a trial: each number of a query with many counts",
            formula: "(1/k)·Σᵢ |aᵢ − qᵢ|",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::All(AllRule {
            kernel: fill,
            law: |queries, _| match common_scales(queries) {
                Some(CommonScales::Laplace(scales)) => {
                    Some(Arc::new(theory::MeanAbsolute::new(&scales)))
                }
                Some(CommonScales::Gaussian(sigmas)) => {
                    Some(Arc::new(theory::MeanAbsoluteGaussian::new(&sigmas)))
                }
                None => weighted_mean(queries, |_| 1.0, |q| q.noise.abs_error_law()),
            },
            degree: 1,
            weighted: false,
            per_record: false,
        })
    }
}

dispatch! {
    /// A block of the measure.
    fn fill(errors: &Errors<'_>, out: &mut [f64]) = reduce::<_, MeanAbsError>;
}

impl Reduction for MeanAbsError {
    #[inline(always)]
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, _weight: f64) -> I::F {
        isa.add(sofar, isa.abs(error))
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F {
        isa.mul(
            isa.splat(errors.unit),
            isa.mul(sofar, isa.splat(errors.share)),
        )
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_computes_the_formula() {
        super::super::kernel::tests::check(super::fill, |e, _w| {
            e.iter().map(|x| x.abs()).sum::<f64>() / 3.0
        });
    }
}
