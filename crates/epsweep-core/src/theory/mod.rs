//! Exact laws of the measures.

use std::fmt::Debug;

/// A univariate law that is known exactly, in the units of the measure. `None` where theory (or an affordable
/// computation) is silent.
pub trait Law: Debug + Send + Sync {
    /// the expectation
    fn mean(&self) -> Option<f64>;
    /// the standard deviation
    fn sd(&self) -> Option<f64>;
    /// the `p`-quantile, for `p` in (0, 1)
    fn quantile(&self, p: f64) -> Option<f64>;
    /// P(X ≤ x)
    fn cdf(&self, x: f64) -> Option<f64>;
    /// the density at `x`; `None` also where the law has none (discrete laws)
    fn density(&self, x: f64) -> Option<f64>;
}
