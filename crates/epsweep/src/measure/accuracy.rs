//! How often the class is predicted right.

use super::Expectation;
use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Accuracy;

impl Measure for Accuracy {
    fn about(&self) -> &'static About {
        &About {
            name: "accuracy",
            summary: "the share of the test records whose class the result predicts right",
            formula: "(1/m) Σ 1{(xᵢ·w > 0) = yᵢ}",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            classes: true,
            needs_test: true,
            kind: |cell| RowKind::Part {
                of: cell
                    .learnt
                    .test
                    .as_ref()
                    .map_or(1, |test| test.examples.len()),
            },
            value: |trained, _| trained.accuracy,
            law: |cell, _| {
                let (law, test) = (cell.law.as_ref()?, cell.learnt.test.as_ref()?);
                Some(Arc::new(Expectation(law.mean_accuracy(&test.examples))) as Arc<dyn Law>)
            },
            ..TrainRule::of_all()
        })
    }
}
