//! A value that does not vary.

use super::{Law, finite, open_probability};

/// The point mass at a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constant {
    value: f64,
}

impl Constant {
    /// The point mass at `value`, in the units of the measure.
    pub fn new(value: f64) -> Self {
        Self { value }
    }
}

impl Law for Constant {
    fn mean(&self) -> Option<f64> {
        finite(self.value)
    }

    fn sd(&self) -> Option<f64> {
        finite(self.value).map(|_| 0.0)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        open_probability(p).and(finite(self.value))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let value = finite(self.value)?;
        (!x.is_nan()).then_some(if x >= value { 1.0 } else { 0.0 })
    }

    fn density(&self, _x: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_a_step() {
        let law = Constant::new(-2.5);
        assert_eq!(
            (law.mean(), law.sd(), law.quantile(0.3)),
            (Some(-2.5), Some(0.0), Some(-2.5))
        );
        assert_eq!((law.cdf(-2.6), law.cdf(-2.5)), (Some(0.0), Some(1.0)));
        assert_eq!((law.density(-2.5), law.cdf(f64::NAN)), (None, None));
        assert_eq!(Constant::new(f64::NAN).mean(), None);
    }
}
