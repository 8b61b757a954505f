//! One of the numbers, as it is.

use super::{Context, Reduction, ReductionKind};
use crate::about::About;
use crate::audit::Outputs;

const ABOUT: About = About {
    name: "number",
    summary: "each number by itself, or the outcome alone where there is no number",
    formula: "yᵢ",
    source: "Ding, Wang, Wang, Zhang and Kifer, CCS 2018, section 5.2",
};

/// Most numbers that are looked at one by one.
const MOST: usize = 16;

pub(super) struct NumberKind;

#[derive(Clone, Copy, Debug)]
struct Number(usize);

#[derive(Clone, Copy, Debug)]
struct Outcome;

impl ReductionKind for NumberKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>> {
        if context.columns == 0 {
            return vec![Box::new(Outcome)];
        }
        (0..context.columns.min(MOST))
            .map(|column| Box::new(Number(column)) as Box<dyn Reduction>)
            .collect()
    }
}

impl Reduction for Number {
    fn words(&self) -> String {
        match self.0 {
            0 => "the number".to_owned(),
            other => format!("number {}", other + 1),
        }
    }

    fn apply(&self, outputs: &Outputs, out: &mut [f64]) {
        out.copy_from_slice(outputs.column(self.0));
    }
}

impl Reduction for Outcome {
    fn words(&self) -> String {
        "the outcome".to_owned()
    }

    fn apply(&self, _: &Outputs, out: &mut [f64]) {
        out.fill(0.0);
    }
}
