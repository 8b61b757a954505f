//! The rows of one outcome: which statistics it has, by what it turned out to be, and what is to be warned of.

use super::estimators::{
    Estimate, alike, constant, mean, observed, proportion, quantile, sd, sd_of_flags,
};
use super::levels::{Levels, QUANTILES};
use super::warnings::{Kind, Warnings};
use crate::record::{ResolvedCell, ResolvedQuery, SummaryRow, Text};
use crate::tally::{ExactTally, Histogram, Nature, OutcomeTally};
use epsweep_core::noise;
use epsweep_core::postprocess;
use epsweep_core::statistics::{ChiSquare, Moments, StatisticsError, cochran_sufficient};
use std::sync::Arc;

/// Rows, and for each whether a warning is about its interval.
#[derive(Debug, Default)]
pub struct Sheet {
    /// the rows
    pub rows: Vec<SummaryRow>,
    /// for each, whether a warning is about its interval
    pub cautioned: Vec<bool>,
}

impl Sheet {
    pub(super) fn push(&mut self, row: SummaryRow, cautioned: bool) {
        self.rows.push(row);
        self.cautioned.push(cautioned);
    }
}

/// The statistics of a summary, in order.
pub const STATISTICS: [&str; 11] = [
    "mean", "sd", "min", "q01", "q05", "q25", "median", "q75", "q95", "q99", "max",
];

/// The measure of who is chosen, whose frequencies are tested together.
pub(crate) const CHOSEN: &str = "chosen";

/// Appends the test of all frequencies of a choice together: the statistic, beside what is expected of it under the exact law, and its p value.
pub(super) fn fit(heading: &Heading<'_>, fit: &ChiSquare, trials: u64, sheet: &mut Sheet) {
    let degrees = fit.degrees as f64;
    let z = (fit.statistic - degrees) / (2.0 * degrees).sqrt();
    for (statistic, value, exact, z) in [
        ("chi_square", fit.statistic, Some(degrees), Some(z)),
        ("p_value", fit.p_value(), None, None),
    ] {
        let row = SummaryRow {
            cell: heading.id.clone(),
            axes: Arc::clone(&heading.labels),
            subject: "all".into(),
            measure: CHOSEN.into(),
            statistic: statistic.into(),
            value,
            mcse: None,
            low: None,
            high: None,
            exact,
            z,
            trials,
            method: "chi-square".into(),
        };
        sheet.push(row, false);
    }
}

/// The row of a number that theory gives: as certain as a constant, of no trials.
pub(super) fn exact(heading: &Heading<'_>, of: &ExactTally, value: f64) -> SummaryRow {
    SummaryRow {
        cell: heading.id.clone(),
        axes: Arc::clone(&heading.labels),
        subject: of.subject.into(),
        measure: of.measure.into(),
        statistic: "mean".into(),
        value,
        mcse: Some(0.0),
        low: Some(value),
        high: Some(value),
        exact: Some(value),
        z: None,
        trials: 0,
        method: "theory".into(),
    }
}

/// What an outcome turned out to be.
enum Shape {
    /// undefined in every trial
    Undefined,
    /// the same value in every trial
    Constant,
    /// zeros and ones
    Flags,
    /// the same value in every trial, which might have been another
    Alike,
    /// anything else
    Spread,
}

/// What all rows of a cell begin with.
pub(super) struct Heading<'a> {
    cell: &'a ResolvedCell,
    id: Text,
    labels: Arc<[String]>,
}

impl<'a> Heading<'a> {
    pub fn new(cell: &'a ResolvedCell) -> Self {
        Heading {
            cell,
            id: Text::from(&cell.id),
            labels: cell.labels.as_slice().into(),
        }
    }

    pub fn cell(&self) -> &'a ResolvedCell {
        self.cell
    }
}

/// Whether the outcome is made of answers that were rounded after the noise: many trials share their values then, though several may be in
/// one bin of the histogram.
fn rounded(cell: &ResolvedCell, outcome: &OutcomeTally) -> bool {
    let rounds = |query: &ResolvedQuery| query.steps.iter().any(|step| postprocess::rounds(step));
    let of = |query: &&ResolvedQuery| {
        *outcome.subject == *"all"
            || query.truth_of(&outcome.subject).is_some()
            || *outcome.subject == *query.name
    };
    let mut queries = cell.queries.iter().filter(of).peekable();
    outcome.measure.ends_with("_post") && queries.peek().is_some() && queries.all(rounds)
}

/// Appends the rows of an outcome.
pub(super) fn rows(
    heading: &Heading<'_>,
    outcome: &OutcomeTally,
    levels: &Levels,
    sheet: &mut Sheet,
    warnings: &mut Warnings,
) -> Result<(), StatisticsError> {
    let n = outcome.moments.n;
    let mut warn = |kind| warnings.add(kind, heading.cell, &outcome.subject, outcome.measure);
    if outcome.undefined > 0 {
        warn(Kind::Undefined {
            undefined: outcome.undefined,
            trials: n + outcome.undefined,
        });
    }
    let subject = Text::from(&outcome.subject);
    let mut put = |statistic: &'static str, e: Estimate, cautioned: bool| {
        let row = SummaryRow {
            cell: heading.id.clone(),
            axes: Arc::clone(&heading.labels),
            subject: subject.clone(),
            measure: outcome.measure.into(),
            statistic: statistic.into(),
            value: e.value,
            mcse: e.mcse,
            low: e.low,
            high: e.high,
            exact: e.exact,
            z: e.z,
            trials: n,
            method: e.method.into(),
        };
        sheet.push(row, cautioned);
    };
    let mut ordered = false;
    match shape(outcome) {
        Shape::Undefined => put(
            "mean",
            Estimate {
                value: f64::NAN,
                method: "undefined",
                ..Estimate::default()
            },
            false,
        ),
        Shape::Constant => {
            for statistic in STATISTICS {
                put(statistic, constant(outcome, statistic), false);
            }
        }
        Shape::Flags => {
            put("mean", proportion(outcome, levels)?, false);
            if n > 1 {
                put("sd", sd_of_flags(outcome, levels)?, false);
            }
            // numbers that happen to be zeros and ones are numbers still, and have quantiles as in other cells
            ordered = outcome.nature != Nature::Flag;
        }
        Shape::Alike => {
            warn(Kind::Alike { trials: n });
            for statistic in STATISTICS {
                put(statistic, alike(outcome, statistic), true);
            }
        }
        Shape::Spread => {
            let for_trials = levels.trials(n)?;
            // a single value has no skewness, and its mean no interval that could err
            let skewed = n > 1 && !cochran_sufficient(n, outcome.moments.skewness());
            if skewed {
                warn(Kind::Skew {
                    skewness: outcome.moments.skewness(),
                    trials: n,
                });
            }
            put("mean", mean(outcome, &for_trials), skewed);
            if n > 1 {
                let skewness = skewness_of_squares(&outcome.histogram, &outcome.moments);
                let heavy = n > 3 && !cochran_sufficient(n, skewness);
                if heavy {
                    warn(Kind::Heavy {
                        skewness,
                        trials: n,
                    });
                }
                put("sd", sd(outcome, levels)?, heavy);
            }
            ordered = true;
        }
    }
    if ordered {
        let for_trials = levels.trials(n)?;
        put("min", observed(outcome.min), false);
        let rounded = rounded(heading.cell, outcome);
        let discrete = noise::kind(&heading.cell.noise).is_some_and(|kind| kind.discrete());
        for (index, (name, p)) in QUANTILES.iter().enumerate() {
            let shared = rounded || outcome.histogram.stands_alone(*p);
            let e = quantile(outcome, *p, for_trials.ranks[index], shared);
            let atom = discrete || shared || e.mcse == Some(0.0) || atom(outcome, e.exact);
            let open = e.low.is_none() || e.high.is_none();
            if atom {
                warn(Kind::Atom);
            }
            if open {
                warn(Kind::Unbounded { trials: n });
            }
            put(name, e, atom || open);
        }
        put("max", observed(outcome.max), false);
    }
    Ok(())
}

/// The row of one statistic, if the outcome has it.
pub(super) fn row(
    cell: &ResolvedCell,
    outcome: &OutcomeTally,
    statistic: &str,
    levels: &Levels,
) -> Result<Option<SummaryRow>, StatisticsError> {
    let (mut sheet, mut warnings) = (Sheet::default(), Warnings::default());
    rows(
        &Heading::new(cell),
        outcome,
        levels,
        &mut sheet,
        &mut warnings,
    )?;
    Ok(sheet
        .rows
        .into_iter()
        .find(|row| row.statistic.as_str() == statistic))
}

/// Whether its values are zeros and ones.
pub(super) fn is_of_flags(outcome: &OutcomeTally) -> bool {
    matches!(shape(outcome), Shape::Flags)
}

/// Whether the law of an outcome has an atom at its quantile: a value that many trials share, at which no interval can be cut to the level.
fn atom(outcome: &OutcomeTally, quantile: Option<f64>) -> bool {
    let (Some(law), Some(at)) = (&outcome.law, quantile) else {
        return false;
    };
    // so near that a density adds next to nothing, also where the spread is small beside the value: answers, which are known to their rounding
    let step = match law.sd() {
        Some(sd) => 1e-9 * sd + 1e-14 * at.abs(),
        None => 1e-9 * at.abs(),
    };
    let below = at - step;
    let jump = law.cdf(at).zip(law.cdf(below)).map(|(to, from)| to - from);
    jump.is_some_and(|jump| jump > 1e-6)
}

/// Skewness of the squared deviations from the mean, of which the variance is the mean: by the middles of the histogram's bins, which are as narrow as
/// 2⁻⁷ of a value. 0 where all squares are the same (as for two values that are equally frequent).
fn skewness_of_squares(histogram: &Histogram, moments: &Moments) -> f64 {
    let (mean, sd) = (moments.mean, moments.sd());
    let n = histogram.total() as f64;
    let mut powers = [0.0; 3];
    for bin in histogram.bins() {
        let deviation = (bin.low + (bin.high - bin.low) / 2.0 - mean) / sd;
        let square = deviation * deviation;
        let share = bin.count as f64 / n;
        powers[0] += share * square;
        powers[1] += share * square * square;
        powers[2] += share * square * square * square;
    }
    let [m, second, third] = powers;
    let variance = second - m * m;
    if !(variance > 1e-9 * second) {
        return 0.0;
    }
    (third - 3.0 * m * second + 2.0 * m * m * m) / (variance * variance.sqrt())
}

fn shape(outcome: &OutcomeTally) -> Shape {
    let bins = outcome.histogram.bins();
    if outcome.moments.n == 0 || bins.is_empty() {
        return Shape::Undefined;
    }
    let flags = bins
        .iter()
        .all(|b| b.low == b.high && (b.low == 0.0 || b.low == 1.0));
    if outcome.min < outcome.max {
        return if flags { Shape::Flags } else { Shape::Spread };
    }
    // one value only: whether there could have been others is known by construction, or by the law
    let fixed = outcome.nature == Nature::Fixed
        || outcome.law.as_ref().and_then(|law| law.sd()) == Some(0.0);
    match (fixed, outcome.nature) {
        (true, _) => Shape::Constant,
        (false, Nature::Flag) => Shape::Flags,
        // nor is one trial evidence that there is but one value
        (false, _) if outcome.moments.n == 1 => Shape::Spread,
        (false, _) => Shape::Alike,
    }
}
