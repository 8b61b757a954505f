//! What is really spent, held against the guarantee.

use super::{Composition, Spender, releases};
use crate::accounting::filter::Spend;
use crate::accounting::ledger::{Ledger, LedgerError, check_total};
use crate::accounting::{AccountingError, Mechanism, Release, gaussian};
use crate::budget::{Budget, Epsilon, Rho};

impl Composition {
    /// Passes what is really spent through the ledger: `spent` holds, for every release with noise, its label, the budget that it was
    /// given, and what its noise costs by its own scale: Δ₁/b for a pure spender, Δ₂/σ for a Gaussian one. Basic composition adds of a part
    /// (ε, δ) the ε, and the δ at it that Gaussian noise of that scale has (Balle and Wang, ICML 2018, theorem 8).
    ///
    /// # Errors
    /// [`LedgerError`] if the total exceeds the guarantee beyond a relative 1e-9
    pub fn check(
        self,
        budget: Budget,
        spender: Spender,
        spent: &[(String, Budget, f64)],
    ) -> Result<(), LedgerError> {
        if spent.is_empty() {
            return Ok(());
        }
        let (currency, plan): (Budget, Vec<(String, Spend)>) = match (self, budget) {
            (Composition::Basic, budget) => {
                let plan = spent.iter().map(|(label, given, ratio)| {
                    let spend = match (spender, given) {
                        // at its ε, what noise of this scale costs by itself, whatever δ it was given
                        (Spender::Gaussian, Budget::Approximate(epsilon, _)) => {
                            let epsilon = epsilon.get();
                            Spend::Approximate(epsilon, gaussian::delta(epsilon, 1.0 / ratio, 1.0)?)
                        }
                        (Spender::Gaussian, _) => Spend::Concentrated(0.5 * ratio * ratio),
                        (Spender::Pure, _) => Spend::Pure(*ratio),
                    };
                    Ok((label.clone(), spend))
                });
                (budget, plan.collect::<Result<_, AccountingError>>()?)
            }
            (Composition::Zcdp, Budget::Zcdp(_)) => {
                let plan = spent.iter().map(|(label, _, ratio)| {
                    // of Laplace noise, too: ε²/2
                    (label.clone(), Spend::Concentrated(0.5 * ratio * ratio))
                });
                (budget, plan.collect())
            }
            (composition, Budget::Approximate(epsilon, delta)) => {
                let (epsilon, delta) = (epsilon.get(), delta.get());
                let ratios: Vec<f64> = spent.iter().map(|(_, _, ratio)| *ratio).collect();
                let releases = match composition {
                    Composition::Zcdp => {
                        let rhos = ratios.iter().map(|ratio| 0.5 * ratio * ratio);
                        let rhos: Vec<f64> = rhos.collect();
                        let rho = crate::summation::sum(&rhos);
                        vec![Release::once(Mechanism::Zcdp(
                            Rho::new(rho).map_err(|_| AccountingError::Empty)?,
                        ))]
                    }
                    // doubles that differ in their last bit are still equal releases
                    Composition::Optimal => levelled(&ratios)?,
                    _ => match spender {
                        Spender::Pure => releases(spender, &ratios)?,
                        Spender::Gaussian => {
                            let rhos: Vec<f64> =
                                ratios.iter().map(|ratio| 0.5 * ratio * ratio).collect();
                            releases(spender, &rhos)?
                        }
                    },
                };
                return check_total(composition.accountant(spender), &releases, epsilon, delta)
                    .map(|_| ());
            }
            (_, budget) => {
                let plan = spent
                    .iter()
                    .map(|(label, _, ratio)| (label.clone(), Spend::Pure(*ratio)));
                (budget, plan.collect())
            }
        };
        Ledger::new(currency).spend_all(&plan)
    }
}

/// Pure releases as one of the largest ε, as often as there are.
fn levelled(ratios: &[f64]) -> Result<Vec<Release>, AccountingError> {
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    let epsilon = Epsilon::new(largest).map_err(|_| AccountingError::Empty)?;
    Ok(vec![Release::repeated(
        Mechanism::Laplace(epsilon),
        ratios.len() as u64,
    )?])
}
