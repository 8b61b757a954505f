//! How far from the non-private optimum.

use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Distance;

impl Measure for Distance {
    fn about(&self) -> &'static About {
        &About {
            name: "distance",
            summary: "the distance of the result from the parameters of the least loss",
            formula: "‖w − w*‖₂",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            kind: |cell| {
                let length: f64 = cell.learnt.optimum.iter().map(|w| w * w).sum();
                RowKind::real(if length > 0.0 { length.sqrt() } else { 1.0 })
            },
            value: |trained, _| trained.distance,
            law: |cell, _| {
                let law = cell.law.as_ref()?.distance(&cell.learnt.optimum);
                Some(Arc::new(law) as Arc<dyn Law>)
            },
            ..TrainRule::of_all()
        })
    }
}
