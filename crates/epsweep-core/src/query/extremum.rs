//! The largest and the smallest value of a column: one query, seen from two sides.

use super::sum::scalar;
use super::{Arguments, OrderStatistic, Parameter, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};

const MAX: About = About {
    name: "max",
    summary: "largest value of a column with declared bounds",
    formula: "Δ = U − L",
    source: "Nissim, Raskhodnikova and Smith (STOC 2007), §1; by brute force over neighbours in the tests",
};

const MIN: About = About {
    name: "min",
    summary: "smallest value of a column with declared bounds",
    ..MAX
};

const PARAMETERS: &[Parameter] = &[super::arguments::COLUMN];

/// The kind `max`.
pub(super) struct Max;

/// The kind `min`.
pub(super) struct Min;

impl QueryKind for Max {
    fn about(&self) -> &'static About {
        &MAX
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        build(&MAX, f64::max, 1.0, arguments)
    }
}

impl QueryKind for Min {
    fn about(&self) -> &'static About {
        &MIN
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        build(&MIN, f64::min, 0.0, arguments)
    }
}

fn build(
    about: &'static About,
    further: fn(f64, f64) -> f64,
    fraction: f64,
    arguments: &Arguments,
) -> Result<Box<dyn Query>, QueryError> {
    arguments.check(about.name, PARAMETERS)?;
    Ok(Box::new(ExtremumQuery {
        about,
        further,
        fraction,
        column: arguments.column(),
    }))
}

#[derive(Debug)]
struct ExtremumQuery {
    about: &'static About,
    /// the one of two values that lies further out
    further: fn(f64, f64) -> f64,
    /// the quantile that it is
    fraction: f64,
    column: String,
}

impl Query for ExtremumQuery {
    fn about(&self) -> &'static About {
        self.about
    }

    fn definition(&self) -> String {
        format!("{} of {}", self.about.name, self.column)
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, _) = table.column(&self.column)?.bounded()?;
        values
            .iter()
            .copied()
            .reduce(self.further)
            .ok_or_else(|| QueryError::NoRows {
                query: self.about.name,
                column: self.column.clone(),
            })
    }

    fn order_statistic(&self, rows: usize) -> Option<OrderStatistic> {
        Some(OrderStatistic::of(self.fraction, rows))
    }

    /// U − L under both relations: where all records but one lie at one end, that one decides. Data sets are those with at least
    /// one row; of no rows there is no extremum, and nothing is said of such neighbours.
    fn sensitivity(&self, table: &Table, _: Neighbours) -> Result<Sensitivity, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        scalar(bounds.width(), self.about.name, &self.column)
    }
}
