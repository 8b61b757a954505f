//! `epsweep check`

use super::arguments::Check;
use super::{Failure, exit, load_in_batches, output};
use crate::pipeline;
use crate::record::ResolvedCell;
use crate::words::several;

/// Reads an experiment and its data, and says in a line what it is; every fault is an error.
pub fn check(arguments: &Check) -> Result<u8, Failure> {
    let plan = load_in_batches(&arguments.experiment, false)?;
    output::warn(plan.warnings());
    output::remark(plan.notes());
    let resolved = plan.resolved();
    let first = plan.resolved_with(&[0])?;
    let held = match first.cells.first().map_or(0, ResolvedCell::held) {
        0 => String::new(),
        held => format!(", {} a cell", several(held, plan.study().kind().noun())),
    };
    let mut said = format!(
        "{}: good. {}{held}, {}, {}\n",
        arguments.experiment.file.display(),
        several(plan.len() as u64, "cell"),
        several(resolved.measures.len() as u64, "measure"),
        several(plan.claims().len() as u64, "claim"),
    );
    let expected = pipeline::expected(&plan, 0)?;
    if let Some(target) = super::plan::target(&plan, expected) {
        said += &format!("{target}\n");
    }
    output::result(&said)?;
    Ok(exit::DONE)
}
