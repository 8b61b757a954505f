//! Releases to be accounted for: their kinds by name, one line each, and how a table gives one.

use super::diagnostic::Sink;
use super::value::Value;
use epsweep_core::about::About;
use epsweep_core::accounting::{
    AccountingError, Mechanism, NoiseMultiplier, Release, SamplingProbability,
};
use epsweep_core::budget::{BudgetError, Delta, Epsilon, Rho};

/// A kind of release.
#[derive(Debug)]
pub struct Kind {
    /// what the command line and files call it, formula, source
    pub about: &'static About,
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
        about: &About {
            name: "pure",
            summary: "anything that is ε-differentially private",
            formula: "pure ε",
            source: "Dwork, McSherry, Nissim and Smith, TCC 2006, definition 1",
        },
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::Pure(Epsilon::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "approximate",
            summary: "anything that is (ε, δ)-differentially private",
            formula: "(ε, δ)",
            source: "Dwork, Kenthapadi, McSherry, Mironov and Naor, Eurocrypt 2006",
        },
        parameters: &["epsilon", "delta"],
        build: |given| {
            let (epsilon, delta) = (Epsilon::new(given[0])?, Delta::new(given[1])?);
            Ok(Mechanism::Approximate(epsilon, delta))
        },
    },
    Kind {
        about: &About {
            name: "zcdp",
            summary: "anything that is ρ-zero-concentrated differentially private",
            formula: "D_α ≤ ρα for every α > 1",
            source: "Bun and Steinke, TCC 2016, definition 1.1",
        },
        parameters: &["rho"],
        build: |given| Ok(Mechanism::Zcdp(Rho::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "laplace",
            summary: "Laplace noise on a query of sensitivity Δ",
            formula: "scale Δ/ε",
            source: "Dwork, McSherry, Nissim and Smith, TCC 2006",
        },
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::Laplace(Epsilon::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "gaussian",
            summary: "Gaussian noise on a query of L2 sensitivity Δ",
            formula: "standard deviation noise · Δ; ρ = 1/(2 noise²)",
            source: "Bun and Steinke, TCC 2016, proposition 1.6",
        },
        parameters: &["noise"],
        build: |given| Ok(Mechanism::Gaussian(NoiseMultiplier::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "subsampled-gaussian",
            summary: "Gaussian noise on a Poisson sample of the records",
            formula: "each record is in the sample with the probability; standard deviation noise · Δ",
            source: "Abadi and others, CCS 2016; Mironov, Talwar and Zhang, 2019",
        },
        parameters: &["probability", "noise"],
        build: |given| {
            let probability = SamplingProbability::new(given[0])?;
            let noise = NoiseMultiplier::new(given[1])?;
            Ok(Mechanism::SubsampledGaussian(probability, noise))
        },
    },
    Kind {
        about: &About {
            name: "randomised-response",
            summary: "one bit, told as it is with the probability e^ε/(1 + e^ε)",
            formula: "P(truth) = e^ε/(1 + e^ε)",
            source: "Warner, JASA 1965; Kairouz, Oh and Viswanath, ICML 2015",
        },
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::RandomisedResponse(Epsilon::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "exponential-mechanism",
            summary: "a choice by the exponential mechanism, which is ε-bounded-range",
            formula: "P ∝ exp(εu/(2Δ))",
            source: "McSherry and Talwar, FOCS 2007; Dong, Durfee and Rogers, ICML 2020",
        },
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::ExponentialMechanism(Epsilon::new(given[0])?)),
    },
    Kind {
        about: &About {
            name: "permute-and-flip",
            summary: "a choice by permute-and-flip",
            formula: "flips with probability exp(ε(u − max u)/(2Δ))",
            source: "McKenna and Sheldon, NeurIPS 2020",
        },
        parameters: &["epsilon"],
        build: |given| Ok(Mechanism::PermuteAndFlip(Epsilon::new(given[0])?)),
    },
];

/// What a parameter of a kind is.
pub fn parameter(name: &str) -> &'static str {
    match name {
        "epsilon" => "ε, above 0",
        "delta" => "δ, at least 0 and below 1",
        "rho" => "ρ, above 0",
        "noise" => "standard deviation of the noise, in sensitivities",
        "probability" => "probability of each record to be in the sample",
        _ => "",
    }
}

/// The names of all kinds.
pub fn names() -> Vec<&'static str> {
    KINDS.iter().map(|kind| kind.about.name).collect()
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
    let reader = value.reader(sink, kind.about.name)?;
    let numbers: Vec<Option<f64>> = (kind.parameters.iter())
        .map(|parameter| reader.need(parameter).and_then(|value| value.finite(sink)))
        .collect();
    reader.finish();
    numbers.into_iter().collect()
}
