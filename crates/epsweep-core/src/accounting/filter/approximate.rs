//! The filter of approximate privacy.

use super::additive::Additive;
use super::{Filter, Spend, unsupported};
use crate::about::About;
use crate::accounting::error::{self, AccountingError};
use crate::accounting::exact::ExactSum;

/// (ε, δ) in all from releases with (εᵢ, δᵢ): δ = δ′ for the concentration of the loss, plus δ″ for the releases' own.
#[derive(Clone, Debug)]
pub struct Approximate {
    half_squares: ExactSum,
    own: Additive,
    takes_delta: bool,
    epsilon: f64,
    log_inverse: f64,
}

pub(super) const ABOUT: About = About {
    name: "approximate",
    summary: "admits while the total by advanced composition stays within ε, and the δᵢ within δ″",
    formula: "√(2 ln(1/δ′) Σ εᵢ²) + Σ εᵢ²/2 ≤ ε and Σ δᵢ ≤ δ″",
    source: "Whitehouse, Ramdas, Rogers, Wu, ICML 2023, section 3, the filter of (εᵢ, δᵢ) with δ = δ′ + δ″",
};

impl Approximate {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is not finite and positive, δ′ is not in (0, 1), or δ″ is not in [0, 1)
    pub fn new(
        epsilon: f64,
        delta_prime: f64,
        own_delta: f64,
    ) -> Result<Approximate, AccountingError> {
        error::positive_delta(delta_prime)?;
        error::delta(own_delta)?;
        Ok(Approximate {
            half_squares: ExactSum::new(),
            own: Additive {
                sum: ExactSum::new(),
                budget: own_delta,
            },
            takes_delta: own_delta > 0.0,
            epsilon: error::positive("ε", epsilon)?,
            log_inverse: -libm::log(delta_prime),
        })
    }

    /// The total of releases with Σε²/2 = `half_squares`.
    fn total(&self, half_squares: f64) -> f64 {
        2.0 * (self.log_inverse * half_squares).sqrt() + half_squares
    }
}

impl Filter for Approximate {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn offer(&mut self, spend: Spend) -> Result<bool, AccountingError> {
        let (epsilon, delta) = match spend.checked()? {
            Spend::Pure(epsilon) => (epsilon, 0.0),
            Spend::Approximate(epsilon, delta) => (epsilon, delta),
            other => {
                return Err(unsupported(
                    &ABOUT,
                    other,
                    "it has no ε of its own",
                    "the concentrated filter",
                ));
            }
        };
        if delta > 0.0 && !self.takes_delta {
            return Ok(false);
        }
        let mut next = self.half_squares.clone();
        if epsilon > 0.0 {
            next.add_half_square(epsilon);
        }
        // the formula is rounded a few times: a total that is equal up to that counts as more
        if self.total(next.value()) * (1.0 + 1e-15) > self.epsilon && epsilon > 0.0 {
            return Ok(false);
        }
        if delta > 0.0 && !self.own.offer(|sum| sum.add(delta)) {
            return Ok(false);
        }
        self.half_squares = next;
        Ok(true)
    }

    fn spent(&self) -> f64 {
        self.total(self.half_squares.value())
    }

    fn budget(&self) -> f64 {
        self.epsilon
    }
}
