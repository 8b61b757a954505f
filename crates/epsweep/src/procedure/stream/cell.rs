//! What the procedure is told of a cell.

use super::GateCell;
use epsweep_core::random::Source;
use std::sync::Arc;

/// A stream of queries with what answers them.
#[derive(Clone, Debug)]
pub struct StreamCell {
    /// canonical text of the cell: names it, and its streams where they are independent
    pub id: String,
    /// ε that all answers together may spend
    pub guarantee: f64,
    /// what answers
    pub method: Method,
}

/// What answers the queries.
#[derive(Clone, Debug)]
pub enum Method {
    /// a gate: which queries are above their thresholds
    Gate(Arc<GateCell>),
}

impl Method {
    /// The noise that it reads.
    pub fn sources(&self) -> Vec<Source> {
        match self {
            Method::Gate(gate) => gate.sources(),
        }
    }

    /// How many queries there are.
    pub fn queries(&self) -> usize {
        match self {
            Method::Gate(gate) => gate.lockstep.queries().len(),
        }
    }

    /// A text that is the same for methods with equal laws on equal noise.
    pub fn evidence(&self) -> String {
        match self {
            Method::Gate(gate) => gate.evidence(),
        }
    }
}
