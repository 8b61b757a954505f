//! The sums of the first bins are measured.

use super::{Ranges, Strategy, StrategyKind, WorkloadError};
use crate::about::About;

const ABOUT: About = About {
    name: "prefix",
    summary: "measures the sums of the first bins; a range is the difference of two of them",
    formula: "variance of a range = 2σ², or σ² from the first bin on; Δ₁ = bins under add-remove, bins − 1 under substitute where the bins cover the bounds of the column",
    source: "Li, Hay, Rastogi, Miklau and McGregor (PODS 2010), §3; sensitivities by brute force in the tests",
};

/// The kind `prefix`.
pub(super) struct PrefixKind;

impl StrategyKind for PrefixKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn build(&self, bins: usize, _: usize) -> Result<Box<dyn Strategy>, WorkloadError> {
        Ok(Box::new(Prefix::new(bins)?))
    }
}

/// The first bin, the first two, and so on.
#[derive(Clone, Debug)]
pub struct Prefix {
    ranges: Ranges,
}

impl Prefix {
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many
    pub fn new(bins: usize) -> Result<Prefix, WorkloadError> {
        let ranges = Ranges::prefixes(bins)?;
        Ok(Prefix { ranges })
    }
}

impl Strategy for Prefix {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn ranges(&self) -> &Ranges {
        &self.ranges
    }

    /// The matrix is square, so that least squares meets every measurement.
    fn reconstruct_rows(
        &self,
        measured: &[f64],
        trials: usize,
        _: &mut Vec<f64>,
        counts: &mut [f64],
    ) {
        let numbers = self.ranges.bins() * trials;
        counts[..trials].copy_from_slice(&measured[..trials]);
        let sums = measured[..numbers].iter().zip(&measured[trials..numbers]);
        for (count, (before, sum)) in counts[trials..numbers].iter_mut().zip(sums) {
            *count = sum - before;
        }
    }

    /// Σ qⱼ·xⱼ = Σ (qⱼ − qⱼ₊₁)·(sum of the first j).
    fn variance(&self, coefficients: &[f64]) -> f64 {
        let next = coefficients.iter().skip(1).chain([&0.0]);
        coefficients
            .iter()
            .zip(next)
            .map(|(q, next)| (q - next) * (q - next))
            .sum()
    }
}
