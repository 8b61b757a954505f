//! The loss on other records.

use super::Expectation;
use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct TestLoss;

impl Measure for TestLoss {
    fn about(&self) -> &'static About {
        &About {
            name: "test_loss",
            summary: "the mean loss of the result on the test records",
            formula: "(1/m) Σ ℓ(xᵢ·w, yᵢ)",
            source: "definition",
        }
    }

    fn by_default(&self) -> bool {
        false
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            needs_test: true,
            kind: |cell| RowKind::real(cell.learnt.start),
            value: |trained, _| trained.test_loss,
            law: |cell, _| {
                let (law, test) = (cell.law.as_ref()?, cell.learnt.test.as_ref()?);
                let loss = law.mean_loss(cell.descent.model, &test.examples);
                Some(Arc::new(Expectation(loss)) as Arc<dyn Law>)
            },
            ..TrainRule::of_all()
        })
    }
}
