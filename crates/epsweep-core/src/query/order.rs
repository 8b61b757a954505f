//! Order statistics of a column: quantiles, the median, and the range.

use super::formula;
use super::sum::{finite_answer, scalar};
use super::{
    Arguments, Estimand, OrderStatistic, Parameter, ParameterKind, Query, QueryError, QueryKind,
};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::shortest::Shortest;

const QUANTILE: About = About {
    name: "quantile",
    summary: "the least value of a column that at least a fraction p of the rows do not exceed",
    formula: "Δ = U − L under both relations: the ⌈p·n⌉-th value can go from one bound to the other",
    source: "Nissim, Raskhodnikova and Smith (STOC 2007), §1 and §3; by brute force over neighbours in the tests",
};

const MEDIAN: About = About {
    name: "median",
    summary: "the least value of a column that at least half of the rows do not exceed",
    ..QUANTILE
};

const RANGE: About = About {
    name: "range",
    summary: "largest less smallest value of a column",
    formula: "Δ = U − L; 0 of a single row under substitute",
    source: "by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[super::arguments::COLUMN];

const QUANTILE_PARAMETERS: &[Parameter] = &[
    super::arguments::COLUMN,
    Parameter {
        name: "p",
        kind: ParameterKind::Number,
        required: true,
        summary: "the fraction of the rows, above 0 and at most 1",
    },
];

/// The kind `quantile`.
pub(super) struct Quantile;

/// The kind `median`.
pub(super) struct Median;

/// The kind `range`.
pub(super) struct Range;

impl QueryKind for Quantile {
    fn about(&self) -> &'static About {
        &QUANTILE
    }

    fn parameters(&self) -> &'static [Parameter] {
        QUANTILE_PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", p = 0.9 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(QUANTILE.name, QUANTILE_PARAMETERS)?;
        let p = arguments.number("p").unwrap_or(f64::NAN);
        if !(p > 0.0 && p <= 1.0) {
            return Err(QueryError::Range {
                query: QUANTILE.name,
                argument: "p",
                value: p,
                rule: "above 0 and at most 1",
            });
        }
        order(&QUANTILE, What::Quantile(p), arguments)
    }
}

impl QueryKind for Median {
    fn about(&self) -> &'static About {
        &MEDIAN
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(MEDIAN.name, PARAMETERS)?;
        order(&MEDIAN, What::Quantile(0.5), arguments)
    }
}

impl QueryKind for Range {
    fn about(&self) -> &'static About {
        &RANGE
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(RANGE.name, PARAMETERS)?;
        order(&RANGE, What::Range, arguments)
    }
}

fn order(
    about: &'static About,
    what: What,
    arguments: &Arguments,
) -> Result<Box<dyn Query>, QueryError> {
    Ok(Box::new(OrderQuery {
        about,
        what,
        column: arguments.column(),
    }))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum What {
    Quantile(f64),
    Range,
}

#[derive(Debug)]
struct OrderQuery {
    about: &'static About,
    what: What,
    column: String,
}

impl Query for OrderQuery {
    fn about(&self) -> &'static About {
        self.about
    }

    fn definition(&self) -> String {
        match self.what {
            What::Quantile(p) if self.about.name == QUANTILE.name => {
                format!("{}-quantile of {}", Shortest(p), self.column)
            }
            _ => format!("{} of {}", self.about.name, self.column),
        }
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, _) = table.column(&self.column)?.bounded()?;
        let mut sorted = values.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return Err(QueryError::NoRows {
                query: self.about.name,
                column: self.column.clone(),
            });
        };
        match self.what {
            What::Range => finite_answer(last - first, self.about.name, &self.column),
            What::Quantile(p) => Ok(sorted[OrderStatistic::of(p, sorted.len()).rank - 1]),
        }
    }

    /// The range of a sample is no estimate of one of a population.
    fn estimand(&self) -> Option<Estimand> {
        match self.what {
            What::Quantile(p) => Some(Estimand::Quantile(self.column.clone(), p)),
            What::Range => None,
        }
    }

    fn order_statistic(&self, rows: usize) -> Option<OrderStatistic> {
        match self.what {
            What::Quantile(p) => Some(OrderStatistic::of(p, rows)),
            What::Range => None,
        }
    }

    /// Data sets are those with at least one row; of no rows there is no order statistic, and nothing is said of such neighbours.
    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        let size = match self.what {
            What::Quantile(_) => bounds.width(),
            What::Range => formula::range(bounds.width(), table.rows() as f64, neighbours),
        };
        scalar(size, self.about.name, &self.column)
    }
}
