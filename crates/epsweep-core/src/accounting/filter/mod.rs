//! Privacy filters: the budgets of the releases may be chosen adaptively, in view of earlier answers, and a filter says before
//! each release whether it still fits. Everything admitted together satisfies the filter's guarantee.
//!
//! - pure: Rogers, Roth, Ullman and Vadhan, NeurIPS 2016, section 3 (plain sums)
//! - zCDP and Rényi of a fixed order: Feldman and Zrnic, NeurIPS 2021, section 4 (sums of ρ, and of the divergences at one order)
//! - approximate: Whitehouse, Ramdas, Rogers and Wu, ICML 2023, section 3, the filter of conditionally (εᵢ, δᵢ)-private algorithms with
//!   δ = δ′ + δ″ (as tight as advanced composition with fixed budgets)
//! - approximate-2016: Rogers, Roth, Ullman and Vadhan, NeurIPS 2016, theorem 5.1 (for comparison)
//!
//! The rule of admission: a release is admitted while the exact sum of the given doubles stays within the budget. Ten times 0.1 is more than 1
//! and is not admitted, because the double 0.1 exceeds a tenth. A [ledger](super::ledger) admits by the same rule what is spent on the way.

mod additive;
mod approximate;
mod concentrated;
mod pure;
mod renyi;
mod rogers;

pub use approximate::Approximate;
pub use concentrated::Concentrated;
pub use pure::Pure;
pub use renyi::Renyi;
pub use rogers::Rogers;

use super::error::{self, AccountingError};
use crate::about::About;
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
pub const FILTERS: &[&About] = &[
    &pure::ABOUT,
    &concentrated::ABOUT,
    &renyi::ABOUT,
    &approximate::ABOUT,
    &rogers::ROGERS,
];

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
