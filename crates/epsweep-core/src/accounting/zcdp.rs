//! Zero-concentrated differential privacy: ρ adds up, and converts to (ε, δ).
//!
//! - composition and the simple conversion: Bun and Steinke, TCC 2016, lemma 1.7 and proposition 1.3; ε-DP is ε²/2-zCDP, proposition 1.4
//! - the tight conversion: Canonne, Kamath and Steinke, NeurIPS 2020, corollary 13 (proposition 12 optimised over the order α)
//! - the exponential mechanism is ε²/8-zCDP: Cesar and Rogers, ALT 2021, lemma 3.4

use super::error::{self, AccountingError};
use super::release::{self, Mechanism, Release};
use super::{Accountant, Total};
use crate::about::About;
use crate::numeric;
use crate::shortest::Rounded;

/// ε of a conversion with the order that gave it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Converted {
    /// at least 0
    pub epsilon: f64,
    /// the Rényi order α
    pub order: f64,
}

/// ρ + 2√(ρ ln 1/δ).
///
/// # Errors
/// [`AccountingError::Parameter`] if ρ is not finite and positive or δ is not in (0, 1)
pub fn simple(rho: f64, delta: f64) -> Result<f64, AccountingError> {
    error::positive("ρ", rho)?;
    error::positive_delta(delta)?;
    // the root of each factor: their product may underflow
    Ok(rho + 2.0 * rho.sqrt() * (-libm::log(delta)).sqrt())
}

/// max(0, min over α > 1 of αρ + ln(1 − 1/α) − ln(δα)/(α − 1)). With β = α − 1 the derivative is ρ + ln(δα)/β², which changes its
/// sign once, where ρβ² + ln(1 + β) = ln 1/δ.
///
/// # Errors
/// [`AccountingError::Parameter`] if ρ is not finite and positive or δ is not in (0, 1)
pub fn tight(rho: f64, delta: f64) -> Result<Converted, AccountingError> {
    error::positive("ρ", rho)?;
    error::positive_delta(delta)?;
    let log_delta = libm::log(delta);
    let rising = |log_beta: f64| {
        let beta = libm::exp(log_beta);
        rho * beta * beta + libm::log1p(beta) + log_delta >= 0.0
    };
    let (low, high) = numeric::bisect(-400.0, 400.0, rising);
    let beta = libm::exp(0.5 * (low + high));
    // ρβ = −ln(δα)/β there, so that the sum of both is taken from one of them where the other cancels
    let epsilon =
        rho + rho * beta - (log_delta + libm::log1p(beta)) / beta - libm::log1p(1.0 / beta);
    // the bound holds at every order, so that no rounding of the best one makes it wrong
    Ok(Converted {
        epsilon: epsilon.max(0.0),
        order: 1.0 + beta,
    })
}

/// ln of min over α > 1 of e^((α−1)(αρ−ε))·(1 − 1/α)^α/(α − 1), at most 0: the δ of ρ-zCDP at ε.
///
/// # Errors
/// [`AccountingError::Parameter`] if ρ is not finite and positive or ε is negative or not finite
pub fn log_delta(rho: f64, epsilon: f64) -> Result<f64, AccountingError> {
    error::positive("ρ", rho)?;
    error::non_negative("ε", epsilon)?;
    // the derivative by β of the logarithm
    let rising = |log_beta: f64| {
        let beta = libm::exp(log_beta);
        rho * (1.0 + 2.0 * beta) - epsilon - libm::log1p(1.0 / beta) >= 0.0
    };
    let (low, high) = numeric::bisect(-400.0, 400.0, rising);
    let beta = libm::exp(0.5 * (low + high));
    let value = beta * (rho - epsilon + beta * rho)
        - (1.0 + beta) * libm::log1p(1.0 / beta)
        - libm::log(beta);
    Ok(value.min(0.0))
}

/// The largest ε of pure differential privacy whose own ρ is at most this: √(2ρ).
pub fn pure_epsilon_of(rho: f64) -> f64 {
    (2.0 * rho).sqrt()
}

/// The ρ of a mechanism: ε²/2 from ε alone, ε²/8 with a range bounded by ε, Δ²/2σ² with Gaussian noise.
fn rho_of(about: &About, mechanism: Mechanism) -> Result<f64, AccountingError> {
    match mechanism {
        Mechanism::Pure(epsilon)
        | Mechanism::Approximate(epsilon, _)
        | Mechanism::Laplace(epsilon)
        | Mechanism::RandomisedResponse(epsilon)
        | Mechanism::PermuteAndFlip(epsilon) => Ok(0.5 * epsilon.get() * epsilon.get()),
        Mechanism::ExponentialMechanism(epsilon) => Ok(0.125 * epsilon.get() * epsilon.get()),
        Mechanism::Zcdp(rho) => Ok(rho.get()),
        Mechanism::Gaussian(noise) => Ok(0.5 / noise.get() / noise.get()),
        Mechanism::SubsampledGaussian(probability, noise) if probability.get() == 1.0 => {
            Ok(0.5 / noise.get() / noise.get())
        }
        Mechanism::SubsampledGaussian(..) => Err(AccountingError::Unsupported {
            method: about.name,
            what: mechanism.to_string(),
            reason: "zCDP is not amplified by sampling",
            alternative: "rdp or pld",
        }),
    }
}

/// Σρ.
fn rho(about: &About, releases: &[Release]) -> Result<f64, AccountingError> {
    let mut parts = Vec::with_capacity(releases.len());
    for release in releases {
        parts.push(release.count() as f64 * rho_of(about, release.mechanism())?);
    }
    let sum = crate::summation::sum(&parts);
    if sum > 0.0 && sum < 1e300 {
        return Ok(sum);
    }
    // what overflows is no number once it is summed with care
    let overflows = sum.is_nan() || sum > 0.0;
    Err(AccountingError::Limit {
        method: about.name,
        what: "Σρ",
        value: if overflows { sum.max(f64::MAX) } else { sum },
        limit: if overflows { 1e300 } else { f64::MIN_POSITIVE },
        remedy: "use basic, which does not square ε",
    })
}

/// The accountant with the simple conversion.
#[derive(Debug)]
pub struct Simple;

const SIMPLE: About = About {
    name: "zcdp-simple",
    summary: "ρ adds up and is converted by the first formula; above the plain sum for few releases",
    formula: "ρ = Σ ρᵢ, ε = ρ + 2 √(ρ ln 1/δ)",
    source: "Bun, Steinke, TCC 2016, lemma 1.7 and proposition 1.3",
};

impl Accountant for Simple {
    fn about(&self) -> &'static About {
        &SIMPLE
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let left = release::remaining_delta(SIMPLE.name, releases, delta)?;
        let rho = rho(&SIMPLE, releases)?;
        Ok(Total {
            note: Some(format!("ρ = {}", Rounded(rho))),
            ..Total::upper(simple(rho, left)?)
        })
    }
}

/// The accountant with the tight conversion.
#[derive(Debug)]
pub struct Tight;

const TIGHT: About = About {
    name: "zcdp",
    summary: "ρ adds up and is converted at the best order; above the plain sum for few releases",
    formula: "ρ = Σ ρᵢ, ε = min_α αρ + ln(1 − 1/α) − ln(δα)/(α − 1)",
    source: "Canonne, Kamath, Steinke, NeurIPS 2020, corollary 13",
};

impl Accountant for Tight {
    fn about(&self) -> &'static About {
        &TIGHT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let left = release::remaining_delta(TIGHT.name, releases, delta)?;
        let rho = rho(&TIGHT, releases)?;
        let converted = tight(rho, left)?;
        let note = format!(
            "ρ = {}, converted at order α = {:.6}",
            Rounded(rho),
            converted.order
        );
        Ok(Total {
            note: Some(note),
            ..Total::upper(converted.epsilon)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_conversions_invert_each_other(log_rho in -20.0..6.0f64, log_delta_asked in -600.0..-1.0f64) {
            let rho = libm::exp(log_rho);
            let delta = libm::exp(log_delta_asked);
            let converted = tight(rho, delta).unwrap();
            prop_assert!(converted.epsilon <= simple(rho, delta).unwrap());
            let back = log_delta(rho, converted.epsilon).unwrap();
            if converted.epsilon > 0.0 {
                prop_assert!((back - log_delta_asked).abs() < 1e-8 * (1.0 + log_delta_asked.abs()), "{back} for {log_delta_asked}");
            } else {
                prop_assert!(back <= log_delta_asked + 1e-9);
            }
        }

        #[test]
        fn epsilon_rises_with_rho_and_falls_with_delta(log_rho in -20.0..6.0f64, log_delta in -600.0..-1.0f64) {
            let at = |log_rho: f64, log_delta: f64| tight(libm::exp(log_rho), libm::exp(log_delta)).unwrap().epsilon;
            let here = at(log_rho, log_delta);
            prop_assert!(at(log_rho + 0.1, log_delta) >= here);
            prop_assert!(at(log_rho, log_delta - 0.1) >= here);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(tight(f64::NAN, 1e-6).is_err() && tight(0.0, 1e-6).is_err());
        assert!(simple(1.0, 0.0).is_err() && simple(1.0, 1.0).is_err());
        assert!(log_delta(1.0, -1.0).is_err());
    }
}
