//! Every answer to the nearest value within bounds.

use super::{Step, StepKind, finite};
use crate::about::About;
use crate::data::Bounds;
use crate::query::{Arguments, Parameter, ParameterKind, QueryError};

const ABOUT: About = About {
    name: "clamp",
    summary: "moves answers outside [low, high] to the nearer end, where the true answer is known to lie within",
    formula: "max(low, min(high, x)), the projection onto [low, high]",
    source: "Dwork and Roth (2014), proposition 2.1; the exact law of the error after it is known for Laplace noise",
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "low",
        kind: ParameterKind::Number,
        required: true,
        summary: "the least value that the true answer can have",
    },
    Parameter {
        name: "high",
        kind: ParameterKind::Number,
        required: true,
        summary: "the largest value that the true answer can have",
    },
];

/// The kind `clamp`.
pub(super) struct ClampKind;

impl StepKind for ClampKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        "{ low = 0, high = 120 }"
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let low = finite(&ABOUT, arguments, "low")?;
        let high = finite(&ABOUT, arguments, "high")?;
        Ok(Box::new(Clamp(Bounds::new(low, high)?)))
    }
}

/// Every answer to the nearest value within these bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clamp(pub Bounds);

impl Step for Clamp {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("clamp to {}", self.0)
    }

    fn interval(&self) -> Option<[f64; 2]> {
        Some([self.0.low(), self.0.high()])
    }

    fn take(&self, values: &mut [f64]) {
        for value in values {
            *value = self.0.clip(*value);
        }
    }
}
