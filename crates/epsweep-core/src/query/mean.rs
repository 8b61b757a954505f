//! The mean of a column.

use super::sum::{column_contribution, finite_answer, largest_change, scalar};
use super::{Arguments, Contribution, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::shortest::Shortest;
use crate::summation;

const ABOUT: About = About {
    name: "mean",
    summary: "mean of a column with declared bounds, over a public number of rows",
    formula: "Δ = (U − L)/n under substitute; with `divisor` d: Δ(sum)/d; with `at_least` m under add-remove: (U − L)/(m + 1)",
    source: "from Δ of the sum, and |x − mean(D)|/(|D| + 1) for an added x; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[
    super::arguments::COLUMN,
    Parameter {
        name: "divisor",
        kind: ParameterKind::Number,
        required: false,
        summary: "a public number to divide the sum by, in place of the number of rows",
    },
    Parameter {
        name: "at_least",
        kind: ParameterKind::Number,
        required: false,
        summary: "a public lower bound of the number of rows, where that number is private (add-remove)",
    },
];

/// What the sum is divided by.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Divisor {
    /// the number of rows, which is public
    Rows,
    /// a public constant
    Constant(f64),
    /// the number of rows, of which a lower bound is public
    RowsAtLeast(f64),
}

/// The kind `mean`.
pub(super) struct Mean;

impl QueryKind for Mean {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let refused = |argument, value, rule| {
            Err(QueryError::Range {
                query: ABOUT.name,
                argument,
                value,
                rule,
            })
        };
        let divisor = match (arguments.number("divisor"), arguments.number("at_least")) {
            (None, None) => Divisor::Rows,
            (Some(_), Some(_)) => {
                return Err(QueryError::Exclusive {
                    query: ABOUT.name,
                    first: "divisor",
                    second: "at_least",
                });
            }
            (Some(value), None) if value > 0.0 && value.is_finite() => Divisor::Constant(value),
            (Some(value), None) => return refused("divisor", value, "finite and above 0"),
            // beyond 2⁵³ doubles skip integers
            (None, Some(value))
                if (1.0..=9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0 =>
            {
                Divisor::RowsAtLeast(value)
            }
            (None, Some(value)) => {
                return refused("at_least", value, "a whole number of at least 1");
            }
        };
        Ok(Box::new(MeanQuery {
            column: arguments.column(),
            divisor,
        }))
    }
}

#[derive(Debug)]
struct MeanQuery {
    column: String,
    divisor: Divisor,
}

impl MeanQuery {
    /// The number of rows, if it is one of which this mean is defined.
    fn rows(&self, table: &Table) -> Result<f64, QueryError> {
        let rows = table.rows();
        if rows == 0 {
            return Err(QueryError::NoRows {
                query: ABOUT.name,
                column: self.column.clone(),
            });
        }
        match self.divisor {
            Divisor::RowsAtLeast(at_least) if (rows as f64) < at_least => {
                Err(QueryError::TooFewRows {
                    query: ABOUT.name,
                    column: self.column.clone(),
                    rows,
                    at_least,
                })
            }
            _ => Ok(rows as f64),
        }
    }
}

impl Query for MeanQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        match self.divisor {
            Divisor::Rows => format!("mean of {}", self.column),
            Divisor::Constant(divisor) => {
                format!("sum of {} over {}", self.column, Shortest(divisor))
            }
            Divisor::RowsAtLeast(least) => {
                format!(
                    "mean of {} over at least {} rows",
                    self.column,
                    Shortest(least)
                )
            }
        }
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, bounds) = table.column(&self.column)?.bounded()?;
        let mean = match self.divisor {
            Divisor::Constant(divisor) => summation::sum(values) / divisor,
            Divisor::Rows | Divisor::RowsAtLeast(_) => {
                let rows = self.rows(table)?;
                let total = summation::sum(values);
                if total.is_finite() {
                    // rounding must not carry a mean past the bounds
                    bounds.clip(total / rows)
                } else {
                    // the sum is beyond the range, the mean of numbers within it is not
                    let parts: Vec<f64> = values.iter().map(|value| value / rows).collect();
                    bounds.clip(summation::sum(&parts))
                }
            }
        };
        finite_answer(mean, ABOUT.name, &self.column)
    }

    /// Substitute: one value moves by at most U − L, the divisor stays. Add-remove: with a constant divisor the change is that of
    /// the sum; with the number of rows, adding x to D moves the mean by |x − mean(D)|/(|D| + 1), which is at most (U − L)/(m + 1)
    /// if every data set that counts has at least m rows.
    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        let change = match (self.divisor, neighbours) {
            (Divisor::Constant(divisor), _) => largest_change(bounds, neighbours) / divisor,
            (Divisor::Rows | Divisor::RowsAtLeast(_), Neighbours::Substitute) => {
                largest_change(bounds, neighbours) / self.rows(table)?
            }
            // nothing is asked of this table's own number of rows, which is private; `answer` sees to it
            (Divisor::RowsAtLeast(at_least), Neighbours::AddRemove) => {
                bounds.width() / (at_least + 1.0)
            }
            (Divisor::Rows, Neighbours::AddRemove) => {
                let column = self.column.clone();
                return Err(QueryError::PrivateSize {
                    query: ABOUT.name,
                    column,
                    neighbours,
                });
            }
        };
        scalar(change, ABOUT.name, &self.column)
    }

    fn contributions(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        let (_, bounds) = table.column(&self.column)?.bounded()?;
        let divisor = match (self.divisor, neighbours) {
            (Divisor::Constant(divisor), _) => divisor,
            (Divisor::Rows | Divisor::RowsAtLeast(_), Neighbours::Substitute) => {
                self.rows(table)?
            }
            // the divisor moves with the record
            (Divisor::Rows | Divisor::RowsAtLeast(_), Neighbours::AddRemove) => return Ok(None),
        };
        Ok(Some(column_contribution(
            &self.column,
            bounds,
            1.0 / divisor,
        )))
    }
}
