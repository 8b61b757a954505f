//! The estimates of one outcome.

use super::levels::{ForTrials, Levels, QUANTILES};
use super::warnings::{Kind, Warnings};
use crate::record::{ResolvedCell, ResolvedQuery, SummaryRow, Text};
use crate::tally::{ExactTally, Histogram, Nature, OutcomeTally};
use epsweep_core::noise;
use epsweep_core::postprocess;
use epsweep_core::statistics::{
    ChiSquare, Interval, Moments, StatisticsError, cochran_sufficient, proportion_interval,
    proportion_sd_interval, quantile_mcse, sd_interval,
};
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

/// Values that must lie on either side of a quantile before its error is near enough to normal for a z.
const Z_VALUES: f64 = 10.0;

/// The measure of who is chosen, whose frequencies are tested together.
const CHOSEN: &str = "chosen";

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

/// What a statistic yields.
#[derive(Default)]
struct Estimate {
    value: f64,
    mcse: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    exact: Option<f64>,
    z: Option<f64>,
    method: &'static str,
}

impl Estimate {
    fn between(&mut self, interval: Interval) {
        // an end at infinity says "unbounded" and is left empty
        self.low = Some(interval.low).filter(|x| x.is_finite());
        self.high = Some(interval.high).filter(|x| x.is_finite());
    }
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
    // so near that a density adds next to nothing
    let below = at - 1e-9 * (at.abs() + 1e-3 * law.sd().unwrap_or(0.0));
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

/// (value − exact)/error; 0 if the two agree up to the rounding of what is computed, 1e-12. Where there is no error, a difference of 1e-12 is no
/// more (a mean of flags that is 1 in every trial and 1 − 1e-15 in theory), and any other is infinite.
fn z(value: f64, exact: Option<f64>, error: f64) -> Option<f64> {
    let exact = exact?;
    let difference = value - exact;
    let rounding = if error > 0.0 {
        exact.abs()
    } else {
        1.0 + exact.abs()
    };
    if difference.abs() <= 1e-12 * rounding {
        return Some(0.0);
    }
    Some(difference / error).filter(|z| !z.is_nan())
}

fn constant(outcome: &OutcomeTally, statistic: &str) -> Estimate {
    let value = if statistic == "sd" { 0.0 } else { outcome.min };
    let law = outcome.law.as_ref();
    // a law without spread has its mean as every quantile
    let exact = match statistic {
        "sd" => law.and_then(|l| l.sd()),
        "mean" => law.and_then(|l| l.mean()),
        _ => law.filter(|l| l.sd() == Some(0.0)).and_then(|l| l.mean()),
    };
    let extreme = matches!(statistic, "min" | "max");
    Estimate {
        value,
        mcse: (!extreme).then_some(0.0),
        low: (!extreme).then_some(value),
        high: (!extreme).then_some(value),
        exact: exact.filter(|_| !extreme),
        z: z(value, exact, 0.0).filter(|_| !extreme),
        method: "constant",
    }
}

/// A statistic of values that happen to agree: its error is not 0, but not known either. The mean has a z where a law tells its error.
fn alike(outcome: &OutcomeTally, statistic: &str) -> Estimate {
    let law = outcome.law.as_ref();
    let value = if statistic == "sd" { 0.0 } else { outcome.min };
    let exact = match statistic {
        "mean" => law.and_then(|law| law.mean()),
        "sd" => law.and_then(|law| law.sd()),
        _ => (QUANTILES.iter().find(|(name, _)| *name == statistic))
            .and_then(|(_, p)| law.and_then(|law| law.quantile(*p))),
    };
    let error = (law.and_then(|law| law.sd())).map(|sd| sd / (outcome.moments.n as f64).sqrt());
    Estimate {
        value,
        exact,
        z: error.and_then(|error| z(value, exact, error).filter(|_| statistic == "mean")),
        method: "observed",
        ..Estimate::default()
    }
}

fn proportion(outcome: &OutcomeTally, levels: &Levels) -> Result<Estimate, StatisticsError> {
    let (ones, trials) = ones(outcome);
    let n = trials as f64;
    let value = ones as f64 / n;
    let exact = outcome.law.as_ref().and_then(|law| law.mean());
    let error = |p: f64| (p * (1.0 - p) / n).sqrt();
    let mut e = Estimate {
        value,
        mcse: Some(error(value)),
        exact,
        z: exact.and_then(|p| z(value, Some(p), error(p))),
        method: "moments",
        ..Estimate::default()
    };
    e.between(proportion_interval(ones, trials, levels.level)?);
    Ok(e)
}

/// How many flags are set, and of how many.
fn ones(outcome: &OutcomeTally) -> (u64, u64) {
    let ones = outcome.histogram.bins().iter().filter(|b| b.low == 1.0);
    (ones.map(|b| b.count).sum(), outcome.moments.n)
}

/// The standard deviation of flags: its interval is that of their probability, mapped; its error is normal, and there is a z, only where the
/// probability is far from ½ for so many trials.
fn sd_of_flags(outcome: &OutcomeTally, levels: &Levels) -> Result<Estimate, StatisticsError> {
    let (ones, trials) = ones(outcome);
    let mut e = sd(outcome, levels)?;
    if outcome.min == outcome.max {
        // flags that happen to agree: that their spread is 0 has an error, which is not known
        (e.mcse, e.low, e.high, e.z) = (None, None, None, None);
        return Ok(e);
    }
    let n = trials as f64;
    let from_half = (1.0 - 2.0 * ones as f64 / n).abs() * n.sqrt();
    e.z = e.z.filter(|_| from_half >= NORMAL_FROM_HALF);
    e.between(proportion_sd_interval(ones, trials, levels.level)?);
    Ok(e)
}

fn mean(outcome: &OutcomeTally, for_trials: &ForTrials) -> Estimate {
    let value = outcome.moments.mean;
    let mcse = outcome.moments.mcse_mean();
    let exact = outcome.law.as_ref().and_then(|law| law.mean());
    let mut e = Estimate {
        value,
        exact,
        method: "moments",
        ..Estimate::default()
    };
    if mcse.is_finite() {
        e.mcse = Some(mcse);
        e.z = z(value, exact, mcse);
        e.between(Interval::around(value, for_trials.t * mcse));
    }
    e
}

fn sd(outcome: &OutcomeTally, levels: &Levels) -> Result<Estimate, StatisticsError> {
    let value = outcome.moments.sd();
    let mcse = outcome.moments.mcse_sd();
    let exact = outcome.law.as_ref().and_then(|law| law.sd());
    let mut e = Estimate {
        value,
        exact,
        method: "moments",
        ..Estimate::default()
    };
    // the fourth powers may have left the range of a double, or come from so few values that they are what the second ones are: then there is an
    // estimate without an error
    if mcse.is_finite() && (outcome.moments.n > 3 || value == 0.0) {
        e.mcse = Some(mcse);
        e.z = z(value, exact, mcse);
        e.between(sd_interval(value, mcse, levels.level)?);
    }
    Ok(e)
}

fn observed(value: f64) -> Estimate {
    Estimate {
        value,
        method: "observed",
        ..Estimate::default()
    }
}

/// A quantile; `shared` where many trials have the same value there, as far as histogram or experiment tell.
fn quantile(
    outcome: &OutcomeTally,
    p: f64,
    ranks: epsweep_core::statistics::OrderRanks,
    shared: bool,
) -> Estimate {
    let histogram = &outcome.histogram;
    let n = histogram.total();
    let order = outcome.order.as_ref();
    let known = order.and_then(|order| order.quantile(p));
    let value = known.unwrap_or_else(|| histogram.quantile(p));
    let sampling = quantile_mcse(n, p, histogram.density_at_rank(p));
    // values that many share may all be at one place of a bin
    let reading = match known {
        Some(_) => 0.0,
        None if shared => bin_width(outcome, value),
        None => reading_error(outcome, value),
    };
    let mcse = (sampling * sampling + reading * reading).sqrt();
    let law = outcome.law.as_ref();
    let exact = law.and_then(|law| law.quantile(p));
    let smooth = exact.is_some_and(|q| law.and_then(|l| l.density(q)).is_some_and(|f| f > 0.0));
    let mut e = Estimate {
        value,
        exact,
        method: if known.is_some() {
            "exact"
        } else {
            "histogram"
        },
        ..Estimate::default()
    };
    if mcse.is_finite() && n > 1 {
        e.mcse = Some(mcse);
        let normal = n as f64 * p.min(1.0 - p) >= Z_VALUES;
        e.z = z(value, exact, mcse).filter(|_| smooth && normal && mcse > 0.0);
    }
    // so that the interval takes in the whole of it
    let atoms = exact.is_some() && !smooth;
    let reading = match known {
        None if atoms => bin_width(outcome, value).max(reading),
        _ => reading,
    };
    // ranks are counted from 1 in the interval, from 0 elsewhere
    let at = |rank: u64, off: f64| match order.and_then(|order| order.get(rank - 1)) {
        Some(value) => value,
        None => histogram.order_statistic(rank - 1) + off,
    };
    if ranks.lower >= 1 {
        e.low = Some(at(ranks.lower, -reading));
    }
    if ranks.upper <= n {
        e.high = Some(at(ranks.upper, reading));
    }
    e
}

/// Width of the bin that a value lies in.
fn bin_width(outcome: &OutcomeTally, value: f64) -> f64 {
    let bins = outcome.histogram.bins();
    let index = bins.partition_point(|b| b.high < value);
    bins.get(index).map_or(0.0, |bin| bin.high - bin.low)
}

/// √n·|1 − 2p| from which on the standard deviation of n flags has a normal error: what is quadratic in p is a twentieth of what is linear.
const NORMAL_FROM_HALF: f64 = 10.0;

/// How far a value read by a straight line inside its bin can be off: |f′|·w²/(8f) for a bin of width w and a density f with slope
/// f′, which the neighbouring bins tell. It shows only beyond some 10⁸ trials.
fn reading_error(outcome: &OutcomeTally, value: f64) -> f64 {
    let bins = outcome.histogram.bins();
    let index = bins.partition_point(|b| b.high < value);
    let Some(bin) = bins.get(index) else {
        return 0.0;
    };
    let width = bin.high - bin.low;
    if !(width > 0.0) {
        return 0.0;
    }
    let density = |i: usize| {
        let b = bins.get(i)?;
        let w = b.high - b.low;
        // only a bin that touches this one and is about as wide says something of the slope here
        let touches = b.high == bin.low || b.low == bin.high;
        (touches && w > 0.25 * width && w < 4.0 * width).then(|| b.count as f64 / w)
    };
    let own = bin.count as f64 / width;
    let slope = [index.checked_sub(1).and_then(density), density(index + 1)]
        .into_iter()
        .flatten()
        .fold(0.0_f64, |s, d| s.max((d - own).abs()));
    // a slope cannot move the value out of its bin
    (width * slope / (8.0 * own)).min(width / 2.0)
}
