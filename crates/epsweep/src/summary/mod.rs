//! From finished tallies to rows: estimates with their Monte Carlo errors and exact values, paired comparisons, histograms, and
//! the answer in words.
//!
//! | statistic | estimate | MCSE | interval |
//! |---|---|---|---|
//! | mean | moments | sd/√n | t |
//! | mean of flags | share | √(p(1−p)/n) | Clopper–Pearson below 10 successes or failures, else Wilson |
//! | sd | moments, n − 1 | by the fourth moment | normal, on the log scale |
//! | quantile | order statistics, type 7, where they are exact; else histogram, type 7 within a bin | √(p(1−p)/n)/density, and the bin's own error | order statistics |
//! | min, max | as observed | none | none |
//! | chi_square | Pearson's, of all frequencies of a choice | exact: its degrees of freedom | none |
//! | p_value | of it | none | none |
//! | mean of what is computed | the exact value | 0 | that value |
//!
//! z = (value − exact)/MCSE; for flags the error is that of the exact probability (the score test), so that "all covered" has a
//! z too. Where a measure is constant its error is 0: z is then 0 if value and exact agree to 1e-12, infinite if not. Quantiles
//! of laws with atoms have no z, nor have those with fewer than 10 values expected on one side, since their error is not normal.

mod answer;
mod compare;
mod difference;
mod estimate;
mod histograms;
mod levels;
#[cfg(test)]
pub(crate) mod sample;
mod settling;
#[cfg(test)]
mod tests;
mod warnings;

pub use answer::answer;
pub use compare::comparisons;
pub use difference::{Difference, How, difference};
pub use estimate::STATISTICS;
pub use histograms::histogram_rows;
pub use levels::quantile_ranks;
pub use settling::{settling_rows, settling_trials};

use crate::record::{Resolved, SummaryRow};
use crate::tally::CellTally;
use epsweep_core::statistics::StatisticsError;
use levels::Levels;
use rayon::prelude::*;
use warnings::Warnings;

/// The estimates of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// in the order of the cells, their outcomes, and [`STATISTICS`]
    pub rows: Vec<SummaryRow>,
    /// what a reader should know: undefined trials, skew that spoils an interval, atoms, too few trials
    pub warnings: Vec<String>,
}

/// Cells from which on threads are worth starting.
const MANY: usize = 4;

/// All estimates of these cells. Where they are many, they are worked on in parallel; the result does not depend on that.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn summarise(cells: &[CellTally], resolved: &Resolved) -> Result<Summary, StatisticsError> {
    let levels = Levels::new(resolved.level)?;
    let estimate = |cell: &CellTally| {
        let mut warnings = Warnings::default();
        let mut rows = Vec::with_capacity(cell.outcomes.len() * STATISTICS.len());
        let heading = estimate::Heading::new(&resolved.cells[cell.cell]);
        for outcome in &cell.outcomes {
            estimate::rows(&heading, outcome, &levels, &mut rows, &mut warnings)?;
        }
        if let Some(fit) = &cell.fit {
            estimate::fit(&heading, fit, cell.trials, &mut rows);
        }
        for exact in &cell.exact {
            match &exact.value {
                Ok(value) => rows.push(estimate::exact(&heading, exact, *value)),
                Err(refusal) => warnings.refused(refusal, &resolved.cells[cell.cell]),
            }
        }
        Ok((rows, warnings))
    };
    type Parts = Result<Vec<(Vec<SummaryRow>, Warnings)>, StatisticsError>;
    let parts: Parts = match cells.len() < MANY {
        true => cells.iter().map(estimate).collect(),
        false => cells.par_iter().map(estimate).collect(),
    };
    let parts = parts?;
    let mut summary = Summary::default();
    let mut warnings = Warnings::default();
    for (rows, own) in parts {
        summary.rows.extend(rows);
        warnings.merge(own);
    }
    summary.warnings = warnings.sentences();
    Ok(summary)
}
