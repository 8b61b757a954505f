//! More noise as the descent nears its end.

use super::{Schedule, rising};
use crate::about::About;

/// The schedule.
#[derive(Debug)]
pub struct Decaying;

impl Schedule for Decaying {
    fn about(&self) -> &'static About {
        &About {
            name: "decaying",
            summary: "the first step has `ratio` times the budget of the last: the counterpart of growing",
            formula: "1/σₖ² ∝ ratio^((T−k)/(T−1))",
            source: "the counterpart of growing, for comparison",
        }
    }

    fn ratio(&self) -> Option<f64> {
        Some(10.0)
    }

    fn budgets(&self, steps: usize, ratio: f64) -> Vec<f64> {
        let mut budgets = rising(steps, ratio);
        budgets.reverse();
        budgets
    }
}
