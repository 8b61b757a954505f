//! Whether the output tells more than is claimed.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Bernoulli, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Leak;

impl Measure for Leak {
    fn about(&self) -> &'static About {
        &About {
            name: "leak",
            summary: "1 if the answers of the trial, yes or no, are e^ε times likelier, or less likely, than on the neighbouring stream, with the claimed ε: never under a private gate; numbers that a gate tells besides (svt-alg3) are not looked at",
            formula: "1 if |ln(P(answers)/P'(answers))| > ε",
            source: "definition of pure differential privacy",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |cell| cell.gate().is_some_and(|gate| gate.loss.is_some()),
            kind: |_| RowKind::Flag,
            kernel,
            law,
        })
    }
}

fn kernel(cell: &StreamCell, block: &Block, out: &mut [f64]) {
    let Some(gate) = cell.gate() else { return };
    let outputs = block.gate.bits.iter().zip(&block.gate.answered);
    for (out, (bits, answered)) in out.iter_mut().zip(outputs) {
        let leaks = (gate.loss.as_ref()).is_some_and(|loss| loss.leaks(*bits, *answered));
        *out = f64::from(u8::from(leaks));
    }
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = cell.gate()?;
    let loss = gate.loss.as_ref()?;
    // probabilities are sums of rounded ones
    Some(Arc::new(Bernoulli::new(loss.leak.min(1.0))))
}
