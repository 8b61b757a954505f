//! Mechanisms that can be audited: what they put out on an input, and which pairs of neighbouring inputs may be their worst.
//!
//! Each runs by its definition, on addressed draws. To add one: a file here, and a line in [`REGISTRY`].

mod additive;
mod counts;
mod mean;
mod noise;
mod noisy_max;
mod selection;
mod sparse_vector;

use super::{AuditError, Outputs};
use crate::about::About;
use crate::budget::{Budget, Delta, Epsilon, Rho};
use crate::query::{Arguments, Parameter, ParameterKind, QueryError};
use crate::random::{Draws, Source};
use std::fmt::Debug;

/// Two neighbouring inputs. What the numbers are depends on the mechanism: true answers, scores, records.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// one input
    pub a: Vec<f64>,
    /// its neighbour
    pub b: Vec<f64>,
    /// how they differ
    pub words: String,
}

impl Pair {
    /// The input of a side, 0 or 1.
    pub fn side(&self, side: usize) -> &[f64] {
        if side == 0 { &self.a } else { &self.b }
    }
}

/// A mechanism, ready to run.
pub trait Subject: Debug + Send + Sync {
    /// Pairs of neighbouring inputs that may be the worst: at least one, all of them taken by [`check`](Subject::check).
    fn pairs(&self) -> Vec<Pair>;

    /// Whether these inputs can be run on, and whether their outputs are of one form.
    ///
    /// # Errors
    /// [`AuditError::Input`] if not
    fn check(&self, pair: &Pair) -> Result<(), AuditError>;

    /// The numbers of an output without noise, or 0 where that means nothing; as many as every output has.
    fn centre(&self, input: &[f64]) -> Vec<f64>;

    /// The draws that runs on this input read.
    fn sources(&self, input: &[f64]) -> Vec<Source>;

    /// The outputs on an input, one for each place of `out`, with draws of these [`sources`](Subject::sources).
    fn run(&self, input: &[f64], draws: &Draws, out: &mut Outputs);

    /// What the outcome of this number is called; `None` where there is but one.
    fn outcome(&self, outcome: u32) -> Option<String> {
        let _ = outcome;
        None
    }
}

/// A kind of mechanism, by the name that a file uses.
pub trait SubjectKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// What can be said of it in a file.
    fn parameters(&self) -> &'static [Parameter];

    /// An example of its parameters, as an inline table of TOML.
    fn example(&self) -> &'static str;

    /// The mechanism with these arguments.
    ///
    /// # Errors
    /// [`AuditError`] for arguments that it does not take
    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Subject>, AuditError>;
}

/// All kinds, in the order in which they are listed.
pub const REGISTRY: &[&dyn SubjectKind] = &[
    &noise::NoiseSubject,
    &counts::CountsSubject,
    &mean::MeanSubject,
    &selection::SelectionSubject,
    &noisy_max::NoisyMaxSubject,
    &sparse_vector::SparseVectorSubject,
];

const fn parameter(
    name: &'static str,
    kind: ParameterKind,
    required: bool,
    summary: &'static str,
) -> Parameter {
    Parameter {
        name,
        kind,
        required,
        summary,
    }
}

const EPSILON: Parameter = parameter(
    "epsilon",
    ParameterKind::Number,
    true,
    "the ε that the mechanism is calibrated to",
);

const SENSITIVITY: Parameter = parameter(
    "sensitivity",
    ParameterKind::Number,
    false,
    "the sensitivity that it is calibrated to; 1 without it",
);

const NEIGHBOURS: Parameter = parameter(
    "neighbours",
    ParameterKind::Choice(&["add-remove", "substitute"]),
    true,
    "how data sets of the searched pairs differ: add-remove or substitute",
);

/// The ε of a calibration, above 0.
fn epsilon(mechanism: &'static str, arguments: &Arguments) -> Result<f64, AuditError> {
    positive(mechanism, arguments, "epsilon", f64::NAN)
}

/// A number above 0.
fn positive(
    mechanism: &'static str,
    arguments: &Arguments,
    argument: &'static str,
    default: f64,
) -> Result<f64, AuditError> {
    let value = arguments.number(argument).unwrap_or(default);
    if value > 0.0 && value < f64::INFINITY {
        return Ok(value);
    }
    Err(AuditError::Argument(QueryError::Range {
        query: mechanism,
        argument,
        value,
        rule: "finite and above 0",
    }))
}

/// The budget that a mechanism is calibrated to: `epsilon`, `epsilon` with `delta`, or `rho`.
fn budget(mechanism: &'static str, arguments: &Arguments) -> Result<Budget, AuditError> {
    let exclusive = |first, second| AuditError::Exclusive {
        mechanism,
        first,
        second,
    };
    let number = |name| arguments.number(name);
    match (number("epsilon"), number("delta"), number("rho")) {
        (Some(epsilon), None, None) => Ok(Budget::Pure(Epsilon::new(epsilon)?)),
        (Some(epsilon), Some(delta), None) => Ok(Budget::Approximate(
            Epsilon::new(epsilon)?,
            Delta::new(delta)?,
        )),
        (None, None, Some(rho)) => Ok(Budget::Zcdp(Rho::new(rho)?)),
        (Some(_), _, Some(_)) => Err(exclusive("epsilon", "rho")),
        (None, Some(_), Some(_)) => Err(exclusive("delta", "rho")),
        (None, _, None) => Err(AuditError::Scale {
            mechanism,
            rule: "give epsilon, epsilon and delta, or rho",
        }),
    }
}

/// A whole number from 1 to `most`, `default` where it is not given.
fn count(
    mechanism: &'static str,
    arguments: &Arguments,
    argument: &'static str,
    default: usize,
) -> Result<usize, AuditError> {
    let found = arguments.whole(
        mechanism,
        argument,
        (1.0, 1000.0),
        "a whole number from 1 to 1000",
    )?;
    Ok(found.unwrap_or(default))
}

/// Refuses an input by a rule.
fn refuse<T>(
    mechanism: &'static str,
    what: impl Into<String>,
    rule: impl Into<String>,
) -> Result<T, AuditError> {
    Err(AuditError::Input {
        mechanism,
        what: what.into(),
        rule: rule.into(),
    })
}

/// Checks that both inputs are as long as each other and not empty.
fn same_length(mechanism: &'static str, pair: &Pair) -> Result<(), AuditError> {
    let (a, b) = (pair.a.len(), pair.b.len());
    if a != b || a == 0 {
        let what = format!("{a} numbers long and its neighbour {b}");
        return refuse(mechanism, what, "as long as its neighbour, and not empty");
    }
    Ok(())
}
