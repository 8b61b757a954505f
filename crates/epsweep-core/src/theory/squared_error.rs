//! The squared error of one query under Laplace noise.

use super::{Exponential, Law, finite, valid_scale};

/// The law of X² for X Laplace: b²E² with E standard exponential (a Weibull law of shape ½).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SquaredError {
    scale: f64,
}

impl SquaredError {
    /// The squared error under a Laplace scale b, in squared units of the answer.
    pub fn new(scale: f64) -> Self {
        Self { scale }
    }
}

impl Law for SquaredError {
    /// 2b²
    fn mean(&self) -> Option<f64> {
        finite(2.0 * valid_scale(self.scale)? * self.scale)
    }

    /// √20·b², since E X⁴ = 24b⁴
    fn sd(&self) -> Option<f64> {
        finite(20.0_f64.sqrt() * valid_scale(self.scale)? * self.scale)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let root = Exponential::new(self.scale).quantile(p)?;
        finite(root * root)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let root = if x < 0.0 { -1.0 } else { x.sqrt() };
        Exponential::new(self.scale).cdf(root)
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x < 0.0 {
            return Exponential::new(self.scale).density(-1.0);
        }
        // −0 would make it negative
        let root = x.abs().sqrt();
        // infinite at 0
        Some(Exponential::new(self.scale).density(root)? / (2.0 * root))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let error = 3.0 * e.next();
            error * error
        });
        trial::accepts(&SquaredError::new(3.0), &samples);
        trial::rejects(&SquaredError::new(3.03), &samples);
        trial::inverts(&SquaredError::new(3.0));
    }

    #[test]
    fn has_edges() {
        let law = SquaredError::new(0.0);
        assert_eq!(
            (law.mean(), law.sd(), law.cdf(0.0)),
            (Some(0.0), Some(0.0), Some(1.0))
        );
        assert_eq!(SquaredError::new(1.0).cdf(-1.0), Some(0.0));
        assert_eq!(SquaredError::new(1.0).density(-1.0), Some(0.0));
        assert_eq!(SquaredError::new(1e200).mean(), None);
        trial::silent(&SquaredError::new(f64::NAN));
    }
}
