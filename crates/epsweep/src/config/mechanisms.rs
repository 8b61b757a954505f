//! Releases to be accounted for: their kinds by name, one line each, and how a table gives one.

use super::diagnostic::Sink;
use super::value::Value;
use epsweep_core::accounting::{
    AccountingError, Mechanism, NoiseMultiplier, Release, SamplingProbability,
};
use epsweep_core::budget::{BudgetError, Delta, Epsilon, Rho};

/// A kind of release.
#[derive(Debug)]
pub struct Kind {
    /// what the command line and files call it
    pub name: &'static str,
    /// its parameters, in order
    pub parameters: &'static [&'static str],
    /// from as many numbers as there are parameters
    build: fn(&[f64]) -> Result<Mechanism, Refusal>,
}

/// Why a number is no parameter.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// no ε, δ or ρ
    #[error(transparent)]
    Budget(#[from] BudgetError),
    /// no multiplier or probability
    #[error(transparent)]
    Accounting(#[from] AccountingError),
}

/// All kinds.
pub const KINDS: &[Kind] = &[
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
pub fn names() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.name).collect()
}

impl Kind {
    /// The mechanism with these parameters, as many as the kind has.
    ///
    /// # Errors
    /// [`Refusal`] if a number is outside its domain
    pub fn mechanism(&self, given: &[f64]) -> Result<Mechanism, Refusal> {
        (self.build)(given)
    }
}

/// Up to how many times a release may run: beyond, doubles no longer count.
pub const MOST: u64 = 1 << 53;

/// A release from a table such as `{ laplace = 0.1, count = 100 }`, with the given keys besides, which the caller reads.
pub fn release(entry: &Value, besides: &[&str], sink: &Sink) -> Option<Release> {
    let reader = entry.reader(sink, "a release")?;
    for key in besides {
        reader.get(key);
    }
    let count = match reader.get("count") {
        None => Some(1),
        Some(value) => value.whole(sink, 1, MOST),
    };
    let found = reader.one_of("a mechanism", &names());
    reader.finish();
    let (which, value) = found?;
    let kind = &KINDS[which];
    let numbers = parameters(kind, value, sink)?;
    let refused =
        |error: &dyn std::fmt::Display| sink.fault(value.span, error.to_string()).report();
    let mechanism = kind
        .mechanism(&numbers)
        .map_err(|error| refused(&error))
        .ok()?;
    Release::repeated(mechanism, count?)
        .map_err(|error| refused(&error))
        .ok()
}

/// A number where there is one parameter, else a table of them; a table is taken for one, too.
fn parameters(kind: &Kind, value: &Value, sink: &Sink) -> Option<Vec<f64>> {
    if kind.parameters.len() == 1 && value.as_table().is_none() {
        return Some(vec![value.finite(sink)?]);
    }
    let reader = value.reader(sink, kind.name)?;
    let numbers: Vec<Option<f64>> = (kind.parameters.iter())
        .map(|parameter| reader.need(parameter).and_then(|value| value.finite(sink)))
        .collect();
    reader.finish();
    numbers.into_iter().collect()
}
