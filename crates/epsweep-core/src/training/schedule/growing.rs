//! Less noise as the descent nears its end.

use super::{Schedule, rising};
use crate::about::About;

/// The schedule.
#[derive(Debug)]
pub struct Growing;

impl Schedule for Growing {
    fn about(&self) -> &'static About {
        &About {
            name: "growing",
            summary: "the last step has `ratio` times the budget of the first: early noise is forgotten by a descent that contracts",
            formula: "1/σₖ² ∝ ratio^((k−1)/(T−1))",
            source: "Hong, Wang, Zhou, FAccT 2022, theorem 3.2: σₖ² falls geometrically where the loss is strongly convex",
        }
    }

    fn ratio(&self) -> Option<f64> {
        Some(10.0)
    }

    fn budgets(&self, steps: usize, ratio: f64) -> Vec<f64> {
        rising(steps, ratio)
    }
}
