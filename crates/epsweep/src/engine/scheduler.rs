//! Who simulates what, when.

use super::memory;
use super::progress::Progress;
use super::tile::{Session, Work};
use crate::tally::{Leaf, Pool, Tally};
use crate::words::several;
use epsweep_core::random::{Level, level};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A tile and the trials wanted of it.
pub struct Job<'a> {
    /// the tile
    pub work: &'a dyn Work,
    /// trials 0, 1, …, `trials` − 1
    pub trials: u64,
    /// only these chunks of them: all, or a shard's
    pub chunks: Range<u64>,
    /// what is known from an earlier run, which holds the first trials of the range
    pub start: Option<Tally>,
}

/// How to run jobs. Results depend on the seed alone.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// seed of all streams
    pub seed: u64,
    /// instruction set
    pub level: Level,
    /// threads; 0 takes as many as there are processors
    pub threads: usize,
    /// chunks that a worker takes at once; `None` chooses
    pub span: Option<u64>,
    /// trials after which a session is closed, so that its 32-bit counts cannot overflow; must be less than 2³²
    pub session_trials: u64,
    /// whether a trial that fails stops everything
    pub stop_at_fault: bool,
}

impl Schedule {
    /// On all processors.
    pub fn new(seed: u64, level: Level) -> Schedule {
        Schedule {
            seed,
            level,
            threads: 0,
            span: None,
            session_trials: 1 << 31,
            stop_at_fault: false,
        }
    }
}

/// A job that was stopped before its end.
#[derive(Debug)]
pub struct Unfinished {
    /// index of the job
    pub job: usize,
    /// what is known of it; pass it as [`Job::start`] to go on
    pub tally: Option<Tally>,
}

/// The threads could not be started.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {}: {source}; ask for fewer with -j, or have the limits of processes and memory raised (ulimit -u, -v)", several(*threads as u64, "thread"))]
pub struct ThreadsError {
    threads: usize,
    source: Box<dyn std::error::Error + Send + Sync>,
}

impl ThreadsError {
    /// Of so many threads, for what the system says.
    pub(crate) fn new(
        threads: usize,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> ThreadsError {
        ThreadsError {
            threads,
            source: source.into(),
        }
    }
}

/// Values (trials times rows) below which threads cost more than they save: a few milliseconds' work.
const SMALL: u64 = 1 << 21;
/// Most chunks that a worker takes at once.
const LONGEST_SPAN: u64 = 16;

/// Simulates all jobs and hands each to `finished` as soon as it is complete, in any order and from any thread. Spans of chunks are taken
/// from one counter in the order of the jobs: what is done is always nearly a prefix, and at most one tile more than there are
/// threads is in memory.
///
/// `progress` is advanced by trials times cells; whole chunks are simulated, so the partial last one counts in full.
///
/// When `stop` becomes true, the spans in flight are finished and what is left is returned, each job's chunks a
/// prefix of those wanted. A trial that fails makes it true, if the schedule says so.
///
/// # Errors
/// If the threads cannot be started.
pub fn simulate(
    jobs: Vec<Job<'_>>,
    schedule: &Schedule,
    progress: &Progress,
    stop: &AtomicBool,
    finished: &(dyn Fn(usize, Tally) + Sync),
) -> Result<Vec<Unfinished>, ThreadsError> {
    memory::keep();
    let queue = Queue::new(jobs, schedule, progress, stop, finished);
    on_workers(schedule, queue.values, &|| queue.work())?;
    Ok(queue.rest())
}

impl Schedule {
    fn wanted(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Runs `work` on every thread; on the caller's alone where there is but one, or where threads are not asked for and the work, so
/// many values, is small.
pub(super) fn on_workers(
    schedule: &Schedule,
    values: u64,
    work: &(dyn Fn() + Sync),
) -> Result<(), ThreadsError> {
    let threads = schedule.wanted();
    if threads == 1 || values < SMALL && schedule.threads == 0 {
        work();
        return Ok(());
    }
    match pool(threads) {
        Ok(pool) => {
            pool.broadcast(|_| work());
            Ok(())
        }
        // nobody asked for so many: fewer do the same
        Err(_) if schedule.threads == 0 => {
            let fewer = Schedule {
                threads: threads / 2,
                ..*schedule
            };
            on_workers(&fewer, values, work)
        }
        Err(error) => Err(error),
    }
}

/// So many threads, or as many as there are processors for 0.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, ThreadsError> {
    let threads = match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    (rayon::ThreadPoolBuilder::new().num_threads(threads).build())
        .map_err(|source| ThreadsError::new(threads, source))
}

/// Starts the threads on which estimates are made, once per process: where the system refuses them later, there is no one to tell.
///
/// # Errors
/// If the threads cannot be started.
pub fn start() -> Result<(), ThreadsError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    (rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global())
    .map_err(|source| ThreadsError::new(threads, source))
}

/// Calls `work` with 0, 1, …, `count` − 1, each once, on so many threads (0: as many as there are processors).
///
/// # Errors
/// If the threads cannot be started.
pub fn each(
    count: usize,
    threads: usize,
    work: &(dyn Fn(usize) + Sync),
) -> Result<(), ThreadsError> {
    let schedule = Schedule {
        threads,
        ..Schedule::new(0, level())
    };
    let next = AtomicU64::new(0);
    let loop_over = || loop {
        let index = next.fetch_add(1, Ordering::Relaxed) as usize;
        if index >= count {
            break;
        }
        work(index);
    };
    // a single piece of work needs no thread of its own
    let values = if count > 1 { u64::MAX } else { 0 };
    on_workers(&schedule, values, &loop_over)
}

/// A job, and how far it is.
struct Running<'a> {
    work: &'a dyn Work,
    trials: u64,
    /// chunks still to simulate when the run began
    chunks: Range<u64>,
    /// trials that were in the counts when the run began
    had: u64,
    span: u64,
    /// number of the job's first span among all
    first_span: u64,
    spans: u64,
    state: Mutex<State>,
}

struct State {
    tally: Option<Tally>,
    /// whether the tally's partial chunk, if it has one, is of an earlier run
    old_tail: bool,
    /// spans whose counts are not yet in the tally
    open: u64,
}

struct Queue<'a> {
    jobs: Vec<Running<'a>>,
    spans: u64,
    /// trials times rows
    values: u64,
    next: AtomicU64,
    schedule: Schedule,
    pool: Pool,
    progress: &'a Progress,
    stop: &'a AtomicBool,
    finished: &'a (dyn Fn(usize, Tally) + Sync),
}

/// A worker's session, and what of it is not yet in the job's tally.
struct Open<'w> {
    job: usize,
    session: Box<dyn Session + 'w>,
    spans: u64,
    trials: u64,
}

impl<'a> Queue<'a> {
    fn new(
        jobs: Vec<Job<'a>>,
        schedule: &Schedule,
        progress: &'a Progress,
        stop: &'a AtomicBool,
        finished: &'a (dyn Fn(usize, Tally) + Sync),
    ) -> Queue<'a> {
        let threads = schedule.wanted();
        let (mut spans, mut values) = (0, 0u64);
        let mut running = Vec::with_capacity(jobs.len());
        for (index, job) in jobs.into_iter().enumerate() {
            let len = job.work.chunk_len() as u64;
            let had = job.start.as_ref().map_or(0, |t| t.trials);
            let first = job.chunks.start + had / len;
            let end = job.trials.div_ceil(len).min(job.chunks.end);
            let chunks = first..end.max(first);
            let count = chunks.end - chunks.start;
            let span = schedule
                .span
                .unwrap_or((count / (4 * threads as u64)).min(LONGEST_SPAN))
                .max(1);
            let layout = job.work.layout();
            let trials = count.saturating_mul(len);
            let rows = (layout.kinds().len() + layout.pairs()) as u64;
            values = values.saturating_add(trials.saturating_mul(rows));
            let entry = Running {
                work: job.work,
                trials: job.trials,
                // a start that ends inside a chunk has begun that chunk
                had: job.chunks.start * len + had,
                span,
                first_span: spans,
                spans: count.div_ceil(span),
                state: Mutex::new(State {
                    tally: job.start,
                    old_tail: true,
                    open: count.div_ceil(span),
                }),
                chunks,
            };
            spans += entry.spans;
            if entry.spans == 0 {
                let tally = entry.lock().tally.take();
                finished(index, tally.unwrap_or_else(|| Tally::new(&layout)));
            }
            running.push(entry);
        }
        Queue {
            jobs: running,
            spans,
            values,
            next: AtomicU64::new(0),
            schedule: *schedule,
            pool: Pool::default(),
            progress,
            stop,
            finished,
        }
    }

    /// Takes spans until there are none.
    fn work(&self) {
        let mut open: Option<Open<'_>> = None;
        while !self.stop.load(Ordering::Relaxed) {
            let span = self.next.fetch_add(1, Ordering::Relaxed);
            if span >= self.spans {
                break;
            }
            // the last job that begins at or before this span and is not empty
            let job = self.jobs.partition_point(|j| j.first_span <= span) - 1;
            let most = self.jobs[job].span * self.jobs[job].work.chunk_len() as u64;
            let keep = |o: &Open<'_>| {
                o.job == job && o.trials.saturating_add(most) <= self.schedule.session_trials
            };
            if let Some(other) = open.take_if(|o| !keep(o)) {
                self.close(other);
            }
            let session = open.get_or_insert_with(|| self.open(job));
            self.simulate(session, span - self.jobs[job].first_span);
        }
        if let Some(open) = open {
            self.close(open);
        }
    }

    fn open(&self, job: usize) -> Open<'_> {
        let Schedule { seed, level, .. } = self.schedule;
        Open {
            job,
            session: self.jobs[job].work.open(seed, level, &self.pool),
            spans: 0,
            trials: 0,
        }
    }

    fn simulate(&self, open: &mut Open<'_>, span: u64) {
        let job = &self.jobs[open.job];
        let len = job.work.chunk_len() as u64;
        let first = job.chunks.start + span * job.span;
        let chunks = first..(first + job.span).min(job.chunks.end);
        let mut whole: Vec<(u64, Leaf)> = Vec::with_capacity(job.span as usize);
        let mut tail = None;
        let mut replaces_tail = false;
        for chunk in chunks {
            let start = chunk * len;
            let to = (job.trials - start).min(len);
            let counted = job.had.saturating_sub(start).min(to);
            let leaf = open.session.chunk(chunk, counted as usize, to as usize);
            replaces_tail |= counted > 0;
            open.trials += to - counted;
            if to == len {
                whole.push((chunk, leaf));
            } else {
                tail = Some(leaf);
            }
            (self.progress).advance((to - counted) * job.work.cells() as u64);
        }
        open.spans += 1;
        let faults = open.session.faults();
        if self.schedule.stop_at_fault && !faults.is_empty() {
            self.stop.store(true, Ordering::Relaxed);
        }
        let mut state = job.lock();
        let tally = state.tally(job.work);
        tally.faults.absorb(faults);
        for (chunk, leaf) in whole {
            tally.forest.insert(chunk, leaf);
        }
        // the chunk that was partial in an earlier run comes back whole, or longer. Another worker may have brought the new
        // partial chunk before: that one stays.
        if tail.is_some() {
            tally.tail = tail;
            state.old_tail = false;
        } else if replaces_tail && std::mem::take(&mut state.old_tail) {
            state.tally(job.work).tail = None;
        }
    }

    /// Moves a session's counts to its job, and hands the job on if that was the last of it.
    fn close(&self, open: Open<'_>) {
        let job = &self.jobs[open.job];
        let counts = open.session.finish();
        let layout = job.work.layout();
        let mut state = job.lock();
        state.open -= open.spans;
        let tally = state.tally(job.work);
        tally.counts.absorb_session(counts, &layout, &self.pool);
        tally.trials += open.trials;
        if state.open == 0 {
            let tally = state.tally.take();
            drop(state);
            if let Some(tally) = tally {
                (self.finished)(open.job, tally);
            }
        }
    }

    fn rest(self) -> Vec<Unfinished> {
        let mut rest = Vec::new();
        for (index, job) in self.jobs.into_iter().enumerate() {
            let state = job
                .state
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner);
            if state.open > 0 {
                rest.push(Unfinished {
                    job: index,
                    tally: state.tally,
                });
            }
        }
        rest
    }
}

impl Running<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn tally(&mut self, work: &dyn Work) -> &mut Tally {
        self.tally.get_or_insert_with(|| Tally::new(&work.layout()))
    }
}
