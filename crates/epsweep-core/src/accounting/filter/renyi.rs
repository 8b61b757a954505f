//! The filter of Rényi privacy at a fixed order.

use super::additive::Additive;
use super::{Filter, Spend, unsupported};
use crate::about::About;
use crate::accounting::error::AccountingError;

/// Sums of the Rényi divergences at one order, fixed in advance.
#[derive(Clone, Debug)]
pub struct Renyi {
    sum: Additive,
    order: f64,
}

pub(super) const ABOUT: About = About {
    name: "renyi",
    summary: "admits while the Rényi divergences at one order add up to no more than the budget",
    formula: "Σ εᵢ(α) ≤ ε(α)",
    source: "Feldman, Zrnic, NeurIPS 2021, section 4",
};

impl Renyi {
    /// A budget of divergence at order α > 1.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if the budget is not finite and positive or the order is not finite and above 1
    pub fn new(order: f64, budget: f64) -> Result<Renyi, AccountingError> {
        if !(order > 1.0 && order.is_finite()) {
            return Err(AccountingError::Parameter {
                what: "Rényi order α of a filter",
                value: order,
                rule: "must be finite and above 1",
                remedy: "take the best order of the plan that is expected",
            });
        }
        Ok(Renyi {
            sum: Additive::new("Rényi divergence", budget)?,
            order,
        })
    }

    /// α.
    pub fn order(&self) -> f64 {
        self.order
    }
}

impl Filter for Renyi {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match spend.checked()? {
            Spend::Renyi(divergence) => Ok(self.sum.offer(|sum| sum.add(divergence))),
            Spend::Concentrated(rho) => {
                // rounded up, so that no more is admitted than fits
                let divergence = (rho * self.order).next_up();
                Ok(rho == 0.0 || self.sum.offer(|sum| sum.add(divergence)))
            }
            Spend::Pure(0.0) | Spend::Approximate(0.0, 0.0) => Ok(true),
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                use crate::accounting::rdp::{Curve, RandomisedResponse};
                let divergence = RandomisedResponse::new(epsilon)?.rdp(self.order)? * (1.0 + 1e-13);
                Ok(self.sum.offer(|sum| sum.add(divergence)))
            }
            other => Err(unsupported(
                &ABOUT,
                other,
                "δ has no Rényi divergence",
                "the approximate filter",
            )),
        }
    }

    fn spent(&self) -> f64 {
        self.sum.sum.value()
    }

    fn budget(&self) -> f64 {
        self.sum.budget
    }
}
