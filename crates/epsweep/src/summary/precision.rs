//! Whether the numbers that matter are precise enough.
//!
//! A goal is met when the half-width of the interval that the run would report (the farther end, where it is not symmetric) is no more than the
//! margin. Numbers without an interval meet no goal: values that happen to be all the same, quantiles whose order statistics are
//! missing, and what is undefined. Nor does a mean of fewer trials than its skewness asks for, since its interval errs.
//!
//! An interval whose trials were not fixed in advance covers a little less often than one whose were: a run that stops because its standard
//! deviation happens to look small has an interval that is too narrow. With ten thousand trials or more, and looks that are a quarter of the
//! trials apart, this is not to be seen (Chow and Robbins, Ann. Math. Statist. 36, 1965: the coverage tends to the level as the margin
//! becomes small). The tests measure it.

use super::estimate;
use super::levels::Levels;
use crate::procedure::Judge;
use crate::record::{Reached, Resolved, ResolvedGoal, ResolvedTarget};
use crate::tally::{CellTally, OutcomeTally, PairTally};
use epsweep_core::statistics::{PairedDifference, StatisticsError, cochran_sufficient};

/// Judges cells by a target.
#[derive(Debug)]
pub struct Precision<'a> {
    resolved: &'a Resolved,
    target: &'a ResolvedTarget,
    levels: Levels,
}

/// An estimate with its half-width, and whether there are enough trials for that to be right.
struct Estimated {
    value: f64,
    half_width: Option<f64>,
    sound: bool,
}

impl<'a> Precision<'a> {
    /// By the target of an experiment, if it has one.
    ///
    /// # Errors
    /// A level that is not strictly between 0 and 1.
    pub fn new(resolved: &'a Resolved) -> Result<Option<Precision<'a>>, StatisticsError> {
        let Some(target) = &resolved.target else {
            return Ok(None);
        };
        Ok(Some(Precision {
            resolved,
            target,
            levels: Levels::new(resolved.level)?,
        }))
    }

    /// How precise the numbers of these cells are that have goals, in the order of the cells.
    pub fn reached(&self, cells: &[CellTally]) -> Vec<Reached> {
        let goals = &self.target.goals;
        let each = cells.iter().flat_map(|cell| {
            goals.iter().flat_map(move |goal| match goal.differences {
                true => self.differences(cell, goal),
                false => self.estimates(cell, goal),
            })
        });
        each.collect()
    }

    fn estimates(&self, cell: &CellTally, goal: &ResolvedGoal) -> Vec<Reached> {
        let of = |outcome: &&OutcomeTally| {
            let subject = (goal.subject.as_ref()).is_none_or(|subject| *subject == outcome.subject);
            outcome.measure == goal.measure && subject
        };
        (cell.outcomes.iter().filter(of))
            .map(|outcome| {
                let found = self.estimate(cell, outcome, &goal.statistic);
                self.judged(cell, None, &outcome.subject, goal, found)
            })
            .collect()
    }

    fn differences(&self, cell: &CellTally, goal: &ResolvedGoal) -> Vec<Reached> {
        let of = |pair: &&PairTally| {
            let subject = (goal.subject.as_ref()).is_none_or(|subject| *subject == pair.subject);
            let (a, b) = (cell.cell, pair.against);
            let named = goal.pairs.is_empty()
                || goal.pairs.contains(&[a, b])
                || goal.pairs.contains(&[b, a]);
            pair.measure == goal.measure && subject && named
        };
        (cell.pairs.iter().filter(of))
            .map(|pair| {
                let found = self.difference(pair);
                self.judged(cell, Some(pair.against), &pair.subject, goal, found)
            })
            .collect()
    }

    fn judged(
        &self,
        cell: &CellTally,
        against: Option<usize>,
        subject: &str,
        goal: &ResolvedGoal,
        found: Estimated,
    ) -> Reached {
        let met = found.sound
            && (found.half_width).is_some_and(|half| half <= goal.margin.of(found.value));
        Reached {
            cell: cell.cell,
            against,
            subject: subject.to_owned(),
            measure: goal.measure.clone(),
            statistic: goal.statistic.clone(),
            value: Some(found.value).filter(|value| value.is_finite()),
            half_width: found.half_width.filter(|half| half.is_finite()),
            margin: goal.margin,
            met,
            trials: cell.trials,
        }
    }

    fn estimate(&self, cell: &CellTally, outcome: &OutcomeTally, statistic: &str) -> Estimated {
        let cell = &self.resolved.cells[cell.cell];
        // the level was found to be sound
        let row = estimate::row(cell, outcome, statistic, &self.levels)
            .ok()
            .flatten();
        let Some(row) = row else {
            return Estimated {
                value: f64::NAN,
                half_width: None,
                sound: false,
            };
        };
        let ends = row.low.zip(row.high);
        // the interval of a proportion is exact where there are few
        let sound = statistic != "mean"
            || row.mcse == Some(0.0)
            || estimate::is_of_flags(outcome)
            || cochran_sufficient(outcome.moments.n, outcome.moments.skewness());
        Estimated {
            value: row.value,
            half_width: ends.map(|(low, high)| (row.value - low).max(high - row.value)),
            sound,
        }
    }

    fn difference(&self, pair: &PairTally) -> Estimated {
        let found = PairedDifference::new(&pair.moments).ok().and_then(|d| {
            let for_trials = self.levels.trials(d.n).ok()?;
            Some((d.difference, for_trials.t * d.mcse))
        });
        match found {
            None => Estimated {
                value: f64::NAN,
                half_width: None,
                sound: false,
            },
            Some((value, half)) => Estimated {
                value,
                half_width: Some(half),
                sound: half == 0.0 || cochran_sufficient(pair.moments.n, pair.moments.skewness()),
            },
        }
    }
}

impl Judge for Precision<'_> {
    /// Errors of a mean go like one over the root of the trials.
    fn needed(&self, cells: &[CellTally]) -> f64 {
        let needed = |reached: &Reached| match (reached.met, reached.value, reached.half_width) {
            (true, _, _) => 1.0,
            (false, Some(value), Some(half)) => {
                let times = half / reached.margin.of(value);
                // one that is narrow and does not count yet needs more all the same
                (times * times).max(1.0 + f64::EPSILON)
            }
            (false, _, _) => f64::INFINITY,
        };
        self.reached(cells).iter().map(needed).fold(0.0, f64::max)
    }
}
