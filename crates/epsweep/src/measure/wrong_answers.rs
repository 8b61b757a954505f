//! How many queries are told wrongly.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct WrongAnswers;

impl Measure for WrongAnswers {
    fn about(&self) -> &'static About {
        &About {
            name: "wrong_answers",
            summary: "queries on the wrong side: false alarms and misses together",
            formula: "false alarms + misses",
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
    let counts = block.gate.above.iter().zip(&block.gate.hits);
    for (out, (above, hits)) in out.iter_mut().zip(counts) {
        *out = positives + f64::from(*above) - 2.0 * f64::from(*hits);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let positives = law.positives() as f64;
    let (mean, sd) = law.moments(|above| Some((positives + above as f64, -2.0)))?;
    Some(Arc::new(FirstTwo::new(mean, sd)))
}
