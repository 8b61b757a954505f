//! The ledger: whatever is spent goes through it, and what exceeds the guarantee is refused.
//!
//! There is one rule of admission for what is spent on the way, spend by spend: that of the [filters](super::filter). A spend is admitted while
//! the exact sum of the doubles stays within the budget, here ([`Ledger::spend`]), in a filter, and in a simulated stream. Ten times 0.1 do
//! not fit 1, because the double 0.1 is more than a tenth. A plan that is known as a whole before anything is spent ([`Ledger::spend_all`],
//! [`check_total`]) divides the budget into shares, which are rounded: it may exceed the budget by a relative [`TOLERANCE`].

use super::error::AccountingError;
use super::exact::ExactSum;
use super::filter::Spend;
use super::release::Release;
use super::{Accountant, Total};
use crate::budget::Budget;
use std::cmp::Ordering;

/// By how much the total of a plan may exceed its budget, relative to it: room for rounding of shares, and for no more.
pub const TOLERANCE: f64 = 1e-9;

/// Why a spend is refused. Nothing was spent.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LedgerError {
    /// more than is left
    #[error(
        "`{label}` would bring the total to {what} = {total:?}, above the budget of {budget:?} by {excess:e}: lower it or raise the budget"
    )]
    Overspent {
        /// what it is for
        label: String,
        /// `ε`, `δ` or `ρ`
        what: &'static str,
        /// the total with it
        total: f64,
        /// the budget
        budget: f64,
        /// total − budget
        excess: f64,
    },
    /// nothing is left
    #[error(
        "`{label}` spends {what} = {amount:e}, but the budget of {budget:?} is used up: plan it as a share of the budget"
    )]
    Exhausted {
        /// what it is for
        label: String,
        /// `ε`, `δ` or `ρ`
        what: &'static str,
        /// the amount
        amount: f64,
        /// the budget
        budget: f64,
    },
    /// a spend in another currency than the budget's
    #[error("`{label}` spends {spend}, which a budget of {budget} cannot count: {remedy}")]
    Currency {
        /// what it is for
        label: String,
        /// the spend
        spend: String,
        /// the budget
        budget: String,
        /// what to do
        remedy: &'static str,
    },
    /// a number that is no spend, or a method that cannot serve
    #[error(transparent)]
    Accounting(#[from] AccountingError),
}

/// One spend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// what it is for
    pub label: String,
    /// what it costs
    pub spend: Spend,
}

/// One currency of the budget with what has been spent of it.
#[derive(Clone, Debug)]
struct Account {
    what: &'static str,
    budget: f64,
    spent: ExactSum,
}

impl Account {
    fn new(what: &'static str, budget: f64) -> Account {
        Account {
            what,
            budget,
            spent: ExactSum::new(),
        }
    }

    fn exhausted(&self) -> bool {
        self.spent.compare(self.budget) != Ordering::Less
    }

    /// Takes an amount where the total stays within the budget times `room`.
    fn take(
        &mut self,
        label: &str,
        amount: Amount,
        (closed, room): (bool, f64),
    ) -> Result<(), LedgerError> {
        let number = match amount {
            Amount::Plain(value) | Amount::HalfSquare(value) => value,
        };
        if number == 0.0 {
            return Ok(());
        }
        if closed {
            return Err(LedgerError::Exhausted {
                label: label.to_owned(),
                what: self.what,
                amount: match amount {
                    Amount::Plain(value) => value,
                    Amount::HalfSquare(value) => 0.5 * value * value,
                },
                budget: self.budget,
            });
        }
        match amount {
            Amount::Plain(value) => self.spent.add(value),
            Amount::HalfSquare(value) => self.spent.add_half_square(value),
        }
        if self.spent.compare(self.budget * room) != Ordering::Greater {
            return Ok(());
        }
        let mut excess = self.spent.clone();
        excess.add(-self.budget);
        Err(LedgerError::Overspent {
            label: label.to_owned(),
            what: self.what,
            total: self.spent.value(),
            budget: self.budget,
            excess: excess.value(),
        })
    }
}

/// What is added to an account.
#[derive(Clone, Copy, Debug)]
enum Amount {
    Plain(f64),
    /// the ρ of a pure ε: ε²/2
    HalfSquare(f64),
}

/// A spend in the currencies of a budget.
struct Cost {
    main: Amount,
    delta: f64,
}

/// A budget and the spends that went through it. Sums are exact. Once the budget is used up no further positive spend is taken, however
/// small.
#[derive(Clone, Debug)]
pub struct Ledger {
    budget: Budget,
    main: Account,
    delta: Account,
    entries: Vec<Entry>,
}

impl Ledger {
    /// Nothing spent yet.
    pub fn new(budget: Budget) -> Ledger {
        let (main, delta) = match budget {
            Budget::Pure(epsilon) => (Account::new("ε", epsilon.get()), 0.0),
            Budget::Approximate(epsilon, delta) => (Account::new("ε", epsilon.get()), delta.get()),
            Budget::Zcdp(rho) => (Account::new("ρ", rho.get()), 0.0),
        };
        Ledger {
            budget,
            main,
            delta: Account::new("δ", delta),
            entries: Vec::new(),
        }
    }

    /// What may be spent.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// What was spent, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The sum spent of ε or ρ, rounded once.
    pub fn spent(&self) -> f64 {
        self.main.spent.value()
    }

    /// The sum spent of δ.
    pub fn spent_delta(&self) -> f64 {
        self.delta.spent.value()
    }

    /// The sum spent as it is to be printed: the budget itself if it is met up to rounding (a relative 1e-12), so that eleven shares of
    /// 1/11 read as 1.
    pub fn reported(&self) -> f64 {
        let spent = self.spent();
        if (spent - self.main.budget).abs() <= 1e-12 * self.main.budget {
            self.main.budget
        } else {
            spent
        }
    }

    /// What is left of ε or ρ, at least 0.
    pub fn remaining(&self) -> f64 {
        let mut left = self.main.spent.clone();
        left.add(-self.main.budget);
        (-left.value()).max(0.0)
    }

    /// Takes a spend that was chosen on the way, by the rule of the filters: exactly, without tolerance.
    ///
    /// # Errors
    /// [`LedgerError`] if it does not fit; then nothing is spent
    pub fn spend(&mut self, label: &str, spend: Spend) -> Result<(), LedgerError> {
        self.take_all(&mut std::iter::once((label, spend)), 1.0)
    }

    /// Takes all spends of a plan (or of a part of it), or none: only the whole is compared with the budget, so that a plan whose shares sum to
    /// it up to rounding is taken whatever the order of its parts.
    ///
    /// # Errors
    /// [`LedgerError`] if the whole does not fit; then nothing is spent
    pub fn spend_all(&mut self, plan: &[(String, Spend)]) -> Result<(), LedgerError> {
        let mut spends = plan.iter().map(|(label, spend)| (label.as_str(), *spend));
        self.take_all(&mut spends, 1.0 + TOLERANCE)
    }

    fn take_all(
        &mut self,
        plan: &mut dyn Iterator<Item = (&str, Spend)>,
        room: f64,
    ) -> Result<(), LedgerError> {
        // what is used up before the plan takes nothing more; within the plan only the whole counts
        let (main_closed, delta_closed) = (self.main.exhausted(), self.delta.exhausted());
        let (mut main, mut delta) = (self.main.clone(), self.delta.clone());
        let mut entries = Vec::new();
        for (label, spend) in plan {
            let cost = self.cost(label, spend)?;
            main.take(label, cost.main, (main_closed, room))?;
            delta.take(label, Amount::Plain(cost.delta), (delta_closed, room))?;
            entries.push(Entry {
                label: label.to_owned(),
                spend,
            });
        }
        (self.main, self.delta) = (main, delta);
        self.entries.append(&mut entries);
        Ok(())
    }

    /// What a spend costs in the currencies of the budget.
    fn cost(&self, label: &str, spend: Spend) -> Result<Cost, LedgerError> {
        let concentrated = matches!(self.budget, Budget::Zcdp(_));
        let refused = |remedy: &'static str| {
            Err(LedgerError::Currency {
                label: label.to_owned(),
                spend: spend.to_string(),
                budget: self.budget.to_string(),
                remedy,
            })
        };
        let (main, delta) = match (spend.checked()?, concentrated) {
            (Spend::Pure(epsilon), false) => (Amount::Plain(epsilon), 0.0),
            (Spend::Approximate(epsilon, delta), false) => (Amount::Plain(epsilon), delta),
            (Spend::Concentrated(rho), true) => (Amount::Plain(rho), 0.0),
            (Spend::Pure(epsilon) | Spend::Approximate(epsilon, 0.0), true) => {
                (Amount::HalfSquare(epsilon), 0.0)
            }
            (Spend::Approximate(..), true) => {
                return refused("(ε, δ) implies no ρ; give the budget as ε and δ");
            }
            (Spend::Concentrated(_), false) => {
                return refused(
                    "ρ implies no pure ε; give the budget as ρ, or compose by zcdp, rdp or pld",
                );
            }
            (Spend::Renyi(_), _) => return refused("use a Rényi filter"),
        };
        Ok(Cost { main, delta })
    }
}

/// The total of releases by one accountant, refused if it exceeds (ε, δ) beyond a relative [`TOLERANCE`]: what a plan whose budget is
/// not a plain sum goes through before it runs.
///
/// # Errors
/// [`LedgerError::Overspent`] with the total, or what the accountant refuses
pub fn check_total(
    accountant: &dyn Accountant,
    releases: &[Release],
    epsilon: f64,
    delta: f64,
) -> Result<Total, LedgerError> {
    let total = accountant.total(releases, delta)?;
    if total.epsilon <= epsilon * (1.0 + TOLERANCE) {
        return Ok(total);
    }
    Err(LedgerError::Overspent {
        label: accountant.about().name.to_owned(),
        what: "ε",
        total: total.epsilon,
        budget: epsilon,
        excess: total.epsilon - epsilon,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Delta, Epsilon, Rho};

    fn pure(total: f64) -> Ledger {
        Ledger::new(Budget::Pure(Epsilon::new(total).unwrap()))
    }

    fn plan(parts: &[f64]) -> Vec<(String, Spend)> {
        let spend = |part: &f64| ("part".to_owned(), Spend::Pure(*part));
        parts.iter().map(spend).collect()
    }

    #[test]
    fn plans_of_equal_shares_run_and_read_as_the_total() {
        let mut overshoots = 0;
        for parts in 1..=100 {
            let mut ledger = pure(1.0);
            let shares = vec![1.0 / f64::from(parts); parts as usize];
            ledger.spend_all(&plan(&shares)).unwrap();
            overshoots += i32::from(shares.iter().sum::<f64>() > 1.0);
            assert_eq!(ledger.reported(), 1.0);
            assert!((ledger.spent() - 1.0).abs() <= TOLERANCE && ledger.remaining() < 1e-15);
            assert_eq!(ledger.entries().len(), parts as usize);
        }
        assert!(
            overshoots > 4,
            "plain sums overshoot, which is what this is about"
        );
        for (total, parts) in [
            (0.3, vec![0.1; 3]),
            (1.0, vec![0.1, 0.9]),
            (1.0, vec![0.7, 0.2, 0.1]),
        ] {
            let mut ledger = pure(total);
            ledger.spend_all(&plan(&parts)).unwrap();
            assert_eq!(ledger.reported(), total);
        }
    }

    #[test]
    fn what_is_spent_on_the_way_is_admitted_as_a_filter_admits_it() {
        use crate::accounting::filter::{Concentrated, Filter, Pure};
        let budgets: [(Budget, Box<dyn Filter>); 2] = [
            (
                Budget::Pure(Epsilon::new(1.0).unwrap()),
                Box::new(Pure::new(1.0).unwrap()),
            ),
            (
                Budget::Zcdp(Rho::new(0.05).unwrap()),
                Box::new(Concentrated::new(0.05).unwrap()),
            ),
        ];
        // ten tenths, and then whatever still fits; of ρ = 0.05 ten times 0.1²/2
        let spends = [[0.1; 12].as_slice(), &[0.05, 0.04999, 1e-17, 0.0, 5e-324]].concat();
        for (budget, mut filter) in budgets {
            let mut ledger = Ledger::new(budget);
            for (place, spend) in spends.iter().enumerate() {
                let spend = Spend::Pure(*spend);
                let admitted = filter.offer(spend).unwrap();
                assert_eq!(ledger.spend("one more", spend).is_ok(), admitted);
                // the tenth is one too many
                assert!(place >= 12 || admitted == (place < 9), "{place}");
            }
            assert_eq!(ledger.spent(), filter.spent());
        }
    }

    #[test]
    fn an_overspend_of_a_millionth_is_refused_and_nothing_is_spent() {
        for spend in [1e-6, 1.1e-9] {
            let mut ledger = pure(1.0);
            let error = ledger.spend_all(&plan(&[1.0 + spend])).unwrap_err();
            assert!(matches!(error, LedgerError::Overspent { .. }), "{error}");
            assert!(
                error.to_string().contains("above the budget of 1.0"),
                "{error}"
            );
            assert!(ledger.entries().is_empty() && ledger.spent() == 0.0);
            let within = 1.0 + 0.9e-9;
            assert!(ledger.spend("on the way", Spend::Pure(within)).is_err());
            assert!(ledger.spend_all(&plan(&[within])).is_ok());
        }
    }

    #[test]
    fn a_spend_after_exhaustion_is_neither_taken_nor_dropped_silently() {
        for amount in [5e-324, 1e-18, 1e-12] {
            let mut ledger = pure(1.0);
            ledger.spend("all", Spend::Pure(1.0)).unwrap();
            let error = ledger.spend("more", Spend::Pure(amount)).unwrap_err();
            assert!(matches!(error, LedgerError::Exhausted { .. }), "{error}");
            assert!(ledger.spend("nothing", Spend::Pure(0.0)).is_ok());
        }
    }

    #[test]
    fn a_plan_is_taken_whole_or_not_at_all() {
        // the first share rounds to all of it; the plan still sums to 1 within its tolerance
        let mut ledger = pure(1.0);
        ledger.spend_all(&plan(&[1.0, 1e-17])).unwrap();
        assert!(ledger.spend_all(&plan(&[1e-17])).is_err());
        let mut ledger = pure(1.0);
        assert!(ledger.spend_all(&plan(&[0.5, 0.500001])).is_err());
        assert_eq!(ledger.spent(), 0.0);
    }

    #[test]
    fn currencies_are_kept_apart() {
        let mut concentrated = Ledger::new(Budget::Zcdp(Rho::new(0.5).unwrap()));
        concentrated.spend("pure", Spend::Pure(0.6)).unwrap();
        concentrated
            .spend("gaussian", Spend::Concentrated(0.32))
            .unwrap();
        assert_eq!(concentrated.reported(), 0.5);
        assert!(
            concentrated
                .spend("δ", Spend::Approximate(0.1, 1e-9))
                .unwrap_err()
                .to_string()
                .contains("implies no ρ")
        );
        let delta = Delta::new(1e-6).unwrap();
        let mut approximate = Ledger::new(Budget::Approximate(Epsilon::new(1.0).unwrap(), delta));
        approximate
            .spend("first", Spend::Approximate(0.5, 1e-6))
            .unwrap();
        assert!(matches!(
            approximate.spend("δ", Spend::Approximate(0.1, 1e-9)),
            Err(LedgerError::Exhausted { what: "δ", .. })
        ));
        assert_eq!(approximate.spent(), 0.5);
        assert!(approximate.spend("ρ", Spend::Concentrated(0.1)).is_err());
        assert!(pure(1.0).spend("NaN", Spend::Pure(f64::NAN)).is_err());
        assert!(pure(1.0).spend("δ", Spend::Approximate(0.1, 1e-9)).is_err());
    }
}
