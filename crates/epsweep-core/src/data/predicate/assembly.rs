//! Predicates that are put together rather than read.

use super::tree::{Comparison, Expression, Literal, Operator, Test};
use super::{DataError, Predicate, Table};

impl Predicate {
    fn assembled(expression: Expression, columns: Vec<String>) -> Predicate {
        Predicate {
            expression,
            // there is no text to point at
            mentions: columns.into_iter().map(|name| (name, 0..0)).collect(),
        }
    }

    fn comparing(column: &str, operator: Operator, literal: Literal) -> Expression {
        Expression::Comparison(Comparison {
            column: column.to_owned(),
            test: Test::Compare(operator, literal),
        })
    }

    /// low ≤ column < high, or low ≤ column ≤ high where `closed`.
    ///
    /// # Errors
    /// [`DataError::BoundNotFinite`] if an end is NaN or infinite, since no text of a predicate says that
    pub fn range(column: &str, low: f64, high: f64, closed: bool) -> Result<Predicate, DataError> {
        for value in [low, high] {
            if !value.is_finite() {
                return Err(DataError::BoundNotFinite { value });
            }
        }
        let below = if closed {
            Operator::AtMost
        } else {
            Operator::Below
        };
        let parts = vec![
            Predicate::comparing(column, Operator::AtLeast, Literal::Number(low)),
            Predicate::comparing(column, below, Literal::Number(high)),
        ];
        let expression = Expression::all(parts);
        Ok(Predicate::assembled(expression, vec![column.to_owned()]))
    }

    /// column = text.
    pub fn is_text(column: &str, text: &str) -> Predicate {
        let literal = Literal::Text(text.to_owned());
        let expression = Predicate::comparing(column, Operator::Equal, literal);
        Predicate::assembled(expression, vec![column.to_owned()])
    }

    /// Both of them.
    #[must_use]
    pub fn and(&self, other: &Predicate) -> Predicate {
        Predicate {
            expression: Expression::all(vec![self.expression.clone(), other.expression.clone()]),
            mentions: [self.mentions.as_slice(), &other.mentions].concat(),
        }
    }

    /// The numbers and texts that the column is compared with, in the order of the text.
    pub(super) fn literals(&self, column: &str) -> Vec<&Literal> {
        let mut found = Vec::new();
        collect(&self.expression, column, &mut found);
        found
    }

    /// Whether it can be asked of the table, whatever its rows.
    ///
    /// # Errors
    /// As [`Predicate::count`]
    pub fn check(&self, table: &Table) -> Result<(), DataError> {
        super::evaluation::bind(&self.expression, table).map(|_| ())
    }
}

fn collect<'a>(expression: &'a Expression, column: &str, found: &mut Vec<&'a Literal>) {
    match expression {
        Expression::Not(inner) => collect(inner, column, found),
        Expression::And(parts) | Expression::Or(parts) => {
            for part in parts {
                collect(part, column, found);
            }
        }
        Expression::Comparison(comparison) if comparison.column == column => {
            match &comparison.test {
                Test::Compare(_, literal) => found.push(literal),
                Test::In(literals) => found.extend(literals),
                Test::Between(low, high) => found.extend([low, high]),
            }
        }
        Expression::Comparison(_) => {}
    }
}
