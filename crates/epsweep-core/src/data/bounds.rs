//! A declared range of values.

use super::DataError;
use crate::shortest::Shortest;
use std::fmt;

/// A closed interval [low, high] that is public and declared before the data are seen. Both ends may be the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    /// # Errors
    /// [`DataError::BoundNotFinite`] if an end is NaN or infinite, [`DataError::BoundsReversed`] if `low` is above `high`
    pub fn new(low: f64, high: f64) -> Result<Bounds, DataError> {
        for value in [low, high] {
            if !value.is_finite() {
                return Err(DataError::BoundNotFinite { value });
            }
        }
        if low > high {
            return Err(DataError::BoundsReversed { low, high });
        }
        // adding 0 turns −0 into 0
        Ok(Bounds {
            low: low + 0.0,
            high: high + 0.0,
        })
    }

    /// The lower end.
    pub fn low(self) -> f64 {
        self.low
    }

    /// The upper end.
    pub fn high(self) -> f64 {
        self.high
    }

    /// high − low; infinite if that exceeds the largest double.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// The largest absolute value, max(|low|, |high|).
    pub fn magnitude(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    /// Whether the value lies within, ends included.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The nearest value within.
    pub fn clip(self, value: f64) -> f64 {
        value.clamp(self.low, self.high)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&format!(
            "[{}, {}]",
            Shortest(self.low),
            Shortest(self.high)
        ))
    }
}
