//! Measures of a descent.

use crate::study::Study;
use crate::study::train::{TrainCell, Trained};
use crate::tally::RowKind;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// How a measure comes from a trial of a training.
#[derive(Clone, Copy, Debug)]
pub struct TrainRule {
    /// whether it is of each recorded step, rather than of the result
    pub each_step: bool,
    /// whether labels must be classes
    pub classes: bool,
    /// whether it takes the loss on the records that are learnt from
    pub needs_loss: bool,
    /// whether it takes test records
    pub needs_test: bool,
    /// what its values are
    pub kind: fn(&TrainCell) -> RowKind,
    /// the value in a trial, from the place of the recorded step
    pub value: fn(&Trained<'_>, usize) -> f64,
    /// its exact law, where known
    pub law: fn(&TrainCell, usize) -> Option<Arc<dyn Law>>,
}

impl TrainRule {
    /// Of the result as a whole, of any model, with no value yet.
    pub fn of_all() -> TrainRule {
        TrainRule {
            each_step: false,
            classes: false,
            needs_loss: false,
            needs_test: false,
            kind: |_| RowKind::real(1.0),
            value: |_, _| f64::NAN,
            law: |_, _| None,
        }
    }

    /// Whether every cell of a study has it.
    pub(super) fn suits(&self, study: &Study) -> bool {
        let Study::Train(cells) = study else {
            return false;
        };
        cells.iter().all(|cell| {
            (!self.classes || cell.descent.model.classifies())
                && (!self.needs_test || cell.learnt.test.is_some())
        })
    }
}

/// A law of which only the mean is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expectation(pub f64);

impl Law for Expectation {
    fn mean(&self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }

    fn sd(&self) -> Option<f64> {
        None
    }

    fn quantile(&self, _: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, _: f64) -> Option<f64> {
        None
    }

    fn density(&self, _: f64) -> Option<f64> {
        None
    }
}
