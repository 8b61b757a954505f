//! the largest absolute error of the queries in a trial.

use super::kernel::{Errors, Reduction, reduce};
use super::together::{CommonScales, common_scales};
use super::{AllRule, Measure, Rule};
use epsweep_core::about::About;
use epsweep_core::dispatch;
use epsweep_core::random::isa::Isa;
use epsweep_core::theory;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct MaxAbsError;

impl Measure for MaxAbsError {
    fn about(&self) -> &'static About {
        &About {
            name: "max_abs_error",
            summary: "the largest absolute error of the queries in a trial",
            formula: "maxᵢ |aᵢ − qᵢ|",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::All(AllRule {
            kernel: fill,
            law: |queries, _| match common_scales(queries)? {
                CommonScales::Laplace(scales) => Some(Arc::new(theory::Maximum::new(&scales))),
                CommonScales::Gaussian(sigmas) => {
                    Some(Arc::new(theory::Maximum::gaussian(&sigmas)))
                }
            },
            degree: 1,
            weighted: false,
            per_record: false,
        })
    }
}

dispatch! {
    /// A block of the measure.
    fn fill(errors: &Errors<'_>, out: &mut [f64]) = reduce::<_, MaxAbsError>;
}

impl Reduction for MaxAbsError {
    #[inline(always)]
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, _weight: f64) -> I::F {
        isa.max(isa.abs(error), sofar)
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F {
        isa.mul(isa.splat(errors.unit), sofar)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_computes_the_formula() {
        super::super::kernel::tests::check(super::fill, |e, _w| {
            e.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
        });
    }
}
