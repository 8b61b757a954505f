//! `resolved.json`: every value after defaults, and the facts that need no simulation. All that report and figures need
//! besides the rows.

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

/// A cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    pub select: Option<Box<ResolvedSelect>>,
    /// of a stream: what is asked, and how it is answered
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<Box<ResolvedStream>>,
    /// of a training: the model, how it is learnt, and what could be learnt without privacy
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub train: Option<Box<ResolvedTrain>>,
    /// of a pipeline: its stages
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub staged: Option<Box<ResolvedStaged>>,
    /// of a composition: what is counted, and by whom
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compose: Option<Box<ResolvedCompose>>,
}

impl ResolvedCell {
    /// How many of what its measures are of ([`Kind::noun`](crate::procedure::Kind::noun)) it holds, whether results name them or not.
    pub fn held(&self) -> u64 {
        if let Some(select) = &self.select {
            select.candidates
        } else if let Some(stream) = &self.stream {
            stream.queries
        } else if let Some(train) = &self.train {
            train.steps
        } else if let Some(staged) = &self.staged {
            staged.answers.len() as u64
        } else if let Some(compose) = &self.compose {
            compose.releases.iter().map(|release| release.count).sum()
        } else {
            self.queries.len() as u64
        }
    }

    /// What its measures can be of, besides `all`: its queries, or the candidates that results name.
    pub fn subjects(&self) -> Vec<&str> {
        let queries = self.queries.iter().map(|query| query.name.as_str());
        let candidates = self.select.iter().flat_map(|select| &select.shown);
        let steps = self.train.iter().flat_map(|train| &train.recorded);
        let answers = self.staged.iter().flat_map(|staged| &staged.answers);
        let policy = (self.stream.iter()).filter_map(|stream| stream.policy.as_ref());
        let groups = policy.flat_map(|policy| &policy.groups);
        queries
            .chain(candidates.map(|candidate| candidate.name.as_str()))
            .chain(steps.map(|step| step.name.as_str()))
            .chain(answers.map(|answer| answer.name.as_str()))
            .chain(groups.map(String::as_str))
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

/// A private training in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedTrain {
    /// `linear` or `logistic`
    pub model: String,
    /// records that are learnt from
    pub records: u64,
    /// records that judge
    pub test: u64,
    /// features
    pub features: u64,
    /// steps, at most
    pub steps: u64,
    /// learning rate
    pub rate: f64,
    /// clipping norm
    pub clip: f64,
    /// momentum
    pub momentum: f64,
    /// weight of ½‖w‖²
    pub ridge: f64,
    /// the probability of each record to be in a step's sample
    pub sampling: f64,
    /// `last`, `tail` or `all`
    pub average: String,
    /// how the steps share the budget
    pub schedule: String,
    /// the schedule's parameter
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
    /// what is counted: `ρ`, or `Rényi divergence at order α`
    pub counted: String,
    /// how much of it may be spent
    pub budget: f64,
    /// σ/C of the first step, and of the last one that is planned
    pub noise: [f64; 2],
    /// ‖w*‖₂ of the non-private optimum
    pub length: f64,
    /// the mean loss of w = 0, and of the optimum
    pub losses: [f64; 2],
    /// the share of test records whose class the optimum predicts right
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// the mean loss of the optimum on the test records
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub test_loss: Option<f64>,
    /// whether the exact law of the result is known
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// steps after which the loss is recorded
    pub recorded: Vec<ResolvedStep>,
}

/// A step after which the loss is recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedStep {
    /// its name in results
    pub name: String,
    /// its number; 0 is before the first
    pub step: u64,
}

impl ResolvedTrain {
    /// What a measure is of the non-private optimum.
    pub fn reference(&self, measure: &str) -> Option<f64> {
        match measure {
            "loss" | "step_loss" => Some(self.losses[1]),
            "accuracy" => self.accuracy,
            "test_loss" => self.test_loss,
            "distance" => Some(0.0),
            _ => None,
        }
    }
}

/// A pipeline that clips, sums and counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedStaged {
    /// the column
    pub column: String,
    /// where the bound comes from, in words
    pub bound: String,
    /// shares of choosing, summing and counting
    pub shares: [f64; 3],
    /// how many candidates there are for the bound
    pub candidates: u64,
    /// the mean and the standard deviation of the bound that is chosen, exactly
    pub chosen: [f64; 2],
    /// the expected bias of the sum by clipping, exactly
    pub bias: f64,
    /// the expected Laplace scale of the sum, exactly
    pub sum_scale: f64,
    /// the Laplace scale of the count
    pub count_scale: f64,
    /// the answers
    pub answers: Vec<ResolvedAnswer>,
}

/// An answer of a pipeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedAnswer {
    /// `sum`, `count` or `mean`
    pub name: String,
    /// the true answer
    pub truth: f64,
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

/// A stream in a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedStream {
    /// how many queries there are
    pub queries: u64,
    /// Δ of each
    pub sensitivity: f64,
    /// `any-way` or `one-way`: how the answers move between neighbours
    pub movement: String,
    /// hash of the true answers, in their order
    pub digest: String,
    /// the gate that answers
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<ResolvedGate>,
    /// the policy by which values are released
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<ResolvedPolicy>,
}

/// A policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedPolicy {
    /// its name
    pub name: String,
    /// its parameters
    pub parameters: Vec<ResolvedParameter>,
    /// whether it sees the data for free: a control, not private
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub oracle: bool,
    /// whether its decisions are known in advance
    pub known_in_advance: bool,
    /// how many positions in a row the guarantee covers, if not all
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u64>,
    /// what stands for an answer before the first release
    pub start: f64,
    /// what answers are compared with
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// the groups of positions that results name
    pub groups: Vec<String>,
}

/// A parameter with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedParameter {
    /// its name
    pub name: String,
    /// its value
    pub value: f64,
}

/// A gate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedGate {
    /// its name
    pub name: String,
    /// what is wrong with it, for a control
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// positive answers after which it closes (`null` if it never does)
    pub limit: Option<u64>,
    /// how many true answers are at or above their thresholds
    pub positives: u64,
    /// `general` or `monotone`
    pub form: String,
    /// ε₁ of the threshold, ε₂ of the queries, ε₃ of numeric answers
    pub epsilons: [f64; 3],
    /// scale of the noise of the threshold
    pub threshold_scale: f64,
    /// whether it is drawn anew after each positive answer
    pub redrawn: bool,
    /// scale of the noise of each query
    pub query_scale: f64,
    /// scale of the error of numeric answers, where there are any
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_scale: Option<f64>,
    /// ε that is claimed
    pub claimed: f64,
    /// ε that it has (`null` where no ε is enough)
    pub epsilon: Option<f64>,
    /// exact expected number of positive answers, where it is known
    pub expected_above: Option<f64>,
    /// exact expected number of queries answered
    pub expected_answered: Option<f64>,
    /// against a neighbouring stream, where one is given
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbour: Option<ResolvedNeighbour>,
}

/// What tells a stream from its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedNeighbour {
    /// the largest |log-ratio| of an output's probabilities (`null` where an output is possible on one side only)
    pub worst: Option<f64>,
    /// the probability of outputs whose |log-ratio| is above the claimed ε
    pub leak: f64,
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
