//! The classic formula for Gaussian noise, whose proof needs ε < 1: Dwork and Roth 2014, theorem A.1.

use super::error::{self, AccountingError};
use crate::about::About;

/// Name, formula and source.
pub const ABOUT: About = About {
    name: "classic-gaussian",
    summary: "the classic σ for (ε, δ); proved for ε < 1 only",
    formula: "σ = Δ √(2 ln(1.25/δ))/ε, 0 < ε < 1",
    source: "Dwork, Roth 2014, theorem A.1",
};

/// Whether the theorem covers this ε.
pub fn holds(epsilon: f64) -> bool {
    epsilon > 0.0 && epsilon < 1.0
}

/// σ for (ε, δ) and the sensitivity Δ₂.
///
/// # Errors
/// [`AccountingError::Limit`] for ε ≥ 1, where the formula can give too little noise; [`AccountingError::Parameter`] for values
/// outside their domain
pub fn sigma(epsilon: f64, delta: f64, sensitivity: f64) -> Result<f64, AccountingError> {
    let sigma = unchecked_sigma(epsilon, delta, sensitivity)?;
    if holds(epsilon) {
        return Ok(sigma);
    }
    Err(AccountingError::Limit {
        method: ABOUT.name,
        what: "ε",
        value: epsilon,
        limit: 1.0,
        remedy: "its proof needs ε < 1; use the analytic Gaussian, which holds for every ε",
    })
}

/// The same number also where the theorem does not hold: a control that shows what goes wrong, not a guarantee.
///
/// # Errors
/// [`AccountingError::Parameter`] for values outside their domain
pub fn unchecked_sigma(epsilon: f64, delta: f64, sensitivity: f64) -> Result<f64, AccountingError> {
    error::positive("ε", epsilon)?;
    error::positive_delta(delta)?;
    error::positive("Δ", sensitivity)?;
    Ok(sensitivity * (2.0 * (libm::log(1.25) - libm::log(delta))).sqrt() / epsilon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::gaussian;

    #[test]
    fn beyond_its_range_it_is_refused_and_as_a_control_it_fails() {
        for (epsilon, expected) in [
            (0.1, 48.448053),
            (0.5, 9.6896105),
            (1.0, 4.8448053),
            (2.0, 2.4224026),
            (50.0, 0.096896105),
        ] {
            let got = unchecked_sigma(epsilon, 1e-5, 1.0).unwrap();
            assert!((got / expected - 1.0).abs() < 5e-8);
            assert_eq!(sigma(epsilon, 1e-5, 1.0).is_ok(), epsilon < 1.0);
        }
        assert!(
            sigma(1.0, 1e-5, 1.0)
                .unwrap_err()
                .to_string()
                .contains("analytic")
        );
        for (epsilon, expected) in [(10.0, 2.265e-5), (20.0, 1.53e-3), (50.0, 0.586)] {
            let really =
                gaussian::delta(epsilon, unchecked_sigma(epsilon, 1e-5, 1.0).unwrap(), 1.0)
                    .unwrap();
            assert!(
                (really / expected - 1.0).abs() < 2.5e-3,
                "{really} for {expected}"
            );
        }
    }
}
