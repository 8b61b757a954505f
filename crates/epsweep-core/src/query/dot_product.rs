//! The sum of the products of two columns.

use super::formula;
use super::sum::{finite_answer, scalar};
use super::{Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::summation;

const ABOUT: About = About {
    name: "dot-product",
    summary: "sum of the products of two columns with declared bounds; of a column with itself, the sum of squares",
    formula: "Δ = largest |product of bounds| under add-remove, largest less least product under substitute",
    source: "from Δ of the sum; by brute force over neighbours in the tests",
};

const PARAMETERS: &[Parameter] = &[
    super::arguments::COLUMN,
    Parameter {
        name: "with",
        kind: ParameterKind::Column,
        required: true,
        summary: "the other column, which holds numbers and has declared bounds",
    },
];

/// The kind `dot-product`.
pub(super) struct DotProduct;

impl QueryKind for DotProduct {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ column = "age", with = "hours" }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        Ok(Box::new(DotQuery {
            column: arguments.column(),
            with: arguments.text("with").unwrap_or_default().to_owned(),
        }))
    }
}

#[derive(Debug)]
struct DotQuery {
    column: String,
    with: String,
}

impl Query for DotQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        format!("sum of {} times {}", self.column, self.with)
    }

    fn columns(&self) -> Vec<String> {
        let mut names = vec![self.column.clone()];
        if self.with != self.column {
            names.push(self.with.clone());
        }
        names
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        let (values, _) = table.column(&self.column)?.bounded()?;
        let (others, _) = table.column(&self.with)?.bounded()?;
        let products: Vec<f64> = values.iter().zip(others).map(|(x, y)| x * y).collect();
        finite_answer(summation::sum(&products), ABOUT.name, &self.column)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let (_, one) = table.column(&self.column)?.bounded()?;
        let (_, other) = table.column(&self.with)?.bounded()?;
        let products = formula::products(one, other, self.column == self.with);
        scalar(formula::sum(products, neighbours), ABOUT.name, &self.column)
    }
}
