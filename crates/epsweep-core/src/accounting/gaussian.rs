//! Gaussian noise, exactly: Balle and Wang, ICML 2018, theorem 8. With μ = Δ/σ, a = ε/μ − μ/2 and b = ε/μ + μ/2,
//! δ(ε) = Q(a) − e^ε·Q(b) for Q = 1 − Φ. Since φ(a) = e^ε·φ(b), δ = φ(a)·(R(a) − R(b)) with Mills' ratio R = Q/φ: neither e^ε
//! nor a tail has to be computed, so that the logarithm is right from ε = 1e-8 to 1000 and δ down to 1e-300 and far below.
//! Releases compose to another Gaussian one with μ² = Σμᵢ² (Dong, Roth and Su, JRSS B 84, 2022, corollary 3.3).

use super::error::{self, AccountingError};
use super::release::{Mechanism, Release};
use super::{Accountant, AtEpsilon, Total, normal};
use crate::about::About;
use crate::numeric;
use crate::shortest::Rounded;

/// ln δ at ε ≥ 0 for μ = Δ/σ > 0; −∞ where not even the logarithm is a double.
///
/// # Errors
/// [`AccountingError::Parameter`] if ε is negative, μ is not positive, or either is not finite
pub fn log_delta(epsilon: f64, mu: f64) -> Result<f64, AccountingError> {
    error::non_negative("ε", epsilon)?;
    error::positive("Δ/σ", mu)?;
    Ok(log_delta_of(epsilon, mu))
}

fn log_delta_of(epsilon: f64, mu: f64) -> f64 {
    let near = epsilon / mu - 0.5 * mu;
    if near > 1e150 {
        return f64::NEG_INFINITY;
    }
    if near < -1.0 {
        // 1 − Q(−a) − e^ε·Q(b), where the last two are small
        let far = epsilon / mu + 0.5 * mu;
        let density = libm::exp(normal::log_density(near));
        return libm::log1p(-density * (normal::mills(-near) + normal::mills(far)));
    }
    normal::log_density(near) + libm::log(normal::mills_drop(near, mu))
}

/// δ at ε ≥ 0 for noise σ on a query of sensitivity Δ₂; 0 where it is below the smallest double.
///
/// # Errors
/// [`AccountingError::Parameter`] if ε is negative, σ or Δ is not positive, or one is not finite
pub fn delta(epsilon: f64, sigma: f64, sensitivity: f64) -> Result<f64, AccountingError> {
    error::positive("σ", sigma)?;
    error::positive("Δ", sensitivity)?;
    Ok(libm::exp(log_delta(epsilon, sensitivity / sigma)?))
}

/// The smallest σ with which noise on a query of sensitivity Δ₂ is (ε, δ)-private, rounded up by a few units in the last place.
///
/// # Errors
/// [`AccountingError::Parameter`] if ε is negative, δ is not in (0, 1), Δ is not positive, or one is not finite;
/// [`AccountingError::Limit`] if σ is beyond the range of a double
///
/// ```
/// use epsweep_core::accounting::gaussian;
///
/// let sigma = gaussian::sigma(0.5, 1e-6, 1.0)?;
/// assert!((gaussian::delta(0.5, sigma, 1.0)? / 1e-6 - 1.0).abs() < 1e-9);
/// let classic = (2.0 * f64::ln(1.25 / 1e-6)).sqrt() / 0.5;
/// assert!(sigma < classic);
/// # Ok::<(), epsweep_core::accounting::AccountingError>(())
/// ```
pub fn sigma(epsilon: f64, delta: f64, sensitivity: f64) -> Result<f64, AccountingError> {
    error::non_negative("ε", epsilon)?;
    error::positive_delta(delta)?;
    error::positive("Δ", sensitivity)?;
    let target = libm::log(delta);
    let (low, _) = numeric::bisect(-690.0, 690.0, |log_mu| {
        log_delta_of(epsilon, libm::exp(log_mu)) > target
    });
    let mu = libm::exp(low);
    let sigma = sensitivity / mu * (1.0 + 1e-13);
    if low > -690.0 && sigma.is_finite() && sigma > 0.0 {
        return Ok(sigma);
    }
    Err(AccountingError::Limit {
        method: ABOUT.name,
        what: "σ",
        value: sigma,
        limit: 1e299 * sensitivity,
        remedy: "raise ε or δ",
    })
}

/// The smallest ε ≥ 0 at δ for μ = Δ/σ.
///
/// # Errors
/// [`AccountingError::Parameter`] if μ is not finite and positive or δ is not in (0, 1)
pub fn epsilon(mu: f64, delta: f64) -> Result<f64, AccountingError> {
    error::positive("Δ/σ", mu)?;
    error::positive_delta(delta)?;
    let target = libm::log(delta);
    if log_delta_of(0.0, mu) <= target {
        return Ok(0.0);
    }
    // δ ≤ Q(a) ≤ e^(−a²/2)
    let enough = 0.5 * mu * mu + mu * (-2.0 * target).sqrt();
    if !enough.is_finite() {
        return Err(AccountingError::Limit {
            method: ABOUT.name,
            what: "Δ/σ",
            value: mu,
            limit: 1e154,
            remedy: "that is no privacy; raise σ",
        });
    }
    let (_, high) = numeric::bisect(0.0, enough, |epsilon| log_delta_of(epsilon, mu) <= target);
    Ok(high)
}

/// The accountant for releases that are all Gaussian: exact.
#[derive(Debug)]
pub struct Gaussian;

const ABOUT: About = About {
    name: "gaussian",
    summary: "the exact total of releases with Gaussian noise",
    formula: "μ² = Σ Δᵢ²/σᵢ², δ = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)",
    source: "Balle, Wang, ICML 2018, theorem 8; Dong, Roth, Su, JRSS B 84, 2022, corollary 3.3",
};

impl Accountant for Gaussian {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let mu = mu(releases)?;
        let epsilon = epsilon(mu, delta)?;
        Ok(Total {
            epsilon,
            // down by what rounding may have added: some 1e-14 of ln δ, which move ε by no more of μ, so that this covers ε > 1e-5·μ
            lower: Some(epsilon * (1.0 - 1e-9)),
            note: Some(format!("μ = {}", Rounded(mu))),
        })
    }

    fn at_epsilon(&self, releases: &[Release], epsilon: f64) -> Result<AtEpsilon, AccountingError> {
        let delta = libm::exp(log_delta(epsilon, mu(releases)?)?);
        Ok(AtEpsilon {
            // up by the rounding of ln δ: e^x has the relative error of x's absolute one, and |ln δ| < 745 with some units in the last place
            // makes 745·1e-15 at most
            delta: (delta * (1.0 + 1e-12)).min(1.0),
            // down by more than that: the lower bound need not be sharp
            lower: Some(delta * (1.0 - 1e-9)),
        })
    }
}

/// μ of all these releases together.
fn mu(releases: &[Release]) -> Result<f64, AccountingError> {
    if releases.is_empty() {
        return Err(AccountingError::Empty);
    }
    let mut squares = Vec::with_capacity(releases.len());
    for release in releases {
        match release.mechanism() {
            Mechanism::Gaussian(noise) => {
                squares.push(release.count() as f64 / noise.get() / noise.get())
            }
            Mechanism::SubsampledGaussian(probability, noise) if probability.get() == 1.0 => {
                squares.push(release.count() as f64 / noise.get() / noise.get());
            }
            other => {
                return Err(AccountingError::Unsupported {
                    method: ABOUT.name,
                    what: other.to_string(),
                    reason: "its formula is about Gaussian noise only",
                    alternative: "pld or rdp",
                });
            }
        }
    }
    Ok(crate::summation::sum(&squares).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_scales_that_are_published_come_out() {
        for (epsilon, delta, expected) in [
            (0.1, 1e-5, 30.749566),
            (0.5, 1e-5, 7.0318267),
            (1.0, 1e-5, 3.7306316),
            (2.0, 1e-5, 1.9938124),
            (5.0, 1e-5, 0.89186827),
            (10.0, 1e-5, 0.49988862),
            (20.0, 1e-5, 0.29004142),
            (50.0, 1e-5, 0.14976061),
            (100.0, 1e-6, 0.097837224),
            (1000.0, 1e-6, 0.024850367),
        ] {
            let got = sigma(epsilon, delta, 1.0).unwrap();
            assert!(
                (got / expected - 1.0).abs() < 5e-8,
                "σ({epsilon}, {delta}) is {got}, not {expected}"
            );
        }
        assert!((sigma(1.0, 1e-30, 1.0).unwrap() - 11.083).abs() < 5e-4);
    }

    #[test]
    fn large_epsilon_neither_overflows_nor_drifts() {
        for (epsilon, sigma, expected) in [
            (1.0, 1.0, 0.126936738),
            (800.0, 0.025, 0.49003266),
            (1000.0, 0.0225, 0.38201291),
        ] {
            let got = delta(epsilon, sigma, 1.0).unwrap();
            assert!(
                (got / expected - 1.0).abs() < 2e-8,
                "δ({epsilon}, {sigma}) is {got}, not {expected}"
            );
        }
    }

    #[test]
    fn the_whole_range_comes_back() {
        for epsilon in [0.0, 1e-8, 1e-4, 0.1, 1.0, 10.0, 100.0, 1000.0] {
            let mut before = 0.0;
            for exponent in [0.1, 1.0, 5.0, 10.0, 30.0, 100.0, 200.0, 300.0] {
                let asked = libm::pow(10.0, -exponent);
                let sigma = sigma(epsilon, asked, 1.0).unwrap();
                assert!(
                    sigma > before,
                    "σ must rise as δ falls: {sigma} after {before}"
                );
                before = sigma;
                let back = delta(epsilon, sigma, 1.0).unwrap();
                assert!(
                    (back / asked - 1.0).abs() < 1e-8 && back <= asked,
                    "ε = {epsilon}: δ = {back:e} for {asked:e}"
                );
            }
        }
    }

    #[test]
    fn epsilon_never_falls_as_delta_falls() {
        let mut before = 0.0;
        for exponent in 3..=300 {
            let epsilon = epsilon(0.25, libm::pow(10.0, -f64::from(exponent))).unwrap();
            assert!(
                epsilon > before && epsilon < 11.0,
                "{epsilon} after {before} at 1e-{exponent}"
            );
            before = epsilon;
        }
    }

    proptest! {
        #[test]
        fn delta_falls_with_epsilon_and_rises_with_mu(log_mu in -18.0..4.0f64, log_epsilon in -18.0..7.0f64) {
            let (mu, epsilon) = (libm::exp(log_mu), libm::exp(log_epsilon));
            let here = log_delta(epsilon, mu).unwrap();
            prop_assert!(here <= 0.0 && !here.is_nan());
            prop_assert!(log_delta(epsilon * 1.01, mu).unwrap() <= here);
            prop_assert!(log_delta(epsilon, mu * 1.01).unwrap() >= here);
        }
    }
}
