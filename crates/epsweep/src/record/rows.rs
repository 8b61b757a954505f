//! The rows of the files of a run directory. These are contracts: see the crate docs.

use super::text::Text;
use crate::claim::Verdict;
use std::sync::Arc;

/// A row of `summary.csv`: `cell, <axes>, subject, measure, statistic, value, mcse, low, high, exact, z, trials, method`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct SummaryRow {
    /// canonical text of the cell: `epsilon=1 allocation=even`, or `-` where there is no axis
    pub cell: Text,
    /// one label per axis of the experiment
    #[serde(serialize_with = "list")]
    pub axes: Arc<[String]>,
    /// a query's name, or `all`
    pub subject: Text,
    /// the measure's name
    pub measure: Text,
    /// mean, sd, min, q01, q05, q25, median, q75, q95, q99, max
    pub statistic: Text,
    /// the estimate
    pub value: f64,
    /// its Monte Carlo standard error; `None` for min and max
    pub mcse: Option<f64>,
    /// lower end of the interval
    pub low: Option<f64>,
    /// upper end of the interval
    pub high: Option<f64>,
    /// the same statistic from theory
    pub exact: Option<f64>,
    /// (value − exact) / mcse
    pub z: Option<f64>,
    /// trials that entered
    pub trials: u64,
    /// how the estimate was made: `moments`, `histogram` (quantiles within a bucket), `exact` (order statistics), `observed` (min, max, and values that happen to be all the same), `constant`, `theory` (computed, without trials)
    pub method: Text,
}

fn list<S: serde::Serializer>(list: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(list, serializer)
}

/// A row of `comparisons.csv`: `<axes but the compared one>, subject, measure, a, b, difference, mcse, low, high, p_adjusted, win, tie, loss, trials`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ComparisonRow {
    /// one label per axis; the compared axis (if the cells differ in one axis only) is empty
    pub axes: Vec<String>,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure's name
    pub measure: String,
    /// canonical text (or label on the compared axis) of the first cell
    pub a: String,
    /// and of the second, the baseline
    pub b: String,
    /// mean over the paired trials of a − b
    pub difference: f64,
    /// its Monte Carlo standard error
    pub mcse: f64,
    /// lower end of the interval
    pub low: f64,
    /// upper end of the interval
    pub high: f64,
    /// Holm-adjusted p value of "no difference"
    pub p_adjusted: f64,
    /// trials in which a is lower
    pub win: u64,
    /// trials in which they are equal
    pub tie: u64,
    /// trials in which a is higher
    pub loss: u64,
    /// trials that entered
    pub trials: u64,
}

/// A row of `claims.csv`: `claim, kind, statistic, claimed, value, low, high, exact, verdict, expected` (and the text).
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct ClaimRow {
    /// the statement's number in its source
    pub claim: String,
    /// value, exact, ratio, order, best_on_axis, equal_across, win, probability
    pub kind: String,
    /// what was compared, in words
    pub statistic: String,
    /// what the source says
    pub claimed: String,
    /// what the run says
    pub value: String,
    /// lower end of its interval
    pub low: Option<f64>,
    /// upper end of its interval
    pub high: Option<f64>,
    /// what theory says
    pub exact: Option<f64>,
    /// the run's verdict
    pub verdict: Verdict,
    /// the established verdict
    pub expected: Verdict,
    /// the statement in plain words
    pub text: String,
    /// where undecided: about how many trials would decide; empty otherwise
    pub note: String,
}

/// A row of `histograms.csv`: `cell, <axes>, subject, measure, low, high, count, exact`. Bins are half open, [low, high), except that
/// the last one holds the maximum; they are ordered, disjoint and leave out only empty stretches, so the counts add up to the trials.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct HistogramRow {
    /// canonical text of the cell
    pub cell: String,
    /// one label per axis
    pub axes: Vec<String>,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure's name
    pub measure: String,
    /// lower edge
    pub low: f64,
    /// upper edge; equal to `low` for an atom
    pub high: f64,
    /// trials in it
    pub count: u64,
    /// exact probability of the bin, where theory knows it
    pub exact: Option<f64>,
}

/// A row of `audits.csv`, as `epsweep audit --into` puts it into a run directory: `audit, title, mechanism, claim, parameter, claimed, certified,
/// certifiable, expected, verdict`.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AuditRow {
    /// name of the audit
    pub audit: String,
    /// its headline
    pub title: String,
    /// what was audited
    pub mechanism: String,
    /// the guarantee that is claimed for it
    pub claim: String,
    /// the parameter that is bounded: ε, μ or ρ
    pub parameter: String,
    /// its claimed value
    pub claimed: String,
    /// the largest value that the runs certify
    pub certified: String,
    /// the largest value that so many runs could have certified
    pub certifiable: String,
    /// the verdict that the file expects; may be empty
    pub expected: String,
    /// the verdict
    pub verdict: String,
}
