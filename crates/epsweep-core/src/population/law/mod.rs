//! Laws of a column of numbers.

mod mixture;
mod normal;
mod points;
mod steps;

pub use mixture::Mixture;
pub use normal::{LogNormal, Normal};
pub use points::{Points, shaped, zipf};
pub use steps::{Steps, Uniform};

use crate::data::Bounds;
use std::fmt::Debug;

/// A law of numbers that is known exactly.
pub trait Law: Debug + Send + Sync {
    /// P(X ≤ x)
    fn cdf(&self, x: f64) -> f64;

    /// P(X < x)
    fn below(&self, x: f64) -> f64;

    /// The least x with P(X ≤ x) ≥ p, for p in (0, 1).
    fn quantile(&self, p: f64) -> f64;

    /// A number of this law from one that is uniform in (0, 1).
    fn draw(&self, u: f64) -> f64 {
        self.quantile(u)
    }

    /// P(low ≤ X ≤ high), and the expectations of X − from and of (X − from)² on that event. The ends may be infinite.
    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3];

    /// Mean and variance of X, clipped to the bounds if there are some.
    fn moments(&self, bounds: Option<Bounds>) -> (f64, f64) {
        let (low, high) = bounds.map_or((f64::NEG_INFINITY, f64::INFINITY), |bounds| {
            (bounds.low(), bounds.high())
        });
        let outside = [(low, self.below(low)), (high, 1.0 - self.cdf(high))];
        let around = |from: f64| {
            let mut moments = self.inside(low, high, from);
            for (end, probability) in outside {
                // an end at infinity has no probability
                if probability > 0.0 && end.is_finite() {
                    moments[1] += probability * (end - from);
                    moments[2] += probability * (end - from) * (end - from);
                }
            }
            moments
        };
        let near = self.quantile(0.5);
        let near = bounds.map_or(near, |bounds| bounds.clip(near));
        let mean = near + around(near)[1];
        let [_, rest, squares] = around(mean);
        (mean, squares - rest * rest)
    }
}

/// The place in a list of probabilities that u falls on.
pub(super) fn place(probabilities: &[f64], u: f64) -> usize {
    let mut below = 0.0;
    for (place, probability) in probabilities.iter().enumerate() {
        below += probability;
        if u < below {
            return place;
        }
    }
    // rounding may leave the sum short of 1: the last that is possible
    let possible = |probability: &f64| *probability > 0.0;
    probabilities.iter().rposition(possible).unwrap_or(0)
}
