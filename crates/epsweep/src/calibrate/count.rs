//! Counting what intervals cover.

use super::truth::Truths;
use super::{Coverage, Family, Group, Judgement, Small, TOLERANCE, expected, sure};
use crate::summary::{compared, skewed};
use epsweep_core::statistics::StatisticsError;

/// Counts of one statistic over repeats.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    covered: u64,
    below: u64,
    above: u64,
    without: u64,
    warned: u64,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.covered += other.covered;
        self.below += other.below;
        self.above += other.above;
        self.without += other.without;
        self.warned += other.warned;
    }

    fn take(&mut self, ends: Option<(f64, f64)>, truth: f64, warned: bool) {
        self.warned += u64::from(warned);
        match ends {
            None => self.without += 1,
            Some((_, high)) if high < truth => self.below += 1,
            Some((low, _)) if low > truth => self.above += 1,
            Some(_) => self.covered += 1,
        }
    }
}

/// Counts over repeats: whole numbers, so that their order does not matter.
#[derive(Clone, Debug)]
pub(super) struct Counts {
    statistics: Vec<Count>,
    /// of each family: repeats in which a null is called different
    errors: Vec<u64>,
    /// of each comparison: repeats in which the cells differ in some trial
    apart: Vec<u64>,
}

impl Counts {
    pub fn new(truths: &Truths) -> Counts {
        Counts {
            statistics: vec![Count::default(); truths.statistics.len()],
            errors: vec![0; truths.families.len()],
            apart: vec![0; truths.pairs.len()],
        }
    }

    pub fn add(&mut self, other: &Counts) {
        let pairs = self.statistics.iter_mut().zip(&other.statistics);
        pairs.for_each(|(sum, one)| sum.add(one));
        let sum = |all: &mut Vec<u64>, more: &[u64]| {
            all.iter_mut().zip(more).for_each(|(sum, one)| *sum += one);
        };
        sum(&mut self.errors, &other.errors);
        sum(&mut self.apart, &other.apart);
    }

    /// One more repeat. `alpha` is what an adjusted p value must be below to call a difference.
    pub fn take(&mut self, truths: &Truths, small: &Small, alpha: f64) {
        for (row, warned) in small.summary.rows.iter().zip(&small.summary.cautioned) {
            let Some(at) = truths.of_row(row) else {
                continue;
            };
            let (ends, truth) = (row.low.zip(row.high), truths.statistics[at].value);
            self.statistics[at].take(ends, truth, *warned);
        }
        let mut wrong = vec![false; truths.families.len()];
        for (row, (_, pair)) in small.comparisons.iter().zip(compared(&small.cells)) {
            let Some(found) = truths.of_comparison(row) else {
                continue;
            };
            let (at, family, null) = truths.pairs[found];
            let warned = skewed(pair).is_some();
            let truth = truths.statistics[at].value;
            self.statistics[at].take(Some((row.low, row.high)), truth, warned);
            let apart = row.win + row.loss > 0;
            self.apart[found] += u64::from(apart);
            wrong[family] |= null && apart && row.p_adjusted < alpha;
        }
        for (errors, wrong) in self.errors.iter_mut().zip(wrong) {
            *errors += u64::from(wrong);
        }
    }

    /// What was counted of every statistic that ever had an interval. Comparisons of cells that never differ are no evidence.
    pub fn coverages(
        &self,
        truths: &Truths,
        trials: u64,
        level: f64,
    ) -> Result<Vec<Coverage>, StatisticsError> {
        let mut ties = vec![false; truths.statistics.len()];
        for ((at, ..), apart) in truths.pairs.iter().zip(&self.apart) {
            ties[*at] = *apart == 0;
        }
        let mut coverages = Vec::new();
        for ((truth, count), tie) in truths.statistics.iter().zip(&self.statistics).zip(ties) {
            let repeats = count.covered + count.below + count.above;
            if repeats == 0 || tie {
                continue;
            }
            let mut coverage = Coverage {
                name: truth.name.clone(),
                group: truth.group,
                truth: truth.value,
                exact: truth.exact,
                repeats,
                without: count.without,
                covered: count.covered,
                below: count.below,
                above: count.above,
                warned: count.warned,
                expected: expected::of(truth, trials, level)?,
                judgement: Judgement::Nominal,
            };
            coverage.judgement = judge(&coverage, level)?;
            coverages.push(coverage);
        }
        Ok(coverages)
    }

    /// The families with a true difference of 0, ties left out.
    pub fn families(
        &self,
        truths: &Truths,
        repeats: u64,
        alpha: f64,
    ) -> Result<Vec<Family>, StatisticsError> {
        let mut families = Vec::new();
        for (index, family) in truths.families.iter().enumerate() {
            let nulls = (truths.pairs.iter().zip(&self.apart))
                .filter(|((_, of, null), apart)| *of == index && *null && **apart > 0)
                .count() as u64;
            if nulls == 0 {
                continue;
            }
            let errors = self.errors[index];
            families.push(Family {
                axes: family.axes.clone(),
                subject: family.subject.clone(),
                measure: family.measure.clone(),
                nulls,
                comparisons: family.comparisons,
                repeats,
                errors,
                too_many: sure(errors, repeats)?.low > alpha,
            });
        }
        Ok(families)
    }
}

/// The least share of so many repeats in which an interval may cover the truth and still be called nominal: what the repeats can tell.
///
/// # Errors
/// Never for a level between 0 and 1
pub(super) fn least_nominal(repeats: u64, level: f64) -> Result<f64, StatisticsError> {
    let passes = |covered| Ok(sure(covered, repeats)?.high >= level - TOLERANCE);
    let (mut low, mut high) = (0, repeats);
    while low < high {
        let middle = low + (high - low) / 2;
        match passes(middle)? {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Ok(high as f64 / repeats.max(1) as f64)
}

/// What a coverage says. An interval with discrete ends is compared with its own coverage where that is known.
fn judge(of: &Coverage, level: f64) -> Result<Judgement, StatisticsError> {
    let can_be = sure(of.covered, of.repeats)?;
    let (least, most) = (level - TOLERANCE, level + TOLERANCE);
    if can_be.high >= least && can_be.low <= most {
        return Ok(Judgement::Nominal);
    }
    if (of.expected).is_some_and(|expected| can_be.low <= expected && expected <= can_be.high) {
        return Ok(Judgement::AsComputed);
    }
    // a missing interval is said to be missing, and those that are there are a choice of the repeats
    let chosen = of.without > 0 && matches!(of.group, Group::Quantile(_) | Group::Sd);
    if 2 * of.warned > of.repeats || chosen {
        return Ok(Judgement::Warned);
    }
    Ok(if can_be.low > most {
        Judgement::Wide
    } else {
        Judgement::Short
    })
}
