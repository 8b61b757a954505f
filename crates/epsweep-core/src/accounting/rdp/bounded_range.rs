//! The exponential mechanism: its privacy loss lies in a range of width ε (Durfee and Rogers, NeurIPS 2019, section 4), for which
//! Dong, Durfee and Rogers (ICML 2020, section 3) give the worst pair of two outcomes, with losses t and t − ε. The supremum over t of its
//! Rényi divergence has a closed form: with S(x) = ln(sinh(x/2)/(x/2)),
//! t = ε/2 + S(αε) − S((α−1)ε) and ε(α) = (αS(αε) − (α−1)S((α−1)ε) − S(ε))/(α − 1). It lies below αε²/8 (Cesar and Rogers, ALT 2021).

use super::{Curve, order};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};
use crate::numeric::LEGENDRE_5;

/// A mechanism whose privacy loss has a range of at most ε.
#[derive(Clone, Copy, Debug)]
pub struct BoundedRange {
    epsilon: f64,
}

pub(super) const ABOUT: About = About {
    name: "bounded-range",
    summary: "the exponential mechanism, whose privacy loss has a range of ε",
    formula: "ε(α) = (αS(αε) − (α−1)S((α−1)ε) − S(ε))/(α − 1), S(x) = ln(sinh(x/2)/(x/2))",
    source: "Dong, Durfee, Rogers, ICML 2020, section 3",
};

/// S(x) = ln(sinh(x/2)/(x/2)) for x ≥ 0; about x²/24.
fn log_sinh_ratio(x: f64) -> f64 {
    let half = 0.5 * x;
    if half < 0.15 {
        let square = half * half;
        square
            * (1.0 / 6.0
                - square
                    * (1.0 / 180.0
                        - square * (1.0 / 2835.0 - square * (1.0 / 37800.0 - square / 467_775.0))))
    } else if half < 20.0 {
        libm::log1p((libm::sinh(half) - half) / half)
    } else {
        half + libm::log1p(-libm::exp(-x)) - libm::log(x)
    }
}

/// S′(x) = coth(x/2)/2 − 1/x.
fn log_sinh_ratio_slope(x: f64) -> f64 {
    let half = 0.5 * x;
    if half < 0.15 {
        let square = half * half;
        half * (1.0 / 6.0
            - square
                * (1.0 / 90.0
                    - square * (1.0 / 945.0 - square * (1.0 / 9450.0 - square / 93_555.0))))
    } else {
        0.5 / libm::tanh(half) - 1.0 / x
    }
}

impl BoundedRange {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is not finite and positive
    pub fn new(epsilon: f64) -> Result<BoundedRange, AccountingError> {
        error::positive("ε", epsilon).map(|epsilon| BoundedRange { epsilon })
    }

    /// The loss t of the first outcome of the worst pair at order α ≥ 1.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if α is below 1 or NaN
    pub fn worst_loss(&self, alpha: f64) -> Result<f64, AccountingError> {
        let beta = order(alpha)? - 1.0;
        let epsilon = self.epsilon;
        if alpha.is_infinite() {
            return Ok(epsilon);
        }
        if beta * epsilon > 30.0 {
            return Ok(epsilon + libm::log1p(-1.0 / alpha));
        }
        Ok(0.5 * epsilon + log_sinh_ratio(alpha * epsilon) - log_sinh_ratio(beta * epsilon))
    }

    /// αε²/8, the bound by zero-concentrated privacy.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if α is below 1 or NaN
    pub fn concentrated_bound(&self, alpha: f64) -> Result<f64, AccountingError> {
        Ok(order(alpha)? * self.epsilon * self.epsilon / 8.0)
    }
}

impl Curve for BoundedRange {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        let beta = order(alpha)? - 1.0;
        let epsilon = self.epsilon;
        if alpha.is_infinite() {
            return Ok(epsilon);
        }
        if beta * epsilon > 30.0 {
            let log = -libm::log(alpha) - libm::log(-libm::expm1(-epsilon));
            return Ok((self.worst_loss(alpha)? + log / beta).min(epsilon));
        }
        // (αS(αε) − S(ε))/β is the mean slope of αS(αε); taken by quadrature where the difference would cancel
        let slope = if beta * (1.0 + epsilon) < 0.1 {
            LEGENDRE_5
                .iter()
                .map(|&(node, weight)| {
                    let order = 1.0 + 0.5 * beta * (1.0 + node);
                    let x = order * epsilon;
                    0.5 * weight * (log_sinh_ratio(x) + x * log_sinh_ratio_slope(x))
                })
                .sum::<f64>()
        } else {
            (alpha * log_sinh_ratio(alpha * epsilon) - log_sinh_ratio(epsilon)) / beta
        };
        Ok((slope - log_sinh_ratio(beta * epsilon)).min(epsilon))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The divergence of the two-outcome pair with losses t and t − ε.
    fn pair(epsilon: f64, t: f64, alpha: f64) -> f64 {
        let p = libm::expm1(t - epsilon) / libm::expm1(-epsilon);
        let sum =
            p * libm::exp((alpha - 1.0) * t) + (1.0 - p) * libm::exp((alpha - 1.0) * (t - epsilon));
        libm::log(sum) / (alpha - 1.0)
    }

    #[test]
    fn the_closed_form_is_the_supremum_over_t() {
        for epsilon in [0.3, 1.0, 4.0] {
            let curve = BoundedRange::new(epsilon).unwrap();
            for alpha in [1.2, 2.0, 5.0] {
                let value = curve.rdp(alpha).unwrap();
                let attained = pair(epsilon, curve.worst_loss(alpha).unwrap(), alpha);
                assert!((attained - value).abs() < 1e-12);
                for step in 1..100 {
                    assert!(
                        pair(epsilon, epsilon * f64::from(step) / 100.0, alpha) <= value + 1e-12
                    );
                }
                assert!(value <= curve.concentrated_bound(alpha).unwrap());
            }
        }
    }
}
