//! The command line: arguments in, exit code out. Printing lives only here: the result goes to stdout, everything else to stderr.

mod account;
mod allocate;
mod arguments;
mod audit;
mod calibrate;
mod check;
mod compare;
mod completions;
mod destination;
pub mod exit;
mod export;
mod help;
mod interrupt;
mod list;
mod man;
mod merge;
mod new;
mod output;
mod plan;
mod progress;
mod replay;
mod report;
mod run;
mod schema;
mod show;
mod simulate;
mod text;
mod verify;

use crate::audit::AuditFailure;
use crate::config::diagnostic::Diagnostics;
use crate::config::file;
use crate::engine::{Looker, Progress, ThreadsError, beside, start};
use crate::export::ExportError;
use crate::pipeline::PipelineError;
use crate::plan::{Overrides, Plan};
use crate::procedure::RunError;
use crate::record::{self, RecordError};
use arguments::{Arguments, Command, Experiment};
use epsweep_core::random::Level;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// Does what the command line says.
pub fn main() -> ExitCode {
    let arguments = match Arguments::read() {
        Ok(arguments) => arguments,
        Err(error) => {
            // help and version are results, not errors; a closed pipe is no reason to complain
            let _ = error.print();
            let code = if error.use_stderr() {
                exit::BAD_INPUT
            } else {
                exit::DONE
            };
            return ExitCode::from(code);
        }
    };
    interrupt::means(match &arguments.command {
        Command::Run(_) => "run it again to go on from here",
        Command::Merge(_) => "nothing was merged; run it again",
        Command::Verify(_) => "nothing was judged; run it again",
        Command::Audit(_) => "an audit keeps nothing; run it again",
        Command::Calibrate(_) => "nothing was counted; run it again",
        _ => "it is not complete; run it again",
    });
    let started = interrupt::watch().and_then(|()| match &arguments.command {
        Command::Run(_) | Command::Merge(_) | Command::Verify(_) | Command::Calibrate(_) => {
            Ok(start()?)
        }
        _ => Ok(()),
    });
    let done = started.and_then(|()| match &arguments.command {
        Command::Run(arguments) => run::run(arguments),
        Command::Merge(arguments) => merge::merge(arguments),
        Command::Plan(arguments) => plan::plan(arguments),
        Command::Check(arguments) => check::check(arguments),
        Command::Replay(arguments) => replay::replay(arguments),
        Command::Report(arguments) => report::report(arguments),
        Command::Export(arguments) => export::export(arguments),
        Command::Allocate(arguments) => allocate::allocate(arguments),
        Command::Account(arguments) => account::account(arguments),
        Command::Audit(arguments) => audit::audit(arguments),
        Command::New(arguments) => new::new(arguments),
        Command::Calibrate(arguments) => calibrate::calibrate(arguments),
        Command::List(arguments) => list::list(arguments),
        Command::Schema(arguments) => schema::schema(arguments),
        Command::Completions(arguments) => completions::completions(arguments),
        Command::Man(arguments) => man::man(arguments),
        Command::Verify(arguments) => verify::verify(arguments),
        Command::Compare(arguments) => compare::compare(arguments),
    });
    ExitCode::from(done.unwrap_or_else(|failure| {
        failure.say();
        failure.code()
    }))
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Input(#[from] Diagnostics),
    #[error("error: {0}")]
    Argument(String),
    #[error("error: {0}")]
    Pipeline(#[from] PipelineError),
    #[error("error: {0}")]
    Record(#[from] RecordError),
    #[error("error: {0}")]
    Audit(#[from] AuditFailure),
    #[error("error: {0}")]
    Export(#[from] ExportError),
    #[error("error: {0}")]
    Threads(#[from] ThreadsError),
    #[error("error: cannot write the result: {0}")]
    Output(std::io::Error),
    #[error("error: cannot write `{}`: {error}", path.display())]
    File {
        path: std::path::PathBuf,
        error: std::io::Error,
    },
}

impl Failure {
    /// A file could not be written.
    fn file(path: &std::path::Path, error: std::io::Error) -> Failure {
        Failure::File {
            path: path.to_owned(),
            error,
        }
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Input(_) | Failure::Argument(_) | Failure::Threads(_) => exit::BAD_INPUT,
            // a program that cannot be run is a wrong file
            Failure::Audit(AuditFailure::Statistics(_)) => exit::UNEXPECTED,
            Failure::Audit(_) => exit::BAD_INPUT,
            Failure::Record(error) if error.is_input() => exit::BAD_INPUT,
            Failure::Export(error) if error.is_input() => exit::BAD_INPUT,
            Failure::Export(ExportError::Simulation(_)) => exit::UNEXPECTED,
            Failure::Export(_) => exit::RECORD,
            Failure::Record(_) | Failure::Pipeline(PipelineError::Record(_)) => exit::RECORD,
            // what a file asks of a figure is checked when it is drawn
            Failure::Pipeline(PipelineError::Figure(_) | PipelineError::Claim(_)) => {
                exit::BAD_INPUT
            }
            Failure::Pipeline(
                PipelineError::Input(_) | PipelineError::Run(RunError::Threads(_)),
            ) => exit::BAD_INPUT,
            Failure::Pipeline(PipelineError::Failed { .. }) => exit::INCOMPLETE,
            Failure::Pipeline(_) => exit::UNEXPECTED,
            // whoever reads has closed the pipe: nothing is wrong
            Failure::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => exit::DONE,
            Failure::Output(_) | Failure::File { .. } => exit::RECORD,
        }
    }

    fn say(&self) {
        if self.code() != exit::DONE {
            output::note(&self.to_string());
        }
    }
}

/// Whether a path that may be either is the directory of a run, and not an experiment file.
///
/// # Errors
/// It is neither.
fn is_run(path: &Path) -> Result<bool, Failure> {
    if path.is_dir() {
        return Ok(true);
    }
    if !path.exists() {
        return Err(Failure::Argument(format!(
            "there is no {}; give the directory of a finished run, such as results/NAME, or an experiment file, such as NAME.toml",
            path.display()
        )));
    }
    // a table or a figure of a run: whoever names it means the run
    let toml = path.extension().is_some_and(|ending| ending == "toml");
    match record::run_of(path).filter(|_| !toml) {
        Some(directory) => Err(Failure::Argument(format!(
            "{} is a file of the run {}, and neither the directory of a run nor an experiment file; give {}",
            path.display(),
            directory.display(),
            directory.display()
        ))),
        None => Ok(false),
    }
}

/// A name that is not known, with those that are.
fn unknown(what: &str, given: &str, names: &[&str]) -> Failure {
    unknown_and(what, given, names, names.join(", "))
}

/// Names up to which an error has them all.
const NAMED: usize = 50;

/// As [`unknown`], of names that may be too many to be read: the nearest is looked for among all.
fn unknown_of_many(what: &str, given: &str, names: &[&str]) -> Failure {
    let shown = &names[..names.len().min(NAMED)];
    let more = names.len() - shown.len();
    let mut allowed = shown.join(", ");
    if more > 0 {
        allowed += &format!(" and {} more", crate::words::grouped(more as u64));
    }
    unknown_and(what, given, names, allowed)
}

fn unknown_and(what: &str, given: &str, names: &[&str], allowed: String) -> Failure {
    let nearest = match crate::config::diagnostic::nearest(given, names) {
        Some(name) => format!("did you mean `{name}`? "),
        None => String::new(),
    };
    Failure::Argument(format!(
        "unknown {what} `{given}`: {nearest}allowed: {allowed}"
    ))
}

/// The plan of an experiment file with the changes of the command line.
fn load(experiment: &Experiment) -> Result<Plan, Failure> {
    instruction_set()?;
    let changes = overrides(experiment.seed, experiment.trials, &experiment.set);
    Plan::load(&experiment.file, &changes).map_err(|faults| or_audit(&experiment.file, faults))
}

/// What is wrong with an experiment file, or that it is none but an audit.
fn or_audit(file: &Path, faults: Diagnostics) -> Failure {
    match has_key(file, &["mechanism"]) {
        true => Failure::Argument(format!(
            "{file} is an audit and no experiment: use `epsweep audit {file}`",
            file = file.display()
        )),
        false => Failure::Input(faults),
    }
}

/// Whether a file is TOML with one of these keys at its top.
fn has_key(path: &Path, keys: &[&str]) -> bool {
    let table = (file::read(path, file::MOST_SETTINGS).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok()?.parse::<toml::Table>().ok());
    table.is_some_and(|table| keys.iter().any(|key| table.contains_key(*key)))
}

/// As [`load`], without holding the cells of a large grid. How far it is with them is shown on stderr.
fn load_in_batches(experiment: &Experiment, quiet: bool) -> Result<Plan, Failure> {
    instruction_set()?;
    let changes = overrides(experiment.seed, experiment.trials, &experiment.set);
    let (state, finished) = (Progress::default(), AtomicBool::new(false));
    let watcher: Looker<'_> = Box::new(|| progress::watch_units(&state, &finished, quiet, "cells"));
    let plan = beside(&finished, vec![watcher], || {
        Plan::load_in_batches(&experiment.file, &changes, &state)
    })?;
    plan.map_err(|faults| or_audit(&experiment.file, faults))
}

/// An instruction set that was asked for and is not there must not be passed over in silence.
fn instruction_set() -> Result<(), Failure> {
    let level = Level::from_env().map_err(|error| Failure::Argument(error.to_string()));
    level.map(|_| ())
}

/// The changes of the command line.
fn overrides(seed: Option<u64>, trials: Option<u64>, set: &[(String, String)]) -> Overrides {
    let mut overrides = Overrides::default();
    for (path, value) in set {
        overrides = overrides.set(path, value);
    }
    if let Some(seed) = seed {
        overrides = overrides.seed(seed);
    }
    if let Some(trials) = trials {
        overrides = overrides.trials(trials);
    }
    overrides
}
