//! Simulating with pauses in which what is known is kept.

use crate::engine::{Job, Keep, Progress, Schedule, ThreadsError, Unfinished, Work, simulate};
use crate::tally::Tally;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Where tallies are kept, and when they were kept last.
pub(super) struct Keeping<'a> {
    keep: Option<&'a dyn Keep>,
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
    pub fn new(keep: Option<&'a dyn Keep>) -> Keeping<'a> {
        Keeping {
            keep,
            last: Instant::now(),
        }
    }

    /// Simulates numbered jobs, the tiles from number `first` on. In the pauses, what is known of unfinished ones is kept, and with it the
    /// tallies that are `waiting` for others, by the same numbers.
    pub fn simulate(
        &mut self,
        jobs: Vec<(usize, Job<'_>)>,
        (first, waiting): (usize, &Mutex<Vec<(usize, Tally)>>),
        schedule: &Schedule,
        progress: &Progress,
        stop: &AtomicBool,
        take: &(dyn Fn(usize, Tally) + Sync),
    ) -> Result<(), ThreadsError> {
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
                simulate(jobs, schedule, progress, stop, &take)?;
                break;
            };
            let (pause, over) = (AtomicBool::new(false), AtomicBool::new(false));
            let left = keep.interval().saturating_sub(self.last.elapsed());
            let unfinished = std::thread::scope(|scope| {
                let clock = scope.spawn(|| ring(&pause, &over, stop, left));
                let unfinished = simulate(jobs, schedule, progress, &pause, &take);
                over.store(true, Ordering::Release);
                clock.thread().unpark();
                unfinished
            })?;
            let kept = unfinished.is_empty() || {
                let waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
                let open = (unfinished.iter())
                    .filter_map(|rest| Some((wanted[rest.job].number, rest.tally.as_ref()?)));
                let waiting = waiting.iter().map(|(number, tally)| (*number, tally));
                let open = open.chain(waiting);
                let open: Vec<_> = open
                    .map(|(number, tally)| (first + number, tally))
                    .collect();
                self.pause(&open)
            };
            if !kept || stop.load(Ordering::Relaxed) {
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
        Ok(())
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
