//! Smooth sensitivity: noise scaled to the data at hand rather than to the worst data (Nissim, Raskhodnikova and Smith, STOC 2007).
//!
//! A β-smooth bound S(x) = max_y LS(y)·e^{−β·d(x, y)} on the local sensitivity LS changes by a factor of at most e^β between
//! neighbours; noise whose law bears shifts and dilations of that size is private though its scale depends on the data.
//! [`order_statistic`] computes S for the median, the maximum and all other order statistics, and [`SmoothNoise`] turns it into noise.

mod calibration;
mod order_statistic;

pub use calibration::SmoothNoise;
pub(super) use order_statistic::check_values;
pub use order_statistic::{maximum, median, order_statistic};

/// Why there is no smooth sensitivity, or no noise for the data at hand.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SmoothError {
    /// no value at all
    #[error("there are no values, so that there is no order statistic: give at least one")]
    Empty,
    /// an order statistic that the data do not have
    #[error(
        "the rank is {rank}, but must be from 1 to the number of values, {count}: choose another order statistic"
    )]
    Rank {
        /// the rank refused
        rank: usize,
        /// how many values there are
        count: usize,
    },
    /// a value that is NaN or outside the declared bounds
    #[error("value {} is {value:?}, but must lie within the bounds from {low:?} to {high:?}: clip the values", index + 1)]
    Value {
        /// its place, from 0
        index: usize,
        /// the value
        value: f64,
        /// the lower bound
        low: f64,
        /// the upper bound
        high: f64,
    },
    /// a quantile that there is not
    #[error("the fraction is {value:?}, but must be from 0 to 1: choose another quantile")]
    Fraction {
        /// the value refused
        value: f64,
    },
    /// a β that is no rate, or more than the noise bears
    #[error("β is {value:?}, but must be {rule}: choose a smaller one or raise ε")]
    Beta {
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
    /// the calibration of the noise
    #[error(transparent)]
    Noise(#[from] super::NoiseError),
}
