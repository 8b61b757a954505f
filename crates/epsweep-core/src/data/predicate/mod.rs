//! A small language of predicates on the rows of a table.
//!
//! ```text
//! predicate   = conjunction ("or" conjunction)*
//! conjunction = negation ("and" negation)*
//! negation    = "not" negation | "(" predicate ")" | comparison
//! comparison  = column operator literal | literal operator column
//!             | column "in" "[" literal ("," literal)* "]"
//!             | column "between" literal "and" literal          both ends included
//! operator    = "=" | "==" | "!=" | "<" | "<=" | ">" | ">="     also ≠ ≤ ≥
//! column      = name | `any name`                               "any name" too, where the other side is a literal
//! literal     = number | 'text' | "text"                        a quote inside is doubled
//! ```
//!
//! Keywords are read in any case. Numbers are compared with numbers in the order of the reals, texts with texts for equality.
//! Predicates see the values after clipping.

mod assembly;
mod evaluation;
mod lexer;
mod parser;
mod region;
mod tree;

use super::{DataError, Table};
use std::fmt;
use std::ops::Range;
use tree::Expression;

pub(crate) use region::{Cuts, Piece};
pub use region::{Region, disjoint};

/// A predicate on rows. Two are equal if they say the same in the same order, however they were spelt.
#[derive(Clone, Debug)]
pub struct Predicate {
    expression: Expression,
    /// where each column is mentioned, in the order of the text
    mentions: Vec<(String, Range<usize>)>,
}

impl PartialEq for Predicate {
    fn eq(&self, other: &Predicate) -> bool {
        self.expression == other.expression
    }
}

impl Predicate {
    /// How deep parentheses and `not` may be nested.
    pub const MAX_DEPTH: usize = 64;

    /// Reads a predicate.
    ///
    /// # Errors
    /// [`PredicateError`] with the bytes of the text that it is about
    pub fn parse(text: &str) -> Result<Predicate, PredicateError> {
        let (expression, mentions) = parser::parse(text)?;
        Ok(Predicate {
            expression,
            mentions,
        })
    }

    /// The columns that it speaks of, each once, in the order of their first mention.
    pub fn columns(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in &self.mentions {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// The texts that it compares with, as (column, text), in their order.
    pub fn texts(&self) -> Vec<(String, String)> {
        let mut out = Vec::new();
        self.expression.texts(&mut out);
        out
    }

    /// The bytes of the text where the column is mentioned first.
    pub fn span_of(&self, column: &str) -> Option<Range<usize>> {
        let (_, span) = self.mentions.iter().find(|(name, _)| name == column)?;
        Some(span.clone())
    }

    /// The number of rows for which it is true.
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`] or [`DataError::Incomparable`], whatever the number of rows
    pub fn count(&self, table: &Table) -> Result<u64, DataError> {
        let bound = evaluation::bind(&self.expression, table)?;
        Ok((0..table.rows()).filter(|&row| bound.holds(row)).count() as u64)
    }

    /// For each row, whether it is true there.
    ///
    /// # Errors
    /// As [`Predicate::count`]
    pub fn select(&self, table: &Table) -> Result<Vec<bool>, DataError> {
        let bound = evaluation::bind(&self.expression, table)?;
        Ok((0..table.rows()).map(|row| bound.holds(row)).collect())
    }
}

impl fmt::Display for Predicate {
    /// The canonical spelling, which reads back as an equal predicate.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expression.fmt(formatter)
    }
}

/// What is wrong with the text of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PredicateError {
    /// what is wrong
    pub message: String,
    /// the bytes of the text that it is about, on character boundaries
    pub span: Range<usize>,
    /// what to write instead
    pub help: Option<String>,
}

#[cfg(test)]
mod tests;
