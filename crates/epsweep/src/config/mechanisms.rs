//! The kinds of releases by name: one line each.

use epsweep_core::accounting::{AccountingError, Mechanism, NoiseMultiplier, SamplingProbability};
use epsweep_core::budget::{BudgetError, Delta, Epsilon, Rho};

/// A kind of release.
pub(super) struct Kind {
    /// what the command line and files call it
    pub name: &'static str,
    /// its parameters, in order
    pub parameters: &'static [&'static str],
    /// from as many numbers as there are parameters
    build: fn(&[f64]) -> Result<Mechanism, Refusal>,
}

/// Why a number is no parameter.
#[derive(Debug, thiserror::Error)]
pub(super) enum Refusal {
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(transparent)]
    Accounting(#[from] AccountingError),
}

/// All kinds.
pub(super) const KINDS: &[Kind] = &[
    Kind {
        name: "pure",
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::Pure(Epsilon::new(given[0])?)),
    },
    Kind {
        name: "approximate",
        parameters: &["epsilon", "delta"],
        build: |given| {
            let (epsilon, delta) = (Epsilon::new(given[0])?, Delta::new(given[1])?);
            Ok(Mechanism::Approximate(epsilon, delta))
        },
    },
    Kind {
        name: "zcdp",
        parameters: &["rho"],
        build: |given| Ok(Mechanism::Zcdp(Rho::new(given[0])?)),
    },
    Kind {
        name: "laplace",
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::Laplace(Epsilon::new(given[0])?)),
    },
    Kind {
        name: "gaussian",
        parameters: &["noise"],
        build: |given| Ok(Mechanism::Gaussian(NoiseMultiplier::new(given[0])?)),
    },
    Kind {
        name: "subsampled-gaussian",
        parameters: &["probability", "noise"],
        build: |given| {
            let probability = SamplingProbability::new(given[0])?;
            let noise = NoiseMultiplier::new(given[1])?;
            Ok(Mechanism::SubsampledGaussian(probability, noise))
        },
    },
    Kind {
        name: "randomised-response",
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::RandomisedResponse(Epsilon::new(given[0])?)),
    },
    Kind {
        name: "exponential-mechanism",
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::ExponentialMechanism(Epsilon::new(given[0])?)),
    },
    Kind {
        name: "permute-and-flip",
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::PermuteAndFlip(Epsilon::new(given[0])?)),
    },
];

/// The names of all kinds.
pub(super) fn names() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).collect()
}

impl Kind {
    /// The mechanism with these parameters, as many as the kind has.
    pub fn mechanism(&self, given: &[f64]) -> Result<Mechanism, Refusal> {
        (self.build)(given)
    }
}
