//! The answer and the signed error of one query under Laplace noise.

use super::symmetric::Symmetric;
use super::{Law, finite, open_probability, valid_scale};

/// The Laplace law with density exp(−|x − location|/scale)/(2·scale).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplace {
    scale: f64,
    location: f64,
}

impl Laplace {
    /// Scale b = Δ/ε and location (the true answer, or 0 for the error), in the units of the answer.
    pub fn new(scale: f64, location: f64) -> Self {
        Self { scale, location }
    }

    /// Scale and location, if both are finite and the scale is not negative.
    fn parameters(&self) -> Option<(f64, f64)> {
        Some((valid_scale(self.scale)?, finite(self.location)?))
    }
}

impl Law for Laplace {
    fn mean(&self) -> Option<f64> {
        self.parameters().map(|(_, location)| location)
    }

    fn sd(&self) -> Option<f64> {
        self.parameters()
            .map(|(scale, _)| scale * std::f64::consts::SQRT_2)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let (scale, location) = self.parameters()?;
        open_probability(p).map(|p| {
            // 1 − p is exact for p above one half
            if p < 0.5 {
                location + scale * libm::log(2.0 * p)
            } else {
                location - scale * libm::log(2.0 * (1.0 - p))
            }
        })
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let (scale, location) = self.parameters()?;
        if x.is_nan() {
            None
        } else if scale == 0.0 {
            Some(if x >= location { 1.0 } else { 0.0 })
        } else if x < location {
            Some(0.5 * libm::exp((x - location) / scale))
        } else {
            Some(1.0 - 0.5 * libm::exp((location - x) / scale))
        }
    }

    fn density(&self, x: f64) -> Option<f64> {
        let (scale, location) = self.parameters().filter(|&(scale, _)| scale > 0.0)?;
        (!x.is_nan()).then(|| libm::exp(-(x - location).abs() / scale) / (2.0 * scale))
    }
}

/// The error, that is, what the answer differs by from the location; for a positive scale.
impl Symmetric for Laplace {
    fn above(&self, x: f64) -> f64 {
        0.5 * libm::exp(-x / self.scale)
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        Some(-self.scale * libm::log(2.0 * tail).min(0.0))
    }

    fn density_at(&self, x: f64) -> Option<f64> {
        Some(libm::exp(-x / self.scale) / (2.0 * self.scale))
    }

    fn mean_absolute(&self) -> Option<f64> {
        valid_scale(self.scale)
    }

    fn second_moment(&self) -> Option<f64> {
        Some(2.0 * self.scale * self.scale)
    }

    fn fourth_moment(&self) -> Option<f64> {
        let square = self.scale * self.scale;
        Some(24.0 * square * square)
    }

    fn within(&self, x: f64) -> f64 {
        -libm::expm1(-x / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        // the difference of two exponentials is Laplace
        let samples = trial::samples(|e| 7.0 + 2.0 * (e.next() - e.next()));
        trial::accepts(&Laplace::new(2.0, 7.0), &samples);
        trial::rejects(&Laplace::new(2.02, 7.0), &samples);
        trial::rejects(&Laplace::new(2.0, 7.02), &samples);
        trial::inverts(&Laplace::new(2.0, 7.0));
    }

    #[test]
    fn without_noise_it_is_a_point_mass() {
        let law = Laplace::new(0.0, 4.0);
        assert_eq!(
            (law.mean(), law.sd(), law.quantile(0.2)),
            (Some(4.0), Some(0.0), Some(4.0))
        );
        assert_eq!((law.cdf(3.9), law.cdf(4.0)), (Some(0.0), Some(1.0)));
        assert_eq!(law.density(4.0), None);
    }

    #[test]
    fn is_silent_about_bad_parameters() {
        trial::silent(&Laplace::new(f64::INFINITY, 0.0));
        trial::silent(&Laplace::new(f64::NAN, 0.0));
        trial::silent(&Laplace::new(1.0, f64::NAN));
    }
}
