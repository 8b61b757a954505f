//! Negative answers become 0.

use super::{Step, StepKind};
use crate::about::About;
use crate::query::{Arguments, Parameter, QueryError};

const ABOUT: About = About {
    name: "non-negative",
    summary: "raises negative answers to 0, as for counts; their sum becomes too large",
    formula: "max(0, x), the projection onto the non-negative vectors",
    source: "Hay, Rastogi, Miklau and Suciu (PVLDB 3, 2010), §4.2; Zhu, Van Hentenryck and Fioretto (2021) on its bias",
};

/// The kind `non-negative`.
pub(super) struct NonNegativeKind;

impl StepKind for NonNegativeKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[]
    }

    fn example(&self) -> &'static str {
        "{}"
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, &[])?;
        Ok(Box::new(NonNegative))
    }
}

/// Negative answers become 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonNegative;

impl Step for NonNegative {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        "raise negative answers to 0".to_owned()
    }

    fn interval(&self) -> Option<[f64; 2]> {
        Some([0.0, f64::INFINITY])
    }

    fn take(&self, values: &mut [f64]) {
        for value in values {
            // not f64::max, which may give either of 0 and −0
            if *value <= 0.0 {
                *value = 0.0;
            }
        }
    }
}
