//! Counts of the cells of a column.

use super::cell_query::CellQuery;
use super::cells::{BINS, CATEGORIES, COLUMN, Cells, EDGES, HIGH, LOW, WHERE};
use super::map::Map;
use super::{Arguments, Parameter, Query, QueryError, QueryKind};
use crate::about::About;

const ABOUT: About = About {
    name: "histogram",
    summary: "how many rows fall into each cell of a column",
    formula: "Δ₁ = Δ₂ = 1 under add-remove; under substitute Δ₁ = 2, Δ₂ = √2 (one cell is left, another entered)",
    source: "Dwork, McSherry, Nissim and Smith (TCC 2006), §3; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[COLUMN, EDGES, CATEGORIES, LOW, HIGH, BINS, WHERE];

/// The kind `histogram`.
pub(super) struct Histogram;

impl QueryKind for Histogram {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", edges = [0, 18, 35, 50, 65, 100] }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let cells = Cells::read(ABOUT.name, arguments)?;
        Ok(Box::new(CellQuery {
            about: &ABOUT,
            definition: format!("histogram of {}", cells.definition()),
            map: Map::Identity,
            labels: cells.labels(),
            cells,
        }))
    }
}
