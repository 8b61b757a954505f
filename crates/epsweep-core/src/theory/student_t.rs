//! The error of one query under Student-t noise.

use super::symmetric::Symmetric;
use crate::statistics::{t_quantile, t_tail};

/// The law of `scale`·T with T Student-t of `freedom` degrees of freedom: polynomial tails, and moments only of orders below
/// `freedom`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudentT {
    scale: f64,
    freedom: f64,
}

impl StudentT {
    /// `None` unless both are finite and positive.
    pub fn new(scale: f64, freedom: f64) -> Option<Self> {
        let positive = |x: f64| x > 0.0 && x < f64::INFINITY;
        (positive(scale) && positive(freedom)).then_some(Self { scale, freedom })
    }

    /// ln Γ((ν + 1)/2) − ln Γ(ν/2)
    fn log_gamma_ratio(&self) -> f64 {
        libm::lgamma(0.5 * (self.freedom + 1.0)) - libm::lgamma(0.5 * self.freedom)
    }
}

impl Symmetric for StudentT {
    fn above(&self, x: f64) -> f64 {
        t_tail(x / self.scale, self.freedom)
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        let t = t_quantile(tail, self.freedom).ok()?.abs();
        Some(self.scale * t)
    }

    fn density_at(&self, x: f64) -> Option<f64> {
        let t = x / self.scale;
        let top = libm::exp(self.log_gamma_ratio())
            / (self.freedom * std::f64::consts::PI).sqrt()
            / self.scale;
        let exponent = -0.5 * (self.freedom + 1.0) * libm::log1p(t * (t / self.freedom));
        Some(top * libm::exp(exponent))
    }

    /// 2√ν·Γ((ν + 1)/2)/(√π·Γ(ν/2)·(ν − 1)) for ν > 1
    fn mean_absolute(&self) -> Option<f64> {
        let ratio = libm::exp(self.log_gamma_ratio());
        (self.freedom > 1.0).then(|| {
            2.0 * self.scale * (self.freedom / std::f64::consts::PI).sqrt() * ratio
                / (self.freedom - 1.0)
        })
    }

    /// ν/(ν − 2) for ν > 2
    fn second_moment(&self) -> Option<f64> {
        let square = self.scale * self.scale;
        (self.freedom > 2.0).then(|| square * self.freedom / (self.freedom - 2.0))
    }

    /// 3ν²/((ν − 2)(ν − 4)) for ν > 4
    fn fourth_moment(&self) -> Option<f64> {
        let square = self.scale * self.scale * self.freedom;
        (self.freedom > 4.0)
            .then(|| 3.0 * square * square / ((self.freedom - 2.0) * (self.freedom - 4.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::symmetric::{Absolute, Answer, Squared};
    use super::super::{Law, trial};
    use super::*;
    use std::sync::Arc;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        // Bailey, Mathematics of Computation 62 (1994), with ν = 9, whose fourth moments are finite
        let freedom = 9.0;
        let samples = trial::samples(|e| {
            let angle = libm::exp(-e.next()) * 2.0 * std::f64::consts::PI;
            let square = freedom * libm::expm1(2.0 * e.next() / freedom);
            2.0 * square.sqrt() * libm::cos(angle)
        });
        let law = |scale| Arc::new(StudentT::new(scale, freedom).unwrap());
        trial::accepts(&Answer::new(law(2.0), 0.0), &samples);
        trial::rejects(&Answer::new(law(2.02), 0.0), &samples);
        let absolute: Vec<f64> = samples.iter().map(|x| x.abs()).collect();
        trial::accepts(&Absolute::new(law(2.0)), &absolute);
        trial::rejects(&Absolute::new(law(2.02)), &absolute);
        trial::inverts(&Answer::new(law(2.0), 7.0));
        trial::inverts_within(&Absolute::new(law(2.0)), 1e-4);
    }

    #[test]
    fn moments_that_are_infinite_are_not_given() {
        let law = |freedom| Arc::new(StudentT::new(1.0, freedom).unwrap());
        assert_eq!(Answer::new(law(1.0), 0.0).mean(), None);
        assert_eq!(Answer::new(law(2.0), 0.0).sd(), None);
        assert_eq!(Answer::new(law(3.0), 0.0).sd(), Some(3.0_f64.sqrt()));
        assert_eq!(Squared::new(law(4.0)).sd(), None);
        // ν = 3: E|T| = 2√3/π
        let mean = law(3.0).mean_absolute().unwrap();
        assert!((mean / (2.0 * 3.0_f64.sqrt() / std::f64::consts::PI) - 1.0).abs() < 1e-13);
        assert!(StudentT::new(1.0, 0.0).is_none() && StudentT::new(f64::NAN, 3.0).is_none());
    }
}
