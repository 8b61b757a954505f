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
}

/// What was computed, by the level's bits and the number of trials. It costs as much as simulating some thousand trials, and is
/// asked for more than once in a run: for exact quantiles, for the summary, and again in the next run of a process.
static KNOWN: Mutex<BTreeMap<(u64, u64), Arc<ForTrials>>> = Mutex::new(BTreeMap::new());

/// Numbers of trials after which all is forgotten: a measure that is often undefined has another number in every cell.
const MOST_KNOWN: usize = 1 << 14;

impl Levels {
    pub fn new(level: f64) -> Result<Self, StatisticsError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(StatisticsError::Probability {
                what: "the level",
                value: level,
            });
        }
        Ok(Levels { level })
    }

    pub fn trials(&self, n: u64) -> Result<Arc<ForTrials>, StatisticsError> {
        let key = (self.level.to_bits(), n);
        // what is in the map is always complete, so that a panic elsewhere does not matter
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&key) {
            return Ok(Arc::clone(found));
        }
        let mut ranks = [OrderRanks {
            lower: 0,
            upper: n + 1,
            coverage: 1.0,
        }; 7];
        // the quantiles are symmetric: the ranks of 1 − p, counted from above, are those of p from below
        for (low, (_, p)) in QUANTILES.iter().enumerate().take(4) {
            let found = order_ranks(n, *p, self.level)?;
            ranks[QUANTILES.len() - 1 - low] = OrderRanks {
                lower: n + 1 - found.upper,
                upper: n + 1 - found.lower,
                coverage: found.coverage,
            };
            ranks[low] = found;
        }
        let t = if n < 2 {
            f64::NAN
        } else {
            t_quantile(0.5 + self.level / 2.0, (n - 1) as f64)?
        };
        let made = Arc::new(ForTrials { t, ranks });
        let mut known = known();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(key, Arc::clone(&made));
        Ok(made)
    }
}

/// Ranks, counted from 0, of all order statistics that the quantiles of `n` values and their intervals are made of.
pub fn quantile_ranks(n: u64, level: f64) -> Vec<u64> {
    let mut ranks: Vec<u64> = QUANTILES
        .iter()
        .flat_map(|(_, p)| ranks_of_quantile(n, *p))
        .collect();
    // without values or a level there are no intervals either
    if let Ok(known) = Levels::new(level).and_then(|levels| levels.trials(n)) {
        // ranks are counted from 1 there, 0 and n + 1 stand for infinity
        let ends = known.ranks.iter().flat_map(|r| [r.lower, r.upper]);
        ranks.extend(ends.filter_map(|rank| rank.checked_sub(1)));
    }
    ranks.retain(|rank| *rank < n);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_ranks_are_those_of_the_definition() {
        assert!((0..7).all(|i| (QUANTILES[i].1 + QUANTILES[6 - i].1 - 1.0).abs() < 1e-15));
        for n in [1, 2, 10, 99, 5_000, 100_001, 10_000_000] {
            let levels = Levels::new(0.95).unwrap();
            for (rank, (_, p)) in levels.trials(n).unwrap().ranks.iter().zip(QUANTILES) {
                let expected = order_ranks(n, p, 0.95).unwrap();
                assert_eq!((rank.lower, rank.upper), (expected.lower, expected.upper));
            }
        }
    }
}
