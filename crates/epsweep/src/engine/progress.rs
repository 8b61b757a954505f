//! How far a run is.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How far a run is, in trials times cells; read by whoever draws a progress bar.
#[derive(Debug, Default)]
pub struct Progress {
    done: AtomicU64,
    total: AtomicU64,
    excused: Mutex<Excused>,
}

/// Time that no limit counts.
#[derive(Clone, Copy, Debug, Default)]
struct Excused {
    before: Duration,
    since: Option<Instant>,
}

impl Progress {
    /// What has been simulated.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// What there is to simulate in all; zero before the run has begun.
    pub fn total(&self) -> u64 {
        self.total.load(Ordering::Relaxed)
    }

    /// Starts anew, with so much to simulate.
    pub fn begin(&self, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// So much is expected in all by now.
    pub fn expect(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// So much more is done.
    pub fn advance(&self, by: u64) {
        self.done.fetch_add(by, Ordering::Relaxed);
    }

    /// Does what a run does again when it goes on: lay out cells, take up what earlier runs did. A limit of time that counted it could be over
    /// before anything new is done, again and again.
    pub fn excusing<T>(&self, work: impl FnOnce() -> T) -> T {
        let excused = || self.excused.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        excused().since = Some(begun);
        let done = work();
        let mut excused = excused();
        excused.since = None;
        excused.before += begun.elapsed();
        done
    }

    /// How much time no limit counts, up to now.
    pub fn excused(&self) -> Duration {
        let excused = *(self.excused.lock()).unwrap_or_else(PoisonError::into_inner);
        let now = excused
            .since
            .map_or(Duration::ZERO, |since| since.elapsed());
        excused.before + now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_excused_while_it_passes_and_afterwards() {
        let progress = Progress::default();
        assert_eq!(progress.excused(), Duration::ZERO);
        let within = progress.excusing(|| {
            std::thread::sleep(Duration::from_millis(2));
            progress.excused()
        });
        assert!(within >= Duration::from_millis(2));
        let after = progress.excused();
        assert!(after >= within);
        assert_eq!(progress.excused(), after);
    }
}
