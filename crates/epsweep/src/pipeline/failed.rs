//! What is said of trials that failed.

use super::Simulated;
use crate::plan::Plan;
use crate::record::{FailedCell, FailedOne};
use crate::tally::Failed;
use crate::words::{grouped, several};

/// The trials of a run that failed, by cell.
pub(super) fn failed(plan: &Plan, simulated: &Simulated) -> Vec<FailedCell> {
    let of_cell = |(cell, failed): (&usize, &Failed)| FailedCell {
        cell: plan.cell_id(*cell),
        trials: failed.trials,
        first: (failed.first.iter())
            .map(|failed| FailedOne {
                chunk: failed.chunk,
                trial: failed.trial,
                why: failed.why.clone(),
            })
            .collect(),
    };
    simulated.failed.iter().map(of_cell).collect()
}

/// What a reader should know of failed trials: how many there are, and the first of the cell that has most.
pub(super) fn words_of_failed(failed: &[FailedCell]) -> Option<String> {
    let worst = failed.iter().rev().max_by_key(|cell| cell.trials)?;
    let first = worst.first.first()?;
    let all = failed.iter().map(|cell| cell.trials).sum();
    let cells = match failed.len() {
        1 => String::new(),
        many => format!(
            ", most ({}) in this one of {many} cells",
            grouped(worst.trials)
        ),
    };
    Some(format!(
        "{} failed and {} left out of what has no number in {}{cells}: the first of cell {} is trial {} (chunk {}): {}",
        several(all, "trial"),
        if all == 1 { "is" } else { "are" },
        if all == 1 { "it" } else { "them" },
        worst.cell,
        first.trial,
        first.chunk,
        first.why
    ))
}
