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

mod alike;
mod answer;
pub mod claims;
mod compare;
mod difference;
mod estimate;
mod estimators;
mod histograms;
mod levels;
mod precision;
#[cfg(test)]
pub(crate) mod sample;
mod sentences;
pub(crate) mod standing;
#[cfg(test)]
mod tests;
mod truths;
mod units;
mod warnings;

pub(crate) use alike::{alike, left_out};
pub use answer::answer;
pub(crate) use answer::spoken_of;
pub(crate) use compare::{compared, is_compared, skewed};
pub use compare::{comparisons, comparisons_named, keep_compared};
pub use difference::{Difference, How, difference};
pub(crate) use estimate::CHOSEN;
pub use estimate::{STATISTICS, Sheet};
pub(crate) use histograms::ALL_UP_TO;
pub use histograms::histogram_rows;
pub use levels::quantile_ranks;
pub use precision::Precision;
pub(crate) use units::{EACH_QUERY, own_error, side_by_side, units};
pub use warnings::Warnings;

use crate::record::{Resolved, ResolvedCell, SummaryRow};
use crate::tally::{CellTally, OutcomeTally};
use epsweep_core::statistics::StatisticsError;
use levels::Levels;
use rayon::prelude::*;

/// The estimates of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// in the order of the cells, their outcomes, and [`STATISTICS`]
    pub rows: Vec<SummaryRow>,
    /// what a reader should know: undefined trials, skew that spoils an interval, atoms, too few trials
    pub warnings: Vec<String>,
    /// for each row, whether a warning is about its interval
    pub cautioned: Vec<bool>,
}

/// Cells from which on threads are worth starting.
const MANY: usize = 4;

/// All estimates of these cells. Where they are many, they are worked on in parallel; the result does not depend on that.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn summarise(cells: &[CellTally], resolved: &Resolved) -> Result<Summary, StatisticsError> {
    let estimator = Estimator::new(resolved)?;
    let estimate = |cell: &CellTally| estimator.cell(cell);
    type Parts = Result<Vec<(Sheet, Warnings)>, StatisticsError>;
    let parts: Parts = match cells.len() < MANY {
        true => cells.iter().map(estimate).collect(),
        false => cells.par_iter().map(estimate).collect(),
    };
    let mut summary = Summary::default();
    let mut warnings = Warnings::default();
    for (cell, (sheet, own)) in cells.iter().zip(parts?) {
        summary.rows.extend(sheet.rows);
        summary.cautioned.extend(sheet.cautioned);
        warnings.merge(cell.cell, own);
    }
    summary.warnings = warnings.sentences();
    Ok(summary)
}

/// Makes the estimates of one cell after another.
#[derive(Debug)]
pub struct Estimator<'a> {
    resolved: &'a Resolved,
    levels: Levels,
}

impl<'a> Estimator<'a> {
    /// Of the cells of an experiment.
    ///
    /// # Errors
    /// A level that is not strictly between 0 and 1.
    pub fn new(resolved: &'a Resolved) -> Result<Estimator<'a>, StatisticsError> {
        let levels = Levels::new(resolved.level)?;
        Ok(Estimator { resolved, levels })
    }

    /// The rows of a cell, in the order of its outcomes and of [`STATISTICS`], and what is to be known about them.
    ///
    /// # Errors
    /// An estimate cannot be made.
    pub fn cell(&self, cell: &CellTally) -> Result<(Sheet, Warnings), StatisticsError> {
        let named = &self.resolved.cells[cell.cell];
        let mut warnings = Warnings::default();
        let mut sheet = Sheet::default();
        let heading = estimate::Heading::new(named);
        for outcome in &cell.outcomes {
            estimate::rows(&heading, outcome, &self.levels, &mut sheet, &mut warnings)?;
        }
        if let Some(fit) = &cell.fit {
            estimate::fit(&heading, fit, cell.trials, &mut sheet);
        }
        for (_, pair) in compare::compared(std::slice::from_ref(cell)) {
            if let Some(skewness) = compare::skewed(pair) {
                let trials = pair.moments.n;
                let kind = warnings::Kind::Difference { skewness, trials };
                warnings.add(kind, heading.cell(), &pair.subject, pair.measure);
            }
        }
        for exact in &cell.exact {
            match &exact.value {
                Ok(value) => sheet.push(estimate::exact(&heading, exact, *value), false),
                Err(refusal) => warnings.refused(refusal, named),
            }
        }
        Ok((sheet, warnings))
    }
}

/// The estimates of one outcome that belongs to no run.
///
/// # Errors
/// A level that is not strictly between 0 and 1.
pub fn of_outcome(outcome: &OutcomeTally, level: f64) -> Result<Vec<SummaryRow>, StatisticsError> {
    let cell = ResolvedCell {
        id: "-".into(),
        ..ResolvedCell::default()
    };
    let (mut sheet, mut warnings) = (Sheet::default(), Warnings::default());
    let heading = estimate::Heading::new(&cell);
    estimate::rows(
        &heading,
        outcome,
        &Levels::new(level)?,
        &mut sheet,
        &mut warnings,
    )?;
    Ok(sheet.rows)
}
