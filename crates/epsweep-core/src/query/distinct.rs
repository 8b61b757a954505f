//! How many different values a column has.

use super::{Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::{Table, Values};
use crate::sensitivity::{Neighbours, Sensitivity};

const ABOUT: About = About {
    name: "count-distinct",
    summary: "how many different values a column has",
    formula: "Δ = 1; 0 under substitute where there is one row or one possible value",
    source: "by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[Parameter {
    name: "column",
    kind: ParameterKind::Column,
    required: true,
    summary: "the column, of numbers or of texts",
}];

/// The kind `count-distinct`.
pub(super) struct CountDistinct;

impl QueryKind for CountDistinct {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "education" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        Ok(Box::new(DistinctQuery {
            column: arguments.column(),
        }))
    }
}

#[derive(Debug)]
struct DistinctQuery {
    column: String,
}

impl Query for DistinctQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("count of distinct {}", self.column)
    }

    fn columns(&self) -> Vec<String> {
        vec![self.column.clone()]
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let count = match table.column(&self.column)?.values() {
            Values::Number(values) => {
                let mut sorted = values.clone();
                sorted.sort_unstable_by(f64::total_cmp);
                sorted.dedup();
                sorted.len()
            }
            Values::Text(texts) => {
                let distinct: std::collections::HashSet<&String> = texts.iter().collect();
                distinct.len()
            }
        };
        Ok(count as f64)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let bounds = table.column(&self.column)?.bounds();
        let one_value = bounds.is_some_and(|bounds| bounds.low() == bounds.high());
        let size = match neighbours {
            Neighbours::Substitute if one_value || table.rows() <= 1 => 0.0,
            _ => 1.0,
        };
        Ok(Sensitivity { l1: size, l2: size })
    }
}
