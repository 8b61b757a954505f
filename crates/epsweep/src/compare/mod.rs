//! Two runs beside each other: which numbers moved by more than their errors explain.
//!
//! Rows are matched by what they are about (values of the axes that both runs have, subject, measure, statistic), never by their place.
//! Each pair of estimates is a test of H₀: |b − a| ≤ margin, with Welch's standard error and degrees of freedom (B. L. Welch,
//! *Biometrika* 34, 1947) and without a margin the ordinary two-sided test of no difference; p values are adjusted by Holm's rule over all
//! pairs, those that are the same to the last bit among them, so that of two runs of one truth at most the stated share is said to differ. With
//! a margin, two one-sided tests (D. J. Schuirmann, *J. Pharmacokinet. Biopharm.* 15, 1987) tell numbers that are *equivalent* from those that
//! the trials cannot decide. These are not adjusted: the level is the probability of calling one number equivalent that is not, for each number
//! by itself.
//!
//! Quantiles have intervals that need not be symmetric, above all where many trials share a value: a step of the lattice on which rounded answers
//! lie is no difference. The standard error of each is the larger of its own and of what its interval says on the side of the other number (method of variance
//! estimates recovery: G. Y. Zou and A. Donner, *Statistics in Medicine* 27, 2008).
//!
//! The errors of the runs are taken as independent. Runs that share draws (equal seeds) differ by less than that, so the tests are
//! conservative there: what they call moved has moved.

mod matching;
#[cfg(test)]
mod tests;

pub use matching::{Incomparable, Side};

use crate::claim::Verdict;
use crate::record::SummaryRow;
use epsweep_core::statistics::{holm, normal_quantile, t_quantile, t_tail};
use std::collections::BTreeSet;

/// Exact values that differ by less, relatively, are the same: the last digits depend on the order of a sum.
const ROUNDING: f64 = 1e-9;

/// Differences that do not matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Margin {
    /// as a share of the magnitude of A's number, at least 0
    Relative(f64),
    /// in the number's own unit, at least 0
    Absolute(f64),
}

impl Margin {
    fn of(self, a: f64) -> f64 {
        match self {
            Margin::Relative(share) => share * a.abs(),
            Margin::Absolute(value) => value,
        }
    }
}

/// What is asked of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// probability of calling anything moved in two runs of one truth, at most; and of calling a single number equivalent that is not
    pub level: f64,
    /// differences that do not matter
    pub margin: Option<Margin>,
    /// rows that are looked at: value labels by axis
    pub only: Vec<(String, String)>,
}

/// What a pair of numbers shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// further apart than error and margin explain
    Moved,
    /// shown to be within the margin, by a test of this number alone
    Equivalent,
    /// neither
    Unclear,
}

impl Outcome {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Moved => "moved",
            Outcome::Equivalent => "equivalent",
            Outcome::Unclear => "unclear",
        }
    }
}

/// Two numbers that are not the same.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    /// the cell, by the axes that both runs have
    pub cell: String,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure
    pub measure: String,
    /// the statistic
    pub statistic: String,
    /// whether these are the values of theory, which have no error
    pub exact: bool,
    /// A's number
    pub a: f64,
    /// B's number
    pub b: f64,
    /// b − a
    pub difference: f64,
    /// its standard error; 0 for values of theory
    pub mcse: f64,
    /// probability of a difference as large, were the truth within the margin
    pub p: f64,
    /// the same, adjusted for all numbers that were compared
    pub p_adjusted: f64,
    /// what it shows
    pub outcome: Outcome,
    /// half the width of the interval of two one-sided tests, compared with the margin
    #[serde(skip)]
    reach: f64,
    #[serde(skip)]
    margin: Option<f64>,
}

/// A claim whose verdict is not the same in both runs.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Turned {
    /// its id
    pub claim: String,
    /// A's verdict
    pub a: Verdict,
    /// B's verdict
    pub b: Verdict,
}

/// What two runs show beside each other.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Compared {
    /// numbers that both runs have
    pub common: u64,
    /// those that are the same to the last bit
    pub identical: u64,
    /// those that differ and have no error to judge that by: extremes, and values that happened to be all the same
    pub unjudged: u64,
    /// numbers of A that B does not have
    pub only_a: u64,
    /// numbers of B that A does not have
    pub only_b: u64,
    /// whether equal seeds make the tests conservative
    pub shared_draws: bool,
    /// numbers that differ, from the least explained
    pub differences: Vec<Difference>,
    /// claims in both whose verdicts differ
    pub claims: Vec<Turned>,
}

impl Compared {
    /// The numbers that moved.
    pub fn moved(&self) -> impl Iterator<Item = &Difference> {
        self.of(Outcome::Moved)
    }

    /// How many numbers moved: one whose estimate and whose exact value did counts once.
    pub fn moved_numbers(&self) -> u64 {
        let name = |of: &Difference| {
            [&of.cell, &of.subject, &of.measure, &of.statistic].map(String::clone)
        };
        let distinct: BTreeSet<[String; 4]> = self.moved().map(name).collect();
        distinct.len() as u64
    }

    /// The differences of one outcome.
    pub fn of(&self, outcome: Outcome) -> impl Iterator<Item = &Difference> {
        self.differences
            .iter()
            .filter(move |found| found.outcome == outcome)
    }

    /// Whether nothing moved: no number, and no verdict.
    pub fn agree(&self) -> bool {
        self.moved().next().is_none() && self.claims.is_empty()
    }
}

/// Puts two runs beside each other.
///
/// # Errors
/// An axis of one run has many values and the other run has no such axis, a value that is asked for does not exist, or no number is in both.
pub fn compare(a: &Side, b: &Side, question: &Question) -> Result<Compared, Incomparable> {
    let matched = matching::pair(a, b, &question.only)?;
    let mut found = Compared {
        common: matched.pairs.len() as u64,
        identical: 0,
        unjudged: 0,
        only_a: matched.only_a,
        only_b: matched.only_b,
        shared_draws: a.resolved.seed == b.resolved.seed,
        differences: Vec::new(),
        claims: turned(a, b),
    };
    let levels = [a.resolved.level, b.resolved.level];
    let mut same = 0;
    for (cell, x, y) in &matched.pairs {
        found.differences.extend(theory(cell, x, y, question));
        if x.value.to_bits() == y.value.to_bits() || (x.value.is_nan() && y.value.is_nan()) {
            found.identical += 1;
            // what was tested and came out the same is of the family: else its size would depend on the data
            same += usize::from(estimates(cell, x, y, question, levels).is_some());
            continue;
        }
        match estimates(cell, x, y, question, levels) {
            Some(difference) => found.differences.push(difference),
            None => found.unjudged += 1,
        }
    }
    judge(&mut found.differences, same, question.level);
    Ok(found)
}

/// Judges differences, beside so many tests of numbers that are the same.
fn judge(differences: &mut [Difference], same: usize, level: f64) {
    let mut p_values: Vec<f64> = differences.iter().map(|d| d.p).collect();
    p_values.resize(differences.len() + same, 1.0);
    for (difference, adjusted) in differences.iter_mut().zip(holm(&p_values)) {
        difference.p_adjusted = adjusted;
        difference.outcome = match difference.margin {
            _ if adjusted < level => Outcome::Moved,
            Some(margin) if difference.difference.abs() + difference.reach <= margin => {
                Outcome::Equivalent
            }
            _ => Outcome::Unclear,
        };
    }
    differences.sort_by(|a, b| (a.p.total_cmp(&b.p)).then_with(|| weight(b).total_cmp(&weight(a))));
}

/// Orders differences whose p values are all zero.
fn weight(of: &Difference) -> f64 {
    of.difference.abs() / of.a.abs().max(of.b.abs())
}

fn difference(cell: &str, row: &SummaryRow, exact: bool, a: f64, b: f64) -> Difference {
    Difference {
        cell: cell.to_owned(),
        subject: row.subject.to_string(),
        measure: row.measure.to_string(),
        statistic: row.statistic.to_string(),
        exact,
        a,
        b,
        difference: b - a,
        mcse: 0.0,
        p: 1.0,
        p_adjusted: 1.0,
        outcome: Outcome::Unclear,
        reach: 0.0,
        margin: None,
    }
}

/// The values of theory have no error: they are the same up to rounding and margin, or they moved.
fn theory(cell: &str, x: &SummaryRow, y: &SummaryRow, question: &Question) -> Option<Difference> {
    let (a, b) = (x.exact?, y.exact?);
    if a == b || (b - a).abs() <= ROUNDING * a.abs().max(b.abs()) {
        return None;
    }
    let mut found = difference(cell, x, true, a, b);
    found.margin = question.margin.map(|margin| margin.of(a));
    found.p = match found.margin {
        Some(margin) if (b - a).abs() <= margin => 1.0,
        _ => 0.0,
    };
    Some(found)
}

/// The standard error of an estimate, as far as another number on one side of it is concerned; `level` is that of its interval.
fn error_towards(row: &SummaryRow, other: f64, level: f64) -> Option<f64> {
    let own = row.mcse?;
    if !(&*row.statistic == "median" || row.statistic.starts_with('q')) || other == row.value {
        return Some(own);
    }
    let end = match other > row.value {
        true => row.high?,
        false => row.low?,
    };
    let reach = normal_quantile(0.5 + level / 2.0).ok()?;
    Some(own.max((end - row.value).abs() / reach))
}

/// Two estimates with errors. `None` where there is no error that could judge them.
fn estimates(
    cell: &str,
    x: &SummaryRow,
    y: &SummaryRow,
    question: &Question,
    levels: [f64; 2],
) -> Option<Difference> {
    // computed, not simulated: told apart as theory is
    if &*x.method == "theory" && &*y.method == "theory" {
        return None;
    }
    let sa = error_towards(x, y.value, levels[0])?;
    let sb = error_towards(y, x.value, levels[1])?;
    // values that happened to be all the same say nothing of their error; constants have none
    let constant = |row: &SummaryRow| &*row.method == "constant";
    if (sa == 0.0 && !constant(x)) || (sb == 0.0 && !constant(y)) {
        return None;
    }
    let mut found = difference(cell, x, false, x.value, y.value);
    let variance = sa * sa + sb * sb;
    found.mcse = variance.sqrt();
    found.margin = question.margin.map(|margin| margin.of(x.value));
    let margin = found.margin.unwrap_or(0.0);
    let distance = found.difference.abs();
    if !variance.is_finite() || !distance.is_finite() {
        return None;
    }
    if variance == 0.0 {
        found.p = if distance <= margin { 1.0 } else { 0.0 };
        return Some(found);
    }
    let part = |s: f64, trials: u64| s.powi(4) / (trials.max(2) - 1) as f64;
    let freedom = (variance * variance / (part(sa, x.trials) + part(sb, y.trials))).max(1.0);
    let tail = |distance: f64| t_tail(distance / found.mcse, freedom);
    // the margin's two ends; without a margin this is the two-sided test
    found.p = (tail(distance - margin) + tail(distance + margin)).min(1.0);
    found.reach = found.mcse * t_quantile(1.0 - question.level, freedom).unwrap_or(f64::INFINITY);
    Some(found)
}

fn turned(a: &Side, b: &Side) -> Vec<Turned> {
    (a.claims.iter())
        .filter_map(|x| {
            let y = b.claims.iter().find(|y| y.claim == x.claim)?;
            (x.verdict != y.verdict).then(|| Turned {
                claim: x.claim.clone(),
                a: x.verdict,
                b: y.verdict,
            })
        })
        .collect()
}
