//! The loss of what was learnt.

use super::Expectation;
use super::{Measure, Rule, TrainRule};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::Law;
use epsweep_core::training::Model;
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Loss;

impl Measure for Loss {
    fn about(&self) -> &'static About {
        &About {
            name: "loss",
            summary: "the mean loss of the result on the records that it was learnt from",
            formula: "(1/n) Σ ℓ(xᵢ·w, yᵢ)",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Train(TrainRule {
            needs_loss: true,
            kind: |cell| RowKind::real(cell.learnt.start),
            value: |trained, _| trained.loss,
            law: |cell, _| {
                let law = cell.law.as_ref()?;
                let (model, train) = (cell.descent.model, &cell.learnt.train);
                Some(match model {
                    Model::Linear => Arc::new(law.linear_loss(train)?) as Arc<dyn Law>,
                    Model::Logistic => Arc::new(Expectation(law.mean_loss(model, train))),
                })
            },
            ..TrainRule::of_all()
        })
    }
}
