//! Means on the way to their last trial.

mod rows;

use super::error::of_plan;
use super::simulate::{collected, task};
use super::{PipelineError, Rows, Simulated};
use crate::engine::Progress;
use crate::plan::Plan;
use crate::procedure::{self, Quantiles, Task};
use crate::record::SummaryRow;
use std::sync::atomic::AtomicBool;

/// Means after the first trials, where a figure draws them. Those trials are simulated once more: a prefix of the run has an address like
/// any other, so the rows are those of a run with so many trials, however this one was made (in parts, resumed, or until it was precise).
pub(super) fn settling(
    plan: &Plan,
    simulated: &Simulated,
    rows: &Rows,
    jobs: usize,
) -> Result<Vec<SummaryRow>, PipelineError> {
    let resolved = plan.resolved();
    let most = simulated.cells.iter().map(|cell| cell.trials).max();
    let measures = plan.measures();
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let mut earlier = Vec::new();
    for trials in rows::settling_trials(resolved, most.unwrap_or(0)) {
        // means alone are wanted
        let task = Task {
            trials,
            pairs: &[],
            quantiles: Quantiles::Histogram,
            ..task(plan, jobs, &measures)
        };
        let (cells, _) =
            collected(|take| procedure::simulate(plan.study(), &task, &progress, &stop, take))
                .map_err(|error| of_plan(plan, error))?;
        earlier.extend(rows::settling_means(&cells, resolved)?);
    }
    Ok(rows::settling_rows(earlier, &rows.summary.rows, resolved))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{made, plan};
    use super::*;

    #[test]
    fn means_after_fewer_trials_are_those_of_a_shorter_run() {
        let figure = "[[figure]]\nkind = \"convergence\"\nmeasure = \"abs_error\"\ncells = { epsilon = 2 }\n";
        let long = plan(1000, figure);
        let (simulated, of_all) = made(&long);
        let rows = settling(&long, &simulated, &of_all, 1).expect("rows");
        let trials: Vec<u64> = rows.iter().map(|row| row.trials).collect();
        assert_eq!(trials, [64, 128, 1000]);
        for row in &rows {
            assert_eq!((&*row.measure, &*row.statistic), ("abs_error", "mean"));
            assert!(
                row.cell.contains('2'),
                "only the cells of the figure: {}",
                row.cell
            );
            let (_, short) = made(&plan(row.trials, ""));
            let same = short.summary.rows.iter().find(|other| {
                other.cell == row.cell
                    && &*other.measure == "abs_error"
                    && &*other.statistic == "mean"
            });
            assert_eq!(same, Some(row));
        }
        let (simulated, of_all) = made(&plan(1000, ""));
        assert!(
            settling(&plan(1000, ""), &simulated, &of_all, 1)
                .expect("rows")
                .is_empty()
        );
    }

    #[test]
    fn cells_that_stop_by_a_target_settle_as_far_as_they_come() {
        let figure = "[[figure]]\nkind = \"convergence\"\nmeasure = \"abs_error\"\n";
        let target = "{ precision = { absolute = 0.02, measure = \"abs_error\" }, at_least = 256, at_most = 100_000 }";
        let plan_of_target = plan(target, figure);
        let (simulated, of_all) = made(&plan_of_target);
        let [one, two] = [0, 1].map(|cell| simulated.cells[cell].trials);
        assert!(one > two, "the noise at ε = 2 is half of that at ε = 1");
        let rows = settling(&plan_of_target, &simulated, &of_all, 1).expect("rows");
        for (cell, trials) in plan_of_target.resolved().cells.iter().zip([one, two]) {
            let own: Vec<&SummaryRow> = rows.iter().filter(|row| row.cell == cell.id).collect();
            assert!(own.len() > 2 && own.is_sorted_by(|a, b| a.trials < b.trials));
            assert_eq!(own[own.len() - 1].trials, trials);
            let (_, short) = made(&plan(own[1].trials, ""));
            assert!(short.summary.rows.contains(own[1]));
        }
    }
}
