//! Trials again: one with its draws, or many with their numbers alone.

use super::PipelineError;
use super::error::{of_plan, whole};
use super::simulate::task;
use crate::engine::{Instead, Kept, Listing, Progress, Single, TakeTrials, TrialDraws};
use crate::measure::{self, Measure};
use crate::plan::Plan;
use crate::procedure::{self, Quantiles, Task};
use crate::tally::CellTally;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// One trial of one cell.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// its draws
    pub drawn: Vec<TrialDraws>,
    /// subject, measure and value of every number that came of it; NaN where it is undefined
    pub values: Vec<(String, &'static str, f64)>,
    /// why it failed, if so
    pub failed: Option<String>,
}

/// What is known of single trials: the measures that the run reports, and the answers and their errors besides.
pub fn trial_measures(plan: &Plan) -> Vec<&'static dyn Measure> {
    let chosen = plan.measures();
    let wanted = |measure: &&'static dyn Measure| {
        let name = measure.about().name;
        let usual = ["answer", "error"].contains(&name) && measure::suits(*measure, plan.study());
        usual || chosen.iter().any(|known| known.about().name == name)
    };
    measure::REGISTRY.iter().copied().filter(wanted).collect()
}

/// Simulates the first trials of one cell again, and hands them to `take`, chunk by chunk, on this thread. The numbers are those that entered
/// the run.
///
/// # Errors
/// The experiment has no trials that could be simulated.
pub fn list_trials(
    plan: &Plan,
    measures: &[&'static dyn Measure],
    cell: usize,
    trials: u64,
    take: &dyn TakeTrials,
) -> Result<(), PipelineError> {
    let plan = whole(plan)?;
    let task = Task {
        pairs: &[],
        quantiles: Quantiles::Histogram,
        kept: Kept {
            instead: Some(Instead::Listing(Listing { cell, trials, take })),
            ..Kept::default()
        },
        ..task(plan, 1, measures)
    };
    let never = AtomicBool::new(false);
    procedure::simulate(plan.study(), &task, &Progress::default(), &never, &|_| {})
        .map_err(|error| of_plan(plan, error))?;
    Ok(())
}

/// Simulates one trial of one cell again. The numbers are those that entered the run, of the measures that it reports, and of the answers
/// and their errors besides.
///
/// # Errors
/// The experiment has no trials that could be simulated.
pub fn replay(plan: &Plan, cell: usize, trial: u64) -> Result<Replayed, PipelineError> {
    let plan = whole(plan)?;
    let measures = trial_measures(plan);
    let drawn = Mutex::default();
    let task = Task {
        pairs: &[],
        quantiles: Quantiles::Histogram,
        kept: Kept {
            instead: Some(Instead::Single(Single {
                cell,
                trial,
                drawn: &drawn,
            })),
            ..Kept::default()
        },
        ..task(plan, 1, &measures)
    };
    let (values, failed) = (Mutex::new(Vec::new()), Mutex::new(None));
    let take = |cell: CellTally| {
        let first = cell.failed.first.into_iter().next();
        *failed.lock().unwrap_or_else(PoisonError::into_inner) = first.map(|failed| failed.why);
        let mut values = values.lock().unwrap_or_else(PoisonError::into_inner);
        for outcome in cell.outcomes {
            let value = match outcome.moments.n {
                0 => f64::NAN,
                _ => outcome.moments.mean,
            };
            values.push((outcome.subject, outcome.measure, value));
        }
    };
    let never = AtomicBool::new(false);
    procedure::simulate(plan.study(), &task, &Progress::default(), &never, &take)
        .map_err(|error| of_plan(plan, error))?;
    Ok(Replayed {
        failed: failed.into_inner().unwrap_or_else(PoisonError::into_inner),
        drawn: drawn.into_inner().unwrap_or_else(PoisonError::into_inner),
        values: values.into_inner().unwrap_or_else(PoisonError::into_inner),
    })
}
