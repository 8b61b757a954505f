//! Tiles in, finished tallies out: what all procedures have in common.

use super::keeping::Keeping;
use super::listing::list;
use super::rounds::{Until, rounds};
use super::single::single;
use super::tiles::{Group, Teams};
use super::weigh::weigh;
use super::{OnError, Streams};
use crate::engine::{
    Instead, Job, Kept, Listed, Progress, Schedule, ThreadsError, Work, each, order_statistics,
};
use crate::measure::Measure;
use crate::tally::{CellTally, FailedTrial, OrderStatistics, RowKind, Tally};
use epsweep_core::random::level;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How to simulate the cells of a study, whatever they are.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// seed of all streams
    pub seed: u64,
    /// trials of every cell; at least one
    pub trials: u64,
    /// threads; 0 takes as many as there are processors, or one where the work is small
    pub jobs: usize,
    /// (a, b): cell a is compared with cell b, the baseline, trial by trial
    pub pairs: &'a [(usize, usize)],
    /// what to measure, in the registry's order
    pub measures: &'a [&'static dyn Measure],
    /// whether cells share their noise
    pub streams: Streams,
    /// level of the analyst's interval: between 0 and 1
    pub level: f64,
    /// where quantiles come from
    pub quantiles: Quantiles,
    /// when cells have enough trials, if that is not when they have all: `trials` is then the most that they get
    pub until: Option<Until<'a>>,
    /// what of the run is simulated, and where its tallies are kept
    pub kept: Kept<'a>,
    /// what becomes of it if a trial fails
    pub on_error: OnError,
}

impl Task<'_> {
    /// Why this tally ends the run: its first trial that failed, if such trials are not to be passed over.
    pub(super) fn fault(&self, plan: &impl Planned, tally: &Tally) -> Option<RunError> {
        if self.on_error == OnError::Record || tally.faults.is_empty() {
            return None;
        }
        let mut found: Vec<(FailedTrial, usize)> = Vec::new();
        plan.read(tally, Order::new(), &mut |cell| {
            let first = cell.failed.first.into_iter().next();
            found.extend(first.map(|failed| (failed, cell.cell)));
        });
        let first = found.into_iter().min_by_key(|(f, cell)| (f.trial, *cell));
        first.map(|(failed, cell)| RunError::Failed {
            cell,
            seed: self.seed,
            failed,
        })
    }

    /// Whether cells may get different numbers of trials.
    pub(super) fn teams(&self) -> Teams {
        match self.until {
            None => Teams::None,
            Some(_) => Teams::Compared,
        }
    }
}

/// Where the quantiles of a run come from.
#[derive(Clone, Copy, Debug, Default)]
pub enum Quantiles {
    /// From histograms alone: within 2⁻⁷ of the distance from zero, and for smooth laws much nearer. One pass.
    #[default]
    Histogram,
    /// Order statistics, exact. Two passes; three where the trials are too many to keep those near the wanted ranks.
    Exact {
        /// the ranks that are wanted of so many values, given the level of the intervals
        ranks: fn(u64, f64) -> Vec<u64>,
    },
}

impl Quantiles {
    /// The name in an experiment file.
    pub fn name(self) -> &'static str {
        match self {
            Quantiles::Histogram => "histogram",
            Quantiles::Exact { .. } => "exact",
        }
    }
}

/// By name: the ranks follow from it.
impl PartialEq for Quantiles {
    fn eq(&self, other: &Quantiles) -> bool {
        self.name() == other.name()
    }
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// cells that were simulated to the end and handed on
    pub finished: usize,
    /// tiles that the cells were divided into
    pub tiles: usize,
    /// whether it was stopped before all cells were finished
    pub stopped: bool,
}

/// A request that cannot be met.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// no trials are asked for
    #[error("0 trials simulate nothing: ask for at least 1")]
    NoTrials,
    /// the level is no probability
    #[error("level {0} is not between 0 and 1: the usual one is 0.95")]
    Level(f64),
    /// a pair names a cell that is not there, or compares a cell with itself
    #[error("cells {a} and {b} cannot be compared: a pair is two different cells of 0 to {last}")]
    Pair {
        /// the first of the pair
        a: usize,
        /// the second
        b: usize,
        /// the last cell's index
        last: usize,
    },
    /// the same pair twice
    #[error("cells {a} and {b} are to be compared twice: list a pair once")]
    RepeatedPair {
        /// the first of the pair
        a: usize,
        /// the second
        b: usize,
    },
    /// two queries of a cell would share their noise
    #[error(
        "cell \"{cell}\" has two queries named \"{query}\": give each its own name, since the name addresses the noise"
    )]
    RepeatedQuery {
        /// the cell's text
        cell: String,
        /// the query's name
        query: String,
    },
    /// a trial spent more than its guarantee
    #[error(
        "cell \"{cell}\": a trial spent ε = {spent:?}, more than its guarantee of {guarantee:?}: the run is worth nothing, please report this file"
    )]
    Overspent {
        /// the cell's text
        cell: String,
        /// what the trial spent
        spent: f64,
        /// what it may spend
        guarantee: f64,
    },
    /// a trial failed, and is not to be passed over
    #[error("trial {} (chunk {}) of cell {}, seed {seed}, failed: {}", failed.trial, failed.chunk, cell + 1, failed.why)]
    Failed {
        /// index of the cell
        cell: usize,
        /// seed of all streams
        seed: u64,
        /// the trial
        failed: FailedTrial,
    },
    /// threads could not be started
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

/// A tile with what is needed to read its tally.
pub(super) trait Planned: Sync {
    /// What is simulated.
    fn work(&self) -> &dyn Work;

    /// What each outcome is read off: the kind of a row, or none where it is the same in every trial or has few values. Most procedures
    /// have an outcome for each row.
    fn read_off(&self) -> Vec<Option<RowKind>> {
        let layout = self.work().layout();
        layout.kinds().iter().copied().map(Some).collect()
    }

    /// Reads the finished tally, and hands over one cell after another. Where quantiles come from histograms, `order` is empty.
    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally));

    /// What a trial of the first cell comes to, in the order in which [`Planned::read`] has its outcomes.
    fn listed(&self) -> Vec<Listed>;
}

/// Order statistics of each row of a tile, where they are wanted.
pub(super) type Order = Vec<Option<OrderStatistics>>;

/// Simulates `cells` cells, with `chunk` trials per chunk, in these groups, which `plan` lays out. Cells are handed to `sink` as their tiles
/// are finished, from any thread and in any order; what they hold depends on neither. When `stop` becomes true, the work in flight is
/// finished and the cells that are not complete are left out. Of a shard no cell is handed on: what it knows is kept.
pub(super) fn drive<P: Planned>(
    task: &Task<'_>,
    (cells, chunk): (usize, usize),
    groups: &[Group],
    plan: impl Fn(&Group) -> P,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    let schedule = Schedule {
        threads: task.jobs,
        stop_at_fault: task.on_error == OnError::Stop,
        ..Schedule::new(task.seed, level())
    };
    match task.kept.instead {
        None => {}
        Some(Instead::Scale(scale)) => {
            weigh(scale, groups, plan);
            return Ok(Outcome {
                finished: 0,
                tiles: groups.len(),
                stopped: true,
            });
        }
        Some(Instead::Single(wanted)) => return Ok(single(wanted, &schedule, plan, &sink)),
        Some(Instead::Listing(wanted)) => return Ok(list(wanted, &schedule, plan)),
    }
    if let Some(until) = task.until {
        let run = (task, until, &schedule);
        return rounds(run, (cells, chunk), groups, plan, progress, stop, sink);
    }
    let (shard, keep) = (task.kept.shard, task.kept.keep);
    let chunks = shard.chunks(task.trials.div_ceil(chunk as u64));
    let wanted = trials_of(&chunks, chunk, task.trials);
    let part = task.kept.part;
    if part.is_none_or(|part| part.tile == 0) {
        let all = part.map_or(cells, |part| part.of);
        progress.begin(wanted.saturating_mul(all as u64));
    }
    let finished = AtomicUsize::new(0);
    let most = match task.quantiles {
        Quantiles::Histogram => BATCH,
        // the tallies of a batch are held until its second pass
        Quantiles::Exact { .. } => 1,
    };
    let mut first = part.map_or(0, |part| part.tile);
    let mut keeping = Keeping::new(keep, task.on_error);
    for batch in batches(groups, most) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let plans: Vec<P> = progress.excusing(|| batch.iter().map(&plan).collect());
        let hand_on = |job: usize, tally: &Tally, order| {
            plans[job].read(tally, order, &mut |cell| {
                finished.fetch_add(1, Ordering::Relaxed);
                sink(cell);
            });
        };
        let failure = Mutex::new(None);
        let fails = |job: usize, tally: &Tally| {
            let found = task.fault(&plans[job], tally);
            let fails = found.is_some();
            if fails {
                let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                *failure = failure.take().or(found);
                stop.store(true, Ordering::Relaxed);
            }
            fails
        };
        let later = Mutex::new(Vec::new());
        let complete = |job: usize, tally: Tally| match task.quantiles {
            _ if fails(job, &tally) => {}
            _ if !shard.is_whole() => {
                finished.fetch_add(plans[job].work().cells(), Ordering::Relaxed);
            }
            Quantiles::Histogram => hand_on(job, &tally, Vec::new()),
            Quantiles::Exact { .. } => {
                let mut later = later.lock().unwrap_or_else(PoisonError::into_inner);
                later.push((job, tally));
            }
        };
        // what is known is read, and what is complete said, on all threads
        let open = Mutex::new(Vec::with_capacity(plans.len()));
        let look_up = |job: usize| {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let work = plans[job].work();
            let start = keep.and_then(|keep| keep.known(first + job, &work.layout()));
            let known = start.as_ref().map_or(0, |tally| tally.trials);
            progress.advance(known.saturating_mul(work.cells() as u64));
            match start {
                Some(tally) if fails(job, &tally) => {}
                // what is complete is not held with the others
                Some(tally) if known == wanted => complete(job, tally),
                _ if keep.is_some_and(|keep| keep.complete()) => {
                    stop.store(true, Ordering::Relaxed);
                }
                start => {
                    let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                    open.push((job, start));
                }
            }
        };
        match keep {
            None => (0..plans.len()).for_each(look_up),
            Some(_) => progress.excusing(|| each(plans.len(), task.jobs, &look_up))?,
        }
        let mut open = open.into_inner().unwrap_or_else(PoisonError::into_inner);
        open.sort_by_key(|(job, _)| *job);
        let job_of = |(job, start): (usize, Option<Tally>)| {
            let job_to_do = Job {
                work: plans[job].work(),
                trials: task.trials,
                chunks: chunks.clone(),
                start,
            };
            (job, job_to_do)
        };
        let jobs: Vec<_> = open.into_iter().map(job_of).collect();
        let take = |job: usize, tally: Tally| {
            // what ends the run is not kept: it is found again
            let kept = !fails(job, &tally);
            if kept && keep.is_some_and(|keep| !keep.finished(first + job, &tally)) {
                stop.store(true, Ordering::Relaxed);
            }
            complete(job, tally);
        };
        if stop.load(Ordering::Relaxed) {
            failed(failure)?;
            break;
        }
        let faulty = keeping.simulate(
            jobs,
            (first, &Mutex::default()),
            &schedule,
            progress,
            stop,
            &take,
        )?;
        for (job, tally) in &faulty {
            fails(*job, tally);
        }
        failed(failure)?;
        if let Quantiles::Exact { ranks } = task.quantiles {
            let ranks = |n| ranks(n, task.level);
            for (job, tally) in later.into_inner().unwrap_or_else(PoisonError::into_inner) {
                let work = plans[job].work();
                if let Some(order) = order_statistics(work, &tally, &ranks, &schedule, stop)? {
                    hand_on(job, &tally, order);
                }
            }
        }
        first += plans.len();
    }
    let finished = finished.into_inner();
    Ok(Outcome {
        finished,
        tiles: groups.len(),
        stopped: finished < cells,
    })
}

/// Why the run is to end, if so.
pub(super) fn failed(failure: Mutex<Option<RunError>>) -> Result<(), RunError> {
    let failure = failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    failure.map_or(Ok(()), Err)
}

/// The trials of these chunks.
fn trials_of(chunks: &Range<u64>, chunk: usize, trials: u64) -> u64 {
    let bound = |at: u64| at.saturating_mul(chunk as u64).min(trials);
    bound(chunks.end) - bound(chunks.start)
}

/// Cells that are laid out at once: their plans take some kilobytes each, their tallies are handed on as they are finished.
const BATCH: usize = 4096;

/// Runs of tiles with about `most` cells; teams are not divided.
pub(super) fn batches(groups: &[Group], most: usize) -> impl Iterator<Item = &[Group]> {
    let mut cells = 0;
    groups.chunk_by(move |group, next| {
        cells += group.members.len();
        let together = cells < most || group.team == next.team;
        if !together {
            cells = 0;
        }
        together
    })
}

/// Sees that a task does not contradict itself.
pub(super) fn validate(task: &Task<'_>, cells: usize) -> Result<(), RunError> {
    if task.trials == 0 {
        return Err(RunError::NoTrials);
    }
    if !(task.level > 0.0 && task.level < 1.0) {
        return Err(RunError::Level(task.level));
    }
    let mut seen = HashSet::new();
    for (a, b) in task.pairs.iter().copied() {
        if a == b || a >= cells || b >= cells {
            let last = cells.saturating_sub(1);
            return Err(RunError::Pair { a, b, last });
        }
        if !seen.insert((a, b)) {
            return Err(RunError::RepeatedPair { a, b });
        }
    }
    Ok(())
}
