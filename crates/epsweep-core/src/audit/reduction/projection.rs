//! The numbers along the move between the inputs.

use super::{Context, Reduction, ReductionKind};
use crate::about::About;
use crate::audit::Outputs;

const ABOUT: About = About {
    name: "projection",
    summary: "the sum of the numbers, weighted by how far each moves between the inputs: for Gaussian noise the likelihood ratio",
    formula: "Σ (bᵢ − aᵢ)·yᵢ",
    source: "Dong, Roth and Su, JRSS B 84, 2022, appendix: the optimal test of two normal laws",
};

pub(super) struct ProjectionKind;

#[derive(Clone, Debug)]
struct Projection(Vec<(usize, f64)>);

impl ReductionKind for ProjectionKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn of(&self, context: &Context) -> Vec<Box<dyn Reduction>> {
        let moved: Vec<(usize, f64)> = (context.moves().into_iter().enumerate())
            .filter(|(_, by)| *by != 0.0)
            .collect();
        if moved.len() < 2 {
            return Vec::new();
        }
        vec![Box::new(Projection(moved))]
    }
}

impl Reduction for Projection {
    fn words(&self) -> String {
        "the sum along the move".to_owned()
    }

    fn apply(&self, outputs: &Outputs, out: &mut [f64]) {
        out.fill(0.0);
        for &(column, by) in &self.0 {
            for (sum, number) in out.iter_mut().zip(outputs.column(column)) {
                *sum += by * number;
            }
        }
    }
}
