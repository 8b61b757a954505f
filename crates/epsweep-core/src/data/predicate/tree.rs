//! The tree of a predicate and its canonical spelling.

use super::lexer;
use crate::shortest::Shortest;
use std::fmt;

/// How a value is compared with a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    NotEqual,
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Operator {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Below => "<",
            Operator::AtMost => "<=",
            Operator::Above => ">",
            Operator::AtLeast => ">=",
        }
    }

    /// The operator that says the same with the sides exchanged.
    pub(super) fn flipped(self) -> Operator {
        match self {
            Operator::Equal | Operator::NotEqual => self,
            Operator::Below => Operator::Above,
            Operator::AtMost => Operator::AtLeast,
            Operator::Above => Operator::Below,
            Operator::AtLeast => Operator::AtMost,
        }
    }

    pub(super) fn is_equality(self) -> bool {
        matches!(self, Operator::Equal | Operator::NotEqual)
    }
}

/// A constant in a predicate.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Number(f64),
    Text(String),
}

impl fmt::Display for Literal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Number(value) => Shortest(*value).fmt(formatter),
            Literal::Text(text) => write!(formatter, "'{}'", text.replace('\'', "''")),
        }
    }
}

/// What is said of one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    Compare(Operator, Literal),
    In(Vec<Literal>),
    Between(Literal, Literal),
}

/// A test of one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Comparison {
    pub(super) column: String,
    pub(super) test: Test,
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if lexer::is_bare_name(&self.column) {
            write!(formatter, "{}", self.column)?;
        } else {
            write!(formatter, "`{}`", self.column.replace('`', "``"))?;
        }
        match &self.test {
            Test::Compare(operator, literal) => {
                write!(formatter, " {} {literal}", operator.symbol())
            }
            Test::In(literals) => {
                let literals: Vec<String> = literals.iter().map(Literal::to_string).collect();
                write!(formatter, " in [{}]", literals.join(", "))
            }
            Test::Between(low, high) => write!(formatter, " between {low} and {high}"),
        }
    }
}

/// A predicate. The parts of `And` and `Or` are at least two and not of the same kind as the whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Comparison(Comparison),
    Not(Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
}

impl Expression {
    /// The texts that columns are compared with, as (column, text).
    pub(super) fn texts(&self, out: &mut Vec<(String, String)>) {
        match self {
            Expression::Comparison(Comparison { column, test }) => {
                let literals = match test {
                    Test::Compare(_, literal) => std::slice::from_ref(literal),
                    Test::In(literals) => literals,
                    // texts have no order
                    Test::Between(..) => &[],
                };
                out.extend(literals.iter().filter_map(|literal| match literal {
                    Literal::Text(text) => Some((column.clone(), text.clone())),
                    Literal::Number(_) => None,
                }));
            }
            Expression::Not(inner) => inner.texts(out),
            Expression::And(parts) | Expression::Or(parts) => {
                parts.iter().for_each(|part| part.texts(out));
            }
        }
    }

    /// All of the parts; nested conjunctions are taken apart.
    pub(super) fn all(parts: Vec<Expression>) -> Expression {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Expression::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 {
            flat.remove(0)
        } else {
            Expression::And(flat)
        }
    }

    /// Any of the parts; nested disjunctions are taken apart.
    pub(super) fn any(parts: Vec<Expression>) -> Expression {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match part {
                Expression::Or(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        if flat.len() == 1 {
            flat.remove(0)
        } else {
            Expression::Or(flat)
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |formatter: &mut fmt::Formatter<'_>, parts: &[Expression], word: &str| {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    write!(formatter, " {word} ")?;
                }
                // only an `or` inside an `and` needs them: its own kind never occurs inside, and `and` binds tighter
                if word == "and" && matches!(part, Expression::Or(_)) {
                    write!(formatter, "({part})")?;
                } else {
                    part.fmt(formatter)?;
                }
            }
            Ok(())
        };
        match self {
            Expression::Comparison(comparison) => comparison.fmt(formatter),
            Expression::Not(inner) if matches!(**inner, Expression::And(_) | Expression::Or(_)) => {
                write!(formatter, "not ({inner})")
            }
            Expression::Not(inner) => write!(formatter, "not {inner}"),
            Expression::And(parts) => joined(formatter, parts, "and"),
            Expression::Or(parts) => joined(formatter, parts, "or"),
        }
    }
}
