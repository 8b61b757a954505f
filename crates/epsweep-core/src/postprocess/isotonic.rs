//! Answers that rise, or fall, as the true ones are known to.

use super::{Step, StepKind};
use crate::about::About;
use crate::query::{Arguments, Parameter, ParameterKind, QueryError};

const ABOUT: About = About {
    name: "isotonic",
    summary: "the nearest answers that rise (or fall) along the vector, as prefix sums and degree sequences do",
    formula: "minimises Σ(xᵢ − yᵢ)² over y₁ ≤ y₂ ≤ …: neighbours out of order are pooled to their mean",
    source: "Barlow, Bartholomew, Bremner and Brunk, Statistical Inference under Order Restrictions (1972); Hay and others (PVLDB 3, 2010), §3",
};

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "direction",
    kind: ParameterKind::Choice(&["rising", "falling"]),
    required: false,
    summary: "\"rising\", or \"falling\"; rising without it",
}];

/// The kind `isotonic`.
pub(super) struct IsotonicKind;

impl StepKind for IsotonicKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ direction = "rising" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        Ok(Box::new(Isotonic(match arguments.text("direction") {
            Some("falling") => Direction::Falling,
            _ => Direction::Rising,
        })))
    }
}

/// Which way answers go along the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// none below the one before it
    Rising,
    /// none above the one before it
    Falling,
}

/// The nearest answers that go one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isotonic(pub Direction);

impl Step for Isotonic {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        match self.0 {
            Direction::Rising => "nearest rising answers".to_owned(),
            Direction::Falling => "nearest falling answers".to_owned(),
        }
    }

    fn take(&self, values: &mut [f64]) {
        if self.0 == Direction::Falling {
            values.reverse();
        }
        // blocks of equal answers: their mean and their length
        let mut blocks: Vec<(f64, usize)> = Vec::with_capacity(values.len());
        for &value in values.iter() {
            let mut block = (value, 1);
            while let Some(&(mean, length)) = blocks.last() {
                if mean <= block.0 {
                    break;
                }
                blocks.pop();
                let joined = length + block.1;
                let part = block.1 as f64 / joined as f64;
                // the mean of the two, which lies between them
                block = (mean * (1.0 - part) + block.0 * part, joined);
            }
            blocks.push(block);
        }
        let pooled = blocks
            .into_iter()
            .flat_map(|(mean, length)| std::iter::repeat_n(mean, length));
        for (value, mean) in values.iter_mut().zip(pooled) {
            *value = mean;
        }
        if self.0 == Direction::Falling {
            values.reverse();
        }
    }
}
