//! How the steps of a descent share the budget. A newcomer is one file and one line of [`REGISTRY`].
//!
//! A schedule that is fixed in advance gives each step's budget, in proportion; the noise of all steps is then scaled so that together they meet the
//! guarantee exactly. One that adapts has a ladder of budgets, and moves on it by what was released: the filter says how long.

mod adaptive;
mod decaying;
mod even;
mod growing;

pub use adaptive::Adaptive;
pub use decaying::Decaying;
pub use even::Even;
pub use growing::Growing;

use crate::about::About;
use std::fmt::Debug;

/// What a step released, as far as a schedule may look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// ‖noisy sum of gradients‖²
    pub length: f64,
    /// E‖noise‖², which is d·σ²C²
    pub noise: f64,
}

/// A way to share the budget among the steps.
pub trait Schedule: Debug + Send + Sync {
    /// Name, formula and source.
    fn about(&self) -> &'static About;

    /// The parameter where a file gives none; `None` if there is no parameter. It is above 1.
    fn ratio(&self) -> Option<f64> {
        None
    }

    /// The budgets 1/σ² of the steps, in proportion: positive, any unit. Of one that adapts, those of the rungs of its ladder, relative to an even step.
    fn budgets(&self, steps: usize, ratio: f64) -> Vec<f64>;

    /// Of one that adapts: whether the next step goes up a rung.
    fn raises(&self) -> Option<fn(&Progress) -> bool> {
        None
    }
}

/// All schedules, in the order in which they are listed.
pub const REGISTRY: &[&dyn Schedule] = &[&Even, &Growing, &Decaying, &Adaptive];

/// The schedule of this name.
pub fn schedule(name: &str) -> Option<&'static dyn Schedule> {
    (REGISTRY.iter().copied()).find(|schedule| schedule.about().name == name)
}

/// Budgets that rise geometrically from 1 to `ratio`.
fn rising(steps: usize, ratio: f64) -> Vec<f64> {
    let last = steps.saturating_sub(1).max(1) as f64;
    (0..steps)
        .map(|step| libm::pow(ratio, step as f64 / last))
        .collect()
}
