//! What sums have in common.

use crate::accounting::error::{self, AccountingError};
use crate::accounting::exact::ExactSum;
use std::cmp::Ordering;

/// Admits while a sum stays within a budget, exactly.
#[derive(Clone, Debug)]
pub(super) struct Additive {
    pub sum: ExactSum,
    pub budget: f64,
}

impl Additive {
    /// # Errors
    /// [`AccountingError::Parameter`] if the budget is not finite and positive
    pub fn new(what: &'static str, budget: f64) -> Result<Additive, AccountingError> {
        Ok(Additive {
            sum: ExactSum::new(),
            budget: error::positive(what, budget)?,
        })
    }

    /// Adds what fits; says whether it did.
    pub fn offer(&mut self, add: impl FnOnce(&mut ExactSum)) -> bool {
        let mut next = self.sum.clone();
        add(&mut next);
        let admitted = next.compare(self.budget) != Ordering::Greater;
        if admitted {
            self.sum = next;
        }
        admitted
    }
}
