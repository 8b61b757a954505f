//! The law of a multiple of a measure.

use epsweep_core::theory::Law;
use std::sync::Arc;

/// The law of `factor`·X.
#[derive(Clone, Debug)]
pub(super) struct Scaled {
    law: Arc<dyn Law>,
    factor: f64,
}

impl Scaled {
    /// `factor`: above 0 and finite, or nothing is known.
    pub(super) fn new(law: Arc<dyn Law>, factor: f64) -> Scaled {
        Scaled { law, factor }
    }

    fn times(&self, value: Option<f64>) -> Option<f64> {
        let usable = self.factor > 0.0 && self.factor.is_finite();
        value
            .filter(|_| usable)
            .map(|value| self.factor * value)
            .filter(|value| value.is_finite())
    }
}

impl Law for Scaled {
    fn mean(&self) -> Option<f64> {
        self.times(self.law.mean())
    }

    fn sd(&self) -> Option<f64> {
        self.times(self.law.sd())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        self.times(self.law.quantile(p))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.times(Some(1.0))?;
        self.law.cdf(x / self.factor)
    }

    fn density(&self, x: f64) -> Option<f64> {
        self.times(Some(1.0))?;
        Some(self.law.density(x / self.factor)? / self.factor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::theory::Exponential;

    #[test]
    fn a_multiple_of_an_exponential_is_exponential() {
        let scaled = Scaled::new(Arc::new(Exponential::new(3.0)), 0.25);
        let direct = Exponential::new(0.75);
        let near = |a: Option<f64>, b: Option<f64>| {
            let (a, b) = (a.unwrap(), b.unwrap());
            assert!((a - b).abs() <= 1e-14 * b.abs(), "{a} {b}");
        };
        near(scaled.mean(), direct.mean());
        near(scaled.sd(), direct.sd());
        near(scaled.quantile(0.9), direct.quantile(0.9));
        near(scaled.cdf(1.3), direct.cdf(1.3));
        near(scaled.density(1.3), direct.density(1.3));
        let none = Scaled::new(Arc::new(Exponential::new(3.0)), f64::INFINITY);
        assert_eq!((none.mean(), none.cdf(1.0)), (None, None));
    }
}
