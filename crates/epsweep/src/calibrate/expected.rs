//! Coverage that theory computes for intervals with discrete ends.

use super::Group;
use super::truth::Truth;
use epsweep_core::statistics::{
    StatisticsError, order_ranks, proportion_coverage, proportion_sd_coverage,
};

/// Coverage of a statistic's interval over runs of so many trials; `None` where the interval rests on a limit law, or the statistic's law is
/// not known. Order statistics around the p-quantile of a law without atoms cover it with the probability of their ranks.
///
/// # Errors
/// The level is not between 0 and 1.
pub(super) fn of(truth: &Truth, trials: u64, level: f64) -> Result<Option<f64>, StatisticsError> {
    match truth.group {
        Group::Proportion if truth.exact && truth.value > 0.0 && truth.value < 1.0 => {
            proportion_coverage(trials, truth.value, level).map(Some)
        }
        Group::Sd => match truth.flag {
            Some(p) if p > 0.0 && p < 1.0 => proportion_sd_coverage(trials, p, level).map(Some),
            _ => Ok(None),
        },
        Group::Quantile(percent) => {
            let density = truth.law.as_ref().and_then(|law| law.density(truth.value));
            if !density.is_some_and(|f| f > 0.0) {
                return Ok(None);
            }
            let p = f64::from(percent) / 100.0;
            order_ranks(trials, p, level).map(|ranks| Some(ranks.coverage))
        }
        _ => Ok(None),
    }
}
