//! The clipping bound that was chosen.

use super::{Measure, Rule, StagedRule};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Bound;

impl Measure for Bound {
    fn about(&self) -> &'static About {
        &About {
            name: "bound",
            summary: "the clipping bound that was chosen",
            formula: "B",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Staged(StagedRule {
            kind: |cell| RowKind::signed(cell.stages.largest()),
            value: |cell, place| cell.stages.bounds()[place],
            law: |cell| {
                let atoms = (cell.stages.bounds().iter().copied())
                    .zip(cell.stages.probabilities().iter().copied());
                Some(Arc::new(Discrete::new(atoms.collect())) as Arc<dyn Law>)
            },
        })
    }

    /// Neither a low nor a high bound is better.
    fn compared(&self) -> bool {
        false
    }
}
