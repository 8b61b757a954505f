//! How long a descent lasts.

use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Steps;

impl Measure for Steps {
    fn about(&self) -> &'static About {
        &About {
            name: "steps",
            summary: "the steps that are taken until the plan or the budget ends",
            formula: "the number of steps whose noise was paid for",
            source: "definition",
        }
    }

    fn compared(&self) -> bool {
        false
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            kind: |cell| RowKind::Index {
                n: cell.plan.steps() + 1,
            },
            value: |trained, _| trained.steps,
            ..TrainRule::of_all()
        })
    }
}
