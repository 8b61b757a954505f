//! `epsweep run`

use super::arguments::{Format, Run};
use super::simulate::{Ended, simulate};
use super::{Failure, exit, interrupt, load_in_batches, output, show};
use crate::engine::{Kept, Shard};
use crate::figure::Formats;
use crate::pipeline::{self, Gathering, Simulated};
use crate::plan::{self, Plan};
use crate::record::{
    self, FailedCell, Header, Others, RunDir, ShardDir, State, Store, write_shard,
};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Simulates an experiment and writes its record. The place of the record is looked at first: a run that could not be kept is not begun.
pub fn run(arguments: &Run) -> Result<u8, Failure> {
    let plan = load_in_batches(&arguments.experiment, arguments.quiet)?;
    if let Some(shard) = arguments.shard {
        return run_shard(&plan, arguments, shard);
    }
    let out = place(&plan, arguments.out.as_ref());
    let identity = pipeline::identity(&plan)?;
    let (dir, recognised) = match RunDir::open(&out, &identity, arguments.force)? {
        State::New(dir) => (dir, false),
        State::Renew(dir) => (dir, true),
        State::Finished => return already_there(&out, arguments.format, arguments.quiet),
    };
    let trials = plan.settings().trials;
    let header =
        Header::new(&identity, plan.pairs(), Shard::WHOLE, trials).in_batches(plan.batch_size());
    let store = arguments.store(dir.path(), &header, trials, recognised)?;
    let gathering = gathering(&plan, &dir)?;
    let simulated = match kept(&plan, arguments, Shard::WHOLE, &store, gathering.as_ref())? {
        Ok(simulated) => simulated,
        Err(code) => return Ok(code),
    };
    let formats = (!arguments.no_figures).then(Formats::default);
    let code = finish(
        dir,
        &plan,
        (simulated, gathering),
        (arguments.jobs, formats),
        arguments.format,
    )?;
    store.tidy()?;
    Ok(code)
}

/// Where the cells of a run go as they are finished, if they are many.
pub(super) fn gathering<'a>(
    plan: &'a Plan,
    dir: &RunDir,
) -> Result<Option<Gathering<'a>>, Failure> {
    let many = plan::gathers(plan.len(), plan.resolved().target.is_some());
    Ok(many.then(|| Gathering::new(plan, dir)).transpose()?)
}

/// Estimates, record, figures, report, and the result on stdout. The exit code says whether the run came to its target.
pub(super) fn finish(
    dir: RunDir,
    plan: &Plan,
    (simulated, gathering): (Simulated, Option<Gathering<'_>>),
    (jobs, formats): (usize, Option<Formats>),
    format: Format,
) -> Result<u8, Failure> {
    let recorded = match gathering {
        Some(gathering) => {
            pipeline::record_gathered(dir, plan, &simulated, gathering, jobs, formats)?
        }
        None => {
            let rows = pipeline::rows(plan, &simulated)?;
            pipeline::record(dir, plan, simulated, rows, jobs, formats)?
        }
    };
    output::warn(
        (recorded.run.manifest.warnings.iter())
            .chain(recorded.drawn.iter().flat_map(|figure| &figure.warnings)),
    );
    output::remark(&recorded.run.manifest.notes);
    shown(&recorded.run, format)?;
    Ok(code(&recorded.run))
}

/// The run on stdout. A table of many cells is not held in memory.
fn shown(run: &record::Run, format: Format) -> Result<(), Failure> {
    match format {
        Format::Csv => output::file(&run.dir.join(record::names::SUMMARY)),
        _ => output::result(&show::run(run, format)?),
    }
}

/// The exit code of a finished run, which is another where trials of a cell failed to the last, though they were to be recorded, and where it has all the trials that it may have and is not as precise as it should be.
fn code(run: &record::Run) -> u8 {
    let all = *run.trials().end();
    let lost = |failed: &&FailedCell| all > 0 && failed.trials >= all;
    if let Some(failed) = run.manifest.failed.iter().find(lost) {
        output::note(&format!(
            "every trial of cell {} failed: it has no numbers; all others are there",
            failed.cell
        ));
        return exit::INCOMPLETE;
    }
    if run.manifest.precision.iter().all(|reached| reached.met) {
        return exit::DONE;
    }
    if let Some(line) = show::precision(run) {
        output::note(&format!("{line}; raise `at_most` to go on from here"));
    }
    exit::INCOMPLETE
}

/// The directory of a run: the one that was asked for, or that of its name.
pub(super) fn place(plan: &Plan, out: Option<&PathBuf>) -> PathBuf {
    out.map_or_else(
        || PathBuf::from("results").join(&plan.settings().name),
        PathBuf::clone,
    )
}

/// Simulates one shard of a run, which leaves one file.
fn run_shard(plan: &Plan, arguments: &Run, shard: Shard) -> Result<u8, Failure> {
    let name = &plan.settings().name;
    let out = match &arguments.out {
        Some(out) => out.clone(),
        None => {
            let Shard { index, of } = shard;
            PathBuf::from("results").join(format!("{name}-shard-{index}-of-{of}"))
        }
    };
    let trials = plan.settings().trials;
    if plan.resolved().target.is_some() {
        return Err(Failure::Argument(format!(
            "--shard {}/{}: this experiment stops when it is precise enough, which can only be told from all its trials together; give a number of trials with --trials (`epsweep plan` says how many are expected)",
            shard.index, shard.of
        )));
    }
    if trials == 0 {
        return Err(Failure::Argument(format!(
            "--shard {}/{}: this experiment has no trials that could be divided; run it as it is",
            shard.index, shard.of
        )));
    }
    let header = Header::new(&pipeline::identity(plan)?, plan.pairs(), shard, trials)
        .in_batches(plan.batch_size());
    let Some(dir) = ShardDir::open(&out, &header, arguments.force)? else {
        if !arguments.quiet {
            output::note(&format!(
                "{} holds this very shard, finished: it is left alone (--force makes it again)",
                out.display()
            ));
        }
        return Ok(exit::DONE);
    };
    let store = arguments.store(dir.path(), &header, trials, false)?;
    if let Err(code) = kept(plan, arguments, shard, &store, None)? {
        return Ok(code);
    }
    store.tidy()?;
    let file = write_shard(dir.path(), &header, &store)?;
    store.remove()?;
    output::result(&format!("{}\n", file.display()))?;
    Ok(exit::DONE)
}

impl Run {
    /// Where the tallies of the run are kept; `recognised`, where its directory says by itself that it is of this experiment.
    fn store(
        &self,
        dir: &Path,
        header: &Header,
        trials: u64,
        recognised: bool,
    ) -> Result<Store, Failure> {
        let interval = Duration::from_secs_f64(self.checkpoint);
        let others = match (self.force, recognised) {
            (true, _) => Others::Discard,
            (false, true) => Others::Recognised,
            (false, false) => Others::Refuse,
        };
        let store = Store::open(dir, header, trials, interval, others)?;
        if store.resumed() && !self.quiet {
            output::note(&format!("going on from what is in {}", dir.display()));
        }
        Ok(store)
    }
}

/// Simulates a run or a shard and keeps its tallies; the exit code if it did not come to its end.
fn kept(
    plan: &Plan,
    arguments: &Run,
    shard: Shard,
    store: &Store,
    gathering: Option<&Gathering<'_>>,
) -> Result<Result<Simulated, u8>, Failure> {
    let kept = Kept {
        shard,
        keep: Some(store),
        ..Kept::default()
    };
    let say = || {
        for what in store.unusable() {
            output::note(&format!(
                "warning: {what}; nothing is lost but time: what it held is simulated again"
            ));
        }
    };
    say();
    let limit = arguments.max_time.map(Duration::from_secs_f64);
    let simulated = simulate(
        plan,
        kept,
        gathering,
        arguments.jobs,
        arguments.quiet,
        limit,
    )?;
    say();
    if let Some(error) = store.error() {
        return Err(error.into());
    }
    Ok(match simulated {
        Ended::Done(simulated) => Ok(simulated),
        Ended::Interrupted(reached) => {
            interrupt::say_after(&reached);
            Err(interrupt::code())
        }
        Ended::OutOfTime => {
            output::note("the time is over: run it again to go on from here");
            Err(exit::INCOMPLETE)
        }
    })
}

pub(super) fn already_there(out: &Path, format: Format, quiet: bool) -> Result<u8, Failure> {
    let run = record::read(out)?;
    if !quiet {
        output::note(&format!(
            "{} holds this very run, finished: it is left alone (--force makes it again)",
            out.display()
        ));
    }
    shown(&run, format)?;
    Ok(code(&run))
}
