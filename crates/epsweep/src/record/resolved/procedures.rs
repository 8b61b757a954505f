//! What cells hold of the procedure that they simulate.

use serde::{Deserialize, Serialize};

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
