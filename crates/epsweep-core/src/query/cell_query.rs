//! What all queries on the counts of cells share.

use super::cells::Cells;
use super::map::Map;
use super::{Contribution, Query, QueryError};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};

/// Linear queries on the counts of cells.
#[derive(Debug)]
pub(super) struct CellQuery {
    pub(super) about: &'static About,
    /// what it asks
    pub(super) definition: String,
    pub(super) cells: Cells,
    pub(super) map: Map,
    /// one for each part
    pub(super) labels: Vec<String>,
}

impl Query for CellQuery {
    fn about(&self) -> &'static About {
        self.about
    }

    fn definition(&self) -> String {
        self.definition.clone()
    }

    fn columns(&self) -> Vec<String> {
        self.cells.columns()
    }

    fn texts(&self) -> Vec<(String, String)> {
        self.cells.texts()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        single(self.about.name, &self.answers(table)?)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        self.map.norms(&self.cells, table, neighbours)
    }

    fn parts(&self) -> Vec<String> {
        self.labels.clone()
    }

    fn answers(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let answers = self.map.apply(self.cells.counts(table)?);
        if answers.iter().all(|answer| answer.is_finite()) {
            Ok(answers)
        } else {
            Err(QueryError::AnswerOverflow {
                query: self.about.name,
                column: self.cells.definition(),
            })
        }
    }

    fn uncounted(&self, table: &Table) -> Result<Option<usize>, QueryError> {
        self.cells.outside(table).map(Some)
    }

    fn part_sensitivities(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        self.map.part_norms(&self.cells, table, neighbours)
    }

    fn contributions(
        &self,
        table: &Table,
        _: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        self.map.contributions(&self.cells, table)
    }
}

/// The answer, where it is a single number.
pub(super) fn single(query: &'static str, answers: &[f64]) -> Result<f64, QueryError> {
    match answers {
        [answer] => Ok(*answer),
        _ => Err(QueryError::Vector {
            query,
            parts: answers.len(),
        }),
    }
}
