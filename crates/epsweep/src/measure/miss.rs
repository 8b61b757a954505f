//! How many queries are above and not said to be.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Miss;

impl Measure for Miss {
    fn about(&self) -> &'static About {
        &About {
            name: "miss",
            summary: "queries that are above their thresholds and are not said to be, whether answered or not",
            formula: "queries above less positive answers that are right",
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
}

fn kernel(cell: &StreamCell, block: &Block, out: &mut [f64]) {
    let Some(gate) = cell.gate() else { return };
    let positives = gate.lockstep.queries().positives() as f64;
    for (out, hits) in out.iter_mut().zip(&block.gate.hits) {
        *out = positives - f64::from(*hits);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let positives = law.positives() as f64;
    let (mean, sd) = law.moments(|_| Some((positives, -1.0)))?;
    Some(Arc::new(FirstTwo::new(mean, sd)))
}
