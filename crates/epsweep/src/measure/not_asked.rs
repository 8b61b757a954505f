//! How many queries were never asked.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct NotAsked;

impl Measure for NotAsked {
    fn about(&self) -> &'static About {
        &About {
            name: "not_asked",
            summary: "queries that were never asked, since the gate had closed: neither above nor below (a miss counts those of them that are above)",
            formula: "number of queries less the number of answers",
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

    /// Fewer are not better by themselves: a gate that finds nothing never closes.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(cell: &StreamCell, block: &Block, out: &mut [f64]) {
    let queries = cell.method.queries() as f64;
    for (out, answered) in out.iter_mut().zip(&block.answered) {
        *out = queries - f64::from(*answered);
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let queries = cell.method.queries() as f64;
    let answered = cell.gate()?.law.as_ref()?.answered_law();
    let left = answered.into_iter().map(|(count, p)| (queries - count, p));
    Some(Arc::new(Discrete::new(left.collect())))
}
