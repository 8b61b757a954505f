//! Simulating under a user's eyes: progress, Ctrl-C, a limit of time.

use super::{Failure, interrupt, output, progress, text};
use crate::engine::{Kept, Looker, Progress, beside};
use crate::pipeline::{self, Gathering, Simulated};
use crate::plan::Plan;
use crate::words::{grouped, grouped_range, several};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How a simulation ended.
pub enum Ended {
    /// all cells are finished
    Done(Simulated),
    /// Ctrl-C or a termination signal came: how far it was then, in words
    Interrupted(String),
    /// it took longer than it may
    OutOfTime,
}

/// Simulates with progress on stderr, for no longer than `limit`. With a gathering, the cells go there and do not come back.
pub fn simulate(
    plan: &Plan,
    kept: Kept<'_>,
    gathering: Option<&Gathering<'_>>,
    jobs: usize,
    quiet: bool,
    limit: Option<Duration>,
) -> Result<Ended, Failure> {
    let (state, finished) = (Progress::default(), AtomicBool::new(false));
    let late = AtomicBool::new(false);
    let simulated = interrupt::heeding(|stop| {
        let (state, finished, late) = (&state, &finished, &late);
        let mut lookers: Vec<Looker<'_>> =
            vec![Box::new(move || progress::watch(state, finished, quiet))];
        if let Some(limit) = limit {
            lookers.push(Box::new(move || ring(limit, state, finished, late, stop)));
        }
        beside(finished, lookers, || match gathering {
            None => pipeline::simulate(plan, jobs, kept, state, stop),
            Some(gathering) => {
                pipeline::simulate_each(plan, jobs, kept, state, stop, &|batch, cell| {
                    if !gathering.take(batch, cell) {
                        stop.store(true, Ordering::Relaxed);
                    }
                })
            }
        })
    })??;
    if let Some(error) = gathering.and_then(Gathering::error) {
        return Err(error.into());
    }
    if simulated.stopped {
        return Ok(match late.load(Ordering::Relaxed) {
            true => Ended::OutOfTime,
            false => Ended::Interrupted(reached(plan, &state)),
        });
    }
    if !quiet {
        let cells = several(plan.len() as u64, "cell");
        let what = match plan.settings().trials {
            0 => cells,
            most if plan.resolved().target.is_some() => {
                let trials = simulated.cells.iter().map(|cell| cell.trials);
                let (low, high) =
                    trials.fold((most, 0), |(low, high), n| (n.min(low), n.max(high)));
                format!("{cells} of {} trials", grouped_range(&(low..=high)))
            }
            // of a shard, its own trials: that is what there was to simulate
            all => match state.total() / (plan.len() as u64).max(1) {
                0 => format!(
                    "no trial is in this shard: {} are divided by chunks of up to some thousand, which are fewer than the shards; take fewer shards. {cells}",
                    several(all, "trial")
                ),
                trials => format!("{cells} of {}", several(trials, "trial")),
            },
        };
        output::note(&format!(
            "{what} in {}",
            text::duration(simulated.seconds())
        ));
    }
    Ok(Ended::Done(simulated))
}

/// How far a simulation is, in words. What is expected of one that stops when it is precise enough is no number of trials that there will be.
fn reached(plan: &Plan, state: &Progress) -> String {
    let of = match plan.resolved().target {
        None => format!(" of {}", grouped(state.total())),
        Some(_) => String::new(),
    };
    let cells = match plan.len() {
        1 => String::new(),
        cells => format!(", {} together", several(cells as u64, "cell")),
    };
    format!("{}{of} trials{cells}", grouped(state.done()))
}

/// Stops what runs longer than `limit`, besides the time in which it takes up what earlier runs did.
fn ring(
    limit: Duration,
    state: &Progress,
    finished: &AtomicBool,
    late: &AtomicBool,
    stop: &AtomicBool,
) {
    let begun = Instant::now();
    while !finished.load(Ordering::Acquire) {
        let spent = begun.elapsed().saturating_sub(state.excused());
        let left = limit.saturating_sub(spent);
        if left.is_zero() {
            late.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
            return;
        }
        std::thread::park_timeout(left);
    }
}
