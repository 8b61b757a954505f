//! The share of positive answers that are right.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Precision;

impl Measure for Precision {
    fn about(&self) -> &'static About {
        &About {
            name: "precision",
            summary: "share of the positive answers that are right; undefined where there are none",
            formula: "right positive answers / positive answers",
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

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    let counts = block.gate.above.iter().zip(&block.gate.hits);
    for (out, (above, hits)) in out.iter_mut().zip(counts) {
        // 0/0 is NaN: undefined
        *out = f64::from(*hits) / f64::from(*above);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let share = |above: usize| (above > 0).then(|| (0.0, 1.0 / above as f64));
    let (mean, sd) = law.moments(share)?;
    Some(Arc::new(FirstTwo::new(mean, sd)))
}
