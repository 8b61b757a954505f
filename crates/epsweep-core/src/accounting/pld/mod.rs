//! The privacy loss distribution, composed numerically: for unequal and mixed releases, with certified bounds on both sides.
//!
//! - the loss and its composition by convolution: Sommer, Meiser and Mohammadi, PoPETs 2019(2), theorem 1; by the fast Fourier transform:
//!   Koskela, Jälkö and Honkela, AISTATS 2020
//! - the upper bound: a lattice law that dominates the true one (`loss`), Doroshenko et al., PoPETs 2022(4)
//! - the lower bound: the upper one less what the lattice can add (`gap`)
//!
//! Lattice masses are tilted before they are convolved. With the moment M(θ) = E[e^(θL)] and the tilted law p̃,
//! δ(ε) = M·e^(−θε)·Σ over y > ε of p̃(y)·e^(−θ(y−ε))·(1 − e^(ε−y)): every error in p̃ (mass cut off, mass that wraps around, rounding) enters as
//! itself times M·e^(−θε), which is Chernoff's bound on δ, so that δ = 1e-300 is as well served as 1e-3.
//!
//! Purely private releases are taken for randomised response, which dominates them: for those the lower bound is about
//! the worst mechanism with that ε. The exponential mechanism and permute-and-flip are taken for it, too, and are better than that at every ε below
//! their own: beside them no lower bound is told. Sampling is asymmetric, so that both directions are composed and the larger counts.

mod composed;
mod fft;
mod gap;
mod lattice;
mod loss;
mod merge;

use super::error::{self, AccountingError};
use super::release::{self, Mechanism, NoiseMultiplier, Release};
use super::{Accountant, AtEpsilon, Total};
use crate::about::About;
use crate::numeric;
use composed::Composed;
use loss::Direction;

/// Bounds between which the true value lies, with randomised response for the exponential mechanism and permute-and-flip: of those, the upper
/// one alone is a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// not above the true value
    pub lower: f64,
    /// not below it
    pub upper: f64,
}

/// The largest tilt: 1/θ must stay far above what is lost.
const STEEPEST: f64 = 1e10;

/// What is composed: Gaussian releases as one, then every mechanism with its count.
fn normalised(releases: &[Release]) -> Result<Vec<(Mechanism, u64)>, AccountingError> {
    let mut squares = 0.0;
    let mut groups = Vec::new();
    for release in release::grouped(releases)? {
        match release.mechanism() {
            Mechanism::Gaussian(noise) => {
                squares += release.count() as f64 / noise.get() / noise.get()
            }
            mechanism => groups.push((mechanism, release.count())),
        }
    }
    if squares > 0.0 {
        // one Gaussian release with μ² = Σμ² is exactly as private
        groups.push((
            Mechanism::Gaussian(NoiseMultiplier::new(1.0 / squares.sqrt())?),
            1,
        ));
    }
    Ok(groups)
}

/// ln E[e^(θL)] of all together; infinite where it cannot be computed, since it only steers.
fn log_moment(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let mut sum = 0.0;
    for &(mechanism, count) in groups {
        match loss::log_moment(mechanism, theta) {
            Ok(moment) => sum += count as f64 * moment,
            Err(_) => return f64::INFINITY,
        }
    }
    if sum.is_nan() { f64::INFINITY } else { sum }
}

/// The directions that have to be looked at.
fn directions(groups: &[(Mechanism, u64)]) -> &'static [Direction] {
    let sampled = groups.iter().any(|(mechanism, _)| match mechanism {
        Mechanism::SubsampledGaussian(probability, _) => probability.get() < 1.0,
        _ => false,
    });
    if sampled {
        &[Direction::Remove, Direction::Add]
    } else {
        &[Direction::Remove]
    }
}

/// The θ at which a function that falls and then rises is least.
fn best_tilt(mut of: impl FnMut(f64) -> f64) -> f64 {
    libm::exp(
        numeric::minimise(libm::log(1e-3), libm::log(STEEPEST), |log_theta| {
            of(libm::exp(log_theta))
        })
        .0,
    )
}

/// ln of θ^θ/(1 + θ)^(1 + θ), the largest (1 − e^(−d))·e^(−θd): with it, M·e^(−θε) is the improved conversion's bound on δ.
fn log_peak(theta: f64) -> f64 {
    -theta * libm::log1p(1.0 / theta) - libm::log1p(theta)
}

/// Refuses what has no pair before anything is computed.
fn check_pairs(groups: &[(Mechanism, u64)]) -> Result<(), AccountingError> {
    for &(mechanism, _) in groups {
        if matches!(mechanism, Mechanism::Zcdp(_)) {
            loss::leaf(mechanism, Direction::Remove, 0.0, 1.0)?;
        }
    }
    Ok(())
}

/// Bounds on the smallest ε of all releases together at δ.
///
/// # Errors
/// [`AccountingError`] if δ is not in (0, 1), a release has no dominating pair, or the lattice cannot hold them
pub fn epsilon(releases: &[Release], delta: f64) -> Result<Bounds, AccountingError> {
    error::positive_delta(delta)?;
    let left = release::remaining_delta(ABOUT.name, releases, delta)?;
    let groups = normalised(releases)?;
    check_pairs(&groups)?;
    let log_delta = libm::log(left);
    let theta =
        best_tilt(|theta| (log_moment(&groups, theta) + log_peak(theta) - log_delta) / theta);
    let largest = largest_loss(&groups);
    let mut bounds = Bounds {
        lower: 0.0,
        upper: 0.0,
    };
    for &direction in directions(&groups) {
        let found = Composed::new(&groups, direction, theta)?.epsilon_bounds(log_delta, largest);
        bounds = Bounds {
            lower: bounds.lower.max(found.lower),
            upper: bounds.upper.max(found.upper),
        };
    }
    bounds.lower = bounds.lower.min(bounds.upper);
    if bounds.upper.is_finite() {
        return Ok(bounds);
    }
    Err(AccountingError::Limit {
        method: ABOUT.name,
        what: "ln δ",
        value: log_delta,
        limit: log_delta + 1.0,
        remedy: "use a larger δ, or rdp",
    })
}

/// Bounds on the δ of all releases together at ε ≥ 0.
///
/// # Errors
/// [`AccountingError`] if ε is negative or not finite, a release has no dominating pair, or the lattice cannot hold them
pub fn delta(releases: &[Release], epsilon: f64) -> Result<Bounds, AccountingError> {
    error::non_negative("ε", epsilon)?;
    let groups = normalised(releases)?;
    check_pairs(&groups)?;
    let own = release::composed_own_delta(releases);
    if epsilon >= largest_loss(&groups) {
        return Ok(Bounds {
            lower: own,
            upper: own,
        });
    }
    let theta = best_tilt(|theta| log_moment(&groups, theta) + log_peak(theta) - theta * epsilon);
    let mut bounds = Bounds {
        lower: 0.0,
        upper: 0.0,
    };
    for &direction in directions(&groups) {
        let found = Composed::new(&groups, direction, theta)?.delta_bounds(epsilon);
        bounds = Bounds {
            lower: bounds.lower.max(found.lower),
            upper: bounds.upper.max(found.upper),
        };
    }
    let with_own = |delta: f64| own + (1.0 - own) * delta;
    Ok(Bounds {
        lower: with_own(bounds.lower),
        upper: with_own(bounds.upper),
    })
}

/// Σε where every release has a largest loss, else ∞.
fn largest_loss(groups: &[(Mechanism, u64)]) -> f64 {
    let parts: Option<Vec<f64>> = groups
        .iter()
        .map(|(mechanism, count)| mechanism.epsilon_delta().map(|pair| pair.0 * *count as f64))
        .collect();
    parts.map_or(f64::INFINITY, |parts| crate::summation::sum(&parts))
}

/// Whether what is composed is what the releases can do at worst, so that the lower bound is one of theirs.
fn attained(releases: &[Release]) -> bool {
    !(releases.iter()).any(|release| {
        matches!(
            release.mechanism(),
            Mechanism::ExponentialMechanism(_) | Mechanism::PermuteAndFlip(_)
        )
    })
}

/// The accountant.
#[derive(Debug)]
pub struct Pld;

const ABOUT: About = About {
    name: "pld",
    summary: "the privacy loss distribution, composed numerically, with certified bounds on both sides",
    formula: "δ(ε) = E[(1 − e^(ε−L))₊], L = Σ ln P/Q under P",
    source: "Sommer, Meiser, Mohammadi, PoPETs 2019; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PoPETs 2022(4)",
};

impl Accountant for Pld {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let bounds = epsilon(releases, delta)?;
        Ok(Total {
            epsilon: bounds.upper,
            lower: attained(releases).then_some(bounds.lower),
            note: None,
        })
    }

    fn at_epsilon(&self, releases: &[Release], epsilon: f64) -> Result<AtEpsilon, AccountingError> {
        let bounds = delta(releases, epsilon)?;
        Ok(AtEpsilon {
            delta: bounds.upper.min(1.0),
            lower: attained(releases).then_some(bounds.lower),
        })
    }
}

#[cfg(test)]
mod tests;
