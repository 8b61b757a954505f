//! What is accounted for: a mechanism as the accountant sees it, and how often it runs.

use super::error::{AccountingError, positive};
use crate::budget::{Delta, Epsilon, Rho};
use std::fmt;

/// σ/Δ₂ of Gaussian noise: finite and above 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct NoiseMultiplier(f64);

impl NoiseMultiplier {
    /// # Errors
    /// [`AccountingError::Parameter`] if the value is NaN, infinite, zero or negative
    pub fn new(value: f64) -> Result<NoiseMultiplier, AccountingError> {
        positive("noise multiplier σ/Δ", value).map(NoiseMultiplier)
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// The probability with which each record enters a Poisson sample: above 0, at most 1.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct SamplingProbability(f64);

impl SamplingProbability {
    /// # Errors
    /// [`AccountingError::Parameter`] if the value is not in (0, 1]
    pub fn new(value: f64) -> Result<SamplingProbability, AccountingError> {
        if value > 0.0 && value <= 1.0 {
            Ok(SamplingProbability(value))
        } else {
            Err(AccountingError::Parameter {
                what: "sampling probability",
                value,
                rule: "must be above 0 and at most 1",
                remedy: "give the expected size of a sample divided by the number of records",
            })
        }
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

/// What is known of one release.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mechanism {
    /// ε-differential privacy and nothing more
    Pure(Epsilon),
    /// (ε, δ)-differential privacy and nothing more
    Approximate(Epsilon, Delta),
    /// ρ-zero-concentrated differential privacy and nothing more
    Zcdp(Rho),
    /// Laplace noise of scale Δ₁/ε
    Laplace(Epsilon),
    /// the truth with probability e^ε/(1 + e^ε), else the other of two answers
    RandomisedResponse(Epsilon),
    /// the exponential mechanism with probabilities ∝ e^(ε·u/2Δ), or its monotone form: it has a range bounded by ε
    ExponentialMechanism(Epsilon),
    /// permute-and-flip with probabilities e^(ε·(u − max u)/2Δ), or its monotone form
    PermuteAndFlip(Epsilon),
    /// Gaussian noise with σ/Δ₂
    Gaussian(NoiseMultiplier),
    /// Gaussian noise on a sum over a Poisson sample, under addition or removal of a record
    SubsampledGaussian(SamplingProbability, NoiseMultiplier),
}

impl Mechanism {
    /// The ε of pure differential privacy, where the mechanism has one.
    pub fn pure_epsilon(&self) -> Option<f64> {
        match self {
            Mechanism::Pure(epsilon)
            | Mechanism::Laplace(epsilon)
            | Mechanism::RandomisedResponse(epsilon)
            | Mechanism::ExponentialMechanism(epsilon)
            | Mechanism::PermuteAndFlip(epsilon) => Some(epsilon.get()),
            Mechanism::Approximate(epsilon, delta) if delta.get() == 0.0 => Some(epsilon.get()),
            _ => None,
        }
    }

    /// (ε, δ), where the mechanism is declared by them or is purely private.
    pub fn epsilon_delta(&self) -> Option<(f64, f64)> {
        match self {
            Mechanism::Approximate(epsilon, delta) => Some((epsilon.get(), delta.get())),
            other => other.pure_epsilon().map(|epsilon| (epsilon, 0.0)),
        }
    }

    /// The δ that the mechanism spends whatever ε is asked for.
    pub fn own_delta(&self) -> f64 {
        match self {
            Mechanism::Approximate(_, delta) => delta.get(),
            _ => 0.0,
        }
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mechanism::Pure(epsilon) => write!(formatter, "a release with ε = {:?}", epsilon.get()),
            Mechanism::Approximate(epsilon, delta) => {
                write!(
                    formatter,
                    "a release with ε = {:?}, δ = {:?}",
                    epsilon.get(),
                    delta.get()
                )
            }
            Mechanism::Zcdp(rho) => write!(formatter, "a release with ρ = {:?}", rho.get()),
            Mechanism::Laplace(epsilon) => {
                write!(formatter, "Laplace noise with ε = {:?}", epsilon.get())
            }
            Mechanism::RandomisedResponse(epsilon) => {
                write!(
                    formatter,
                    "randomised response with ε = {:?}",
                    epsilon.get()
                )
            }
            Mechanism::ExponentialMechanism(epsilon) => {
                write!(
                    formatter,
                    "the exponential mechanism with ε = {:?}",
                    epsilon.get()
                )
            }
            Mechanism::PermuteAndFlip(epsilon) => {
                write!(formatter, "permute-and-flip with ε = {:?}", epsilon.get())
            }
            Mechanism::Gaussian(noise) => {
                write!(formatter, "Gaussian noise with σ/Δ = {:?}", noise.get())
            }
            Mechanism::SubsampledGaussian(probability, noise) => write!(
                formatter,
                "Gaussian noise with σ/Δ = {:?} on a sample with probability {:?}",
                noise.get(),
                probability.get()
            ),
        }
    }
}

/// A mechanism that runs `count` times, each time on the same records, with outputs that may depend on earlier ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Release {
    mechanism: Mechanism,
    count: u64,
}

impl Release {
    /// One run.
    pub fn once(mechanism: Mechanism) -> Release {
        Release {
            mechanism,
            count: 1,
        }
    }

    /// `count` runs.
    ///
    /// # Errors
    /// [`AccountingError::Parameter`] if the count is 0 or above 2⁵³, where doubles no longer count
    pub fn repeated(mechanism: Mechanism, count: u64) -> Result<Release, AccountingError> {
        if (1..=1 << 53).contains(&count) {
            Ok(Release { mechanism, count })
        } else {
            Err(AccountingError::Parameter {
                what: "count of releases",
                value: count as f64,
                rule: "must be from 1 to 2^53",
                remedy: "leave out what is never released",
            })
        }
    }

    /// What is released.
    pub fn mechanism(&self) -> Mechanism {
        self.mechanism
    }

    /// How often.
    pub fn count(&self) -> u64 {
        self.count
    }
}

/// Equal mechanisms put together, in order of first appearance: k listed releases and one release k times are the same thing.
///
/// # Errors
/// [`AccountingError::Empty`] if there is none
pub fn grouped(releases: &[Release]) -> Result<Vec<Release>, AccountingError> {
    let mut groups: Vec<Release> = Vec::new();
    for release in releases {
        match groups
            .iter_mut()
            .find(|group| group.mechanism == release.mechanism)
        {
            Some(group) => group.count = group.count.saturating_add(release.count),
            None => groups.push(*release),
        }
    }
    if groups.is_empty() {
        Err(AccountingError::Empty)
    } else {
        Ok(groups)
    }
}

/// 1 − Π(1 − δᵢ): the probability that at least one release fails outright.
pub(crate) fn composed_own_delta(releases: &[Release]) -> f64 {
    let log: f64 = releases
        .iter()
        .map(|release| release.count as f64 * libm::log1p(-release.mechanism.own_delta()))
        .sum();
    -libm::expm1(log)
}

/// The δ that is left for what the releases do when none fails: 1 − δ = (1 − own)·(1 − left).
///
/// # Errors
/// [`AccountingError::Infeasible`] if nothing is left
pub(crate) fn remaining_delta(
    method: &'static str,
    releases: &[Release],
    delta: f64,
) -> Result<f64, AccountingError> {
    let own = composed_own_delta(releases);
    if own == 0.0 {
        return Ok(delta);
    }
    let left = (delta - own) / (1.0 - own);
    if left > 0.0 {
        Ok(left)
    } else {
        Err(AccountingError::Infeasible {
            method,
            delta,
            least: own,
        })
    }
}
