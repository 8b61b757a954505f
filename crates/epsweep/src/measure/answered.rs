//! How many queries got an answer.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, Method, Quantity, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Answered;

impl Measure for Answered {
    fn about(&self) -> &'static About {
        &About {
            name: "answered",
            summary: "queries that got an answer, yes or no: for a gate the position at which it closes",
            formula: "the number of answers",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |_| true,
            kind: |cell| RowKind::Index {
                n: cell.method.queries() + 1,
            },
            kernel,
            law,
        })
    }

    /// More answers are not better by themselves.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    for (out, answered) in out.iter_mut().zip(&block.answered) {
        *out = f64::from(*answered);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = match &cell.method {
        Method::Gate(gate) => gate,
        Method::Policy(policy) => return policy.law(Quantity::Answered),
    };
    let law = gate.law.as_ref()?;
    Some(Arc::new(Discrete::new(law.answered_law())))
}
