//! Cells, and the queries of those that answer some.

use super::procedures::{
    ResolvedCompose, ResolvedSelect, ResolvedStaged, ResolvedStream, ResolvedTrain,
};
use serde::{Deserialize, Serialize};

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
    /// How many of what its measures are of ([`Kind::noun`](crate::study::Kind::noun)) it holds, whether results name them or not.
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
