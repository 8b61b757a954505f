//! A flag: 1 with a known probability, else 0.

use super::{Law, open_probability};

/// The law of an event's indicator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bernoulli {
    probability: f64,
}

impl Bernoulli {
    /// 1 with probability `probability` in [0, 1], else 0.
    pub fn new(probability: f64) -> Self {
        Self { probability }
    }

    fn probability(&self) -> Option<f64> {
        (0.0..=1.0)
            .contains(&self.probability)
            .then_some(self.probability)
    }
}

impl Law for Bernoulli {
    fn mean(&self) -> Option<f64> {
        self.probability()
    }

    fn sd(&self) -> Option<f64> {
        self.probability().map(|p| (p * (1.0 - p)).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let success = self.probability()?;
        open_probability(p).map(|p| if p <= 1.0 - success { 0.0 } else { 1.0 })
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let success = self.probability()?;
        if x.is_nan() {
            None
        } else if x < 0.0 {
            Some(0.0)
        } else if x < 1.0 {
            Some(1.0 - success)
        } else {
            Some(1.0)
        }
    }

    fn density(&self, _x: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_coin() {
        let law = Bernoulli::new(0.95);
        assert_eq!(law.mean(), Some(0.95));
        assert!((law.sd().unwrap() - 0.217_944_947_177_033_7).abs() < 1e-15);
        assert_eq!(
            (law.quantile(0.04), law.quantile(0.06)),
            (Some(0.0), Some(1.0))
        );
        assert!((law.cdf(0.5).unwrap() - 0.05).abs() < 1e-15);
        assert_eq!((law.cdf(-0.1), law.cdf(1.0)), (Some(0.0), Some(1.0)));
        assert_eq!(law.density(1.0), None);
    }

    #[test]
    fn refuses_what_is_no_probability() {
        for p in [-0.1, 1.1, f64::NAN] {
            assert_eq!(Bernoulli::new(p).mean(), None);
            assert_eq!(Bernoulli::new(p).cdf(0.5), None);
        }
    }
}
