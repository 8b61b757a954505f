//! Whether a trial spent more than it may.

use epsweep_core::accounting::ledger::TOLERANCE;
use std::sync::{Mutex, PoisonError};

/// The first trial found to have spent more than its guarantee; of several cells, that of the least index.
#[derive(Debug, Default)]
pub struct Spending {
    worst: Mutex<Option<Excess>>,
}

/// A trial beyond its guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Excess {
    /// index of its cell
    pub cell: usize,
    /// what it spent
    pub spent: f64,
}

impl Spending {
    /// Looks at what each trial of a block spent.
    pub fn check(&self, cell: usize, spent: &[f64], guarantee: f64) {
        let most = guarantee * (1.0 + TOLERANCE);
        let beyond = |spent: &&f64| !(**spent <= most);
        let Some(spent) = spent.iter().find(beyond).copied() else {
            return;
        };
        let mut worst = self.worst.lock().unwrap_or_else(PoisonError::into_inner);
        if worst.is_none_or(|known| cell < known.cell) {
            *worst = Some(Excess { cell, spent });
        }
    }

    /// What was found.
    pub fn excess(&self) -> Option<Excess> {
        *self.worst.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_beyond_its_guarantee_is_found() {
        let spending = Spending::default();
        spending.check(4, &[0.0, 0.5, 1.0, 1.0 + 1e-12], 1.0);
        assert_eq!(spending.excess(), None);
        for (cell, spent) in [(4, 1.0 + 1e-6), (2, f64::INFINITY), (3, 7.0)] {
            spending.check(cell, &[0.5, spent], 1.0);
        }
        let found = spending.excess().unwrap();
        assert_eq!((found.cell, found.spent), (2, f64::INFINITY));
        let undefined = Spending::default();
        undefined.check(0, &[f64::NAN], 1.0);
        assert!(undefined.excess().is_some());
    }
}
