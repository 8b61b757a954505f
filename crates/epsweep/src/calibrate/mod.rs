//! How often intervals cover the truth: a small run is repeated with many seeds, and each interval of each repeat is compared with the value
//! that theory knows or, where it knows none, that of a far longer run.
//!
//! Coverage is judged per statistic. An interval that rests on a limit law (means, standard deviations, paired differences) should cover
//! within one point in a hundred of its level. One whose ends are order statistics or counts takes a discrete set of values, and its
//! coverage is known beforehand: that is what it is compared with. Where an interval covers less often than it should, a warning must have
//! said so in most repeats; that of such a statistic is no more than announced. Anything else is a fault.
//!
//! Adjusted p values are judged by families: among comparisons whose true difference is 0 the share of repeats in which any has an
//! adjusted p value below 1 − level must not exceed 1 − level (Holm's rule, which controls that share strongly).

mod count;
mod expected;
mod figures;
mod record;
mod report;
#[cfg(test)]
mod tests;
mod truth;

pub(crate) use record::coverages;
pub use record::{FILES, files, place_is_free};
pub(crate) use report::answer;

use crate::engine::{Progress, each};
use crate::pipeline;
use crate::plan::Plan;
use crate::procedure::{self, RunError, Task};
use crate::record::ComparisonRow;
use crate::summary::{self, Summary};
use crate::tally::CellTally;
use count::Counts;
use epsweep_core::statistics::{Interval, StatisticsError, clopper_pearson};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use truth::Truths;

/// How far a coverage may be from the level, as that of a limit law at trials that suffice for it: a point in a hundred.
pub const TOLERANCE: f64 = 0.01;

/// Confidence of the interval of a coverage, where it is asked whether that can be within the tolerance.
const SURE: f64 = 0.999;

/// Repeats that a zip plot is made of.
const ZIPPED: u64 = 2000;

/// Repeats that a worker takes at once.
const SPAN: u64 = 32;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// number of small runs
    pub repeats: u64,
    /// trials of the long run that stands in where theory is silent
    pub reference: u64,
    /// threads; 0 takes as many as there are processors
    pub jobs: usize,
}

/// Why intervals could not be calibrated.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// the simulation could not be run
    #[error(transparent)]
    Run(#[from] RunError),
    /// estimates could not be made
    #[error(transparent)]
    Statistics(#[from] StatisticsError),
    /// threads could not be started
    #[error(transparent)]
    Threads(#[from] crate::engine::ThreadsError),
    /// nothing has an interval
    #[error(
        "nothing is simulated in this experiment, so that no statistic has an interval; choose one whose cells have trials"
    )]
    NoTrials,
}

/// A family of statistics whose intervals are made alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Student's interval of a mean
    Mean,
    /// Wilson's, or Clopper and Pearson's, of a frequency
    Proportion,
    /// the interval of a standard deviation, on the log scale
    Sd,
    /// order statistics around the p-quantile, p in hundredths
    Quantile(u8),
    /// Student's interval of a paired difference
    Difference,
}

impl Group {
    /// How it is called in tables and figures.
    pub fn name(self) -> String {
        match self {
            Group::Mean => "mean".to_owned(),
            Group::Proportion => "proportion".to_owned(),
            Group::Sd => "sd".to_owned(),
            Group::Quantile(50) => "median".to_owned(),
            Group::Quantile(p) => format!("q{p:02}"),
            Group::Difference => "difference".to_owned(),
        }
    }
}

/// What a coverage says of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// within the tolerance of the level
    Nominal,
    /// not within it, but what theory says of an interval with discrete ends
    AsComputed,
    /// not within it, and a warning said so in most repeats
    Warned,
    /// covers more often than its level, without a warning: it is wider than it has to be
    Wide,
    /// covers less often than its level, and no warning said so: a fault
    Short,
}

impl Judgement {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Nominal => "nominal",
            Judgement::AsComputed => "as computed",
            Judgement::Warned => "warned",
            Judgement::Wide => "wide",
            Judgement::Short => "short",
        }
    }
}

/// Whose interval it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// the cell, or the two that are compared
    pub cell: String,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure
    pub measure: String,
    /// the statistic: `mean`, `sd`, a quantile, `difference`
    pub statistic: String,
}

/// How often the interval of one statistic covers the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Coverage {
    /// whose interval it is
    pub name: Name,
    /// how it is made
    pub group: Group,
    /// the value that it should cover
    pub truth: f64,
    /// whether that is from theory; else it is the estimate of the long run
    pub exact: bool,
    /// repeats with an interval
    pub repeats: u64,
    /// repeats without: an end is missing, or all values agreed
    pub without: u64,
    /// intervals that hold the truth
    pub covered: u64,
    /// intervals that lie below it
    pub below: u64,
    /// intervals that lie above it
    pub above: u64,
    /// repeats in which a warning was about this interval
    pub warned: u64,
    /// coverage that theory computes for an interval with discrete ends
    pub expected: Option<f64>,
    /// what follows
    pub judgement: Judgement,
}

impl Coverage {
    /// Share of the intervals that hold the truth.
    pub fn share(&self) -> f64 {
        self.covered as f64 / self.repeats as f64
    }

    /// Share of the repeats in which a warning was about this interval.
    pub fn warned_share(&self) -> f64 {
        self.warned as f64 / (self.repeats + self.without) as f64
    }
}

/// How often any of the comparisons of a family without differences is called different.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// the axes in which the compared cells agree
    pub axes: String,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure
    pub measure: String,
    /// comparisons whose true difference is 0 and that are no ties
    pub nulls: u64,
    /// all of its comparisons
    pub comparisons: u64,
    /// repeats
    pub repeats: u64,
    /// repeats in which one of the nulls has an adjusted p value below 1 − level
    pub errors: u64,
    /// whether that is more than chance explains
    pub too_many: bool,
}

impl Family {
    /// Share of the repeats with an error.
    pub fn share(&self) -> f64 {
        self.errors as f64 / self.repeats as f64
    }
}

/// The intervals of one statistic in some repeats, from the one that is centred best.
#[derive(Clone, Debug, PartialEq)]
pub struct Zip {
    /// index among the coverages
    pub of: usize,
    /// estimate and ends, ascending by how far the truth is from the estimate in lengths of that side of the interval
    pub intervals: Vec<[f64; 3]>,
}

/// What the repeats of an experiment say of its intervals.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// trials of each small run
    pub trials: u64,
    /// number of small runs that were counted
    pub repeats: u64,
    /// number of small runs that were asked for
    pub asked: u64,
    /// whether it was stopped: then not all runs were counted, or the intervals of single statistics are missing
    pub stopped: bool,
    /// trials of the long run
    pub reference: u64,
    /// level of the intervals
    pub level: f64,
    /// every statistic that has an interval
    pub coverages: Vec<Coverage>,
    /// families of comparisons with a true difference of 0
    pub families: Vec<Family>,
    /// of each group the statistic with the worst coverage
    pub zips: Vec<Zip>,
}

impl Calibration {
    /// Whether no interval falls short without a warning, and no family errs too often.
    pub fn passed(&self) -> bool {
        let short = (self.coverages.iter()).any(|of| of.judgement == Judgement::Short);
        !short && !self.families.iter().any(|of| of.too_many)
    }

    /// Coverages of one group.
    pub fn group(&self, group: Group) -> impl Iterator<Item = &Coverage> {
        self.coverages.iter().filter(move |of| of.group == group)
    }

    /// The groups that there are, in order.
    pub fn groups(&self) -> Vec<Group> {
        let mut groups: Vec<Group> = self.coverages.iter().map(|of| of.group).collect();
        groups.sort();
        groups.dedup();
        groups
    }
}

/// One run of a plan, as a user would have it.
struct Small {
    cells: Vec<CellTally>,
    summary: Summary,
    comparisons: Vec<ComparisonRow>,
}

/// Runs a plan with a seed and a number of trials of its own.
fn once(
    plan: &Plan,
    seed: u64,
    trials: u64,
    jobs: usize,
    stop: &AtomicBool,
) -> Result<Small, CalibrateError> {
    let measures = plan.measures();
    let task = Task {
        seed,
        trials,
        ..pipeline::task(plan, jobs, &measures)
    };
    let progress = Progress::default();
    let (cells, _) = pipeline::collected(|take| {
        procedure::simulate(plan.study(), &task, &progress, stop, take)
    })?;
    let resolved = plan.resolved();
    Ok(Small {
        summary: summary::summarise(&cells, resolved)?,
        comparisons: summary::comparisons(&cells, resolved)?,
        cells,
    })
}

/// The trials of all cells in all runs, or the largest number there is.
fn work(settings: &Settings, trials: u64, cells: u64) -> u64 {
    let small = settings.repeats.saturating_mul(trials);
    small
        .saturating_add(settings.reference)
        .saturating_mul(cells)
}

/// Repeats the run of a plan and counts how often its intervals cover the truth. A run that is stopped on the way counts the repeats that were
/// finished, and is `None` if there are none. The long run has the seed of the plan, and the repeats have those that follow (streams are keyed
/// by a hash of the seed, so that neighbouring ones have nothing in common). What all repeats count does not depend on the threads.
///
/// # Errors
/// Nothing is simulated, or the simulation fails.
pub fn calibrate(
    plan: &Plan,
    settings: &Settings,
    progress: &Progress,
    stop: &AtomicBool,
) -> Result<Option<Calibration>, CalibrateError> {
    let trials = plan.settings().trials;
    if trials == 0 {
        return Err(CalibrateError::NoTrials);
    }
    let cells = plan.study().len() as u64;
    let repeats = settings.repeats;
    progress.begin(work(settings, trials, cells));
    let seed = |repeat: u64| plan.settings().seed.wrapping_add(1 + repeat);
    let long = once(
        plan,
        plan.settings().seed,
        settings.reference,
        settings.jobs,
        stop,
    )?;
    progress.advance(settings.reference.saturating_mul(cells));
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let truths = Truths::new(&long);
    let total = Mutex::new(Ok((Counts::new(&truths), 0)));
    let alpha = 1.0 - plan.settings().level;
    each(repeats.div_ceil(SPAN) as usize, settings.jobs, &|span| {
        let (mut counts, mut done) = (Counts::new(&truths), 0);
        let first = span as u64 * SPAN;
        for repeat in first..(first + SPAN).min(repeats) {
            match once(plan, seed(repeat), trials, 1, stop) {
                // what was stopped on the way is no run
                _ if stop.load(Ordering::Relaxed) => break,
                Ok(small) => counts.take(&truths, &small, alpha),
                Err(error) => {
                    *total.lock().unwrap_or_else(PoisonError::into_inner) = Err(error);
                    stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
            done += 1;
            progress.advance(trials * cells);
        }
        if let Ok((total, of)) = &mut *total.lock().unwrap_or_else(PoisonError::into_inner) {
            total.add(&counts);
            *of += done;
        }
    })?;
    let (counts, repeats) = total.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    if repeats == 0 {
        return Ok(None);
    }
    let level = plan.settings().level;
    let coverages = counts.coverages(&truths, trials, level)?;
    let families = counts.families(&truths, repeats, alpha)?;
    let mut calibration = Calibration {
        trials,
        repeats,
        asked: settings.repeats,
        stopped: stop.load(Ordering::Relaxed),
        reference: settings.reference,
        level,
        coverages,
        families,
        zips: Vec::new(),
    };
    if calibration.stopped {
        return Ok(Some(calibration));
    }
    let chosen: Vec<usize> = (calibration.groups().into_iter())
        .filter_map(|group| worst(&calibration, group))
        .collect();
    let names: Vec<&Name> = chosen
        .iter()
        .map(|at| &calibration.coverages[*at].name)
        .collect();
    let count = ZIPPED.min(repeats) as usize;
    let seen = Mutex::new(vec![vec![None; count]; chosen.len()]);
    each(count, settings.jobs, &|repeat| {
        // what failed here would have failed above
        let Ok(small) = once(plan, seed(repeat as u64), trials, 1, stop) else {
            return;
        };
        let found = truths.intervals(&small, &names);
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        for (of, interval) in seen.iter_mut().zip(found) {
            of[repeat] = interval;
        }
    })?;
    let seen = seen.into_inner().unwrap_or_else(PoisonError::into_inner);
    calibration.zips = (chosen.into_iter().zip(seen))
        .map(|(of, seen)| {
            let truth = calibration.coverages[of].truth;
            let mut intervals: Vec<[f64; 3]> = seen.into_iter().flatten().collect();
            intervals.sort_by(|a, b| extremeness(a, truth).total_cmp(&extremeness(b, truth)));
            Zip { of, intervals }
        })
        .collect();
    calibration.stopped = stop.load(Ordering::Relaxed);
    Ok(Some(calibration))
}

/// How far the truth lies from the estimate, in lengths of that side of the interval: above 1 where it is missed.
fn extremeness(&[value, low, high]: &[f64; 3], truth: f64) -> f64 {
    let (off, side) = if truth < value {
        (value - truth, value - low)
    } else {
        (truth - value, high - value)
    };
    if off == 0.0 { 0.0 } else { off / side }
}

/// The statistic of a group whose coverage is farthest from the level; the first of several. Quantiles that sit on an atom have intervals of one
/// value, and are shown only where there are no others.
fn worst(calibration: &Calibration, group: Group) -> Option<usize> {
    let all = &calibration.coverages;
    let off = |at: usize| (all[at].share() - calibration.level).abs();
    let smooth = |of: &Coverage| !matches!(group, Group::Quantile(_)) || of.expected.is_some();
    let worst_of = |wanted: &dyn Fn(&Coverage) -> bool| {
        (0..all.len())
            .filter(|at| all[*at].group == group && wanted(&all[*at]))
            .reduce(|best, at| if off(at) > off(best) { at } else { best })
    };
    worst_of(&smooth).or_else(|| worst_of(&|_| true))
}

/// What a share of repeats can be, with near certainty.
fn sure(count: u64, of: u64) -> Result<Interval, StatisticsError> {
    clopper_pearson(count, of, SURE)
}
