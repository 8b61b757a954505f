//! Progress on stderr: a bar on a terminal, timed lines elsewhere.

use crate::engine::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Shows how far a run is until `finished` is set. Runs on a thread of its own and only reads; unpark it to end at once.
pub fn watch(progress: &Progress, finished: &AtomicBool, quiet: bool) {
    if quiet {
        return;
    }
    if on_terminal() {
        bar(progress, finished);
    } else {
        lines(progress, finished);
    }
}

/// Whether stderr is a terminal that can redraw a line.
fn on_terminal() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

fn bar(progress: &Progress, finished: &AtomicBool) {
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
    let start = Instant::now();
    while !wait(finished, Duration::from_millis(100)) {
        let now = progress.done();
        bar.set_length(progress.total());
        bar.set_position(now);
        bar.set_message(rate(now, start.elapsed()));
    }
    bar.finish_and_clear();
}

/// A line after 5 s, then after twice as long each time, up to one a minute: a log of a long run stays short.
fn lines(progress: &Progress, finished: &AtomicBool) {
    let start = Instant::now();
    let mut pause = Duration::from_secs(5);
    while !wait(finished, pause) {
        let (now, total) = (progress.done(), progress.total().max(1));
        let elapsed = start.elapsed();
        let percent = 100.0 * now as f64 / total as f64;
        super::output::note(&format!(
            "{:>5.1} s  {percent:>5.1} %  {}",
            elapsed.as_secs_f64(),
            rate(now, elapsed)
        ));
        pause = (pause * 2).min(Duration::from_secs(60));
    }
}

/// Sleeps at most `pause`; true once `finished` is set.
fn wait(finished: &AtomicBool, pause: Duration) -> bool {
    let end = Instant::now() + pause;
    loop {
        if finished.load(Ordering::Acquire) {
            return true;
        }
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        std::thread::park_timeout(left);
    }
}

fn rate(done: u64, elapsed: Duration) -> String {
    let per_second = done as f64 / elapsed.as_secs_f64().max(1e-9);
    format!("{} trials/s", super::text::short(per_second))
}
