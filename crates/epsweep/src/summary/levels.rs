//! What depends on the number of trials and the level alone, computed once per number of trials.

use crate::tally::ranks_of_quantile;
use epsweep_core::statistics::{OrderRanks, StatisticsError, order_ranks, t_quantile};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The quantiles of a summary.
pub(super) const QUANTILES: [(&str, f64); 7] = [
    ("q01", 0.01),
    ("q05", 0.05),
    ("q25", 0.25),
    ("median", 0.5),
    ("q75", 0.75),
    ("q95", 0.95),
    ("q99", 0.99),
];

/// For a number of trials n ≥ 1.
#[derive(Debug)]
pub(super) struct ForTrials {
    /// the t quantile of n − 1 degrees of freedom; NaN for one trial
    pub t: f64,
    /// ranks of the ends of the intervals of [`QUANTILES`]
    pub ranks: [OrderRanks; 7],
}

/// For a level.
#[derive(Debug)]
pub(super) struct Levels {
    /// the level
    pub level: f64,
    known: Mutex<BTreeMap<u64, Arc<ForTrials>>>,
}

impl Levels {
    pub fn new(level: f64) -> Result<Self, StatisticsError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(StatisticsError::Probability {
                what: "the level",
                value: level,
            });
        }
        Ok(Levels {
            level,
            known: Mutex::default(),
        })
    }

    pub fn trials(&self, n: u64) -> Result<Arc<ForTrials>, StatisticsError> {
        // what is in the map is always complete, so that a panic elsewhere does not matter
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&n) {
            return Ok(found.clone());
        }
        let mut ranks = [OrderRanks {
            lower: 0,
            upper: n + 1,
            coverage: 1.0,
        }; 7];
        for (rank, (_, p)) in ranks.iter_mut().zip(QUANTILES) {
            *rank = order_ranks(n, p, self.level)?;
        }
        let t = if n < 2 {
            f64::NAN
        } else {
            t_quantile(0.5 + self.level / 2.0, (n - 1) as f64)?
        };
        let made = Arc::new(ForTrials { t, ranks });
        known.insert(n, made.clone());
        Ok(made)
    }
}

/// Ranks, counted from 0, of all order statistics that the quantiles of `n` values and their intervals are made of.
pub fn quantile_ranks(n: u64, level: f64) -> Vec<u64> {
    let mut ranks = Vec::new();
    for (_, p) in QUANTILES {
        ranks.extend(ranks_of_quantile(n, p));
        if let Ok(ends) = order_ranks(n, p, level) {
            // ranks are counted from 1 there, 0 and n + 1 stand for infinity
            ranks.extend(
                [ends.lower, ends.upper]
                    .iter()
                    .filter_map(|r| r.checked_sub(1)),
            );
        }
    }
    ranks.retain(|rank| *rank < n);
    ranks
}
