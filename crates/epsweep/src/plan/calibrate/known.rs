//! Divisions that cells have in common, solved once.

use epsweep_core::accounting::{Composition, Division, DivisionError, LedgerError, Spender};
use epsweep_core::budget::{Budget, Shares};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Whether a division takes longer to look up than to make: then none is kept, of which there can be as many as cells.
fn is_closed(composition: Composition) -> bool {
    matches!(composition, Composition::Basic | Composition::Zcdp)
}

/// What was divided, and what was found to be spent within its guarantee. Solving for a scale under a privacy loss distribution takes a
/// second or so for many queries; cells of a sweep often ask the same.
#[derive(Debug, Default)]
pub(in crate::plan) struct Divisions {
    divided: RefCell<HashMap<String, Division>>,
    passed: RefCell<HashSet<String>>,
}

impl Divisions {
    /// As [`Composition::divide`].
    pub fn divide(
        &self,
        composition: Composition,
        budget: Budget,
        spender: Spender,
        shares: &Shares,
    ) -> Result<Division, DivisionError> {
        if is_closed(composition) {
            return composition.divide(budget, spender, shares);
        }
        // doubles are written so that they read back as the same
        let key = format!(
            "{composition:?} {budget:?} {spender:?} {:?}",
            shares.as_slice()
        );
        if let Some(known) = self.divided.borrow().get(&key) {
            return Ok(known.clone());
        }
        let division = composition.divide(budget, spender, shares)?;
        self.divided.borrow_mut().insert(key, division.clone());
        Ok(division)
    }

    /// As [`Composition::check`].
    pub fn check(
        &self,
        composition: Composition,
        budget: Budget,
        spender: Spender,
        spent: &[(String, Budget, f64)],
    ) -> Result<(), LedgerError> {
        if is_closed(composition) {
            return composition.check(budget, spender, spent);
        }
        let amounts: Vec<(Budget, f64)> =
            (spent.iter().map(|(_, given, ratio)| (*given, *ratio))).collect();
        let key = format!("{composition:?} {budget:?} {spender:?} {amounts:?}");
        if self.passed.borrow().contains(&key) {
            return Ok(());
        }
        composition.check(budget, spender, spent)?;
        self.passed.borrow_mut().insert(key);
        Ok(())
    }

    /// How many problems were solved.
    #[cfg(test)]
    pub fn solved(&self) -> (usize, usize) {
        (self.divided.borrow().len(), self.passed.borrow().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::budget::{Delta, Epsilon};

    #[test]
    fn equal_problems_are_solved_once_and_unequal_ones_apart() {
        let known = Divisions::default();
        let budget = |epsilon| {
            Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(1e-6).unwrap())
        };
        let even = Shares::from_weights(&[1.0; 3]).unwrap();
        let other = Shares::from_weights(&[1.0, 2.0, 3.0]).unwrap();
        let ask = |composition: Composition, epsilon, shares: &Shares| {
            let found = known
                .divide(composition, budget(epsilon), Spender::Pure, shares)
                .unwrap();
            assert_eq!(
                found,
                composition
                    .divide(budget(epsilon), Spender::Pure, shares)
                    .unwrap()
            );
            let spent: Vec<(String, Budget, f64)> = (found.parts.iter().zip(&found.amounts))
                .map(|(part, amount)| (String::new(), part.unwrap(), *amount))
                .collect();
            known
                .check(composition, budget(epsilon), Spender::Pure, &spent)
                .unwrap();
            let more: Vec<(String, Budget, f64)> = (spent.into_iter())
                .map(|(label, part, amount)| (label, part, amount * (1.0 + 1e-5)))
                .collect();
            // what was let pass once does not open the door for more
            assert!(
                known
                    .check(composition, budget(epsilon), Spender::Pure, &more)
                    .is_err()
            );
        };
        for _ in 0..2 {
            ask(Composition::Pld, 1.0, &even);
        }
        assert_eq!(known.solved(), (1, 1));
        ask(Composition::Pld, 1.0, &other);
        ask(Composition::Pld, 0.5, &even);
        ask(Composition::Rdp, 1.0, &even);
        assert_eq!(known.solved(), (4, 4));
    }
}
