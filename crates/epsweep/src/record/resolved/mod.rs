//! `resolved.json`: every value after defaults, and the facts that need no simulation. All that report and figures need
//! besides the rows.

mod cells;
mod procedures;

pub use cells::*;
pub use procedures::*;

use crate::procedure::OnError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The resolved experiment. `C` holds its cells: all, or as many as are wanted of those in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Resolved<C = Vec<ResolvedCell>> {
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
    /// trials of every cell; the most that a cell gets where there is a target; 0 where nothing is simulated
    pub trials: u64,
    /// when cells have enough trials, if that is decided by their precision
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<ResolvedTarget>,
    /// level of the intervals, 0.95
    pub level: f64,
    /// `common` or `independent`
    pub streams: String,
    /// where quantiles come from: `histogram` or `exact`
    #[serde(default = "histogram")]
    pub quantiles: String,
    /// what becomes of the run if a trial fails: `stop`, which is not written, or `record`
    #[serde(default = "stop", skip_serializing_if = "stops")]
    pub on_error: String,
    /// `release`, `select`, `stream`, `train`, `clip-then-sum` or `compose`
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
    pub cells: C,
    /// comparisons asked for
    pub compare: Option<ResolvedCompare>,
    /// figures to draw
    pub figures: Vec<ResolvedFigure>,
    /// warnings known before the run
    pub warnings: Vec<String>,
}

impl<C> Resolved<C> {
    /// The same with other cells, or the same cells held otherwise.
    pub fn with_cells<D>(&self, cells: D) -> Resolved<D> {
        Resolved {
            cells,
            schema: self.schema,
            name: self.name.clone(),
            title: self.title.clone(),
            question: self.question.clone(),
            seed: self.seed,
            trials: self.trials,
            target: self.target.clone(),
            level: self.level,
            streams: self.streams.clone(),
            quantiles: self.quantiles.clone(),
            on_error: self.on_error.clone(),
            procedure: self.procedure.clone(),
            neighbours: self.neighbours.clone(),
            axes: self.axes.clone(),
            measures: self.measures.clone(),
            data: self.data.clone(),
            compare: self.compare.clone(),
            figures: self.figures.clone(),
            warnings: self.warnings.clone(),
        }
    }
}

/// The source of quantiles of runs that were recorded when there was but one.
fn histogram() -> String {
    String::from("histogram")
}

/// What becomes of a run whose file does not say it if a trial fails.
fn stop() -> String {
    OnError::Stop.name().to_owned()
}

fn stops(on_error: &str) -> bool {
    on_error == OnError::Stop.name()
}

/// When cells have enough trials: after at least so many, as soon as every goal is met; and when they have the most that they get.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedTarget {
    /// trials before the first look
    pub at_least: u64,
    /// most trials of a cell
    pub at_most: u64,
    /// hash of all pairs of cells that are compared: it decides which cells stop together
    pub compared: String,
    /// how precise what is to be
    pub goals: Vec<ResolvedGoal>,
}

/// How precise a number is to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedGoal {
    /// the measure's name
    pub measure: String,
    /// one of those that have an interval
    pub statistic: String,
    /// what it is of; every subject where it is left out
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// most half-width of its interval
    pub margin: Margin,
    /// whether it is about differences between cells rather than the estimates of each
    pub differences: bool,
    /// which differences, by the numbers of the cells; all that are compared where it is empty
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[usize; 2]>,
}

/// Most half-width of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Margin {
    /// so many times the magnitude of the estimate
    Relative(f64),
    /// in the measure's unit
    Absolute(f64),
}

impl Margin {
    /// The number.
    pub fn number(self) -> f64 {
        match self {
            Margin::Relative(number) | Margin::Absolute(number) => number,
        }
    }

    /// The most half-width of an interval about this value.
    pub fn of(self, value: f64) -> f64 {
        match self {
            Margin::Relative(part) => part * value.abs(),
            Margin::Absolute(number) => number,
        }
    }
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
    /// what the kind shows of its numbers: `value` or `regret` of a heat map, `absolute` or `relative` differences
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub show: Option<String>,
    /// only these subjects, in this order; empty for all
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<String>,
    /// the axes in the order in which the kind uses them; empty for the experiment's order
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub axes: Vec<String>,
    /// files of the run with fonts for characters that the built-in one lacks, the first that has one counts
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fonts: Vec<String>,
    /// of labels: `en`, `de`, `fr` or `zh`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}
