//! The filter of pure privacy.

use super::additive::Additive;
use super::{Filter, Spend, unsupported};
use crate::about::About;
use crate::accounting::error::AccountingError;

/// Plain sums of ε.
#[derive(Clone, Debug)]
pub struct Pure(Additive);

pub(super) const ABOUT: About = About {
    name: "pure",
    summary: "admits while the ε add up to no more than the budget",
    formula: "Σ εᵢ ≤ ε",
    source: "Rogers, Roth, Ullman, Vadhan, NeurIPS 2016, section 3",
};

impl Pure {
    /// # Errors
    /// [`AccountingError::Parameter`] if the budget is not finite and positive
    pub fn new(epsilon: f64) -> Result<Pure, AccountingError> {
        Additive::new("ε", epsilon).map(Pure)
    }
}

impl Filter for Pure {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match spend.checked()? {
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                Ok(self.0.offer(|sum| sum.add(epsilon)))
            }
            other => Err(unsupported(
                &ABOUT,
                other,
                "it has no pure ε",
                "the approximate or the concentrated filter",
            )),
        }
    }

    fn spent(&self) -> f64 {
        self.0.sum.value()
    }

    fn budget(&self) -> f64 {
        self.0.budget
    }
}
