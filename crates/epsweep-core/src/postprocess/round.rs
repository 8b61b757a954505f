//! Every answer to the nearest multiple of a unit.

use super::{Step, StepKind};
use crate::about::About;
use crate::query::{Arguments, Parameter, ParameterKind, QueryError};
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "round",
    summary: "rounds answers to the nearest multiple of a unit, as for counts, which are whole",
    formula: "unit · round(x/unit), halves to the even multiple",
    source: "Dwork and Roth (2014), proposition 2.1",
};

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "unit",
    kind: ParameterKind::Number,
    required: false,
    summary: "what the answers become multiples of, above 0; 1 without it",
}];

/// The kind `round`.
pub(super) struct RoundKind;

impl StepKind for RoundKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        "{ unit = 5 }"
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let unit = arguments.number("unit").unwrap_or(1.0);
        Ok(Box::new(Round::new(unit)?))
    }
}

/// Every answer to the nearest multiple of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    unit: f64,
}

impl Round {
    /// # Errors
    /// [`QueryError::Range`] unless the unit is a normal number above 0
    pub fn new(unit: f64) -> Result<Round, QueryError> {
        if unit > 0.0 && unit.is_normal() {
            return Ok(Round { unit });
        }
        Err(QueryError::Range {
            query: ABOUT.name,
            argument: "unit",
            value: unit,
            rule: "a normal number above 0",
        })
    }
}

/// How the definition of this step begins.
const WORDS: &str = "round to multiples of";

/// Whether a step is this one, by its definition.
pub fn rounds(definition: &str) -> bool {
    definition.starts_with(WORDS)
}

impl Step for Round {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("{WORDS} {}", Shortest(self.unit))
    }

    fn take(&self, values: &mut [f64]) {
        for value in values {
            let multiple = *value / self.unit;
            // where the multiple is beyond the range, doubles are multiples of the unit already
            if multiple.is_finite() {
                let rounded = multiple.round_ties_even() * self.unit;
                if rounded.is_finite() {
                    *value = rounded;
                }
            }
        }
    }
}
