//! How many queries are said to be above.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Above;

impl Measure for Above {
    fn about(&self) -> &'static About {
        &About {
            name: "above",
            summary: "queries that are said to be above their thresholds",
            formula: "the number of positive answers",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |cell| cell.gate().is_some(),
            kind: |cell| RowKind::Index {
                n: cell.method.queries() + 1,
            },
            kernel,
            law,
        })
    }

    /// More positive answers are not better by themselves.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    for (out, above) in out.iter_mut().zip(&block.gate.above) {
        *out = f64::from(*above);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    Some(Arc::new(Discrete::new(law.above_law())))
}
