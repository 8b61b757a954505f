//! Dividing a guarantee among releases: what a share is a part of, under each way of composing.
//!
//! - basic: shares of ε, and of δ where the noise spends one: the sums are the totals
//! - zcdp: shares of ρ, which adds up (Bun and Steinke, TCC 2016, lemma 1.7); where (ε, δ) is to be met, ρ is the largest that does
//! - optimal, rdp, pld: εᵢ = s·shareᵢ (Gaussian noise: ρᵢ = s·shareᵢ), with the largest s whose total meets (ε, δ)

use super::filter::Spend;
use super::ledger::{Ledger, LedgerError, check_total};
use super::{
    Accountant, AccountingError, Mechanism, NoiseMultiplier, Release, gaussian, numeric, optimal,
    pld, rdp, zcdp,
};
use crate::about::About;
use crate::allocation::Setting;
use crate::budget::{Budget, BudgetError, Delta, Epsilon, Rho, Shares};
use crate::shortest::Shortest;

/// How the losses of several releases add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// sums of ε and of δ
    Basic,
    /// the exact total of equal releases
    Optimal,
    /// sums of ρ
    Zcdp,
    /// Rényi divergences
    Rdp,
    /// the privacy loss distribution
    Pld,
}

/// What a release spends, as far as composition is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spender {
    /// a pure ε: Laplace noise
    Pure,
    /// Gaussian noise
    Gaussian,
}

/// A guarantee divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Division {
    /// what each release may spend; `None` where its share is 0
    pub parts: Vec<Option<Budget>>,
    /// the number of each part: εᵢ or ρᵢ, 0 where the share is 0
    pub amounts: Vec<f64>,
    /// what the shares divide: ε, ρ or s
    pub total: f64,
    /// that in words
    pub statement: String,
}

/// Why a guarantee cannot be divided.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DivisionError {
    /// a composition that cannot serve
    #[error("`{composition}` composition cannot serve {what}: {reason}; {alternative}")]
    Unsupported {
        /// its name
        composition: &'static str,
        /// the budget or the noise
        what: String,
        /// why not
        reason: &'static str,
        /// what can
        alternative: &'static str,
    },
    /// what an accountant refuses
    #[error(transparent)]
    Accounting(#[from] AccountingError),
    /// a part that is no budget
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl Composition {
    /// All, in the order in which they are listed.
    pub const ALL: [Composition; 5] = [
        Composition::Basic,
        Composition::Optimal,
        Composition::Zcdp,
        Composition::Rdp,
        Composition::Pld,
    ];

    /// What it is.
    pub fn about(self) -> &'static About {
        match self {
            Composition::Basic => &About {
                name: "basic",
                summary: "ε and δ add up; shares are parts of ε (and of δ with Gaussian noise)",
                formula: "εᵢ = ε·shareᵢ",
                source: "Dwork and Roth 2014, theorem 3.16",
            },
            Composition::Optimal => &About {
                name: "optimal",
                summary: "the exact total of purely private releases with equal shares",
                formula: "εᵢ = s·shareᵢ",
                source: "Kairouz, Oh, Viswanath, IEEE Transactions on Information Theory 63, 2017, theorem 3.3",
            },
            Composition::Zcdp => &About {
                name: "zcdp",
                summary: "ρ adds up; shares are parts of ρ",
                formula: "ρᵢ = ρ·shareᵢ",
                source: "Bun and Steinke, TCC 2016, lemma 1.7",
            },
            Composition::Rdp => &About {
                name: "rdp",
                summary: "Rényi divergences add up, order by order",
                formula: "εᵢ = s·shareᵢ, with Gaussian noise ρᵢ = s·shareᵢ",
                source: "Mironov, CSF 2017, proposition 1",
            },
            Composition::Pld => &About {
                name: "pld",
                summary: "the privacy loss distributions are convolved; exact with Gaussian noise alone",
                formula: "εᵢ = s·shareᵢ, with Gaussian noise ρᵢ = s·shareᵢ",
                source: "Sommer, Meiser, Mohammadi, PoPETs 2019",
            },
        }
    }

    /// The composition of that name.
    pub fn named(name: &str) -> Option<Composition> {
        Composition::ALL
            .into_iter()
            .find(|composition| composition.about().name == name)
    }

    /// How a noise scale depends on a share. `None` where shares divide ε and δ of Gaussian noise, which is no power.
    pub fn setting(self, spender: Spender) -> Option<Setting> {
        match (self, spender) {
            (Composition::Basic, Spender::Gaussian) => None,
            (_, Spender::Gaussian) => Some(Setting::GaussianZcdp),
            (Composition::Zcdp, Spender::Pure) => Some(Setting::LaplaceZcdp),
            (_, Spender::Pure) => Some(Setting::LaplacePure),
        }
    }

    fn refused(
        self,
        what: impl Into<String>,
        reason: &'static str,
        alternative: &'static str,
    ) -> DivisionError {
        DivisionError::Unsupported {
            composition: self.about().name,
            what: what.into(),
            reason,
            alternative,
        }
    }

    /// Divides a budget.
    ///
    /// # Errors
    /// [`DivisionError`] if the composition cannot serve the budget, the noise or the shares; the error names what can
    pub fn divide(
        self,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
    ) -> Result<Division, DivisionError> {
        match self {
            Composition::Basic => basic(budget, spender, shares),
            Composition::Zcdp => concentrated(budget, spender, shares),
            Composition::Optimal | Composition::Rdp | Composition::Pld => {
                self.solved(budget, spender, shares)
            }
        }
    }

    /// ε and δ of a budget, for what converts to them.
    fn target(self, budget: Budget) -> Result<(f64, f64), DivisionError> {
        match budget {
            Budget::Approximate(epsilon, delta) if delta.get() > 0.0 => {
                Ok((epsilon.get(), delta.get()))
            }
            Budget::Pure(epsilon) | Budget::Approximate(epsilon, _)
                if self == Composition::Optimal =>
            {
                Ok((epsilon.get(), 0.0))
            }
            Budget::Pure(_) | Budget::Approximate(..) => Err(self.refused(
                format!("a budget of {budget}"),
                "it trades δ for ε",
                "give `delta`, or compose by basic",
            )),
            Budget::Zcdp(_) => Err(self.refused(
                format!("a budget of {budget}"),
                "ρ adds up by itself",
                "compose by zcdp, or give ε and δ",
            )),
        }
    }

    /// The largest s whose total meets (ε, δ).
    fn solved(
        self,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
    ) -> Result<Division, DivisionError> {
        let (epsilon, delta) = self.target(budget)?;
        if self == Composition::Optimal {
            check_optimal(spender, shares)?;
        }
        let total = if self == Composition::Pld && spender == Spender::Gaussian {
            // μ² = Σ 2ρᵢ: together as private as one release with ρ = s
            let sigma = gaussian::sigma(epsilon, delta, 1.0)?;
            0.5 / sigma / sigma
        } else if delta == 0.0 {
            // at δ = 0 the total is the sum
            epsilon
        } else {
            let accountant = self.accountant(spender);
            let start = match spender {
                Spender::Pure => epsilon,
                Spender::Gaussian => largest_rho(epsilon, delta)?,
            };
            largest(start, epsilon, |total| {
                let releases = releases(spender, &shares.split(total))?;
                Ok(accountant.total(&releases, delta)?.epsilon)
            })?
        };
        let letter = match spender {
            Spender::Pure => "ε",
            Spender::Gaussian => "ρ",
        };
        let statement = format!(
            "{letter}ᵢ = s·shareᵢ with s = {}, so that all together meet {budget} by {}",
            Shortest(total),
            self.about().name
        );
        parts(total, spender, shares, statement)
    }

    fn accountant(self, spender: Spender) -> &'static dyn Accountant {
        match (self, spender) {
            (Composition::Optimal, _) => &optimal::Optimal,
            (Composition::Rdp, _) => &rdp::Rdp,
            (Composition::Pld, Spender::Gaussian) => &gaussian::Gaussian,
            (Composition::Pld, Spender::Pure) => &pld::Pld,
            (Composition::Basic, _) => &super::basic::Basic,
            (Composition::Zcdp, _) => &zcdp::Tight,
        }
    }

    /// Passes what is really spent through the ledger: `spent` holds, for every release with noise, its label, the budget that it was
    /// given, and what its noise costs by its own scale: Δ₁/b for a pure spender, Δ₂/σ for a Gaussian one.
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
                        // δ follows from the calibration of the noise
                        (Spender::Gaussian, Budget::Approximate(epsilon, delta)) => {
                            Spend::Approximate(epsilon.get(), delta.get())
                        }
                        (Spender::Gaussian, _) => Spend::Concentrated(0.5 * ratio * ratio),
                        (Spender::Pure, _) => Spend::Pure(*ratio),
                    };
                    (label.clone(), spend)
                });
                (budget, plan.collect())
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

fn check_optimal(spender: Spender, shares: &Shares) -> Result<(), DivisionError> {
    if spender == Spender::Gaussian {
        return Err(Composition::Optimal.refused(
            "Gaussian noise",
            "its theorem counts releases by (ε, δ) alone",
            "compose by pld (exact for Gaussian noise) or zcdp",
        ));
    }
    let positive = (shares.as_slice().iter().copied()).filter(|share| *share > 0.0);
    let (least, most) = positive.fold((f64::INFINITY, 0.0_f64), |(least, most), share| {
        (least.min(share), most.max(share))
    });
    if most > least * (1.0 + 1e-12) {
        return Err(Composition::Optimal.refused(
            "unequal shares",
            "the exact total of unequal releases is #P-hard to compute (Murtagh and Vadhan, TCC 2016)",
            "compose by pld, which bounds it from both sides, or divide evenly",
        ));
    }
    Ok(())
}

fn basic(budget: Budget, spender: Spender, shares: &Shares) -> Result<Division, DivisionError> {
    let (epsilon, delta) = match budget {
        Budget::Pure(epsilon) => (epsilon.get(), 0.0),
        Budget::Approximate(epsilon, delta) => (epsilon.get(), delta.get()),
        Budget::Zcdp(_) => {
            return Err(Composition::Basic.refused(
                format!("a budget of {budget}"),
                "it adds up ε and δ",
                "compose by zcdp, or give `epsilon`",
            ));
        }
    };
    if spender == Spender::Pure {
        let statement = format!("shares divide ε = {}", Shortest(epsilon));
        return parts(epsilon, spender, shares, statement);
    }
    if delta == 0.0 {
        return Err(Composition::Basic.refused(
            "Gaussian noise without δ",
            "no σ makes it purely private",
            "give `delta` beside `epsilon`, or `rho` and compose by zcdp",
        ));
    }
    let amounts = shares.split(epsilon);
    let deltas = shares.split(delta);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter().zip(deltas))
        .map(|(&epsilon, delta)| {
            if epsilon == 0.0 {
                return Ok(None);
            }
            let (epsilon, delta) = (Epsilon::new(epsilon)?, Delta::new(delta)?);
            Ok(Some(Budget::Approximate(epsilon, delta)))
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total: epsilon,
        statement: format!(
            "shares divide ε = {} and δ = {}",
            Shortest(epsilon),
            Shortest(delta)
        ),
    })
}

fn concentrated(
    budget: Budget,
    spender: Spender,
    shares: &Shares,
) -> Result<Division, DivisionError> {
    let (rho, statement) = match budget {
        Budget::Zcdp(rho) => (
            rho.get(),
            format!("shares divide ρ = {}", Shortest(rho.get())),
        ),
        other => {
            let (epsilon, delta) = Composition::Zcdp.target(other)?;
            let rho = largest_rho(epsilon, delta)?;
            let statement = format!(
                "shares divide ρ = {}, the largest that meets {budget}",
                Shortest(rho)
            );
            (rho, statement)
        }
    };
    let amounts = shares.split(rho);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter())
        .map(|&rho| match spender {
            _ if rho == 0.0 => Ok(None),
            Spender::Gaussian => Ok(Some(Budget::Zcdp(Rho::new(rho)?))),
            Spender::Pure => {
                Epsilon::new(zcdp::pure_epsilon_of(rho)).map(|e| Some(Budget::Pure(e)))
            }
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total: rho,
        statement,
    })
}

/// Parts of a total of ε (pure) or ρ (Gaussian).
fn parts(
    total: f64,
    spender: Spender,
    shares: &Shares,
    statement: String,
) -> Result<Division, DivisionError> {
    let amounts = shares.split(total);
    let parts: Result<Vec<Option<Budget>>, BudgetError> = (amounts.iter())
        .map(|&amount| match spender {
            _ if amount == 0.0 => Ok(None),
            Spender::Pure => Ok(Some(Budget::Pure(Epsilon::new(amount)?))),
            Spender::Gaussian => Ok(Some(Budget::Zcdp(Rho::new(amount)?))),
        })
        .collect();
    Ok(Division {
        parts: parts?,
        amounts,
        total,
        statement,
    })
}

/// Releases of these εᵢ or ρᵢ; those of 0 are none.
fn releases(spender: Spender, amounts: &[f64]) -> Result<Vec<Release>, AccountingError> {
    let positive = amounts.iter().filter(|amount| **amount > 0.0);
    positive
        .map(|&amount| {
            let mechanism = match spender {
                Spender::Pure => {
                    Mechanism::Laplace(Epsilon::new(amount).map_err(|_| AccountingError::Empty)?)
                }
                Spender::Gaussian => {
                    Mechanism::Gaussian(NoiseMultiplier::new(1.0 / (2.0 * amount).sqrt())?)
                }
            };
            Ok(Release::once(mechanism))
        })
        .collect()
}

/// The largest ρ that is (ε, δ)-private by the tight conversion.
pub(crate) fn largest_rho(epsilon: f64, delta: f64) -> Result<f64, AccountingError> {
    // ρ above ε + ln 1/δ is not, and refusals for want of range are no less
    let high = libm::log(epsilon - libm::log(delta) + 1.0);
    zcdp::tight(libm::exp(high), delta)?;
    let (low, _) = numeric::bisect(-690.0, high, |log_rho| {
        !zcdp::tight(libm::exp(log_rho), delta).is_ok_and(|found| found.epsilon <= epsilon)
    });
    Ok(libm::exp(low))
}

/// The largest s with total(s) ≤ ε for a total that grows with s: a bracket around the start, then false position by the Illinois rule, to
/// a relative 1e-10 of s.
pub(crate) fn largest(
    start: f64,
    epsilon: f64,
    mut total: impl FnMut(f64) -> Result<f64, AccountingError>,
) -> Result<f64, AccountingError> {
    let mut excess =
        |log: f64| -> Result<f64, AccountingError> { Ok(total(libm::exp(log))? / epsilon - 1.0) };
    let mut low = libm::log(start);
    let mut at_low = excess(low)?;
    let (mut high, mut at_high) = (low, at_low);
    let mut width = 0.25;
    while at_high <= 0.0 {
        (low, at_low) = (high, at_high);
        high += width;
        width *= 2.0;
        at_high = excess(high)?;
    }
    while at_low > 0.0 {
        (high, at_high) = (low, at_low);
        low -= width;
        width *= 2.0;
        if low < -690.0 {
            return Err(AccountingError::Limit {
                method: "the division of a guarantee",
                what: "ε",
                value: epsilon,
                limit: 1e-290,
                remedy: "raise ε or δ",
            });
        }
        at_low = excess(low)?;
    }
    let mut last_low = None;
    for _ in 0..100 {
        if high - low <= 1e-10 || at_low > -1e-10 {
            break;
        }
        let slope = (at_high - at_low) / (high - low);
        let inside = low - at_low / slope;
        let next = if inside > low && inside < high {
            inside
        } else {
            0.5 * (low + high)
        };
        let found = excess(next)?;
        if found <= 0.0 {
            (low, at_low) = (next, found);
            if last_low == Some(true) {
                at_high *= 0.5;
            }
            last_low = Some(true);
        } else {
            (high, at_high) = (next, found);
            if last_low == Some(false) {
                at_low *= 0.5;
            }
            last_low = Some(false);
        }
    }
    Ok(libm::exp(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: &[f64]) -> Shares {
        Shares::from_weights(weights).unwrap()
    }

    fn approximate(epsilon: f64, delta: f64) -> Budget {
        Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
    }

    fn rho(value: f64) -> Budget {
        Budget::Zcdp(Rho::new(value).unwrap())
    }

    fn pure(value: f64) -> Budget {
        Budget::Pure(Epsilon::new(value).unwrap())
    }

    /// Label, part and Δ/scale of every release of a division.
    fn spent(division: &Division, factor: f64) -> Vec<(String, Budget, f64)> {
        (division.parts.iter().flatten().enumerate())
            .map(|(index, part)| {
                let ratio = match part {
                    Budget::Pure(epsilon) => epsilon.get(),
                    Budget::Zcdp(rho) => (2.0 * rho.get()).sqrt(),
                    Budget::Approximate(epsilon, delta) => {
                        1.0 / gaussian::sigma(epsilon.get(), delta.get(), 1.0).unwrap()
                    }
                };
                (format!("query {index}"), *part, ratio * factor)
            })
            .collect()
    }

    #[test]
    fn every_division_meets_its_guarantee_and_an_overspend_of_a_millionth_is_refused() {
        let mut seen = 0;
        for composition in Composition::ALL {
            for spender in [Spender::Pure, Spender::Gaussian] {
                for budget in [
                    pure(1.0),
                    approximate(1.0, 1e-6),
                    approximate(0.1, 1e-9),
                    rho(0.5),
                ] {
                    for weights in [vec![1.0; 3], vec![0.12, 120.0, 0.0, 1.0]] {
                        let Ok(division) = composition.divide(budget, spender, &shares(&weights))
                        else {
                            continue;
                        };
                        seen += 1;
                        composition
                            .check(budget, spender, &spent(&division, 1.0))
                            .unwrap();
                        if composition == Composition::Basic && spender == Spender::Gaussian {
                            continue;
                        }
                        let error = composition
                            .check(budget, spender, &spent(&division, 1.0 + 1e-5))
                            .unwrap_err();
                        assert!(matches!(error, LedgerError::Overspent { .. }), "{error}");
                    }
                }
            }
        }
        assert!(seen > 20, "{seen}");
    }

    #[test]
    fn equal_parts_of_a_total_spend_it_for_any_number_of_them() {
        for count in 1..=100 {
            let division = Composition::Basic
                .divide(pure(1.0), Spender::Pure, &shares(&vec![1.0; count]))
                .unwrap();
            let spent = spent(&division, 1.0);
            Composition::Basic
                .check(pure(1.0), Spender::Pure, &spent)
                .unwrap();
            let mut ledger = Ledger::new(pure(1.0));
            let plan = spent
                .iter()
                .map(|(label, _, ratio)| (label.clone(), Spend::Pure(*ratio)));
            ledger.spend_all(&plan.collect::<Vec<_>>()).unwrap();
            assert_eq!(ledger.reported(), 1.0);
        }
    }

    #[test]
    fn the_better_accountant_leaves_more_to_spend() {
        let even = shares(&[1.0; 50]);
        let budget = approximate(1.0, 1e-6);
        let total = |composition: Composition| {
            composition
                .divide(budget, Spender::Pure, &even)
                .unwrap()
                .total
        };
        assert_eq!(total(Composition::Basic), 1.0);
        assert!(total(Composition::Optimal) > 1.2);
        assert!(total(Composition::Pld) > total(Composition::Optimal));
        let gaussian = |composition: Composition| {
            composition
                .divide(budget, Spender::Gaussian, &even)
                .unwrap()
                .total
        };
        // ρ: the exact curve beats both conversions, and basic is no match
        assert!(gaussian(Composition::Pld) > gaussian(Composition::Rdp) * 1.01);
        assert!(gaussian(Composition::Rdp) > gaussian(Composition::Zcdp) * (1.0 - 1e-6));
    }

    #[test]
    fn what_cannot_be_divided_names_the_alternative() {
        let refused = |composition: Composition, budget: Budget, spender, weights: &[f64]| {
            composition
                .divide(budget, spender, &shares(weights))
                .unwrap_err()
                .to_string()
        };
        let (uneven, pair) = ([1.0, 2.0], [1.0, 1.0]);
        let meets = approximate(1.0, 1e-6);
        assert!(
            refused(Composition::Optimal, meets, Spender::Pure, &uneven).contains("compose by pld")
        );
        assert!(
            refused(Composition::Optimal, meets, Spender::Gaussian, &pair)
                .contains("compose by pld")
        );
        assert!(
            refused(Composition::Basic, rho(0.5), Spender::Pure, &pair).contains("compose by zcdp")
        );
        assert!(
            refused(Composition::Basic, pure(1.0), Spender::Gaussian, &pair)
                .contains("give `delta`")
        );
        assert!(
            refused(Composition::Zcdp, pure(1.0), Spender::Pure, &pair).contains("give `delta`")
        );
        assert!(
            refused(Composition::Pld, rho(0.5), Spender::Pure, &pair).contains("compose by zcdp")
        );
        assert!(
            refused(Composition::Rdp, pure(1.0), Spender::Pure, &pair).contains("compose by basic")
        );
    }

    #[test]
    fn a_total_in_rho_is_the_largest_that_meets_epsilon_and_delta() {
        let found = largest_rho(1.0, 1e-6).unwrap();
        assert!(zcdp::tight(found, 1e-6).unwrap().epsilon <= 1.0);
        assert!(zcdp::tight(found * (1.0 + 1e-9), 1e-6).unwrap().epsilon > 1.0);
        for (epsilon, delta) in [(1000.0, 1e-300), (1e-6, 1e-300), (1e-3, 0.5)] {
            assert!(largest_rho(epsilon, delta).unwrap() > 0.0);
        }
    }
}
