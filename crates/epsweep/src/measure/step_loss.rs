//! The loss along the way.

use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct StepLoss;

impl Measure for StepLoss {
    fn about(&self) -> &'static About {
        &About {
            name: "step_loss",
            summary: "the mean loss of the iterate after a step on the records that are learnt from",
            formula: "(1/n) Σ ℓ(xᵢ·wₖ, yᵢ)",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            each_step: true,
            kind: |cell| RowKind::real(cell.learnt.start),
            value: |trained, place| trained.losses[place][trained.lane],
            ..TrainRule::of_all()
        })
    }
}
