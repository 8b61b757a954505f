//! The largest scale of a plan that still meets a guarantee.

use crate::accounting::{AccountingError, zcdp};
use crate::numeric;

/// The largest ρ that is (ε, δ)-private by the tight conversion.
pub(crate) fn largest_rho(epsilon: f64, delta: f64) -> Result<f64, AccountingError> {
    // ρ above ε + ln 1/δ is not, and refusals for want of range are no less
    let high = libm::log(epsilon - libm::log(delta) + 1.0);
    zcdp::tight(libm::exp(high), delta)?;
    let (low, _) = numeric::bisect(-690.0, high, |log_rho| {
        !zcdp::tight(libm::exp(log_rho), delta).is_ok_and(|found| found.epsilon <= epsilon)
    });
    Ok(libm::exp(low))
}

/// The largest s with total(s) ≤ ε for a total that grows with s: a bracket around the start, then false position by the Illinois rule, to
/// a relative 1e-10 of s.
pub(crate) fn largest(
    start: f64,
    epsilon: f64,
    mut total: impl FnMut(f64) -> Result<f64, AccountingError>,
) -> Result<f64, AccountingError> {
    let mut excess =
        |log: f64| -> Result<f64, AccountingError> { Ok(total(libm::exp(log))? / epsilon - 1.0) };
    let mut low = libm::log(start);
    let mut at_low = excess(low)?;
    let (mut high, mut at_high) = (low, at_low);
    let mut width = 0.25;
    while at_high <= 0.0 {
        (low, at_low) = (high, at_high);
        high += width;
        width *= 2.0;
        at_high = excess(high)?;
    }
    while at_low > 0.0 {
        (high, at_high) = (low, at_low);
        low -= width;
        width *= 2.0;
        if low < -690.0 {
            return Err(AccountingError::Limit {
                method: "the division of a guarantee",
                what: "ε",
                value: epsilon,
                limit: 1e-290,
                remedy: "raise ε or δ",
            });
        }
        at_low = excess(low)?;
    }
    let mut last_low = None;
    for _ in 0..100 {
        if high - low <= 1e-10 || at_low > -1e-10 {
            break;
        }
        let slope = (at_high - at_low) / (high - low);
        let inside = low - at_low / slope;
        let next = if inside > low && inside < high {
            inside
        } else {
            0.5 * (low + high)
        };
        let found = excess(next)?;
        if found <= 0.0 {
            (low, at_low) = (next, found);
            if last_low == Some(true) {
                at_high *= 0.5;
            }
            last_low = Some(true);
        } else {
            (high, at_high) = (next, found);
            if last_low == Some(false) {
                at_low *= 0.5;
            }
            last_low = Some(false);
        }
    }
    Ok(libm::exp(low))
}
