//! Signals.
//!
//! | signal | while cells are simulated | at other times |
//! |---|---|---|
//! | SIGINT (Ctrl-C), SIGTERM | the work in flight is finished and kept, exit with 128 + the signal's number; a second one ends at once | ends at once: the manifest is written last, so that what is there is no finished run |
//! | SIGUSR1 | a line on stderr says how far the run is, also with `--quiet` | a line says that nothing is simulated |
//! | SIGXFSZ | blocked: the write that went beyond the limit fails, and the record cannot be written (exit code 5) | likewise |
//! | SIGPIPE | ignored, as in every Rust program: a closed stdout is no failure, and the record is complete | likewise |

use super::{Failure, exit, output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static SIMULATING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
/// exit code of whoever was interrupted
static CODE: AtomicU8 = AtomicU8::new(exit::INTERRUPTED);

/// Begins to watch for signals; once per process.
///
/// # Errors
/// Signals cannot be watched for.
pub fn watch() -> Result<(), Failure> {
    static WATCHED: OnceLock<Result<(), String>> = OnceLock::new();
    let watched = WATCHED.get_or_init(|| begin().map_err(|error| error.to_string()));
    watched
        .clone()
        .map_err(|error| Failure::Argument(format!("signals cannot be watched for: {error}")))
}

#[cfg(unix)]
fn begin() -> std::io::Result<()> {
    use nix::sys::signal::{SigSet, Signal};
    let heeded: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGUSR1]
        .into_iter()
        .collect();
    // blocked in this thread, before there are others, and so in all: one waits for them. Programs that are started have none blocked.
    let mut blocked = heeded;
    // the write that went beyond a limit says what is wrong, if the signal does not kill
    blocked.add(Signal::SIGXFSZ);
    blocked.thread_block()?;
    let heed = move || {
        while let Ok(signal) = heeded.wait() {
            match signal {
                Signal::SIGUSR1 => ask(),
                Signal::SIGTERM => stop(exit::TERMINATED),
                _ => stop(exit::INTERRUPTED),
            }
        }
    };
    (std::thread::Builder::new().name("signals".into())).spawn(heed)?;
    Ok(())
}

#[cfg(not(unix))]
fn begin() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| stop(exit::INTERRUPTED))
}

fn stop(code: u8) {
    CODE.store(code, Ordering::Relaxed);
    let first = !STOP.swap(true, Ordering::Relaxed);
    if !first || !SIMULATING.load(Ordering::Relaxed) {
        say();
        std::process::exit(code.into());
    }
}

/// What an interruption means to the command that is run: one text, whatever it is doing when the signal comes.
static MEANS: OnceLock<&'static str> = OnceLock::new();

/// Sets what an interruption means to the command that is run; once per process.
pub fn means(what: &'static str) {
    // the first command is the only one
    let _ = MEANS.set(what);
}

/// Says that the command was interrupted, and what that means.
pub fn say() {
    output::note(&format!("interrupted: {}", meaning()));
}

/// As [`say`], with how far it was, in words.
pub fn say_after(reached: &str) {
    output::note(&format!("interrupted after {reached}: {}", meaning()));
}

fn meaning() -> &'static str {
    (MEANS.get().copied()).unwrap_or("it is not complete; run it again")
}

#[cfg(unix)]
fn ask() {
    if SIMULATING.load(Ordering::Relaxed) {
        ASKED.store(true, Ordering::Relaxed);
    } else {
        output::note("status: nothing is simulated at the moment");
    }
}

/// Whether somebody has asked how far the run is, since this was last called.
pub fn asked() -> bool {
    ASKED.swap(false, Ordering::Relaxed)
}

/// The exit code of a run that was interrupted.
pub fn code() -> u8 {
    CODE.load(Ordering::Relaxed)
}

/// Calls `simulate` with a flag that becomes true when a signal comes that ends the run.
pub fn heeding<T>(simulate: impl FnOnce(&AtomicBool) -> T) -> T {
    SIMULATING.store(true, Ordering::Relaxed);
    let done = simulate(&STOP);
    SIMULATING.store(false, Ordering::Relaxed);
    done
}
