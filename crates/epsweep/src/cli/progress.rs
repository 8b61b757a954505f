//! Progress on stderr: a bar on a terminal, timed lines elsewhere.

use super::interrupt;
use crate::engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shows how far a run is until `finished` is set, and says it when a signal asks, also if `quiet`. Runs on a thread of its own and only
/// reads; unpark it to end at once.
pub fn watch(progress: &Progress, finished: &AtomicBool, quiet: bool) {
    watch_units(progress, finished, quiet, "trials");
}

/// As [`watch`], of something else than trials. As long as it is not known how many there are, nothing is shown.
pub fn watch_units(progress: &Progress, finished: &AtomicBool, quiet: bool, units: &'static str) {
    let run = Watched {
        progress,
        finished,
        units,
        start: Instant::now(),
    };
    if quiet {
        run.wait(Duration::MAX);
    } else if on_terminal() {
        run.bar();
    } else {
        run.lines();
    }
}

/// A run that is watched.
struct Watched<'a> {
    progress: &'a Progress,
    finished: &'a AtomicBool,
    units: &'static str,
    start: Instant,
}

/// How often it is looked whether somebody has asked.
const LOOK: Duration = Duration::from_millis(100);

/// Whether stderr is a terminal that can redraw a line.
fn on_terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Watched<'_> {
    fn bar(&self) {
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let template = if colour {
            "{bar:40.cyan} {percent:>3} %  {msg}  {eta} left"
        } else {
            "{bar:40} {percent:>3} %  {msg}  {eta} left"
        };
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        while !self.wait(LOOK) {
            if self.progress.total() == 0 {
                continue;
            }
            let now = self.progress.done();
            bar.set_length(self.progress.total());
            bar.set_position(now);
            bar.set_message(self.rate(now, self.start.elapsed()));
        }
        bar.finish_and_clear();
    }

    /// A line after 5 s, then after twice as long each time, up to one a minute: a log of a long run stays short.
    fn lines(&self) {
        let mut pause = Duration::from_secs(5);
        while !self.wait(pause) {
            super::output::note(&self.line());
            pause = (pause * 2).min(Duration::from_secs(60));
        }
    }

    fn line(&self) -> String {
        let (now, total) = (self.progress.done(), self.progress.total().max(1));
        let elapsed = self.start.elapsed();
        let percent = 100.0 * now as f64 / total as f64;
        format!(
            "{:>5.1} s  {percent:>5.1} %  {}",
            elapsed.as_secs_f64(),
            self.rate(now, elapsed)
        )
    }

    /// Sleeps at most `pause`, and answers who asks; true once `finished` is set.
    fn wait(&self, pause: Duration) -> bool {
        let begun = Instant::now();
        loop {
            if self.finished.load(Ordering::Acquire) {
                return true;
            }
            if interrupt::asked() {
                super::output::note(&format!("status: {}", self.line().trim_start()));
            }
            let left = pause.saturating_sub(begun.elapsed());
            if left.is_zero() {
                return false;
            }
            std::thread::park_timeout(left.min(LOOK));
        }
    }

    fn rate(&self, done: u64, elapsed: Duration) -> String {
        let per_second = done as f64 / elapsed.as_secs_f64().max(1e-9);
        format!("{} {}/s", super::text::short(per_second), self.units)
    }
}
