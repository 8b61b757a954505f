//! What is known of the error of a number that is computed from noisy ones.

use epsweep_core::noise::Noise;
use epsweep_core::random::StandardLaw;
use epsweep_core::theory::{Absolute, Answer, Constant, Law, Normal, Squared, Symmetric};
use std::sync::Arc;

/// The error of a derived number: a bias, and a random part of which theory knows the law, the variance or nothing.
#[derive(Clone, Debug)]
pub struct DerivedError {
    bias: f64,
    variance: Option<f64>,
    normal: Option<Normal>,
    magnitude: f64,
}

impl DerivedError {
    /// An error of this bias. The `variance` of the random part is given where it is known, and whether the law is `normal`;
    /// `magnitude` is its size by a rough guess, which only places histograms.
    pub fn new(bias: f64, variance: Option<f64>, normal: bool, magnitude: f64) -> DerivedError {
        let known = variance.filter(|variance| *variance > 0.0 && normal && bias == 0.0);
        let size = variance.map_or(magnitude, f64::sqrt).max(bias.abs());
        DerivedError {
            bias,
            variance,
            normal: known.and_then(|variance| Normal::new(variance.sqrt())),
            magnitude: size,
        }
    }

    fn symmetric(&self) -> Option<Arc<dyn Symmetric>> {
        self.normal.map(|law| Arc::new(law) as Arc<dyn Symmetric>)
    }

    fn silent() -> Arc<dyn Law> {
        Arc::new(Constant::new(f64::NAN))
    }
}

impl Noise for DerivedError {
    fn name(&self) -> &'static str {
        "derived"
    }

    fn scale(&self) -> f64 {
        self.magnitude
    }

    fn standard(&self) -> StandardLaw {
        StandardLaw::Normal
    }

    fn variance(&self) -> f64 {
        self.variance.unwrap_or(f64::NAN)
    }

    fn half_width(&self, level: f64) -> f64 {
        let tail = 0.5 * (1.0 - level);
        self.normal
            .filter(|_| level > 0.0 && level < 1.0)
            .and_then(|law| law.above_quantile(tail))
            .unwrap_or(f64::NAN)
    }

    /// What is computed from private answers costs nothing more; what those cost is not asked here.
    fn delta(&self, _epsilon: f64) -> f64 {
        f64::NAN
    }

    fn answer_law(&self, truth: f64) -> Arc<dyn Law> {
        match self.symmetric() {
            Some(law) => Arc::new(Answer::new(law, truth)),
            None => Arc::new(Moments {
                mean: self.variance.map(|_| truth + self.bias),
                sd: self.variance.map(f64::sqrt),
            }),
        }
    }

    fn abs_error_law(&self) -> Arc<dyn Law> {
        match self.symmetric() {
            Some(law) => Arc::new(Absolute::new(law)),
            None => DerivedError::silent(),
        }
    }

    fn squared_error_law(&self) -> Arc<dyn Law> {
        match self.symmetric() {
            Some(law) => Arc::new(Squared::new(law)),
            None => Arc::new(Moments {
                mean: self
                    .variance
                    .map(|variance| self.bias * self.bias + variance),
                sd: None,
            }),
        }
    }
}

/// A law of which no more than two moments are known.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mean: Option<f64>,
    sd: Option<f64>,
}

impl Law for Moments {
    fn mean(&self) -> Option<f64> {
        self.mean
    }

    fn sd(&self) -> Option<f64> {
        self.sd
    }

    fn quantile(&self, _p: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, _x: f64) -> Option<f64> {
        None
    }

    fn density(&self, _x: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_and_variance_make_the_squared_error() {
        let error = DerivedError::new(-3.0, Some(16.0), false, 1.0);
        assert_eq!(error.squared_error_law().mean(), Some(25.0));
        assert_eq!(error.error_law().mean(), Some(-3.0));
        assert_eq!(error.error_law().sd(), Some(4.0));
        assert_eq!(error.abs_error_law().mean(), None);
        assert_eq!(error.scale(), 4.0);
        assert!(error.half_width(0.95).is_nan());
        // a law that is normal is known whole, as long as it has no bias
        let normal = DerivedError::new(0.0, Some(16.0), true, 1.0);
        assert!((normal.half_width(0.95) - 4.0 * 1.959_963_984_540_054).abs() < 1e-12);
        assert!(normal.abs_error_law().quantile(0.5).is_some());
        assert!(
            DerivedError::new(1.0, Some(16.0), true, 1.0)
                .half_width(0.95)
                .is_nan()
        );
        let unknown = DerivedError::new(1.0, None, false, 7.0);
        assert_eq!((unknown.scale(), unknown.error_law().mean()), (7.0, None));
    }
}
