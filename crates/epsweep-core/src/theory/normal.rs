//! The error of one query under Gaussian noise.

use super::symmetric::Symmetric;
use crate::statistics::{normal_cdf, normal_density, normal_quantile};

/// The normal law with mean 0 and standard deviation `sigma` > 0; its absolute value is half-normal, its square σ² times a
/// chi-square of one degree of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    sigma: f64,
}

impl Normal {
    /// `None` unless σ is finite and positive.
    pub fn new(sigma: f64) -> Option<Self> {
        (sigma > 0.0 && sigma < f64::INFINITY).then_some(Self { sigma })
    }
}

impl Symmetric for Normal {
    fn above(&self, x: f64) -> f64 {
        normal_cdf(-x / self.sigma)
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        if tail == 0.5 {
            return Some(0.0);
        }
        Some(self.sigma * normal_quantile(tail).ok()?.abs())
    }

    fn density_at(&self, x: f64) -> Option<f64> {
        Some(normal_density(x / self.sigma) / self.sigma)
    }

    /// σ·√(2/π)
    fn mean_absolute(&self) -> Option<f64> {
        Some(self.sigma * (2.0 / std::f64::consts::PI).sqrt())
    }

    fn second_moment(&self) -> Option<f64> {
        Some(self.sigma * self.sigma)
    }

    fn fourth_moment(&self) -> Option<f64> {
        let square = self.sigma * self.sigma;
        Some(3.0 * square * square)
    }

    fn within(&self, x: f64) -> f64 {
        libm::erf(x / self.sigma * std::f64::consts::FRAC_1_SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::super::symmetric::{Absolute, Answer, Squared};
    use super::super::trial;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| 3.0 * e.normals()[0]);
        let law = |sigma: f64| Arc::new(Normal::new(sigma).unwrap());
        trial::accepts(&Answer::new(law(3.0), 0.0), &samples);
        trial::rejects(&Answer::new(law(3.03), 0.0), &samples);
        let absolute: Vec<f64> = samples.iter().map(|x| x.abs()).collect();
        trial::accepts(&Absolute::new(law(3.0)), &absolute);
        trial::rejects(&Absolute::new(law(3.03)), &absolute);
        let squared: Vec<f64> = samples.iter().map(|x| x * x).collect();
        trial::accepts(&Squared::new(law(3.0)), &squared);
        trial::rejects(&Squared::new(law(3.03)), &squared);
    }

    #[test]
    fn quantiles_invert_the_distribution_and_the_density_is_its_slope() {
        let law = Arc::new(Normal::new(3.0).unwrap());
        trial::inverts(&Answer::new(law.clone(), 7.0));
        trial::inverts(&Absolute::new(law.clone()));
        trial::inverts_within(&Squared::new(law), 1e-4);
        for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Normal::new(sigma), None);
        }
    }
}
