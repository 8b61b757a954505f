//! Ctrl-C and termination signals.

use super::{Failure, exit, output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static SIMULATING: AtomicBool = AtomicBool::new(false);

/// Calls `simulate` with a flag that becomes true when a signal comes. A signal that comes while nothing is simulated (the record is made), or
/// a second one, ends the program at once: the manifest is written last, so that what is there is no finished run.
///
/// # Errors
/// Signals cannot be watched for.
pub fn heeding<T>(simulate: impl FnOnce(&AtomicBool) -> T) -> Result<T, Failure> {
    // a program has one handler, however many simulations
    static HANDLER: OnceLock<Result<(), String>> = OnceLock::new();
    let handled = HANDLER.get_or_init(|| {
        ctrlc::set_handler(|| {
            let first = !STOP.swap(true, Ordering::Relaxed);
            if !first || !SIMULATING.load(Ordering::Relaxed) {
                output::note("interrupted: the record is not complete; run the experiment again");
                std::process::exit(exit::INTERRUPTED.into());
            }
        })
        .map_err(|error| error.to_string())
    });
    if let Err(error) = handled {
        return Err(Failure::Argument(format!(
            "Ctrl-C cannot be watched for: {error}"
        )));
    }
    SIMULATING.store(true, Ordering::Relaxed);
    let done = simulate(&STOP);
    SIMULATING.store(false, Ordering::Relaxed);
    Ok(done)
}
