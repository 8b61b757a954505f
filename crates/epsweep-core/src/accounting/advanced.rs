//! Advanced composition: the privacy loss of many releases concentrates around its mean, at the price of δ′.
//!
//! - classic: Dwork, Rothblum and Vadhan, FOCS 2010, theorem III.3; Dwork and Roth 2014, theorem 3.20
//! - refined: Kairouz, Oh and Viswanath, IEEE Transactions on Information Theory 63, 2017, theorems 3.4 and 3.5, with the exact
//!   largest mean (e^ε − 1)/(e^ε + 1)·ε of the loss

use super::error::{self, AccountingError};
use super::release::Release;
use super::{Accountant, Total, release};
use crate::about::About;

/// The bounds on ε for k releases with the same ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Σε
    pub basic: f64,
    /// √(2Σε² ln 1/δ′) + Σε(e^ε − 1); infinite beyond ε ≈ 700
    pub classic: f64,
    /// Σε·tanh(ε/2) + √(2Σε² ln 1/δ′)
    pub refined: f64,
    /// Σε·tanh(ε/2) + √(2Σε² ln(e + √(Σε²)/δ′)), which is smaller where Σε² is
    pub refined_small: f64,
}

impl Bounds {
    /// The smallest.
    pub fn best(&self) -> f64 {
        self.basic
            .min(self.classic)
            .min(self.refined)
            .min(self.refined_small)
    }
}

/// The bounds for releases with εᵢ, each `count` times, at δ′ beyond the releases' own δ.
///
/// # Errors
/// [`AccountingError::Parameter`] if an ε is negative or not finite, or δ′ is not in (0, 1)
pub fn bounds(epsilons: &[(f64, f64)], delta_prime: f64) -> Result<Bounds, AccountingError> {
    error::positive_delta(delta_prime)?;
    let (mut basic, mut squares, mut classic_mean, mut mean) = (0.0, 0.0, 0.0, 0.0);
    for &(epsilon, count) in epsilons {
        error::non_negative("ε", epsilon)?;
        error::positive("count of releases", count)?;
        basic += count * epsilon;
        squares += count * epsilon * epsilon;
        classic_mean += count * epsilon * libm::expm1(epsilon);
        mean += count * epsilon * libm::tanh(0.5 * epsilon);
    }
    let log = -libm::log(delta_prime);
    let wide = libm::log(std::f64::consts::E + squares.sqrt() / delta_prime);
    Ok(Bounds {
        basic,
        classic: (2.0 * squares * log).sqrt() + classic_mean,
        refined: mean + (2.0 * squares * log).sqrt(),
        refined_small: mean + (2.0 * squares * wide).sqrt(),
    })
}

/// kδ + δ′: the δ of the classic theorem.
pub fn classic_delta(count: f64, delta: f64, delta_prime: f64) -> f64 {
    count * delta + delta_prime
}

/// 1 − (1 − δ)ᵏ(1 − δ′): the δ of the refined theorem, never above the classic one.
pub fn refined_delta(count: f64, delta: f64, delta_prime: f64) -> f64 {
    -libm::expm1(count * libm::log1p(-delta) + libm::log1p(-delta_prime))
}

fn epsilons(about: &About, releases: &[Release]) -> Result<Vec<(f64, f64)>, AccountingError> {
    releases
        .iter()
        .map(|release| match release.mechanism().epsilon_delta() {
            Some((epsilon, _)) => Ok((epsilon, release.count() as f64)),
            None => Err(AccountingError::Unsupported {
                method: about.name,
                what: release.mechanism().to_string(),
                reason: "its theorem is about releases with an ε of their own",
                alternative: "zcdp, rdp or pld",
            }),
        })
        .collect()
}

/// The accountant by the classic theorem.
#[derive(Debug)]
pub struct Classic;

const CLASSIC: About = About {
    name: "advanced",
    summary: "advanced composition in its first form; above the plain sum for few releases",
    formula: "ε = √(2 Σεᵢ² ln 1/δ′) + Σ εᵢ(e^εᵢ − 1), δ = Σδᵢ + δ′",
    source: "Dwork, Rothblum, Vadhan, FOCS 2010, theorem III.3",
};

impl Accountant for Classic {
    fn about(&self) -> &'static About {
        &CLASSIC
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let list = epsilons(&CLASSIC, releases)?;
        let own: f64 = releases
            .iter()
            .map(|release| release.count() as f64 * release.mechanism().own_delta())
            .sum();
        let left = if own == 0.0 { delta } else { delta - own };
        if own > 0.0 && left <= 0.0 {
            return Err(AccountingError::Infeasible {
                method: CLASSIC.name,
                delta,
                least: own,
            });
        }
        finite(&CLASSIC, releases, bounds(&list, left)?.classic)
    }
}

/// The accountant by the refined theorem.
#[derive(Debug)]
pub struct Refined;

const REFINED: About = About {
    name: "advanced-refined",
    summary: "advanced composition with the exact mean of the privacy loss; above the plain sum for few releases",
    formula: "ε = Σ εᵢ tanh(εᵢ/2) + √(2 Σεᵢ² · min(ln 1/δ′, ln(e + √Σεᵢ²/δ′))), 1 − δ = (1 − δ′) Π(1 − δᵢ)",
    source: "Kairouz, Oh, Viswanath, IEEE Trans. Inf. Theory 63, 2017, theorems 3.4 and 3.5",
};

impl Accountant for Refined {
    fn about(&self) -> &'static About {
        &REFINED
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let list = epsilons(&REFINED, releases)?;
        let left = release::remaining_delta(REFINED.name, releases, delta)?;
        let bounds = bounds(&list, left)?;
        finite(&REFINED, releases, bounds.refined.min(bounds.refined_small))
    }
}

fn finite(about: &About, releases: &[Release], epsilon: f64) -> Result<Total, AccountingError> {
    if epsilon.is_finite() {
        return Ok(Total::upper(epsilon));
    }
    let largest = releases
        .iter()
        .filter_map(|release| release.mechanism().epsilon_delta())
        .map(|pair| pair.0);
    Err(AccountingError::Limit {
        method: about.name,
        what: "the largest ε of a release",
        value: largest.fold(0.0, f64::max),
        limit: 700.0,
        remedy: "its e^ε exceeds a double; use basic, zcdp or pld",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refined_delta_is_never_above_the_classic_one() {
        for (count, delta) in [(1.0, 0.0), (10.0, 1e-6), (1000.0, 1e-4)] {
            assert!(
                refined_delta(count, delta, 1e-6)
                    <= classic_delta(count, delta, 1e-6) * (1.0 + 1e-15)
            );
        }
    }

    #[test]
    fn a_delta_of_zero_is_refused() {
        assert!(
            bounds(&[(0.1, 3.0)], 0.0)
                .unwrap_err()
                .to_string()
                .contains("above 0")
        );
        assert!(bounds(&[(0.1, 3.0)], f64::NAN).is_err());
    }
}
