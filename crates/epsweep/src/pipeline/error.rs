//! What can end a run.

use crate::config::diagnostic::Diagnostics;
use crate::figure::FigureError;
use crate::plan::Plan;
use crate::procedure::RunError;
use crate::record::RecordError;
use crate::summary::claims::ClaimError;
use crate::tally::FailedTrial;
use epsweep_core::statistics::StatisticsError;

/// Why a run did not come to its record.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// the simulation could not be run
    #[error(transparent)]
    Run(RunError),
    /// a trial failed, and ends the run
    #[error(
        "a trial failed: cell {cell}, chunk {}, trial {}, seed {seed}: {}\nto see it alone: epsweep replay FILE '{cell}' {} --seed {seed}\nto go on without such trials, and have them counted: on_error = \"record\" at the top of the file",
        failed.chunk, failed.trial, failed.why, failed.trial
    )]
    Failed {
        /// canonical text of the cell
        cell: String,
        /// seed of all streams
        seed: u64,
        /// the trial
        failed: FailedTrial,
    },
    /// estimates could not be made
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// a claim speaks of something that the run does not have
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// a figure could not be drawn
    #[error(transparent)]
    Figure(#[from] FigureError),
    /// the record could not be written or read
    #[error(transparent)]
    Record(#[from] RecordError),
    /// cells that are resolved when they are wanted could not be resolved again
    #[error(transparent)]
    Input(#[from] Diagnostics),
    /// a plan that does not hold its cells, where all are needed at once
    #[error(
        "the {0} cells of this plan come in batches, and all are needed at once here: load it whole, or gather its run"
    )]
    Batched(usize),
}

/// The plan, if it holds its cells.
pub(super) fn whole(plan: &Plan) -> Result<&Plan, PipelineError> {
    match plan.is_batched() {
        true => Err(PipelineError::Batched(plan.len())),
        false => Ok(plan),
    }
}

/// An error of a simulation, with the name of the cell.
pub(super) fn of_plan(plan: &Plan, error: RunError) -> PipelineError {
    match error {
        RunError::Failed { cell, seed, failed } => PipelineError::Failed {
            cell: plan.cell_id(cell),
            seed,
            failed,
        },
        other => PipelineError::Run(other),
    }
}
