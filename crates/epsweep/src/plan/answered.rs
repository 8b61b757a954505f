//! The queries of a cell, answered: what depends on data and queries alone.

use super::shifts::Moved;
use crate::config::queries::QuerySpec;
use epsweep_core::data::Table;
use epsweep_core::query::{Joint, QueryError};
use epsweep_core::sensitivity::{Neighbours, Sensitivity};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Numbers up to which a vector's numbers are told of one by one.
pub const EACH: usize = 16;

/// Most parts and most outputs of a query that the procedure serves: each part has a row of noise for a chunk of trials.
const MOST_PARTS: usize = 4096;

/// The queries of a cell, answered.
#[derive(Debug)]
pub(super) struct Answered {
    /// index of the data set
    pub data: usize,
    /// the records
    pub table: Arc<Table>,
    /// which tables are neighbours
    pub neighbours: Neighbours,
    /// in the order of the file
    pub queries: Vec<AnsweredQuery>,
    /// how one record moves all of them together
    pub joint: Option<Joint>,
    /// those whose answers clipping moves
    pub moved: Vec<Moved>,
}

/// A query with what is known of it before the run.
#[derive(Debug)]
pub(super) struct AnsweredQuery {
    /// the query
    pub spec: QuerySpec,
    /// rows that no part counts, of a query with cells
    pub uncounted: Option<usize>,
    /// names of its parts
    pub parts: Vec<String>,
    /// the true value of every part
    pub answers: Vec<f64>,
    /// the sensitivity of all parts together
    pub sensitivity: Sensitivity,
    /// the sensitivity of each part, where a query divides its budget among them
    pub separate: Vec<Sensitivity>,
    /// names of the numbers that are told
    pub outputs: Vec<String>,
    /// what they stand for
    pub targets: Vec<f64>,
    /// what is told without noise
    pub exact: Vec<f64>,
    /// what they are in the population, where that is known
    pub parameters: Option<Vec<f64>>,
    fraction: OnceLock<Option<f64>>,
    /// the variance of each of them for noise of variance 1 on every part, where they are linear in the parts
    pub variances: Option<Vec<f64>>,
}

impl AnsweredQuery {
    /// Answers a query.
    ///
    /// # Errors
    /// What the query says, each once.
    pub fn new(
        spec: QuerySpec,
        table: &Table,
        neighbours: Neighbours,
        parameter: impl FnOnce(&QuerySpec) -> Option<Vec<f64>>,
    ) -> Result<AnsweredQuery, Vec<String>> {
        let query = spec.definition.query.clone();
        let (parts, outputs) = (query.parts(), query.outputs());
        for (what, size) in [("parts", parts.len()), ("numbers", outputs.len())] {
            if size > MOST_PARTS {
                return Err(vec![format!(
                    "query `{}` has {size} {what}, but at most {MOST_PARTS} can be simulated: cut fewer cells, or ask for fewer of them",
                    spec.name
                )]);
            }
        }
        let mut said: Vec<String> = Vec::new();
        let mut hear = |error: QueryError| {
            let message = error.to_string();
            if !said.contains(&message) {
                said.push(message);
            }
        };
        let answers = query.answers(table).map_err(&mut hear).ok();
        let sensitivity = query.sensitivity(table, neighbours).map_err(&mut hear).ok();
        let (Some(answers), Some(sensitivity)) = (answers, sensitivity) else {
            return Err(said);
        };
        let targets = query.target(table).map_err(&mut hear).ok();
        let separate = query
            .part_sensitivities(table, neighbours)
            .map_err(&mut hear)
            .ok();
        let (Some(targets), Some(separate)) = (targets, separate) else {
            return Err(said);
        };
        let uncounted = query.uncounted(table).ok().flatten();
        let exact = query.derive(&answers);
        let whole = answers.len() == parts.len()
            && separate.len() == parts.len()
            && targets.len() == outputs.len()
            && exact.len() == outputs.len()
            && !outputs.is_empty();
        if !whole || targets.iter().any(|target| !target.is_finite()) {
            return Err(vec![format!(
                "query `{}` has no finite answer on these data",
                spec.name
            )]);
        }
        let parameters = parameter(&spec).filter(|list| list.len() == outputs.len());
        Ok(AnsweredQuery {
            uncounted,
            fraction: OnceLock::new(),
            parts,
            answers,
            sensitivity,
            separate,
            outputs,
            targets,
            exact,
            parameters,
            variances: query.output_variances(),
            spec,
        })
    }

    /// What the noise is calibrated to: the sensitivity, or what is declared in its place.
    pub fn believed(&self) -> Sensitivity {
        match self.spec.declared {
            Some(declared) => Sensitivity {
                l1: declared,
                l2: declared,
            },
            None => self.sensitivity,
        }
    }

    /// A number that is not whole, among the true values and what records add to them: looked for once, where noise of whole numbers asks, since it
    /// takes a look at every record.
    pub fn fraction(&self, table: &Table, neighbours: Neighbours) -> Option<f64> {
        let query = &self.spec.definition.query;
        let found = || query.fraction(table, neighbours).ok().flatten();
        *self.fraction.get_or_init(found)
    }

    /// Whether it tells a vector.
    pub fn is_vector(&self) -> bool {
        self.outputs.len() > 1
    }

    /// Whether what is told are the noisy parts themselves, around their true values.
    pub fn is_direct(&self) -> bool {
        let plain = |variances: &Vec<f64>| variances.iter().all(|variance| *variance == 1.0);
        let same = |(a, b): (&f64, &f64)| a == b;
        self.outputs == self.parts
            && self.variances.as_ref().is_some_and(plain)
            && self.answers.iter().zip(&self.targets).all(same)
    }

    /// The names of its numbers.
    pub fn names(&self) -> Vec<String> {
        match self.is_vector() {
            false => vec![self.spec.name.clone()],
            true => (self.outputs.iter())
                .map(|output| format!("{}[{output}]", self.spec.name))
                .collect(),
        }
    }

    /// The places of its numbers from `first` on.
    pub fn members(&self, first: usize) -> Range<usize> {
        first..first + self.outputs.len()
    }
}
