//! `epsweep check`

use super::arguments::Check;
use super::{Failure, exit, load, output};
use crate::words::several;

/// Reads an experiment and its data, and says in a line what it is; every fault is an error.
pub fn check(arguments: &Check) -> Result<u8, Failure> {
    let plan = load(&arguments.experiment)?;
    for warning in plan.warnings() {
        output::note(&format!("warning: {warning}"));
    }
    let resolved = plan.resolved();
    let held = resolved
        .cells
        .first()
        .map_or(0, |cell| match (&cell.select, &cell.stream) {
            (Some(select), _) => select.candidates,
            (None, Some(stream)) => stream.queries,
            (None, None) => cell.queries.len() as u64,
        });
    let held = match held {
        0 => String::new(),
        held => format!(", {} a cell", several(held, plan.study().kind().noun())),
    };
    output::result(&format!(
        "{}: good. {}{held}, {}, {}\n",
        arguments.experiment.file.display(),
        several(plan.study().len() as u64, "cell"),
        several(resolved.measures.len() as u64, "measure"),
        several(plan.claims().len() as u64, "claim"),
    ))?;
    Ok(exit::DONE)
}
