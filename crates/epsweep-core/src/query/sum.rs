//! The sum of a column.

use super::{Amount, Arguments, Contribution, Parameter, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::{Bounds, Table};
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::summation;

const ABOUT: About = About {
    name: "sum",
    summary: "sum of a column with declared bounds",
    formula: "Δ = max(|L|, |U|) under add-remove, U − L under substitute",
    source: "Dwork, McSherry, Nissim and Smith (TCC 2006), §3; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[super::arguments::COLUMN];

/// The kind `sum`.
pub(super) struct Sum;

impl QueryKind for Sum {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "income" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        Ok(Box::new(SumQuery {
            column: arguments.column(),
        }))
    }
}

#[derive(Debug)]
struct SumQuery {
    column: String,
}

impl Query for SumQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("sum of {}", self.column)
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, _) = table.column(&self.column)?.bounded()?;
        finite_answer(summation::sum(values), ABOUT.name, &self.column)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        scalar(largest_change(bounds, neighbours), ABOUT.name, &self.column)
    }

    fn contributions(
        &self,
        table: &Table,
        _: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        Ok(Some(column_contribution(&self.column, bounds, 1.0)))
    }
}

/// What a record adds to a single number that is a multiple of the sum of a column.
pub(super) fn column_contribution(column: &str, bounds: Bounds, factor: f64) -> Vec<Contribution> {
    vec![Contribution {
        region: None,
        adds: vec![(0, Amount::of_column(column, bounds, factor))],
    }]
}

/// How far one record can move the sum: by its whole value where it comes or goes, by the width of the bounds where another one
/// takes its place. Infinite where that is beyond the range of `f64`.
pub(super) fn largest_change(bounds: Bounds, neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::AddRemove => bounds.magnitude(),
        Neighbours::Substitute => bounds.width(),
    }
}

/// An answer, if it is within the range of `f64`.
pub(super) fn finite_answer(
    value: f64,
    query: &'static str,
    column: &str,
) -> Result<f64, QueryError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(QueryError::AnswerOverflow {
            query,
            column: column.to_owned(),
        })
    }
}

/// The sensitivity of a single number, if it is within the range of `f64`.
pub(super) fn scalar(
    value: f64,
    query: &'static str,
    column: &str,
) -> Result<Sensitivity, QueryError> {
    Sensitivity::scalar(value).map_err(|error| QueryError::Sensitivity {
        query,
        column: column.to_owned(),
        error,
    })
}
