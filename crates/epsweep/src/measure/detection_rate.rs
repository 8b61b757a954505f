//! The share of queries above that are found.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct DetectionRate;

impl Measure for DetectionRate {
    fn about(&self) -> &'static About {
        &About {
            name: "detection_rate",
            summary: "recall: share of the queries above their thresholds that are said to be; undefined where there are none",
            formula: "right positive answers / queries above",
            source: "definition",
        }
    }

    fn may_be_undefined(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |cell| cell.gate().is_some(),
            kind: |_| RowKind::real(1.0),
            kernel,
            law,
        })
    }

    /// Higher is better.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(cell: &StreamCell, block: &Block, out: &mut [f64]) {
    let Some(gate) = cell.gate() else { return };
    let positives = gate.lockstep.queries().positives() as f64;
    for (out, hits) in out.iter_mut().zip(&block.gate.hits) {
        // 0/0 is NaN: undefined
        *out = f64::from(*hits) / positives;
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let positives = law.positives() as f64;
    let share = |_| (positives > 0.0).then(|| (0.0, 1.0 / positives));
    let (mean, sd) = law.moments(share)?;
    Some(Arc::new(FirstTwo::new(mean, sd)))
}
