//! The absolute error of one query under Laplace noise.

use super::{Law, open_probability, valid_scale};

/// The exponential law: |X| for X Laplace with the same scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    scale: f64,
}

impl Exponential {
    /// The exponential law with mean `scale`. The relative error of a query is that with b/|truth|.
    pub fn new(scale: f64) -> Self {
        Self { scale }
    }
}

impl Law for Exponential {
    fn mean(&self) -> Option<f64> {
        valid_scale(self.scale)
    }

    fn sd(&self) -> Option<f64> {
        valid_scale(self.scale)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let scale = valid_scale(self.scale)?;
        open_probability(p).map(|p| -scale * libm::log1p(-p))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let scale = valid_scale(self.scale)?;
        if x.is_nan() {
            None
        } else if x < 0.0 {
            Some(0.0)
        } else if scale == 0.0 {
            Some(1.0)
        } else {
            Some(-libm::expm1(-x / scale))
        }
    }

    fn density(&self, x: f64) -> Option<f64> {
        let scale = valid_scale(self.scale).filter(|&scale| scale > 0.0)?;
        if x.is_nan() {
            None
        } else if x < 0.0 {
            Some(0.0)
        } else {
            Some(libm::exp(-x / scale) / scale)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| 3.0 * e.next());
        trial::accepts(&Exponential::new(3.0), &samples);
        trial::rejects(&Exponential::new(3.03), &samples);
        trial::inverts(&Exponential::new(3.0));
    }

    #[test]
    fn without_noise_it_is_a_point_mass() {
        let law = Exponential::new(0.0);
        assert_eq!((law.mean(), law.sd()), (Some(0.0), Some(0.0)));
        assert_eq!(law.quantile(0.95).map(f64::abs), Some(0.0));
        assert_eq!((law.cdf(0.0), law.cdf(-1e-9)), (Some(1.0), Some(0.0)));
        assert_eq!(law.density(0.0), None);
    }

    #[test]
    fn is_silent_about_bad_scales() {
        for scale in [-1.0, f64::NAN, f64::INFINITY] {
            trial::silent(&Exponential::new(scale));
        }
    }
}
