//! How far numeric answers are off.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::stream::Answering;
use epsweep_core::theory::{FirstTwo, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct AnswerError;

impl Measure for AnswerError {
    fn about(&self) -> &'static About {
        &About {
            name: "answer_error",
            summary: "|error| averaged over the numeric answers of a trial; undefined where there are none",
            formula: "mean |answer − true answer| over positive answers",
            source: "definition",
        }
    }

    fn may_be_undefined(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |cell| answer_scale(cell).is_some(),
            kind: |cell| RowKind::real(answer_scale(cell).unwrap_or(0.0)),
            kernel,
            law,
        })
    }
}

fn answer_scale(cell: &StreamCell) -> Option<f64> {
    cell.gate()?.answer_scale()
}

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    let sums = block.gate.numeric_error.iter().zip(&block.gate.above);
    for (out, (sum, above)) in out.iter_mut().zip(sums) {
        // 0/0 is NaN: undefined
        *out = sum / f64::from(*above);
    }
}

/// Of fresh noise alone: |Lap(b)| has mean and standard deviation b, and k of them average to b/√k. The noise of answers that are revealed has passed
/// the threshold.
fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let law = gate.law.as_ref()?;
    let Answering::Fresh(scale) = gate.lockstep.gate().answering else {
        return None;
    };
    let (mut some, mut inverse) = (0.0, 0.0);
    for (above, counted) in law.counted().iter().enumerate().skip(1) {
        some += counted.probability;
        inverse += counted.probability / above as f64;
    }
    (some > 0.0).then(|| {
        let sd = scale * (inverse / some).sqrt();
        Arc::new(FirstTwo::new(scale, sd)) as Arc<dyn Law>
    })
}
