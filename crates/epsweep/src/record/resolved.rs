//! `resolved.json`: every value after defaults, and the facts that need no simulation. All that report and figures need
//! besides the rows.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The resolved experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolved {
    /// version of this file's form
    pub schema: u32,
    /// short name, of letters, digits, `-` and `_`
    pub name: String,
    /// headline
    pub title: String,
    /// the question in one sentence
    pub question: String,
    /// seed of all streams
    pub seed: u64,
    /// trials of every cell; 0 where nothing is simulated
    pub trials: u64,
    /// level of the intervals, 0.95
    pub level: f64,
    /// `common` or `independent`
    pub streams: String,
    /// where quantiles come from: `histogram` or `exact`
    #[serde(default = "histogram")]
    pub quantiles: String,
    /// `release`, `select` or `compose`
    pub procedure: String,
    /// `substitute` or `add-remove`
    pub neighbours: String,
    /// the axes of the sweep, in the file's order; the last varies fastest
    pub axes: Vec<ResolvedAxis>,
    /// measures asked for, in the registry's order
    pub measures: Vec<String>,
    /// the data, one entry per distinct data set of the sweep
    pub data: Vec<ResolvedData>,
    /// the cells in order
    pub cells: Vec<ResolvedCell>,
    /// comparisons asked for
    pub compare: Option<ResolvedCompare>,
    /// figures to draw
    pub figures: Vec<ResolvedFigure>,
    /// warnings known before the run
    pub warnings: Vec<String>,
}

/// The source of quantiles of runs that were recorded when there was but one.
fn histogram() -> String {
    String::from("histogram")
}

/// An axis of the sweep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedAxis {
    /// the name used in the file
    pub name: String,
    /// the dotted path that it stands for
    pub path: String,
    /// labels of the values, in order
    pub labels: Vec<String>,
    /// the values, where all are numbers
    pub numbers: Option<Vec<f64>>,
}

/// Facts of a data set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedData {
    /// where it comes from, in words (the path as the file gives it, or the generator)
    pub source: String,
    /// hash of the content
    pub digest: String,
    /// number of rows
    pub rows: u64,
    /// per used column: bounds and the number of values clipped
    pub columns: Vec<ResolvedColumn>,
}

/// Facts of a column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedColumn {
    /// its name
    pub name: String,
    /// declared bounds
    pub bounds: Option<[f64; 2]>,
    /// values that were clipped to them
    pub clipped: u64,
}

/// A cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedCell {
    /// canonical text
    pub id: String,
    /// one label per axis
    pub labels: Vec<String>,
    /// index into `data`; of no meaning where the cells look at none
    pub data: usize,
    /// the total, in words: `ε = 1`
    pub guarantee: String,
    /// the total, in the unit that shares divide
    pub total: f64,
    /// `basic`
    pub composition: String,
    /// what the shares divide, in words; empty where they divide the guarantee's own ε
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub divided: String,
    /// the noise's name
    pub noise: String,
    /// the allocation's name
    pub allocation: String,
    /// the joint cost, where budgets are raised by it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<ResolvedJoint>,
    /// whether the shares come from the true answers, which no private analysis can use
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub oracle: bool,
    /// the queries in the file's order
    pub queries: Vec<ResolvedQuery>,
    /// of a selection: who is chosen from, and how
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub select: Option<ResolvedSelect>,
    /// of a composition: what is counted, and by whom
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compose: Option<ResolvedCompose>,
}

impl ResolvedCell {
    /// What its measures can be of, besides `all`: its queries, or the candidates that results name.
    pub fn subjects(&self) -> Vec<&str> {
        let queries = self.queries.iter().map(|query| query.name.as_str());
        let candidates = self.select.iter().flat_map(|select| &select.shown);
        queries
            .chain(candidates.map(|candidate| candidate.name.as_str()))
            .collect()
    }
}

/// Releases that are counted in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedCompose {
    /// name of the method
    pub accountant: String,
    /// the δ at which ε is asked for
    pub delta: f64,
    /// the ε within which runs are counted
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// what runs
    pub releases: Vec<ResolvedReleases>,
}

impl ResolvedCompose {
    /// `100 × Laplace noise with ε = 0.1, 1 × …`
    pub fn words(&self) -> String {
        let words: Vec<String> = (self.releases.iter())
            .map(|release| {
                let count = crate::words::grouped(release.count);
                format!("{count} × {}", release.mechanism)
            })
            .collect();
        words.join(", ")
    }
}

/// A mechanism that runs so often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedReleases {
    /// in words: `Laplace noise with ε = 0.1`
    pub mechanism: String,
    /// how often
    pub count: u64,
}

/// A selection in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedSelect {
    /// the mechanism's name
    pub mechanism: String,
    /// how many candidates are chosen
    pub slots: u64,
    /// the share of ε of each slot, in the order in which they are filled
    pub shares: Vec<f64>,
    /// `general` (ε/(2Δ)) or `monotone` (ε/Δ)
    pub form: String,
    /// how choices are drawn
    pub path: String,
    /// how many candidates there are
    pub candidates: u64,
    /// how many of them may be chosen
    pub permitted: u64,
    /// how many have the best score
    pub optimal: u64,
    /// hash of all scores, from the best to the worst
    pub digest: String,
    /// the best score
    pub best: f64,
    /// Δ of the scores
    pub sensitivity: f64,
    /// `any-way` or `one-way`: how scores move between neighbours
    pub movement: String,
    /// scale of the noise of report-noisy-max, 2Δ/ε or Δ/ε, for the whole ε (`null` for an infinite one)
    pub noise_scale: Option<f64>,
    /// what a choice promises: ε of pure differential privacy (`null` where nothing is promised)
    pub epsilon: Option<f64>,
    /// η of bounded range, where it is known
    pub bounded_range: Option<f64>,
    /// ρ of zero-concentrated differential privacy that follows
    pub rho: Option<f64>,
    /// the bound on the loss, for single choices
    pub tail: Option<ResolvedTail>,
    /// the candidates that results name, from the best
    pub shown: Vec<ResolvedCandidate>,
}

/// P(loss ≥ `loss`) ≤ `bound`: the theorem about the exponential mechanism, which also holds for permute-and-flip, beside what is true.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedTail {
    /// (2Δ/ε)(ln(|R|/|OPT|) + t) at t = ln 20 (`null` for an infinite one)
    pub loss: Option<f64>,
    /// e⁻ᵗ
    pub bound: f64,
    /// the exact probability under this mechanism
    pub probability: f64,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedCandidate {
    /// its name
    pub name: String,
    /// its score
    pub score: f64,
    /// exact probability to be chosen (in any slot), where it is known
    pub probability: Option<f64>,
}

/// A query in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedQuery {
    /// its name
    pub name: String,
    /// its definition in words: `mean of age`
    pub definition: String,
    /// true answer; `null` in the file for a vector, whose numbers have their own
    pub truth: Option<f64>,
    /// L1 sensitivity
    pub l1: f64,
    /// L2 sensitivity
    pub l2: f64,
    /// the sensitivity that the noise was calibrated to in place of the true one
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<f64>,
    /// weight in the objectives
    pub weight: f64,
    /// its share of the budget
    pub share: f64,
    /// its budget
    pub budget: f64,
    /// its noise scale (`null` in the file for an infinite one)
    pub scale: Option<f64>,
    /// whether what is told is computed from noisy numbers, or differs from them by a bias: the errors are then no scaled
    /// variates
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub derived: bool,
    /// of a vector, how many numbers are told; 0 for a query with a single one
    #[serde(default, skip_serializing_if = "is_zero")]
    pub size: u64,
    /// of a vector that is no longer than [`EACH`](crate::plan::EACH), its numbers
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<ResolvedNumber>,
    /// whether relative errors are over a floor where the truth is small
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub floored: bool,
    /// steps of post-processing, in words
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<String>,
}

impl ResolvedQuery {
    /// The true number of a subject: this query, or one of its numbers.
    pub fn truth_of(&self, subject: &str) -> Option<f64> {
        if self.name == subject {
            return self.truth;
        }
        (self.numbers.iter())
            .find(|number| number.name == subject)
            .map(|number| number.truth)
    }
}

fn is_zero(size: &u64) -> bool {
    *size == 0
}

/// A number of a vector.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedNumber {
    /// its name, `query[part]`
    pub name: String,
    /// the true number
    pub truth: f64,
}

/// What the queries cost together, by their joint sensitivity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedJoint {
    /// what one budget for each query would cost in all, in the unit that shares divide
    pub separate: f64,
    /// what it costs, since one record cannot do the worst to every query
    pub together: f64,
}

/// Comparisons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedCompare {
    /// axis → label of the baseline
    pub baseline: BTreeMap<String, String>,
    /// every pair, not only those with the baseline
    pub all_pairs: bool,
}

/// A figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResolvedFigure {
    /// kind: `box`, `histogram`, `bars`, `error-epsilon`, …
    pub kind: String,
    /// file name without its ending
    pub name: String,
    /// measure drawn, where the kind leaves a choice
    pub measure: Option<String>,
    /// only these cells: axis → labels
    pub cells: BTreeMap<String, Vec<String>>,
    /// `one-column` (85 mm), `two-columns` (180 mm), `slide`
    pub size: Option<String>,
    /// `linear` or `log`
    pub scale: Option<String>,
    /// title in place of the default
    pub title: Option<String>,
    /// of a heat map: the axis that goes across
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// of a heat map: `MEASURE.STATISTIC`, in the order of the rows
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub statistics: Vec<String>,
    /// of a heat map: `value` or `regret`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<String>,
}
