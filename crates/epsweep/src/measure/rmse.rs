//! the root mean square error of the answers in a trial.

use super::kernel::{Errors, Reduction, reduce};
use super::together::{CommonScales, common_scales};
use super::{AllRule, Measure, Rule};
use crate::study::release::ReleaseQuery;
use epsweep_core::about::About;
use epsweep_core::dispatch;
use epsweep_core::random::isa::Isa;
use epsweep_core::theory::{self, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Rmse;

impl Measure for Rmse {
    fn about(&self) -> &'static About {
        &About {
            name: "rmse",
            summary: "the root mean square error of the answers in a trial: each number of a query with many counts",
            formula: "√((1/k)·Σᵢ (aᵢ − qᵢ)²)",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::All(AllRule {
            kernel: fill,
            law: |queries, _| law(queries),
            degree: 1,
            weighted: false,
            per_record: false,
        })
    }
}

/// The exact law.
pub(super) fn law(queries: &[ReleaseQuery]) -> Option<Arc<dyn Law>> {
    match common_scales(queries)? {
        CommonScales::Laplace(scales) => Some(Arc::new(theory::Rmse::new(&scales))),
        CommonScales::Gaussian(sigmas) => Some(Arc::new(theory::Rmse::gaussian(&sigmas))),
    }
}

dispatch! {
    /// A block of the measure.
    fn fill(errors: &Errors<'_>, out: &mut [f64]) = reduce::<_, Rmse>;
}

impl Reduction for Rmse {
    #[inline(always)]
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, _weight: f64) -> I::F {
        isa.add(sofar, isa.mul(error, error))
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F {
        let root = isa.sqrt(isa.mul(sofar, isa.splat(errors.share)));
        isa.mul(isa.splat(errors.unit), root)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_computes_the_formula() {
        super::super::kernel::tests::check(super::fill, |e, _w| {
            (e.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt()
        });
    }
}
