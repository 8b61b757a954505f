//! How far apart the numbers are.

use super::{Context, Reduction, ReductionKind};
use crate::about::About;
use crate::audit::Outputs;

const ABOUT: About = About {
    name: "spread",
    summary: "the largest number less the smallest: what is left where several numbers share their noise",
    formula: "max yᵢ − min yᵢ",
    source: "noise that is used twice cancels in a difference (Dwork and Roth 2014, theorem 3.6 needs independent draws)",
};

pub(super) struct SpreadKind;

#[derive(Clone, Copy, Debug)]
struct Spread;

impl ReductionKind for SpreadKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>> {
        if context.columns < 2 {
            return Vec::new();
        }
        vec![Box::new(Spread)]
    }
}

impl Reduction for Spread {
    fn words(&self) -> String {
        "the largest number less the smallest".to_owned()
    }

    fn apply(&self, outputs: &Outputs, out: &mut [f64]) {
        for (run, spread) in out.iter_mut().enumerate() {
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for column in 0..outputs.columns() {
                let number = outputs.column(column)[run];
                low = low.min(number);
                high = high.max(number);
            }
            *spread = high - low;
        }
    }
}
