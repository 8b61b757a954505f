//! Clocks and progress: threads that look at work from beside it, for as long as it lasts.

use super::ThreadsError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, Thread, scope};

/// What looks at the work: it returns soon after `finished` is true, and is woken then.
pub type Looker<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Calls `work` with a thread for each looker beside it. When it has returned, or has panicked, `finished` becomes true and the lookers are woken:
/// none of them outlives the work, so that a panic ends and does not hang.
///
/// # Errors
/// The system starts no more threads; `work` was not called.
pub fn beside<T>(
    finished: &AtomicBool,
    lookers: Vec<Looker<'_>>,
    work: impl FnOnce() -> T,
) -> Result<T, ThreadsError> {
    scope(|scope| {
        let mut ends = Ends {
            finished,
            threads: Vec::new(),
        };
        for look in lookers {
            let started = Builder::new().spawn_scoped(scope, look);
            let started = started.map_err(|source| ThreadsError::new(1, source))?;
            ends.threads.push(started.thread().clone());
        }
        Ok(work())
    })
}

/// Ends the lookers when it goes.
struct Ends<'a> {
    finished: &'a AtomicBool,
    threads: Vec<Thread>,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::Release);
        self.threads.iter().for_each(Thread::unpark);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;

    /// Looks for ten minutes, or until the work is over.
    fn look(finished: &AtomicBool, ended: &AtomicBool) {
        for _ in 0..10 {
            if finished.load(Ordering::Acquire) {
                ended.store(true, Ordering::Release);
                return;
            }
            std::thread::park_timeout(Duration::from_secs(60));
        }
    }

    #[test]
    fn lookers_end_with_the_work_and_with_its_panic() {
        for panics in [false, true] {
            let (finished, ended) = (AtomicBool::new(false), AtomicBool::new(false));
            let done = catch_unwind(AssertUnwindSafe(|| {
                let looker: Looker<'_> = Box::new(|| look(&finished, &ended));
                beside(&finished, vec![looker], || {
                    assert!(!panics, "as asked");
                    17
                })
            }));
            assert_eq!(done.is_err(), panics);
            if let Ok(done) = done {
                assert_eq!(done.unwrap(), 17);
            }
            assert!(ended.load(Ordering::Acquire), "{panics}");
        }
    }
}
