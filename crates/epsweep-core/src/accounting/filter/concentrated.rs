//! The filter of zero-concentrated privacy.

use super::additive::Additive;
use super::{Filter, Spend, unsupported};
use crate::about::About;
use crate::accounting::error::AccountingError;

/// Sums of ρ; pure ε count as ε²/2.
#[derive(Clone, Debug)]
pub struct Concentrated(Additive);

pub(super) const ABOUT: About = About {
    name: "zcdp",
    summary: "admits while the ρ add up to no more than the budget; a pure ε costs ε²/2",
    formula: "Σ ρᵢ ≤ ρ",
    source: "Feldman, Zrnic, NeurIPS 2021, section 4; Whitehouse, Ramdas, Rogers, Wu, ICML 2023, section 3",
};

impl Concentrated {
    /// # Errors
    /// [`AccountingError::Parameter`] if the budget is not finite and positive
    pub fn new(rho: f64) -> Result<Concentrated, AccountingError> {
        Additive::new("ρ", rho).map(Concentrated)
    }
}

impl Filter for Concentrated {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match spend.checked()? {
            Spend::Concentrated(rho) => Ok(self.0.offer(|sum| sum.add(rho))),
            Spend::Pure(0.0) | Spend::Approximate(0.0, 0.0) => Ok(true),
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                Ok(self.0.offer(|sum| sum.add_half_square(epsilon)))
            }
            other => Err(unsupported(
                &ABOUT,
                other,
                "it implies no ρ",
                "the approximate filter",
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
