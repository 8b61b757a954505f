//! What the procedure is told of a cell, and what comes of a trial.

use epsweep_core::about::About;
use epsweep_core::training::exact::ResultLaw;
use epsweep_core::training::kernel::Lane;
use epsweep_core::training::{Descent, Examples, NoisePlan};
use std::sync::Arc;

/// What it does with a budget.
pub const ABOUT: About = About {
    name: "train",
    summary: "a linear or logistic model learnt by noisy gradient descent",
    formula: "w ← w − rate · (Σ clip(gradient) + N(0, σ²C²))/(sampling · n)",
    source: "Abadi and others, CCS 2016",
};

/// An example of its section.
pub const EXAMPLE: &str = "[procedure.train]\nmodel = \"logistic\"\ngenerated = { records = 1000, features = 5 }\nsteps = 20\nrate = 1\nclip = 1\n";

/// A cell of private training.
#[derive(Clone, Debug)]
pub struct TrainCell {
    /// canonical text of the cell: names it, and its streams where they are independent
    pub id: String,
    /// data and non-private optimum
    pub learnt: Arc<Learnt>,
    /// what each record's residual is clipped to
    pub limits: Arc<Vec<f64>>,
    /// how to descend
    pub descent: Descent,
    /// with how much noise
    pub plan: Arc<NoisePlan>,
    /// the exact law of the result, where it is known
    pub law: Option<Arc<ResultLaw>>,
}

/// Data, and what can be learnt from them without privacy.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// the records that are learnt from
    pub train: Examples,
    /// those that judge, if there are any
    pub test: Option<Test>,
    /// the parameters of the least loss
    pub optimum: Vec<f64>,
    /// the mean loss of w = 0
    pub start: f64,
    /// the mean loss of the optimum
    pub loss: f64,
}

/// Records apart from those that are learnt from.
#[derive(Clone, Debug)]
pub struct Test {
    /// the records
    pub examples: Examples,
    /// the mean loss of the non-private optimum on them
    pub loss: f64,
    /// the share of them whose class the non-private optimum predicts right
    pub accuracy: f64,
}

impl TrainCell {
    /// The subject of a recorded step.
    pub fn step_name(&self, place: usize) -> String {
        format!("step {}", self.descent.recorded[place])
    }
}

/// What came of one trial.
#[derive(Clone, Copy, Debug)]
pub struct Trained<'a> {
    /// mean loss on the records that were learnt from
    pub loss: f64,
    /// mean loss on the test records
    pub test_loss: f64,
    /// share of the test records whose class is predicted right
    pub accuracy: f64,
    /// ‖w − w*‖₂
    pub distance: f64,
    /// steps taken
    pub steps: f64,
    /// spent, in parts of the budget
    pub spent: f64,
    /// losses at the recorded steps, of eight trials
    pub losses: &'a [Lane],
    /// which of them it is
    pub lane: usize,
}
