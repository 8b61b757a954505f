//! What the procedure is told of a cell.

use super::{GateCell, PolicyCell};
use epsweep_core::random::Source;
use std::sync::Arc;

/// A stream of queries with what answers them.
#[derive(Clone, Debug)]
pub struct StreamCell {
    /// canonical text of the cell: names it, and its streams where they are independent
    pub id: String,
    /// what all answers together may spend: ε, ρ or a divergence
    pub guarantee: f64,
    /// what answers
    pub method: Method,
}

/// What answers the queries.
#[derive(Clone, Debug)]
pub enum Method {
    /// a gate: which queries are above their thresholds
    Gate(Arc<GateCell>),
    /// a policy: a value at each position, for as much as it decides
    Policy(Arc<PolicyCell>),
}

impl StreamCell {
    /// The gate, if one answers.
    pub fn gate(&self) -> Option<&GateCell> {
        match &self.method {
            Method::Gate(gate) => Some(gate),
            Method::Policy(_) => None,
        }
    }

    /// The policy, if one answers.
    pub fn policy(&self) -> Option<&PolicyCell> {
        match &self.method {
            Method::Gate(_) => None,
            Method::Policy(policy) => Some(policy),
        }
    }
}

impl Method {
    /// The noise that it reads.
    pub fn sources(&self) -> Vec<Source> {
        match self {
            Method::Gate(gate) => gate.sources(),
            Method::Policy(policy) => policy.sources(),
        }
    }

    /// How many queries there are.
    pub fn queries(&self) -> usize {
        match self {
            Method::Gate(gate) => gate.lockstep.queries().len(),
            Method::Policy(policy) => policy.answers.len(),
        }
    }

    /// A text that is the same for methods with equal laws on equal noise.
    pub fn evidence(&self) -> String {
        match self {
            Method::Gate(gate) => gate.evidence(),
            Method::Policy(policy) => policy.evidence(),
        }
    }
}
