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
    /// trials of every cell
    pub trials: u64,
    /// level of the intervals, 0.95
    pub level: f64,
    /// `common` or `independent`
    pub streams: String,
    /// `release`
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
    /// index into `data`
    pub data: usize,
    /// the total, in words: `ε = 1`
    pub guarantee: String,
    /// the total, in the unit that shares divide
    pub total: f64,
    /// `basic`
    pub composition: String,
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedFigure {
    /// kind: `box`, `histogram`, `bars`, `error-epsilon`, `article-panel`
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
}
