//! A law of which only the first two moments are known.

use super::{Law, finite, valid_scale};

/// Mean and standard deviation, and nothing else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstTwo {
    mean: f64,
    sd: f64,
}

impl FirstTwo {
    /// Of these, in the units of the measure.
    pub fn new(mean: f64, sd: f64) -> Self {
        Self { mean, sd }
    }
}

impl Law for FirstTwo {
    fn mean(&self) -> Option<f64> {
        finite(self.mean)
    }

    fn sd(&self) -> Option<f64> {
        valid_scale(self.sd)
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
    fn says_what_it_knows_and_nothing_else() {
        let law = FirstTwo::new(2.0, 0.5);
        assert_eq!((law.mean(), law.sd()), (Some(2.0), Some(0.5)));
        assert_eq!((law.quantile(0.5), law.cdf(2.0)), (None, None));
        let unknown = FirstTwo::new(f64::NAN, -1.0);
        assert_eq!((unknown.mean(), unknown.sd()), (None, None));
    }
}
