//! From a plan to tallies.

use super::PipelineError;
use super::error::{of_plan, whole};
use crate::engine::{Kept, Part, Progress};
use crate::measure::Measure;
use crate::plan::{Batch, Plan};
use crate::procedure::{self, RunError, Task, Until};
use crate::summary::Precision;
use crate::tally::{CellTally, Failed, RunDigest};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime};

/// Finished tallies of all cells.
#[derive(Debug)]
pub struct Simulated {
    /// the cells, in the plan's order
    pub cells: Vec<CellTally>,
    /// whether it was stopped before all cells were finished
    pub stopped: bool,
    /// the cells in which trials failed
    pub failed: BTreeMap<usize, Failed>,
    pub(super) started: SystemTime,
    pub(super) finished: SystemTime,
    pub(super) seconds: f64,
}

impl Simulated {
    /// Hash over all tallies: equal digests mean equal numbers.
    pub fn digest(&self) -> String {
        let mut digest = RunDigest::default();
        self.cells.iter().for_each(|cell| digest.insert(cell));
        digest.finish()
    }

    /// Seconds that the simulation took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Simulates every cell of a plan on `jobs` threads (0: as many as there are processors), or what is left of them after what `kept` knows;
/// of a shard, no cell comes out. The bits depend on none of it.
///
/// # Errors
/// Threads cannot be started, or a trial failed.
pub fn simulate(
    plan: &Plan,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Simulated, PipelineError> {
    // of a shard no cell is wanted
    if kept.shard.is_whole() {
        whole(plan)?;
    }
    let (cells, simulated) =
        collected(|take| simulate_each(plan, jobs, kept, progress, stop, &|_, cell| take(cell)))?;
    Ok(Simulated { cells, ..simulated })
}

/// The cells that a simulation takes, in the plan's order, and what it gives besides.
pub(crate) fn collected<T, E>(
    simulate: impl FnOnce(&(dyn Fn(CellTally) + Sync)) -> Result<T, E>,
) -> Result<(Vec<CellTally>, T), E> {
    let cells = Mutex::new(Vec::new());
    let given = simulate(&|cell| {
        let mut cells = cells.lock().unwrap_or_else(PoisonError::into_inner);
        cells.push(cell);
    })?;
    let mut cells = cells.into_inner().unwrap_or_else(PoisonError::into_inner);
    cells.sort_by_key(|cell: &CellTally| cell.cell);
    Ok((cells, given))
}

/// As [`simulate`]; cells are handed to `take` as they are finished, from any thread and in any order, and not kept: each with its batch, by whose
/// numbers it and what it is compared with go.
///
/// # Errors
/// Threads cannot be started, a trial failed, or cells could not be resolved again.
pub fn simulate_each(
    plan: &Plan,
    jobs: usize,
    kept: Kept<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    take: &(dyn Fn(&Batch<'_>, CellTally) + Sync),
) -> Result<Simulated, PipelineError> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let measures = plan.measures();
    let precision = Precision::new(plan.resolved())?;
    let until = (plan.resolved().target.as_ref())
        .zip(precision.as_ref())
        .map(|(target, judge)| Until {
            at_least: target.at_least,
            judge,
        });
    let failed = Mutex::new(BTreeMap::new());
    let (mut finished, mut tile) = (0, 0);
    let mut batches = plan.batches();
    while !stop.load(Ordering::Relaxed) {
        let Some(batch) = progress.excusing(|| batches.next()).transpose()? else {
            break;
        };
        let part = Part {
            own: batch.own(),
            of: plan.len(),
            tile,
        };
        let task = Task {
            until,
            pairs: batch.pairs(),
            kept: Kept {
                part: plan.is_batched().then_some(part),
                ..kept
            },
            ..task(plan, jobs, &measures)
        };
        let note = |mut cell: CellTally| {
            if cell.failed.trials > 0 {
                let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.insert(batch.number(cell.cell), std::mem::take(&mut cell.failed));
            }
            take(&batch, cell);
        };
        let outcome = procedure::simulate(batch.study(), &task, progress, stop, &note)
            .map_err(|error| of_plan(plan, of_batch(&batch, error)))?;
        finished += outcome.finished;
        tile += outcome.tiles;
        if outcome.stopped {
            break;
        }
    }
    Ok(Simulated {
        cells: Vec::new(),
        failed: failed.into_inner().unwrap_or_else(PoisonError::into_inner),
        stopped: finished < plan.len(),
        started,
        finished: SystemTime::now(),
        seconds: clock.elapsed().as_secs_f64(),
    })
}

/// The error of a batch as one of the plan.
fn of_batch(batch: &Batch<'_>, error: RunError) -> RunError {
    match error {
        RunError::Failed { cell, seed, failed } => RunError::Failed {
            cell: batch.number(cell),
            seed,
            failed,
        },
        other => other,
    }
}

/// The task of a plan with a fixed number of trials, of which nothing is kept.
pub(crate) fn task<'a>(
    plan: &'a Plan,
    jobs: usize,
    measures: &'a [&'static dyn Measure],
) -> Task<'a> {
    let settings = plan.settings();
    Task {
        seed: settings.seed,
        trials: settings.trials,
        jobs,
        pairs: plan.pairs(),
        measures,
        streams: settings.streams,
        level: settings.level,
        quantiles: settings.quantiles,
        until: None,
        kept: Kept::default(),
        on_error: settings.on_error,
    }
}
