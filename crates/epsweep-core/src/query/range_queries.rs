//! Range queries over a histogram, answered from noisy measurements of a strategy.

use super::cell_query::{CellQuery, single};
use super::cells::{BINS, CATEGORIES, COLUMN, Cells, EDGES, HIGH, LOW, WHERE};
use super::linear::labels;
use super::map::Map;
use super::{
    Arguments, Contribution, Parameter, ParameterKind, Query, QueryError, QueryKind, Room,
};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::workload::{self, Ranges, Strategy};

const ABOUT: About = About {
    name: "range-queries",
    summary: "how many rows fall into ranges of cells, from a strategy's noisy measurements by least squares",
    formula: "variance of a range with coefficients q = σ²·q(AᵀA)⁻¹qᵀ for the strategy matrix A; Δ as of A",
    source: "Li, Hay, Rastogi, Miklau and McGregor (PODS 2010), §3; Hay, Rastogi, Miklau and Suciu (PVLDB 3, 2010), §4",
};

const PARAMETERS: &[Parameter] = &[
    COLUMN,
    Parameter {
        name: "strategy",
        kind: ParameterKind::Choice(&["identity", "hierarchical", "prefix"]),
        required: true,
        summary: "what is measured: \"identity\", \"hierarchical\" or \"prefix\"",
    },
    Parameter {
        name: "branching",
        kind: ParameterKind::Number,
        required: false,
        summary: "children of a node of the tree; 2 without it",
    },
    Parameter {
        name: "from",
        kind: ParameterKind::Numbers,
        required: false,
        summary: "the first cell of each range, counted from 1; without it and `to` all ranges are asked for",
    },
    Parameter {
        name: "to",
        kind: ParameterKind::Numbers,
        required: false,
        summary: "the last cell of each range",
    },
    EDGES,
    CATEGORIES,
    LOW,
    HIGH,
    BINS,
    WHERE,
];

/// The kind `range-queries`.
pub(super) struct RangeQueries;

impl QueryKind for RangeQueries {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", low = 0, high = 100, bins = 8, strategy = "hierarchical" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let cells = Cells::read(ABOUT.name, arguments)?;
        let name = arguments.text("strategy").unwrap_or("identity");
        let rule = "a whole number from 2 to 16384";
        let branching = arguments.whole(ABOUT.name, "branching", (2.0, 16384.0), rule)?;
        let strategy = workload::kind(name)
            .unwrap_or(workload::REGISTRY[0])
            .build(cells.len(), branching.unwrap_or(2))?;
        let asked = asked(arguments, cells.len())?;
        let variances = workload::variances(strategy.as_ref(), &asked)?;
        let measured = CellQuery {
            about: &ABOUT,
            definition: format!("ranges of {}, by {name}", cells.definition()),
            labels: labels(strategy.ranges()),
            map: Map::Ranges(strategy.ranges().clone()),
            cells,
        };
        Ok(Box::new(RangeQuery {
            measured,
            strategy,
            asked,
            variances,
        }))
    }
}

/// The ranges asked for.
fn asked(arguments: &Arguments, cells: usize) -> Result<Ranges, QueryError> {
    let from = arguments.numbers(ABOUT.name, "from")?;
    let to = arguments.numbers(ABOUT.name, "to")?;
    let (from, to) = match (from, to) {
        (None, None) => return Ok(Ranges::all(cells)?),
        (from, to) => (from.unwrap_or_default(), to.unwrap_or_default()),
    };
    if from.len() != to.len() {
        return Err(QueryError::List {
            query: ABOUT.name,
            argument: "to",
            found: format!("{} numbers for {} in `from`", to.len(), from.len()),
            rule: "each range has a first and a last cell",
        });
    }
    let cell = |argument, value: f64| {
        if (1.0..=cells as f64).contains(&value) && value.fract() == 0.0 {
            return Ok(value as usize);
        }
        let query = ABOUT.name;
        let rule = "the number of a cell, from 1 to the number of cells";
        Err(QueryError::Range {
            query,
            argument,
            value,
            rule,
        })
    };
    let list: Result<Vec<_>, QueryError> = (from.iter().zip(to))
        .map(|(&from, &to)| Ok(cell("from", from)? - 1..cell("to", to)?))
        .collect();
    Ok(Ranges::new(cells, list?)?)
}

#[derive(Debug)]
struct RangeQuery {
    measured: CellQuery,
    strategy: Box<dyn Strategy>,
    asked: Ranges,
    variances: Vec<f64>,
}

impl Query for RangeQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        self.measured.definition()
    }

    fn columns(&self) -> Vec<String> {
        self.measured.columns()
    }

    fn texts(&self) -> Vec<(String, String)> {
        self.measured.texts()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        single(ABOUT.name, &self.answers(table)?)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        self.measured.sensitivity(table, neighbours)
    }

    fn parts(&self) -> Vec<String> {
        self.measured.parts()
    }

    fn answers(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        self.measured.answers(table)
    }

    fn uncounted(&self, table: &Table) -> Result<Option<usize>, QueryError> {
        self.measured.uncounted(table)
    }

    fn part_sensitivities(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        self.measured.part_sensitivities(table, neighbours)
    }

    fn contributions(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        self.measured.contributions(table, neighbours)
    }

    fn outputs(&self) -> Vec<String> {
        labels(&self.asked)
    }

    fn derive_rows(&self, released: &[f64], trials: usize, room: &mut Room, outputs: &mut [f64]) {
        let Room { counts, estimates } = room;
        counts.resize(self.asked.bins() * trials, 0.0);
        (self.strategy).reconstruct_rows(released, trials, estimates, counts);
        self.asked.sums_of_rows(counts, trials, outputs);
    }

    fn output_variances(&self) -> Option<Vec<f64>> {
        Some(self.variances.clone())
    }

    /// The sums of the counts themselves: without the rounding of a reconstruction.
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        Ok(self.asked.sums(&self.measured.cells.counts(table)?))
    }
}
