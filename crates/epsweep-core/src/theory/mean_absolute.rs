//! The mean absolute error of several queries under independent Laplace or Gaussian noise.

use super::component::{Component, GaussianErrors, LaplaceErrors};
use super::inversion::{Value, sum_of_exponentials};
use super::quadrature::increasing_root;
use super::{Exponential, Law, Scales, finite, open_probability};

/// The law of (1/k)·Σ b_i·E_i with independent standard exponentials E_i (hypoexponential).
///
/// Distribution and density come from a steepest-descent inversion of the Laplace transform with a relative accuracy of
/// about 1e−11 in both tails; equal and nearly equal scales are nothing special.
#[derive(Clone, Debug)]
pub struct MeanAbsolute {
    scales: Option<Scales>,
}

impl MeanAbsolute {
    /// `scales`: the Laplace scale of each query.
    pub fn new(scales: &[f64]) -> Self {
        Self {
            scales: Scales::new(scales),
        }
    }

    /// The law if no more than one query has noise.
    fn single(&self) -> Option<Exponential> {
        let scales = self.scales.as_ref()?;
        (scales.relative.len() <= 1).then(|| Exponential::new(scales.unit / scales.count as f64))
    }

    /// The law of the sum in units of the largest scale, at the point that belongs to a mean of `x` > 0.
    fn value(&self, x: f64) -> Option<Value> {
        let scales = self.scales.as_ref()?;
        sum_of_exponentials(&scales.relative, x / scales.unit * scales.count as f64)
    }
}

impl Law for MeanAbsolute {
    fn mean(&self) -> Option<f64> {
        let scales = self.scales.as_ref()?;
        let sum: f64 = scales.relative.iter().sum();
        finite(scales.unit * (sum / scales.count as f64))
    }

    fn sd(&self) -> Option<f64> {
        let scales = self.scales.as_ref()?;
        let squares: f64 = scales.relative.iter().map(|b| b * b).sum();
        finite(scales.unit * (squares.sqrt() / scales.count as f64))
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.quantile(p);
        }
        let p = open_probability(p)?;
        let scales = self.scales.as_ref()?;
        let relative = scales.relative.as_slice();
        // the largest scale alone is smaller; k times the largest of k errors of the largest scale is larger
        let low = libm::log(-libm::log1p(-p));
        let count = relative.len();
        let high = libm::log(count as f64 * LaplaceErrors::largest_quantile(p, count)) + 1e-9;
        let mean = relative.iter().sum::<f64>();
        let (log_lower, log_upper) = (libm::log(p), libm::log1p(-p));
        let root = increasing_root(low, high, libm::log(mean), 1e-8, |log_x| {
            let x = libm::exp(log_x);
            let value = sum_of_exponentials(relative, x)?;
            let slope = x * value.density / value.probability;
            let log_probability = libm::log(value.probability);
            // each tail in its own logarithm; the other one is a plain complement, met only on the way to the root
            Some(match (value.upper, p > 0.5) {
                (true, true) => (log_upper - log_probability, slope),
                (false, false) => (log_probability - log_lower, slope),
                (true, false) => {
                    let below = 1.0 - value.probability;
                    (libm::log(below) - log_lower, x * value.density / below)
                }
                (false, true) => {
                    let above = 1.0 - value.probability;
                    (log_upper - libm::log(above), x * value.density / above)
                }
            })
        })?;
        finite(libm::exp(root) * (scales.unit / scales.count as f64))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.cdf(x);
        }
        self.scales.as_ref()?;
        if x <= 0.0 {
            return Some(0.0);
        }
        let value = self.value(x)?;
        Some(if value.upper {
            1.0 - value.probability
        } else {
            value.probability
        })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.density(x);
        }
        let scales = self.scales.as_ref()?;
        if x <= 0.0 {
            return Some(0.0);
        }
        Some(self.value(x)?.density / scales.unit * scales.count as f64)
    }
}

/// The law of (1/k)·Σ σ_i·|Z_i| with independent standard normals Z_i. Mean √(2/π)·Σσ/k, variance (1 − 2/π)·Σσ²/k²; theory gives
/// no closed distribution for more than one query with noise, which is then withheld.
#[derive(Clone, Debug)]
pub struct MeanAbsoluteGaussian {
    scales: Option<Scales>,
}

impl MeanAbsoluteGaussian {
    /// `sigmas`: the standard deviation of each query's Gaussian noise.
    pub fn new(sigmas: &[f64]) -> Self {
        Self {
            scales: Scales::new(sigmas),
        }
    }

    /// The law if no more than one query has noise.
    fn single(&self) -> Option<Box<dyn Law>> {
        let scales = self.scales.as_ref()?;
        (scales.relative.len() <= 1)
            .then(|| GaussianErrors::absolute(scales.unit / scales.count as f64))
    }
}

impl Law for MeanAbsoluteGaussian {
    fn mean(&self) -> Option<f64> {
        let scales = self.scales.as_ref()?;
        let sum: f64 = scales.relative.iter().sum();
        finite(scales.unit * (GaussianErrors::MEAN * sum / scales.count as f64))
    }

    fn sd(&self) -> Option<f64> {
        let scales = self.scales.as_ref()?;
        let squares: f64 = scales.relative.iter().map(|s| s * s).sum();
        let each = 1.0 - 2.0 / std::f64::consts::PI;
        finite(scales.unit * ((each * squares).sqrt() / scales.count as f64))
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        self.single()?.quantile(p)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.single()?.cdf(x)
    }

    fn density(&self, x: f64) -> Option<f64> {
        self.single()?.density(x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    #[test]
    fn distinct_scales_match_partial_fractions() {
        // P(Σ > t) = Σ_i ∏_{j≠i} b_i/(b_i − b_j)·e^{−t/b_i}
        let scales = [1.0, 3.0, 0.5];
        let law = MeanAbsolute::new(&scales);
        for t in [0.2, 1.0, 4.0, 4.6, 9.0, 30.0] {
            let mut above = 0.0;
            for (i, a) in scales.iter().enumerate() {
                let mut weight = 1.0;
                for (j, b) in scales.iter().enumerate() {
                    if i != j {
                        weight *= a / (a - b);
                    }
                }
                above += weight * libm::exp(-t / a);
            }
            assert!(
                (law.cdf(t / 3.0).unwrap() - (1.0 - above)).abs() < 1e-12,
                "{t}"
            );
        }
    }

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| (e.next() + 3.0 * e.next() + 3.0 * e.next()) / 3.0);
        trial::accepts(&MeanAbsolute::new(&[1.0, 3.0, 3.0]), &samples);
        trial::rejects(&MeanAbsolute::new(&[1.01, 3.03, 3.03]), &samples);
    }

    #[test]
    fn quantiles_invert_the_distribution_and_the_density_is_its_slope() {
        let spread: Vec<f64> = (0..50)
            .map(|i| libm::pow(10.0, i as f64 / 2.0 - 12.0))
            .collect();
        let close = vec![1.0, 1.0 + 1e-12, 1.0 - 1e-12];
        for scales in [
            vec![1.0, 3.0, 2.0],
            vec![0.36, 360.0, 3.0],
            vec![1.0; 50],
            spread,
            close,
        ] {
            trial::inverts(&MeanAbsolute::new(&scales));
        }
    }

    #[test]
    fn queries_without_noise_count_in_the_mean_only() {
        let law = MeanAbsolute::new(&[0.0, 2.0]);
        assert_eq!((law.mean(), law.sd()), (Some(1.0), Some(1.0)));
        assert_eq!(law.quantile(0.9), Exponential::new(1.0).quantile(0.9));
        let none = MeanAbsolute::new(&[0.0]);
        assert_eq!((none.mean(), none.cdf(0.0)), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn is_silent_about_bad_scales() {
        trial::silent(&MeanAbsolute::new(&[]));
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            trial::silent(&MeanAbsolute::new(&[1.0, bad]));
        }
    }

    #[test]
    fn gaussian_errors_agree_with_simulation_and_are_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let [x, y] = e.normals();
            (x.abs() + 3.0 * y.abs()) / 3.0
        });
        trial::accepts(&MeanAbsoluteGaussian::new(&[1.0, 0.0, 3.0]), &samples);
        trial::rejects(&MeanAbsoluteGaussian::new(&[1.01, 0.0, 3.03]), &samples);
        let single = MeanAbsoluteGaussian::new(&[0.0, 2.0]);
        assert_eq!(
            single.quantile(0.9),
            GaussianErrors::absolute(1.0).quantile(0.9)
        );
        trial::silent(&MeanAbsoluteGaussian::new(&[1.0, f64::INFINITY]));
    }
}
