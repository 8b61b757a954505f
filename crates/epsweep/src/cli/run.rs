//! `epsweep run`

use super::arguments::Run;
use super::{Failure, exit, interrupt, load, output, progress, show, text};
use crate::engine::Progress;
use crate::figure::Formats;
use crate::pipeline::{self, PipelineError, Simulated};
use crate::plan::Plan;
use crate::record::{self, RunDir, State};
use crate::words::several;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Simulates an experiment and writes its record. The place of the record is looked at first: a run that could not be kept is not begun.
pub fn run(arguments: &Run) -> Result<u8, Failure> {
    let plan = load(&arguments.experiment)?;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => PathBuf::from("results").join(&plan.settings().name),
    };
    let dir = match RunDir::open(&out, &pipeline::identity(&plan)?, arguments.force)? {
        State::New(dir) | State::Renew(dir) => dir,
        State::Finished => return already_there(&out, arguments),
    };
    let Some(simulated) = simulate(&plan, arguments.jobs, arguments.quiet)? else {
        output::note("interrupted: nothing was written");
        return Ok(exit::INTERRUPTED);
    };
    let rows = pipeline::rows(&plan, &simulated)?;
    let formats = (!arguments.no_figures).then(Formats::default);
    let recorded = pipeline::record(dir, &plan, &simulated, &rows, arguments.jobs, formats)?;
    drop(simulated);
    if !arguments.quiet {
        for warning in (recorded.run.manifest.warnings.iter())
            .chain(recorded.drawn.iter().flat_map(|figure| &figure.warnings))
        {
            output::note(&format!("warning: {warning}"));
        }
    }
    output::result(&show::run(&recorded.run, arguments.format)?)?;
    Ok(exit::DONE)
}

fn already_there(out: &Path, arguments: &Run) -> Result<u8, Failure> {
    let run = record::read(out)?;
    if !arguments.quiet {
        output::note(&format!(
            "{} holds this very run, finished: it is left alone (--force makes it again)",
            out.display()
        ));
    }
    output::result(&show::run(&run, arguments.format)?)?;
    Ok(exit::DONE)
}

/// Simulates with progress on stderr; `None` if Ctrl-C or a termination signal came.
pub(super) fn simulate(
    plan: &Plan,
    jobs: usize,
    quiet: bool,
) -> Result<Option<Simulated>, Failure> {
    let (state, finished) = (Progress::default(), AtomicBool::new(false));
    let simulated = interrupt::heeding(|stop| {
        std::thread::scope(|scope| {
            let watcher = scope.spawn(|| progress::watch(&state, &finished, quiet));
            let simulated = pipeline::simulate(plan, jobs, &state, stop);
            finished.store(true, Ordering::Release);
            watcher.thread().unpark();
            simulated
        })
    })?
    .map_err(PipelineError::from)?;
    if !quiet && !simulated.stopped {
        let cells = several(plan.study().len() as u64, "cell");
        let what = match plan.settings().trials {
            0 => cells,
            trials => format!("{cells} of {}", several(trials, "trial")),
        };
        output::note(&format!(
            "{what} in {}",
            text::duration(simulated.seconds()),
        ));
    }
    Ok((!simulated.stopped).then_some(simulated))
}
