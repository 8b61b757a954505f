//! The error per query and record, as data sets of different sizes are compared by.

use super::kernel::{Errors, Reduction, reduce};
use super::scaled::Scaled;
use super::{AllRule, Measure, Rule, rmse};
use epsweep_core::about::About;
use epsweep_core::dispatch;
use epsweep_core::random::isa::Isa;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct ScaledError;

impl Measure for ScaledError {
    fn about(&self) -> &'static About {
        &About {
            name: "scaled_error",
            summary: "the L2 norm of the errors in a trial over the number of records and of queries",
            formula: "√(Σᵢ (aᵢ − qᵢ)²) / (n·k)",
            source: "Hay, Machanavajjhala, Miklau, Chen and Zhang (SIGMOD 2016), definition 3",
        }
    }

    fn rule(&self) -> Rule {
        Rule::All(AllRule {
            kernel: fill,
            law: |queries, rows| {
                // √(k·MSE)/(n·k)
                let factor = 1.0 / (rows * (queries.len() as f64).sqrt());
                Some(Arc::new(Scaled::new(rmse::law(queries)?, factor)))
            },
            degree: 1,
            weighted: false,
            per_record: true,
        })
    }

    fn by_default(&self) -> bool {
        false
    }
}

dispatch! {
    /// A block of the measure.
    fn fill(errors: &Errors<'_>, out: &mut [f64]) = reduce::<_, ScaledError>;
}

impl Reduction for ScaledError {
    #[inline(always)]
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, _weight: f64) -> I::F {
        isa.add(sofar, isa.mul(error, error))
    }

    #[inline(always)]
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F {
        let norm = isa.mul(isa.splat(errors.unit), isa.sqrt(sofar));
        isa.mul(norm, isa.splat(errors.share * errors.per_record))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_kernel_computes_the_formula() {
        super::super::kernel::tests::check(super::fill, |e, _w| {
            e.iter().map(|x| x * x).sum::<f64>().sqrt() / 3000.0
        });
    }
}
