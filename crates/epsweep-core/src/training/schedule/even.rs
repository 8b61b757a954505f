//! The same noise at every step.

use super::Schedule;
use crate::about::About;

/// The schedule.
#[derive(Debug)]
pub struct Even;

impl Schedule for Even {
    fn about(&self) -> &'static About {
        &About {
            name: "even",
            summary: "the same noise at every step",
            formula: "1/σₖ² ∝ 1",
            source: "Abadi et al., CCS 2016, algorithm 1",
        }
    }

    fn budgets(&self, steps: usize, _: f64) -> Vec<f64> {
        vec![1.0; steps]
    }
}
