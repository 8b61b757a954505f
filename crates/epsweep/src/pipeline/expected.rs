//! How many trials a target of precision will take.

use super::PipelineError;
use super::error::{of_plan, whole};
use super::simulate::task;
use crate::engine::{Kept, Progress};
use crate::plan::Plan;
use crate::procedure::{self, Judge, Quantiles, Task, Until};
use crate::summary::Precision;
use crate::tally::CellTally;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

/// About how many trials a target takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// trials of the cells that need fewest
    pub least: u64,
    /// trials of those that need most
    pub most: u64,
    /// trials of a cell in the mean
    pub mean: f64,
    /// trials of each cell that this was found from
    pub pilot: u64,
}

/// Trials of a pilot.
const PILOT: u64 = 4096;

/// Cells beyond which a pilot would take longer than whoever plans a run waits.
const MOST_PILOTS: usize = 1000;

/// How many trials the target of a plan will take, from a few trials of every cell; `None` without a target, and where the cells are too many.
///
/// # Errors
/// As of [`simulate`](super::simulate()).
pub fn expected(plan: &Plan, jobs: usize) -> Result<Option<Expected>, PipelineError> {
    let resolved = plan.resolved();
    let (Some(target), Some(precision)) = (&resolved.target, Precision::new(resolved)?) else {
        return Ok(None);
    };
    if plan.len() > MOST_PILOTS {
        return Ok(None);
    }
    let plan = whole(plan)?;
    let pilot = Pilot {
        precision,
        found: Mutex::default(),
    };
    let trials = PILOT.min(target.at_least);
    let measures = plan.measures();
    let task = Task {
        trials,
        until: Some(Until {
            at_least: trials,
            judge: &pilot,
        }),
        quantiles: Quantiles::Histogram,
        kept: Kept::default(),
        ..task(plan, jobs, &measures)
    };
    let never = AtomicBool::new(false);
    procedure::simulate(plan.study(), &task, &Progress::default(), &never, &|_| ())
        .map_err(|error| of_plan(plan, error))?;
    let found = (pilot.found.into_inner()).unwrap_or_else(PoisonError::into_inner);
    let mut expected = Expected {
        least: target.at_most,
        most: target.at_least,
        mean: 0.0,
        pilot: trials,
    };
    let cells: usize = found.iter().map(|(_, cells)| cells).sum();
    for (needed, of) in found {
        // a float beyond the range becomes the largest whole number
        let trials = (trials as f64 * needed).ceil() as u64;
        let trials = trials.clamp(target.at_least, target.at_most);
        expected.least = expected.least.min(trials);
        expected.most = expected.most.max(trials);
        expected.mean += trials as f64 * of as f64 / cells as f64;
    }
    Ok(Some(expected))
}

/// Judges as a target does, and notes what it found.
#[derive(Debug)]
struct Pilot<'a> {
    precision: Precision<'a>,
    /// how many times as many trials a team needs, and its cells
    found: Mutex<Vec<(f64, usize)>>,
}

impl Judge for Pilot<'_> {
    fn needed(&self, cells: &[CellTally]) -> f64 {
        let needed = self.precision.needed(cells);
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.push((needed, cells.len()));
        needed
    }
}
