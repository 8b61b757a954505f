//! Simulating with pauses in which what is known is kept.

use super::OnError;
use crate::engine::{
    Job, Keep, Looker, Progress, Schedule, ThreadsError, Unfinished, Work, beside, simulate,
};
use crate::tally::Tally;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where tallies are kept, and when they were kept last.
pub(super) struct Keeping<'a> {
    keep: Option<&'a dyn Keep>,
    /// whether tallies with failed trials are of use
    on_error: OnError,
    last: Instant,
}

/// A job without what is known of it.
struct Wanted<'a> {
    number: usize,
    work: &'a dyn Work,
    trials: u64,
    chunks: Range<u64>,
}

impl<'a> Keeping<'a> {
    pub fn new(keep: Option<&'a dyn Keep>, on_error: OnError) -> Keeping<'a> {
        Keeping {
            keep,
            on_error,
            last: Instant::now(),
        }
    }

    /// Simulates numbered jobs, the tiles from number `first` on. In the pauses, what is known of unfinished ones is kept, and with it the
    /// tallies that are `waiting` for others, by the same numbers.
    ///
    /// Where a trial that fails ends the run, the unfinished tallies that have one are returned, and not kept.
    pub fn simulate(
        &mut self,
        jobs: Vec<(usize, Job<'_>)>,
        (first, waiting): (usize, &Mutex<Vec<(usize, Tally)>>),
        schedule: &Schedule,
        progress: &Progress,
        stop: &AtomicBool,
        take: &(dyn Fn(usize, Tally) + Sync),
    ) -> Result<Vec<(usize, Tally)>, ThreadsError> {
        let mut faulty = Vec::new();
        let mut wanted: Vec<Wanted<'_>> = (jobs.iter())
            .map(|(number, job)| Wanted {
                number: *number,
                work: job.work,
                trials: job.trials,
                chunks: job.chunks.clone(),
            })
            .collect();
        let mut jobs: Vec<Job<'_>> = jobs.into_iter().map(|(_, job)| job).collect();
        while !jobs.is_empty() {
            let take = |job: usize, tally| take(wanted[job].number, tally);
            let Some(keep) = self.keep else {
                let unfinished = simulate(jobs, schedule, progress, stop, &take)?;
                self.sort_out(unfinished, &mut faulty, |job| wanted[job].number);
                break;
            };
            let (pause, over) = (AtomicBool::new(false), AtomicBool::new(false));
            let left = keep.interval().saturating_sub(self.last.elapsed());
            let clock: Looker<'_> = Box::new(|| ring(&pause, &over, stop, left));
            let unfinished = beside(&over, vec![clock], || {
                simulate(jobs, schedule, progress, &pause, &take)
            })??;
            let unfinished = self.sort_out(unfinished, &mut faulty, |job| wanted[job].number);
            let kept = unfinished.is_empty() || {
                let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let open = (unfinished.iter())
                    .filter_map(|rest| Some((wanted[rest.job].number, rest.tally.as_ref()?)));
                let waiting = (waiting.iter().filter(|(_, tally)| !self.ends(tally)))
                    .map(|(number, tally)| (*number, tally));
                let open = open.chain(waiting);
                let open: Vec<_> = open
                    .map(|(number, tally)| (first + number, tally))
                    .collect();
                self.pause(&open)
            };
            if !kept || !faulty.is_empty() || stop.load(Ordering::Relaxed) {
                stop.store(true, Ordering::Relaxed);
                break;
            }
            (wanted, jobs) = (unfinished.into_iter())
                .map(|Unfinished { job, tally }| {
                    let Wanted {
                        number,
                        work,
                        trials,
                        ref chunks,
                    } = wanted[job];
                    let again = Job {
                        work,
                        trials,
                        chunks: chunks.clone(),
                        start: tally,
                    };
                    let chunks = chunks.clone();
                    (
                        Wanted {
                            number,
                            work,
                            trials,
                            chunks,
                        },
                        again,
                    )
                })
                .unzip();
        }
        Ok(faulty)
    }

    /// Whether this tally ends the run.
    fn ends(&self, tally: &Tally) -> bool {
        self.on_error == OnError::Stop && !tally.faults.is_empty()
    }

    /// Moves what ends the run from the unfinished to the `faulty`.
    fn sort_out(
        &self,
        unfinished: Vec<Unfinished>,
        faulty: &mut Vec<(usize, Tally)>,
        number: impl Fn(usize) -> usize,
    ) -> Vec<Unfinished> {
        let mut rest = Vec::with_capacity(unfinished.len());
        for mut job in unfinished {
            match job.tally.take_if(|tally| self.ends(tally)) {
                Some(tally) => faulty.push((number(job.job), tally)),
                None => rest.push(job),
            }
        }
        rest
    }

    /// Whether it is time to keep what is known.
    pub fn due(&self) -> bool {
        (self.keep).is_some_and(|keep| self.last.elapsed() >= keep.interval())
    }

    /// Keeps what is known of the tiles that are not finished; `false` if that is not possible.
    pub fn pause(&mut self, open: &[(usize, &Tally)]) -> bool {
        self.last = Instant::now();
        self.keep.is_none_or(|keep| keep.paused(open))
    }
}

/// How often it is looked whether a run is to stop: what a user may wait after Ctrl-C, besides the work in flight.
const LOOK: Duration = Duration::from_millis(20);

/// Sets `pause` when the interval has passed or the run is to stop; returns when it is over.
fn ring(pause: &AtomicBool, over: &AtomicBool, stop: &AtomicBool, interval: Duration) {
    let begun = Instant::now();
    while !over.load(Ordering::Acquire) {
        if stop.load(Ordering::Relaxed) || begun.elapsed() >= interval {
            pause.store(true, Ordering::Relaxed);
        }
        std::thread::park_timeout(LOOK);
    }
}
