//! Linear queries on the counts of cells: any matrix, prefix sums, and a binary tree.

use super::cell_query::CellQuery;
use super::cells::{BINS, CATEGORIES, COLUMN, Cells, EDGES, HIGH, LOW, WHERE};
use super::map::Map;
use super::{Argument, Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::workload::{Hierarchical, Ranges, Strategy};

const LINEAR: About = About {
    name: "linear",
    summary: "linear combinations of the counts of cells, one for each row of a matrix",
    formula: "Δ = max norm of a column of the matrix under add-remove, of a difference of two columns under substitute",
    source: "Li, Hay, Rastogi, Miklau and McGregor (PODS 2010), §2; by brute force over neighbours in the tests",
};

const PREFIX: About = About {
    name: "prefix-sums",
    summary: "how many rows fall into the first cell, the first two, and so on to all cells",
    formula: "Δ₁ = d, Δ₂ = √d for d cells under add-remove; d − 1 and √(d − 1) under substitute",
    ..LINEAR
};

const TREE: About = About {
    name: "binary-tree",
    summary: "how many rows fall into the ranges of a binary tree over the cells",
    formula: "Δ₁ = levels, Δ₂ = √levels under add-remove; 2·(levels − 1) and its root under substitute",
    source: "Hay, Rastogi, Miklau and Suciu (PVLDB 3, 2010), §4.1; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[COLUMN, EDGES, CATEGORIES, LOW, HIGH, BINS, WHERE];

const LINEAR_PARAMETERS: &[Parameter] = &[
    COLUMN,
    Parameter {
        name: "matrix",
        kind: ParameterKind::Matrix,
        required: true,
        summary: "one row for each answer, each with one coefficient for each cell",
    },
    EDGES,
    CATEGORIES,
    LOW,
    HIGH,
    BINS,
    WHERE,
];

/// The kind `linear`.
pub(super) struct Linear;

/// The kind `prefix-sums`.
pub(super) struct PrefixSums;

/// The kind `binary-tree`.
pub(super) struct BinaryTree;

impl QueryKind for Linear {
    fn about(&self) -> &'static About {
        &LINEAR
    }

    fn parameters(&self) -> &'static [Parameter] {
        LINEAR_PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", edges = [0, 18, 65, 100], matrix = [[1, 0, 0], [0, 1, 1]] }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(LINEAR.name, LINEAR_PARAMETERS)?;
        let cells = Cells::read(LINEAR.name, arguments)?;
        let rows = match arguments.get("matrix") {
            Some(Argument::Matrix(rows)) => rows.clone(),
            _ => Vec::new(),
        };
        let refused = |found: String, rule| {
            Err(QueryError::List {
                query: LINEAR.name,
                argument: "matrix",
                found,
                rule,
            })
        };
        if rows.is_empty() {
            return refused("no row".to_owned(), "there must be one for each answer");
        }
        if let Some(row) = rows.iter().find(|row| row.len() != cells.len()) {
            let found = format!("a row of {} for {} cells", row.len(), cells.len());
            return refused(found, "each row needs one coefficient for each cell");
        }
        if let Some(value) = rows.iter().flatten().find(|value| !value.is_finite()) {
            return refused(format!("{value:?}"), "all coefficients must be finite");
        }
        Ok(Box::new(CellQuery {
            about: &LINEAR,
            definition: format!("linear queries on {}", cells.definition()),
            labels: (1..=rows.len()).map(|row| format!("row {row}")).collect(),
            map: Map::Matrix(rows),
            cells,
        }))
    }
}

impl QueryKind for PrefixSums {
    fn about(&self) -> &'static About {
        &PREFIX
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", low = 0, high = 100, bins = 8 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        of_ranges(&PREFIX, arguments, |cells| Ok(Ranges::prefixes(cells)?))
    }
}

impl QueryKind for BinaryTree {
    fn about(&self) -> &'static About {
        &TREE
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", low = 0, high = 100, bins = 8 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        of_ranges(&TREE, arguments, |cells| {
            Ok(Hierarchical::new(cells, 2)?.ranges().clone())
        })
    }
}

fn of_ranges(
    about: &'static About,
    arguments: &Arguments,
    ranges: fn(usize) -> Result<Ranges, QueryError>,
) -> Result<Box<dyn Query>, QueryError> {
    arguments.check(about.name, PARAMETERS)?;
    let cells = Cells::read(about.name, arguments)?;
    let ranges = ranges(cells.len())?;
    Ok(Box::new(CellQuery {
        about,
        definition: format!("{} of {}", about.name, cells.definition()),
        labels: labels(&ranges),
        map: Map::Ranges(ranges),
        cells,
    }))
}

/// `cells 1 to 4`, counted from 1.
pub(super) fn labels(ranges: &Ranges) -> Vec<String> {
    (ranges.list().iter())
        .map(|range| match range.len() {
            1 => format!("cell {}", range.end),
            _ => format!("cells {} to {}", range.start + 1, range.end),
        })
        .collect()
}
