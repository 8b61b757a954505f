//! The answers of a histogram are not negative and add up to a known total.

use super::total::TOTAL;
use super::{Step, StepKind};
use crate::about::About;
use crate::query::{Arguments, Parameter, QueryError};
use crate::shortest::Shortest;

const ABOUT: About = About {
    name: "simplex",
    summary: "the nearest histogram without negative counts that adds up to a known total",
    formula: "max(0, xᵢ − θ) with the θ at which they add up to the total: the projection onto the simplex",
    source: "Held, Wolfe and Crowder (Mathematical Programming 6, 1974); Duchi, Shalev-Shwartz, Singer and Chandra (ICML 2008), figure 1",
};

/// The kind `simplex`.
pub(super) struct SimplexKind;

impl StepKind for SimplexKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[TOTAL]
    }

    fn example(&self) -> &'static str {
        "{ total = 1000 }"
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Step>, QueryError> {
        arguments.check(ABOUT.name, &[TOTAL])?;
        let total = arguments.number("total").unwrap_or(f64::NAN);
        Ok(Box::new(Simplex::new(total)?))
    }
}

/// The answers are not negative and add up to a total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplex {
    total: f64,
}

impl Simplex {
    /// # Errors
    /// [`QueryError::Range`] unless the total is finite and at least 0
    pub fn new(total: f64) -> Result<Simplex, QueryError> {
        if total >= 0.0 && total.is_finite() {
            return Ok(Simplex { total });
        }
        Err(QueryError::Range {
            query: ABOUT.name,
            argument: "total",
            value: total,
            rule: "finite and at least 0",
        })
    }
}

impl Step for Simplex {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("not negative, adding up to {}", Shortest(self.total))
    }

    fn take(&self, values: &mut [f64]) {
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(|one, other| other.total_cmp(one));
        // θ of the largest values, as long as they stay above it
        let mut sum = 0.0;
        let mut theta = 0.0;
        for (place, value) in sorted.iter().enumerate() {
            sum += value;
            let of_these = (sum - self.total) / (place + 1) as f64;
            // the first one stays above unless the total is 0
            if place > 0 && *value <= of_these {
                break;
            }
            theta = of_these;
        }
        for value in values {
            let lowered = *value - theta;
            *value = if lowered > 0.0 { lowered } else { 0.0 };
        }
    }
}
