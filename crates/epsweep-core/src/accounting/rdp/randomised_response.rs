//! Randomised response: Mironov, CSF 2017, proposition 5. It dominates every ε-differentially private mechanism (Kairouz, Oh and
//! Viswanath 2017, theorem 3.1 with δ = 0), so that this is the curve of all of which only ε is known.

use super::{Curve, order};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};

/// Answers the truth with probability p = e^ε/(1 + e^ε).
#[derive(Clone, Copy, Debug)]
pub struct RandomisedResponse {
    epsilon: f64,
}

pub(super) const ABOUT: About = About {
    name: "randomised-response",
    summary: "randomised response, or anything of which only its pure ε is known",
    formula: "ε(α) = ln(p^α q^(1−α) + q^α p^(1−α))/(α − 1), p = e^ε/(1 + e^ε), q = 1 − p",
    source: "Mironov, CSF 2017, proposition 5; Kairouz, Oh, Viswanath 2017, theorem 3.1",
};

impl RandomisedResponse {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is negative or not finite
    pub fn new(epsilon: f64) -> Result<RandomisedResponse, AccountingError> {
        error::non_negative("ε", epsilon).map(|epsilon| RandomisedResponse { epsilon })
    }

    /// By the probability of the truth, in (0, 1); at ½ nothing is told.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] for other values
    pub fn with_truth(probability: f64) -> Result<RandomisedResponse, AccountingError> {
        if !(probability > 0.0 && probability < 1.0) {
            return Err(AccountingError::Parameter {
                what: "probability of the truth",
                value: probability,
                rule: "must be above 0 and below 1",
                remedy: "use e^ε/(1 + e^ε)",
            });
        }
        // the difference is exact near ½, the logarithms are better elsewhere
        let difference = 2.0 * probability - 1.0;
        let epsilon = if difference.abs() < 0.5 {
            2.0 * libm::atanh(difference)
        } else {
            libm::log(probability) - libm::log1p(-probability)
        };
        RandomisedResponse::new(epsilon.abs())
    }
}

impl Curve for RandomisedResponse {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        let beta = order(alpha)? - 1.0;
        let epsilon = self.epsilon;
        if alpha.is_infinite() {
            return Ok(epsilon);
        }
        let difference = libm::tanh(0.5 * epsilon);
        if beta < 1e-150 {
            return Ok(difference * epsilon);
        }
        let exponent = beta * epsilon;
        if exponent > 30.0 {
            let log = -libm::log1p(libm::exp(-epsilon))
                + libm::log1p(libm::exp(-epsilon - 2.0 * exponent));
            return Ok(epsilon + log / beta);
        }
        // p e^u + q e^−u − 1 = 2 sinh²(u/2) + (p − q) sinh u, without cancellation
        let half = libm::sinh(0.5 * exponent);
        let excess = 2.0 * half * half + difference * libm::sinh(exponent);
        Ok((libm::log1p(excess) / beta).min(epsilon))
    }
}
