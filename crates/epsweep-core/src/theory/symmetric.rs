//! Laws of errors that are symmetric about zero, and the laws that follow from one: of the answer, of the absolute and of the
//! squared error.

use std::fmt::Debug;
use std::sync::Arc;

use super::{Law, finite, open_probability};

/// The law of an error X that is symmetric about 0, in the units of the answer: what a mechanism has to know of its noise.
pub trait Symmetric: Debug + Send + Sync {
    /// P(X > x) for x ≥ 0, with relative accuracy in the tail.
    fn above(&self, x: f64) -> f64;

    /// The smallest x ≥ 0 with P(X > x) ≤ `tail`, for 0 < `tail` ≤ 1/2.
    fn above_quantile(&self, tail: f64) -> Option<f64>;

    /// The density at x ≥ 0; `None` if there is none.
    fn density_at(&self, x: f64) -> Option<f64>;

    /// E|X|, where it is finite.
    fn mean_absolute(&self) -> Option<f64>;

    /// E X², where it is finite.
    fn second_moment(&self) -> Option<f64>;

    /// E X⁴, where it is finite.
    fn fourth_moment(&self) -> Option<f64>;

    /// Whether X is always an integer.
    fn lattice(&self) -> bool {
        false
    }

    /// P(|X| ≤ x) for x ≥ 0.
    fn within(&self, x: f64) -> f64 {
        1.0 - 2.0 * self.above(x)
    }

    /// P(X ≥ x) for x > 0.
    fn at_least(&self, x: f64) -> f64 {
        self.above(if self.lattice() { x.ceil() - 1.0 } else { x })
    }
}

/// A probability or density, if the computation came out as one: parameters at the ends of the range of doubles may make none.
fn known(value: f64) -> Option<f64> {
    (!value.is_nan()).then_some(value)
}

/// The law of `location` + X: the answer for a true answer, or the signed error at 0.
#[derive(Clone, Debug)]
pub struct Answer {
    error: Arc<dyn Symmetric>,
    location: f64,
}

impl Answer {
    /// `location`: the true answer.
    pub fn new(error: Arc<dyn Symmetric>, location: f64) -> Self {
        Self { error, location }
    }
}

impl Law for Answer {
    fn mean(&self) -> Option<f64> {
        // the error has a mean where it has an absolute one
        self.error.mean_absolute()?;
        finite(self.location)
    }

    fn sd(&self) -> Option<f64> {
        finite(self.error.second_moment()?.sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let p = open_probability(p)?;
        let location = finite(self.location)?;
        if p > 0.5 {
            return finite(location + self.error.above_quantile(1.0 - p)?);
        }
        let x = self.error.above_quantile(p)?;
        // P(X ≤ −x) = P(X > x − 1) reaches p; so does one step further if P(X > x) is p exactly
        let further = self.error.lattice() && self.error.above(x) == p;
        finite(location - if further { x + 1.0 } else { x })
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let error = x - finite(self.location)?;
        if error.is_nan() {
            return None;
        }
        known(if error < 0.0 {
            self.error.at_least(-error)
        } else {
            1.0 - self.error.above(error)
        })
    }

    fn density(&self, x: f64) -> Option<f64> {
        let error = x - finite(self.location)?;
        (!error.is_nan()).then(|| known(self.error.density_at(error.abs())?))?
    }
}

/// The law of |X|.
#[derive(Clone, Debug)]
pub struct Absolute {
    error: Arc<dyn Symmetric>,
}

impl Absolute {
    /// The absolute value of a symmetric error.
    pub fn new(error: Arc<dyn Symmetric>) -> Self {
        Self { error }
    }
}

impl Law for Absolute {
    fn mean(&self) -> Option<f64> {
        finite(self.error.mean_absolute()?)
    }

    fn sd(&self) -> Option<f64> {
        let mean = self.error.mean_absolute()?;
        finite((self.error.second_moment()? - mean * mean).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let p = open_probability(p)?;
        finite(self.error.above_quantile(0.5 * (1.0 - p))?)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if x.is_nan() {
            return None;
        }
        known(if x < 0.0 {
            0.0
        } else {
            self.error.within(x).clamp(0.0, 1.0)
        })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x.is_nan() {
            return None;
        }
        let density = known(self.error.density_at(x.abs())?)?;
        Some(if x < 0.0 { 0.0 } else { 2.0 * density })
    }
}

/// The law of X².
#[derive(Clone, Debug)]
pub struct Squared {
    absolute: Absolute,
}

impl Squared {
    /// The square of a symmetric error.
    pub fn new(error: Arc<dyn Symmetric>) -> Self {
        Self {
            absolute: Absolute::new(error),
        }
    }
}

impl Law for Squared {
    fn mean(&self) -> Option<f64> {
        finite(self.absolute.error.second_moment()?)
    }

    fn sd(&self) -> Option<f64> {
        let mean = self.absolute.error.second_moment()?;
        let variance = self.absolute.error.fourth_moment()? - mean * mean;
        finite(variance.max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let root = self.absolute.quantile(p)?;
        finite(root * root)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.absolute.cdf(if x < 0.0 { -1.0 } else { x.sqrt() })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x < 0.0 {
            return self.absolute.density(-1.0);
        }
        let root = x.abs().sqrt();
        // infinite at 0
        known(self.absolute.density(root)? / (2.0 * root))
    }
}
