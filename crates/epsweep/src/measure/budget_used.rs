//! What a descent spends.

use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct BudgetUsed;

impl Measure for BudgetUsed {
    fn about(&self) -> &'static About {
        &About {
            name: "budget_used",
            summary: "what the steps have spent, in parts of the budget: never more than 1",
            formula: "Σ costₖ/budget",
            source: "Feldman, Zrnic, NeurIPS 2021, section 4",
        }
    }

    fn compared(&self) -> bool {
        false
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            kind: |_| RowKind::real(1.0),
            value: |trained, _| trained.spent,
            ..TrainRule::of_all()
        })
    }
}
