//! What is spent.

use super::{Measure, Rule, StreamMeasure};
use crate::study::stream::{Block, Method, Quantity, StreamCell};
use crate::tally::RowKind;
use epsweep_core::about::About;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// The measure.
#[derive(Debug)]
pub struct Spent;

impl Measure for Spent {
    fn about(&self) -> &'static About {
        &About {
            name: "spent",
            summary: "what is spent in the trial, as ledger or filter book it (under a window: the most in any); never more than the guarantee, which every trial is checked for",
            formula: "a gate: ε₁ and (ε₂ + ε₃)/c for each positive answer; a policy: the total of its filter",
            source: "Ligett, Neel, Roth, Waggoner, Wu (NeurIPS 2017), definition 2.2",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Stream(StreamMeasure {
            suits: |_| true,
            kind: |cell| RowKind::real(cell.guarantee),
            kernel,
            law,
        })
    }
}

fn kernel(_: &StreamCell, block: &Block, out: &mut [f64]) {
    out.copy_from_slice(&block.spent);
}

fn law(cell: &StreamCell) -> Option<Arc<dyn Law>> {
    let gate = match &cell.method {
        Method::Gate(gate) => gate,
        Method::Policy(policy) => return policy.law(Quantity::MostSpent),
    };
    let law = gate.law.as_ref()?;
    let spent = |above: usize| gate.spent.get(above).copied().unwrap_or(f64::NAN);
    Some(Arc::new(Discrete::new(law.law_of(spent))))
}
