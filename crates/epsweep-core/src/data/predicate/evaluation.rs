//! The meaning of a predicate on a table.

use super::tree::{Comparison, Expression, Literal, Operator, Test};
use crate::data::{DataError, Table, Values};

/// A predicate whose columns and types are settled.
pub(super) enum Bound<'a> {
    Numbers(&'a [f64], NumberTest),
    Texts(&'a [String], TextTest<'a>),
    Not(Box<Bound<'a>>),
    And(Vec<Bound<'a>>),
    Or(Vec<Bound<'a>>),
}

/// What is said of a number.
pub(super) enum NumberTest {
    Compare(Operator, f64),
    In(Vec<f64>),
    Between(f64, f64),
}

/// What is said of a text.
pub(super) enum TextTest<'a> {
    Equal(&'a str),
    NotEqual(&'a str),
    In(Vec<&'a str>),
}

/// Looks up the columns and checks that each has what it is compared with.
pub(super) fn bind<'a>(
    expression: &'a Expression,
    table: &'a Table,
) -> Result<Bound<'a>, DataError> {
    let all = |parts: &'a [Expression]| {
        parts
            .iter()
            .map(|part| bind(part, table))
            .collect::<Result<Vec<_>, _>>()
    };
    Ok(match expression {
        Expression::Not(inner) => Bound::Not(Box::new(bind(inner, table)?)),
        Expression::And(parts) => Bound::And(all(parts)?),
        Expression::Or(parts) => Bound::Or(all(parts)?),
        Expression::Comparison(comparison) => match table.column(&comparison.column)?.values() {
            Values::Number(values) => Bound::Numbers(values, number_test(comparison)?),
            Values::Text(values) => Bound::Texts(values, text_test(comparison)?),
        },
    })
}

fn number_test(comparison: &Comparison) -> Result<NumberTest, DataError> {
    let number = |literal: &Literal| match literal {
        Literal::Number(value) => Ok(*value),
        Literal::Text(_) => Err(incomparable(
            comparison,
            "numbers",
            "compare it with a number, without quotes",
        )),
    };
    Ok(match &comparison.test {
        Test::Compare(operator, literal) => NumberTest::Compare(*operator, number(literal)?),
        Test::In(literals) => {
            NumberTest::In(literals.iter().map(number).collect::<Result<_, _>>()?)
        }
        Test::Between(low, high) => NumberTest::Between(number(low)?, number(high)?),
    })
}

fn text_test(comparison: &Comparison) -> Result<TextTest<'_>, DataError> {
    let unordered = || {
        incomparable(
            comparison,
            "text",
            "texts have no order here: use =, != or `in`",
        )
    };
    Ok(match &comparison.test {
        Test::Compare(operator, _) if !operator.is_equality() => return Err(unordered()),
        Test::Between(..) => return Err(unordered()),
        Test::Compare(Operator::Equal, literal) => TextTest::Equal(text_of(comparison, literal)?),
        Test::Compare(_, literal) => TextTest::NotEqual(text_of(comparison, literal)?),
        Test::In(literals) => TextTest::In(
            literals
                .iter()
                .map(|literal| text_of(comparison, literal))
                .collect::<Result<_, _>>()?,
        ),
    })
}

fn text_of<'a>(comparison: &Comparison, literal: &'a Literal) -> Result<&'a str, DataError> {
    match literal {
        Literal::Text(text) => Ok(text),
        Literal::Number(_) => Err(incomparable(
            comparison,
            "text",
            "compare it with text in quotes",
        )),
    }
}

fn incomparable(comparison: &Comparison, holds: &'static str, remedy: &'static str) -> DataError {
    DataError::Incomparable {
        column: comparison.column.clone(),
        holds,
        comparison: comparison.to_string(),
        remedy,
    }
}

impl Bound<'_> {
    /// Whether the row satisfies it.
    pub(super) fn holds(&self, row: usize) -> bool {
        match self {
            Bound::Numbers(values, test) => test.holds(values[row]),
            Bound::Texts(values, test) => test.holds(&values[row]),
            Bound::Not(inner) => !inner.holds(row),
            Bound::And(parts) => parts.iter().all(|part| part.holds(row)),
            Bound::Or(parts) => parts.iter().any(|part| part.holds(row)),
        }
    }
}

impl NumberTest {
    fn holds(&self, value: f64) -> bool {
        match self {
            NumberTest::Compare(operator, literal) => match operator {
                Operator::Equal => value == *literal,
                Operator::NotEqual => value != *literal,
                Operator::Below => value < *literal,
                Operator::AtMost => value <= *literal,
                Operator::Above => value > *literal,
                Operator::AtLeast => value >= *literal,
            },
            NumberTest::In(literals) => literals.contains(&value),
            NumberTest::Between(low, high) => (*low..=*high).contains(&value),
        }
    }
}

impl TextTest<'_> {
    fn holds(&self, value: &str) -> bool {
        match self {
            TextTest::Equal(text) => value == *text,
            TextTest::NotEqual(text) => value != *text,
            TextTest::In(texts) => texts.contains(&value),
        }
    }
}
