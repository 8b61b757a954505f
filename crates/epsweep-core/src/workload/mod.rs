//! Range queries over a histogram, and strategies to answer them from noisy measurements.
//!
//! The data are the counts x of `bins` cells. A *workload* is a list of ranges whose sums are wanted; a *strategy* is another list of
//! ranges, those that are measured with noise of one variance. From the measurements y = A·x + noise the counts are estimated by
//! least squares, x̂ = (AᵀA)⁻¹Aᵀy, and every query of the workload from them: a linear map, so that the error of a query with the
//! coefficients q has exactly the variance σ²·q(AᵀA)⁻¹qᵀ, whatever the data (Li, Hay, Rastogi, Miklau and McGregor, PODS 2010, §3).
//!
//! To add a strategy: one file here, and one line in [`REGISTRY`].

mod hierarchical;
mod identity;
mod prefix;
mod ranges;

pub use hierarchical::Hierarchical;
pub use identity::Identity;
pub use prefix::Prefix;
pub use ranges::{Ranges, WorkloadError};

use crate::about::About;
use std::fmt::Debug;

/// A way to measure a histogram.
pub trait Strategy: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// The ranges measured, in the order of the measurements: the rows of the strategy matrix, which has ones in the range and
    /// zeros elsewhere.
    fn ranges(&self) -> &Ranges;

    /// The counts by least squares, from one measurement for each range. With noise of equal variance they are the unbiased linear
    /// estimates of the least variance (Gauss–Markov); without noise they are the counts.
    fn reconstruct(&self, measured: &[f64]) -> Vec<f64> {
        let mut counts = vec![0.0; self.ranges().bins()];
        self.reconstruct_rows(measured, 1, &mut Vec::new(), &mut counts);
        counts
    }

    /// [`Strategy::reconstruct`] for `trials` releases at once: a row of so many numbers for each range measured, and into `counts` one for
    /// each bin. `room` is memory to use again.
    ///
    /// # Panics
    /// If `measured` or `counts` is shorter than that.
    fn reconstruct_rows(
        &self,
        measured: &[f64],
        trials: usize,
        room: &mut Vec<f64>,
        counts: &mut [f64],
    );

    /// The variance of Σ qⱼ·x̂ⱼ if the noise of every measurement has variance 1, for one coefficient per bin: q(AᵀA)⁻¹qᵀ, exactly.
    fn variance(&self, coefficients: &[f64]) -> f64;
}

/// A kind of strategy, by the name that a file uses.
pub trait StrategyKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// The strategy for that many bins; `branching` (children of a node, at least 2) matters to trees only.
    ///
    /// # Errors
    /// [`WorkloadError`] if there are no bins or too many, or if the branching is below 2
    fn build(&self, bins: usize, branching: usize) -> Result<Box<dyn Strategy>, WorkloadError>;
}

/// All strategies, in the order in which they are listed.
pub const REGISTRY: &[&dyn StrategyKind] = &[
    &identity::IdentityKind,
    &hierarchical::HierarchicalKind,
    &prefix::PrefixKind,
];

/// The strategy of that name.
pub fn kind(name: &str) -> Option<&'static dyn StrategyKind> {
    REGISTRY
        .iter()
        .copied()
        .find(|kind| kind.about().name == name)
}

/// The variance of the answer to each query of the workload, if the noise of each measurement has variance 1.
///
/// # Errors
/// [`WorkloadError::Bins`] if workload and strategy are about different numbers of bins
pub fn variances(strategy: &dyn Strategy, workload: &Ranges) -> Result<Vec<f64>, WorkloadError> {
    let bins = strategy.ranges().bins();
    if workload.bins() != bins {
        return Err(WorkloadError::Bins {
            workload: workload.bins(),
            strategy: bins,
        });
    }
    let variance = |range: &std::ops::Range<usize>| {
        let mut coefficients = vec![0.0; bins];
        coefficients[range.clone()].fill(1.0);
        strategy.variance(&coefficients)
    };
    Ok(workload.list().iter().map(variance).collect())
}

#[cfg(test)]
mod tests;
