//! Counts of the groups of one or two columns of texts.

use super::cell_query::CellQuery;
use super::cells::{Axis, COLUMN, Cells, WHERE};
use super::map::Map;
use super::{Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::workload::Ranges;

const ABOUT: About = About {
    name: "group-count",
    summary: "how many rows there are in each group, by a column of texts or by two of them",
    formula: "Δ₁ = Δ₂ = 1 under add-remove; under substitute Δ₁ = 2, Δ₂ = √2 (one group is left, another entered)",
    source: "Dwork, McSherry, Nissim and Smith (TCC 2006), §3; parallel composition: McSherry (SIGMOD 2009), theorem 4",
};

const PARAMETERS: &[Parameter] = &[
    COLUMN,
    Parameter {
        name: "groups",
        kind: ParameterKind::Texts,
        required: true,
        summary: "the groups by `column`; declared, since those that occur would tell of the data",
    },
    Parameter {
        name: "by",
        kind: ParameterKind::Column,
        required: false,
        summary: "a second column of texts, which divides each group again",
    },
    Parameter {
        name: "by_groups",
        kind: ParameterKind::Texts,
        required: false,
        summary: "the groups by `by`",
    },
    WHERE,
];

/// The kind `group-count`.
pub(super) struct GroupCount;

impl QueryKind for GroupCount {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "sex", groups = ["female", "male"] }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let groups = arguments.texts("groups").unwrap_or_default();
        let column = arguments.column();
        let mut axes = vec![Axis::of_texts(ABOUT.name, "groups", column, groups)?];
        let missing = |name| {
            PARAMETERS
                .iter()
                .find(|parameter| parameter.name == name)
                .map_or(Ok(()), |&parameter| {
                    let query = ABOUT.name;
                    Err(QueryError::MissingArgument { query, parameter })
                })
        };
        match (arguments.text("by"), arguments.texts("by_groups")) {
            (Some(by), Some(groups)) => {
                axes.push(Axis::of_texts(
                    ABOUT.name,
                    "by_groups",
                    by.to_owned(),
                    groups,
                )?);
            }
            (None, None) => {}
            (Some(_), None) => missing("by_groups")?,
            (None, Some(_)) => missing("by")?,
        }
        let cells = Cells {
            axes,
            rows: arguments.predicate(ABOUT.name, "where")?,
        };
        if cells.len() > Ranges::MOST_BINS {
            return Err(QueryError::List {
                query: ABOUT.name,
                argument: "by_groups",
                found: format!("{} combinations with `groups`", cells.len()),
                rule: "there must be at most 16384",
            });
        }
        Ok(Box::new(CellQuery {
            about: &ABOUT,
            definition: format!("count by {}", cells.definition()),
            map: Map::Identity,
            labels: cells.labels(),
            cells,
        }))
    }
}
