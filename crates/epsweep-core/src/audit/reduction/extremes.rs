//! The least and the largest relative move of the numbers that move between the inputs.

use super::{Context, Reduction, ReductionKind};
use crate::about::About;
use crate::audit::Outputs;

const ABOUT: About = About {
    name: "extremes",
    summary: "the least and the largest place of the numbers between their centres on the two inputs: that all lie on one side is the event in which their losses add up",
    formula: "min and max over i of (yᵢ − aᵢ)/(bᵢ − aᵢ)",
    source: "Bichsel, Gehr, Drachsler-Cohen, Tsankov and Vechev, CCS 2018 (DP-Finder): boxes; for independent Laplace noise the likelihood ratio of a quadrant is the product of its largest ones",
};

pub(super) struct ExtremesKind;

#[derive(Clone, Debug)]
struct Extreme {
    largest: bool,
    /// column, centre on the first input, move
    moved: Vec<(usize, f64, f64)>,
}

impl ReductionKind for ExtremesKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>> {
        let moved: Vec<(usize, f64, f64)> = (context.moves().into_iter().enumerate())
            .filter(|(_, by)| *by != 0.0)
            .map(|(column, by)| (column, context.centres[0][column], by))
            .collect();
        // with one number that moves it would be that number again
        if moved.len() < 2 {
            return Vec::new();
        }
        [false, true]
            .map(|largest| {
                let moved = moved.clone();
                Box::new(Extreme { largest, moved }) as Box<dyn Reduction>
            })
            .into()
    }
}

impl Reduction for Extreme {
    fn words(&self) -> String {
        let which = if self.largest { "largest" } else { "least" };
        format!("the {which} relative move")
    }

    fn apply(&self, outputs: &Outputs, out: &mut [f64]) {
        for (place, &(column, centre, by)) in self.moved.iter().enumerate() {
            for (extreme, &number) in out.iter_mut().zip(outputs.column(column)) {
                let here = (number - centre) / by;
                let further = if self.largest {
                    here > *extreme
                } else {
                    here < *extreme
                };
                if place == 0 || further {
                    *extreme = here;
                }
            }
        }
    }
}
