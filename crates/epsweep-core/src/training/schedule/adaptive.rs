//! Less noise when what is released is mostly noise.

use super::{Progress, Schedule};
use crate::about::About;

/// The schedule.
#[derive(Debug)]
pub struct Adaptive;

/// The budget of the first step, in parts of an even one.
const START: f64 = 0.5;

impl Schedule for Adaptive {
    fn about(&self) -> &'static About {
        &About {
            name: "adaptive",
            summary: "begins with half of an even budget, and takes `ratio` times as much once the released gradient is mostly noise; a filter ends it, and the last step spends what is left",
            formula: "raise if ‖g̃ₖ‖² < 2dσₖ²C²",
            source: "after Lee, Kifer, KDD 2018, section 4 (budgets that rise when a noisy gradient is no descent); filter: Feldman, Zrnic, NeurIPS 2021, section 4",
        }
    }

    fn ratio(&self) -> Option<f64> {
        Some(1.1)
    }

    /// From the first rung to one that takes the budget of all steps.
    fn budgets(&self, steps: usize, ratio: f64) -> Vec<f64> {
        let mut rungs = vec![START];
        let mut next = START;
        while next < steps as f64 {
            next *= ratio;
            rungs.push(next.min(steps as f64));
        }
        rungs
    }

    /// ‖g̃‖² is about ‖g‖² + d·σ²C²: below twice the noise, the noise is the larger part.
    fn raises(&self) -> Option<fn(&Progress) -> bool> {
        Some(|progress| progress.length < 2.0 * progress.noise)
    }
}
