//! A stream: what one of its cells is, and what answers it.

mod block;
mod gate;
mod loss;
mod policy;

pub use block::Block;
pub use gate::GateCell;
pub use loss::{LossTable, MOST_QUERIES};
pub use policy::{Group, PolicyCell, Quantity, positions_of};

use epsweep_core::about::About;
use epsweep_core::random::Source;
use std::sync::Arc;

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "stream",
    summary: "queries answered one after another under one guarantee, by a gate or a policy",
    formula: "a gate says q + noise ≥ T + noise; a policy tells q + noise and goes through a filter",
    source: "Dwork, Naor, Reingold, Rothblum and Vadhan, STOC 2009; Rogers and others, NeurIPS 2016",
};

/// An example of its section.
pub const EXAMPLE: &str = "[procedure.stream]\nanswers = [6, 14, 8, 12]\nsensitivity = 1\ngate = { name = \"svt-alg7\", c = 2, threshold = 10 }\n";

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
