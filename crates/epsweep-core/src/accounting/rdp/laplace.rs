//! Laplace noise: Mironov, CSF 2017, proposition 6.

use super::{Curve, order};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};
use crate::numeric;

/// Laplace noise of scale b on a query of sensitivity Δ.
#[derive(Clone, Copy, Debug)]
pub struct Laplace {
    /// Δ/b
    epsilon: f64,
}

pub(super) const ABOUT: About = About {
    name: "laplace",
    summary: "Laplace noise of scale Δ/ε",
    formula: "ε(α) = ln(α/(2α−1) e^((α−1)ε) + (α−1)/(2α−1) e^(−αε))/(α − 1)",
    source: "Mironov, CSF 2017, proposition 6",
};

impl Laplace {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε = Δ/b is not finite and positive
    pub fn new(epsilon: f64) -> Result<Laplace, AccountingError> {
        error::positive("ε", epsilon).map(|epsilon| Laplace { epsilon })
    }
}

impl Curve for Laplace {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        let beta = order(alpha)? - 1.0;
        let epsilon = self.epsilon;
        if alpha.is_infinite() {
            return Ok(epsilon);
        }
        // beta may be so small that its products vanish beside the limit
        if beta < 1e-150 {
            return Ok(numeric::exp_minus_line(-epsilon));
        }
        if beta * epsilon > 30.0 {
            let log = -libm::log1p(beta / alpha)
                + libm::log1p(beta / alpha * libm::exp(-(alpha + beta) * epsilon));
            return Ok(epsilon + log / beta);
        }
        // the constants and the terms linear in ε cancel exactly, which leaves two positive remainders
        let up = alpha * numeric::exp_minus_line(beta * epsilon) / beta;
        let down = numeric::exp_minus_line(-alpha * epsilon);
        let rest = (up + down) / (alpha + beta);
        Ok((libm::log1p(beta * rest) / beta).min(epsilon))
    }
}
