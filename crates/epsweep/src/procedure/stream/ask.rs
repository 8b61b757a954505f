//! What a cell of a stream is asked, and how its rows come about.

use crate::measure::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, Quantity, StreamCell};
use crate::tally::RowKind;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// What is asked of a cell in a row.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub measure: &'static dyn Measure,
    pub subject: String,
    pub ask: Ask,
}

/// How a row comes about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// from the stream as a whole
    Whole(StreamMeasure),
    /// from some of its positions
    Some(Quantity),
}

impl Ask {
    /// What its values are.
    pub fn kind(&self, cell: &StreamCell) -> RowKind {
        match (self, cell.policy()) {
            (Ask::Whole(rule), _) => (rule.kind)(cell),
            (Ask::Some(quantity), Some(policy)) => policy.kind(*quantity),
            // a gate is not asked
            (Ask::Some(_), None) => RowKind::Flag,
        }
    }

    /// The values in a block.
    pub fn fill(&self, cell: &StreamCell, block: &Block, out: &mut [f64]) {
        match (self, cell.policy(), &block.policy) {
            (Ask::Whole(rule), ..) => (rule.kernel)(cell, block, out),
            (Ask::Some(quantity), Some(policy), Some(room)) => policy.fill(*quantity, room, out),
            (Ask::Some(_), ..) => out.fill(f64::NAN),
        }
    }

    /// The exact law.
    pub fn law(&self, cell: &StreamCell) -> Option<Arc<dyn Law>> {
        match self {
            Ask::Whole(rule) => (rule.law)(cell),
            Ask::Some(quantity) => cell.policy()?.law(*quantity),
        }
    }
}

/// What the cell is asked.
pub(super) fn asked(measures: &[&'static dyn Measure], cell: &StreamCell) -> Vec<Asked> {
    let asked = |measure: &&'static dyn Measure| {
        let measure = *measure;
        match (measure.rule(), cell.policy()) {
            (Rule::Stream(rule), _) if (rule.suits)(cell) => vec![Asked {
                measure,
                subject: "all".to_owned(),
                ask: Ask::Whole(rule),
            }],
            (Rule::Positions(rule), Some(policy)) => (rule.quantities)(policy)
                .into_iter()
                .map(|(subject, quantity)| Asked {
                    measure,
                    subject,
                    ask: Ask::Some(quantity),
                })
                .collect(),
            _ => Vec::new(),
        }
    };
    measures.iter().flat_map(asked).collect()
}
