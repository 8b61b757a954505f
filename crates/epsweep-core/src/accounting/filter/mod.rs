//! Privacy filters: the budgets of the releases may be chosen adaptively, in view of earlier answers, and a filter says before
//! each release whether it still fits. Everything admitted together satisfies the filter's guarantee.
//!
//! - pure: Rogers, Roth, Ullman and Vadhan, NeurIPS 2016, section 3 (plain sums)
//! - zCDP and Rényi of a fixed order: Feldman and Zrnic, NeurIPS 2021, section 4 (sums of ρ, and of the divergences at one order)
//! - approximate: Whitehouse, Ramdas, Rogers and Wu, ICML 2023, the theorem on filters (as tight as advanced composition with fixed budgets)
//! - approximate-2016: Rogers, Roth, Ullman and Vadhan, NeurIPS 2016, theorem 5.1 (for comparison)
//!
//! The rule of admission: a release is admitted while the exact sum of the given doubles stays within the budget. Ten times 0.1 is more than 1
//! and is not admitted, because the double 0.1 exceeds a tenth. A [ledger](super::ledger) admits by the same rule what is spent on the way.

mod rogers;

pub use rogers::Rogers;

use super::error::{self, AccountingError};
use super::exact::ExactSum;
use crate::about::About;
use std::cmp::Ordering;
use std::fmt;

/// What a release costs, in the terms in which it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spend {
    /// ε of pure privacy
    Pure(f64),
    /// (ε, δ)
    Approximate(f64, f64),
    /// ρ of zero-concentrated privacy
    Concentrated(f64),
    /// the Rényi divergence at the filter's order
    Renyi(f64),
}

impl Spend {
    /// Every number finite and at least 0, and small enough to be squared exactly.
    pub(crate) fn checked(self) -> Result<Spend, AccountingError> {
        let amount = |what, value: f64| match error::non_negative(what, value) {
            Ok(value) if value > 1e140 => Err(AccountingError::Limit {
                method: "filter",
                what,
                value,
                limit: 1e140,
                remedy: "no such guarantee means anything",
            }),
            other => other,
        };
        match self {
            Spend::Pure(epsilon) => amount("ε", epsilon)?,
            Spend::Approximate(epsilon, delta) => {
                error::delta(delta)?;
                amount("ε", epsilon)?
            }
            Spend::Concentrated(rho) => amount("ρ", rho)?,
            Spend::Renyi(divergence) => amount("Rényi divergence", divergence)?,
        };
        Ok(self)
    }

    /// Whether it costs nothing.
    pub fn is_nothing(self) -> bool {
        match self {
            Spend::Pure(value) | Spend::Concentrated(value) | Spend::Renyi(value) => value == 0.0,
            Spend::Approximate(epsilon, delta) => epsilon == 0.0 && delta == 0.0,
        }
    }
}

impl fmt::Display for Spend {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spend::Pure(epsilon) => write!(formatter, "ε = {epsilon:?}"),
            Spend::Approximate(epsilon, delta) => {
                write!(formatter, "ε = {epsilon:?}, δ = {delta:?}")
            }
            Spend::Concentrated(rho) => write!(formatter, "ρ = {rho:?}"),
            Spend::Renyi(divergence) => write!(formatter, "a Rényi divergence of {divergence:?}"),
        }
    }
}

/// Says whether a release still fits.
pub trait Filter {
    /// Name, formula and source.
    fn about(&self) -> &'static About;

    /// Admits the release and counts it, or leaves everything as it was and says no.
    ///
    /// # Errors
    /// [`AccountingError`] if the spend is no valid number, or of a kind for which the filter's theorem says nothing
    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError>;

    /// What has been spent, in the unit of the budget.
    fn spent(&self) -> f64;

    /// What may be spent.
    fn budget(&self) -> f64;
}

/// What every filter says of itself.
pub const FILTERS: &[&About] = &[&PURE, &CONCENTRATED, &RENYI, &APPROXIMATE, &rogers::ROGERS];

fn unsupported(
    about: &About,
    spend: Spend,
    reason: &'static str,
    alternative: &'static str,
) -> AccountingError {
    AccountingError::Unsupported {
        method: about.name,
        what: spend.to_string(),
        reason,
        alternative,
    }
}

/// Admits while a sum stays within a budget, exactly.
#[derive(Clone, Debug)]
struct Additive {
    sum: ExactSum,
    budget: f64,
}

impl Additive {
    fn new(what: &'static str, budget: f64) -> Result<Additive, AccountingError> {
        Ok(Additive {
            sum: ExactSum::new(),
            budget: error::positive(what, budget)?,
        })
    }

    fn offer(&mut self, add: impl FnOnce(&mut ExactSum)) -> bool {
        let mut next = self.sum.clone();
        add(&mut next);
        let admitted = next.compare(self.budget) != Ordering::Greater;
        if admitted {
            self.sum = next;
        }
        admitted
    }
}

/// Plain sums of ε.
#[derive(Clone, Debug)]
pub struct Pure(Additive);

const PURE: About = About {
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
        &PURE
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match spend.checked()? {
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                Ok(self.0.offer(|sum| sum.add(epsilon)))
            }
            other => Err(unsupported(
                &PURE,
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

/// Sums of ρ; pure ε count as ε²/2.
#[derive(Clone, Debug)]
pub struct Concentrated(Additive);

const CONCENTRATED: About = About {
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
        &CONCENTRATED
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        match spend.checked()? {
            Spend::Concentrated(rho) => Ok(self.0.offer(|sum| sum.add(rho))),
            Spend::Pure(0.0) | Spend::Approximate(0.0, 0.0) => Ok(true),
            Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0) => {
                Ok(self.0.offer(|sum| sum.add_half_square(epsilon)))
            }
            other => Err(unsupported(
                &CONCENTRATED,
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

/// Sums of the Rényi divergences at one order, fixed in advance.
#[derive(Clone, Debug)]
pub struct Renyi {
    sum: Additive,
    order: f64,
}

const RENYI: About = About {
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
        &RENYI
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
                use super::rdp::{Curve, RandomisedResponse};
                let divergence = RandomisedResponse::new(epsilon)?.rdp(self.order)? * (1.0 + 1e-13);
                Ok(self.sum.offer(|sum| sum.add(divergence)))
            }
            other => Err(unsupported(
                &RENYI,
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

/// (ε, δ) in all from releases with (εᵢ, δᵢ): δ = δ′ for the concentration of the loss, plus δ″ for the releases' own.
#[derive(Clone, Debug)]
pub struct Approximate {
    half_squares: ExactSum,
    own: Additive,
    takes_delta: bool,
    epsilon: f64,
    log_inverse: f64,
}

const APPROXIMATE: About = About {
    name: "approximate",
    summary: "admits while the total by advanced composition stays within ε, and the δᵢ within δ″",
    formula: "√(2 ln(1/δ′) Σ εᵢ²) + Σ εᵢ²/2 ≤ ε and Σ δᵢ ≤ δ″",
    source: "Whitehouse, Ramdas, Rogers, Wu, ICML 2023, the theorem on filters",
};

impl Approximate {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is not finite and positive, δ′ is not in (0, 1), or δ″ is not in [0, 1)
    pub fn new(
        epsilon: f64,
        delta_prime: f64,
        own_delta: f64,
    ) -> Result<Approximate, AccountingError> {
        error::positive_delta(delta_prime)?;
        error::delta(own_delta)?;
        Ok(Approximate {
            half_squares: ExactSum::new(),
            own: Additive {
                sum: ExactSum::new(),
                budget: own_delta,
            },
            takes_delta: own_delta > 0.0,
            epsilon: error::positive("ε", epsilon)?,
            log_inverse: -libm::log(delta_prime),
        })
    }

    /// The total of releases with Σε²/2 = `half_squares`.
    fn total(&self, half_squares: f64) -> f64 {
        2.0 * (self.log_inverse * half_squares).sqrt() + half_squares
    }
}

impl Filter for Approximate {
    fn about(&self) -> &'static About {
        &APPROXIMATE
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        let (epsilon, delta) = match spend.checked()? {
            Spend::Pure(epsilon) => (epsilon, 0.0),
            Spend::Approximate(epsilon, delta) => (epsilon, delta),
            other => {
                return Err(unsupported(
                    &APPROXIMATE,
                    other,
                    "it has no ε of its own",
                    "the concentrated filter",
                ));
            }
        };
        if delta > 0.0 && !self.takes_delta {
            return Ok(false);
        }
        let mut next = self.half_squares.clone();
        if epsilon > 0.0 {
            next.add_half_square(epsilon);
        }
        // the formula is rounded a few times: a total that is equal up to that counts as more
        if self.total(next.value()) * (1.0 + 1e-15) > self.epsilon && epsilon > 0.0 {
            return Ok(false);
        }
        if delta > 0.0 && !self.own.offer(|sum| sum.add(delta)) {
            return Ok(false);
        }
        self.half_squares = next;
        Ok(true)
    }

    fn spent(&self) -> f64 {
        self.total(self.half_squares.value())
    }

    fn budget(&self) -> f64 {
        self.epsilon
    }
}

/// What happens after a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// nothing more is admitted
    Halt,
    /// later releases are still asked about
    Skip,
}

/// What a filter admitted of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admitted {
    /// places in the sequence
    pub indices: Vec<usize>,
    /// the first place that was refused
    pub first_refused: Option<usize>,
}

/// Offers a sequence of releases to a filter.
///
/// # Errors
/// as [`Filter::offer`]; what came before stays admitted
pub fn offer_all(
    filter: &mut dyn Filter,
    spends: &[Spend],
    rule: Rule,
) -> Result<Admitted, AccountingError> {
    let mut admitted = Admitted {
        indices: Vec::new(),
        first_refused: None,
    };
    for (index, &spend) in spends.iter().enumerate() {
        if filter.offer(spend)? {
            admitted.indices.push(index);
            continue;
        }
        admitted.first_refused.get_or_insert(index);
        if rule == Rule::Halt {
            break;
        }
    }
    Ok(admitted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filters() -> Vec<Box<dyn Filter>> {
        vec![
            Box::new(Pure::new(1.0).unwrap()),
            Box::new(Concentrated::new(0.5).unwrap()),
            Box::new(Renyi::new(4.0, 2.0).unwrap()),
            Box::new(Approximate::new(1.0, 1e-6, 1e-6).unwrap()),
            Box::new(Rogers::new(1.0, 1e-6).unwrap()),
        ]
    }

    #[test]
    fn no_filter_goes_beyond_its_budget_and_refusals_change_nothing() {
        assert_eq!(filters().len(), FILTERS.len());
        for mut filter in filters() {
            assert!(FILTERS.contains(&filter.about()));
            let mut admitted = 0;
            for _ in 0..1000 {
                let before = filter.spent();
                if filter.offer(Spend::Pure(0.07)).unwrap() {
                    admitted += 1;
                    assert!(filter.spent() > before);
                } else {
                    assert_eq!(filter.spent(), before);
                }
                assert!(filter.spent() <= filter.budget());
            }
            assert!((1..1000).contains(&admitted), "{}", filter.about().name);
            assert!(
                filter.offer(Spend::Pure(0.0)).unwrap(),
                "nothing always fits"
            );
            assert!(
                filter.offer(Spend::Pure(f64::NAN)).is_err()
                    && filter.offer(Spend::Pure(-0.1)).is_err()
            );
        }
    }

    #[test]
    fn what_a_theorem_does_not_cover_is_refused_by_name() {
        let refusal = Pure::new(1.0)
            .unwrap()
            .offer(Spend::Concentrated(0.1))
            .unwrap_err()
            .to_string();
        assert!(refusal.contains("pure cannot serve ρ = 0.1"), "{refusal}");
        assert!(
            Concentrated::new(1.0)
                .unwrap()
                .offer(Spend::Approximate(0.1, 1e-9))
                .is_err()
        );
        assert!(
            Approximate::new(1.0, 1e-6, 0.0)
                .unwrap()
                .offer(Spend::Renyi(0.1))
                .is_err()
        );
        let mut own = Approximate::new(1.0, 1e-6, 1e-6).unwrap();
        assert!(own.offer(Spend::Approximate(0.01, 6e-7)).unwrap());
        assert!(!own.offer(Spend::Approximate(0.01, 6e-7)).unwrap());
        assert!(
            !Approximate::new(1.0, 1e-6, 0.0)
                .unwrap()
                .offer(Spend::Approximate(0.01, 1e-300))
                .unwrap()
        );
    }
}
