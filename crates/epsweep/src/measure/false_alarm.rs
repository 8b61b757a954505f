//! How many queries are said to be above and are not.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct FalseAlarm;

impl Measure for FalseAlarm {
    fn about(&self) -> &'static About {
        &About {
            name: "false_alarm",
            summary: "queries that are said to be above their thresholds and are below",
            formula: "positive answers less those that are right",
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

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    let counts = block.gate.above.iter().zip(&block.gate.hits);
    for (out, (above, hits)) in out.iter_mut().zip(counts) {
        *out = f64::from(above - hits);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let (mean, sd) = law.moments(|above| Some((above as f64, -1.0)))?;
    Some(Arc::new(FirstTwo::new(mean, sd)))
}
