//! `epsweep merge`

use super::arguments::Merge;
use super::run::{already_there, finish, gathering, place};
use super::simulate::{Ended, simulate};
use super::{Failure, interrupt, load_in_batches};
use crate::engine::{Kept, Shard};
use crate::figure::Formats;
use crate::pipeline;
use crate::record::{Header, Merged, RunDir, ShardFile, State};

/// Merges shards and writes the record of the run: the same bytes as in one piece.
pub fn merge(arguments: &Merge) -> Result<u8, Failure> {
    let plan = load_in_batches(&arguments.experiment, arguments.quiet)?;
    if plan.resolved().target.is_some() {
        return Err(Failure::Argument(
            "this experiment stops when it is precise enough and has no shards; give the number of trials of those that are to be merged with --trials".into(),
        ));
    }
    let identity = pipeline::identity(&plan)?;
    let mut shards = Vec::new();
    for place in &arguments.shards {
        for path in ShardFile::at(place)? {
            shards.push(ShardFile::open(&path)?);
        }
    }
    // any shard's header, to be compared with all
    let any = Shard { index: 1, of: 2 };
    let header = Header::new(&identity, plan.pairs(), any, plan.settings().trials)
        .in_batches(plan.batch_size());
    let merged = Merged::new(&header, shards)?;
    let out = place(&plan, arguments.out.as_ref());
    let dir = match RunDir::open(&out, &identity, arguments.force)? {
        State::New(dir) | State::Renew(dir) => dir,
        State::Finished => return already_there(&out, arguments.format, arguments.quiet),
    };
    let kept = Kept {
        shard: Shard::WHOLE,
        keep: Some(&merged),
        ..Kept::default()
    };
    let gathering = gathering(&plan, &dir)?;
    let ended = simulate(
        &plan,
        kept,
        gathering.as_ref(),
        arguments.jobs,
        arguments.quiet,
        None,
    )?;
    if let Some(error) = merged.error() {
        return Err(error.into());
    }
    let Ended::Done(simulated) = ended else {
        interrupt::say();
        return Ok(interrupt::code());
    };
    let formats = (!arguments.no_figures).then(Formats::default);
    let code = finish(
        dir,
        &plan,
        (simulated, gathering),
        (arguments.jobs, formats),
        arguments.format,
    )?;
    Ok(code)
}
