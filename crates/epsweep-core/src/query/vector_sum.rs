//! The sum of vectors whose length is clipped.

use super::cell_query::single;
use super::formula;
use super::{Arguments, Parameter, ParameterKind, Query, QueryError, QueryKind};
use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use crate::summation;

const ABOUT: About = About {
    name: "vector-sum",
    summary: "sum of the rows of several columns as vectors, each shortened to an L2 norm of at most `norm`",
    formula: "Δ₂ = C under add-remove, 2C under substitute; Δ₁ = √d·Δ₂ for d columns; less where the declared bounds allow less",
    source: "Abadi, Chu, Goodfellow, McMahan, Mironov, Talwar and Zhang (CCS 2016), §3.1",
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "columns",
        kind: ParameterKind::Texts,
        required: true,
        summary: "the columns, which hold numbers: the parts of the vectors",
    },
    Parameter {
        name: "norm",
        kind: ParameterKind::Number,
        required: true,
        summary: "the largest L2 norm of a row, above 0; longer rows are shortened to it",
    },
];

/// The kind `vector-sum`.
pub(super) struct VectorSum;

impl QueryKind for VectorSum {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn example(&self) -> &'static str {
        r#"{ columns = ["age", "hours"], norm = 100 }"#
    }

    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
        arguments.check(ABOUT.name, PARAMETERS)?;
        let columns = arguments.texts("columns").unwrap_or_default().to_vec();
        let refused = |found, rule| {
            Err(QueryError::List {
                query: ABOUT.name,
                argument: "columns",
                found,
                rule,
            })
        };
        if columns.is_empty() {
            return refused("no name".to_owned(), "there must be at least one");
        }
        if let Some(twice) = (1..columns.len()).find(|&at| columns[..at].contains(&columns[at])) {
            return refused(
                format!("`{}` twice", columns[twice]),
                "each column is one part",
            );
        }
        let norm = arguments.number("norm").unwrap_or(f64::NAN);
        if !(norm > 0.0 && norm.is_finite()) {
            return Err(QueryError::Range {
                query: ABOUT.name,
                argument: "norm",
                value: norm,
                rule: "finite and above 0",
            });
        }
        Ok(Box::new(VectorQuery { columns, norm }))
    }
}

#[derive(Debug)]
struct VectorQuery {
    columns: Vec<String>,
    norm: f64,
}

impl VectorQuery {
    fn values<'a>(&self, table: &'a Table) -> Result<Vec<&'a [f64]>, QueryError> {
        let of = |name: &String| Ok(table.column(name)?.numbers()?);
        self.columns.iter().map(of).collect()
    }

    fn checked(&self, sums: Vec<f64>) -> Result<Vec<f64>, QueryError> {
        match sums.iter().position(|sum| !sum.is_finite()) {
            None => Ok(sums),
            Some(part) => Err(QueryError::AnswerOverflow {
                query: ABOUT.name,
                column: self.columns[part].clone(),
            }),
        }
    }

    /// The least and the largest value of each part after the shortening. Shortening moves a part towards 0, or with one column
    /// clips it.
    fn ranges(&self, table: &Table) -> Result<Vec<(f64, f64)>, QueryError> {
        let clip = |value: f64| value.clamp(-self.norm, self.norm);
        let of = |name: &String| {
            let bounds = table.column(name)?.bounds();
            Ok(match bounds {
                None => (-self.norm, self.norm),
                Some(bounds) if self.columns.len() == 1 => {
                    (clip(bounds.low()), clip(bounds.high()))
                }
                Some(bounds) => (clip(bounds.low().min(0.0)), clip(bounds.high().max(0.0))),
            })
        };
        self.values(table)?;
        self.columns.iter().map(of).collect()
    }
}

impl Query for VectorQuery {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn definition(&self) -> String {
        let names = self.columns.join(", ");
        format!(
            "sum of ({names}) with norms clipped to {}",
            crate::shortest::Shortest(self.norm)
        )
    }

    fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        single(ABOUT.name, &self.answers(table)?)
    }

    fn sensitivity(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Sensitivity, QueryError> {
        let parts = self.part_sensitivities(table, neighbours)?;
        let (l1, l2) = formula::vector_sum(self.norm, self.columns.len(), neighbours);
        // no more than where every part does its worst
        let sum: f64 = parts.iter().map(|part| part.l1).sum();
        let root = parts
            .iter()
            .fold(0.0, |so_far, part| libm::hypot(so_far, part.l2));
        Sensitivity::new(l1.min(sum), l2.min(root)).map_err(|error| QueryError::Sensitivity {
            query: ABOUT.name,
            column: self.columns.join(", "),
            error,
        })
    }

    fn parts(&self) -> Vec<String> {
        self.columns
            .iter()
            .map(|name| format!("sum of {name}"))
            .collect()
    }

    fn answers(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let values = self.values(table)?;
        let factors: Vec<f64> = (0..table.rows())
            .map(|row| {
                let length = values
                    .iter()
                    .fold(0.0, |so_far, column| libm::hypot(so_far, column[row]));
                if length > self.norm {
                    self.norm / length
                } else {
                    1.0
                }
            })
            .collect();
        let sum = |column: &&[f64]| {
            let shortened: Vec<f64> = column
                .iter()
                .zip(&factors)
                .map(|(value, factor)| value * factor)
                .collect();
            summation::sum(&shortened)
        };
        self.checked(values.iter().map(sum).collect())
    }

    fn part_sensitivities(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        let scalar = |(range, name): ((f64, f64), &String)| {
            super::sum::scalar(formula::sum(range, neighbours), ABOUT.name, name)
        };
        self.ranges(table)?
            .into_iter()
            .zip(&self.columns)
            .map(scalar)
            .collect()
    }

    /// The sum without shortening.
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        let sums = self
            .values(table)?
            .into_iter()
            .map(summation::sum)
            .collect();
        self.checked(sums)
    }
}
