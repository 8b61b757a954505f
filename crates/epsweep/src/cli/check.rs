//! `epsweep check`

use super::arguments::Check;
use super::{Failure, exit, load, output};

/// Reads an experiment and its data, and says in a line what it is; every fault is an error.
pub fn check(arguments: &Check) -> Result<u8, Failure> {
    let plan = load(&arguments.experiment)?;
    for warning in plan.warnings() {
        output::note(&format!("warning: {warning}"));
    }
    let resolved = plan.resolved();
    let plural = |n: usize, noun: &str| format!("{n} {noun}{}", if n == 1 { "" } else { "s" });
    output::result(&format!(
        "{}: good. {}, {} a cell, {}, {}\n",
        arguments.experiment.file.display(),
        plural(plan.study().len(), "cell"),
        plural(
            resolved.cells.first().map_or(0, |cell| match &cell.select {
                Some(select) => select.candidates as usize,
                None => cell.queries.len(),
            }),
            plan.study().kind().noun()
        )
        .replace("querys", "queries"),
        plural(resolved.measures.len(), "measure"),
        plural(plan.claims().len(), "claim"),
    ))?;
    Ok(exit::DONE)
}
