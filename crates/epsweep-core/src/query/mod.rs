//! Queries: the answer on a table, and the sensitivity under a neighbouring relation.
//!
//! To add a query: one file here with a [`QueryKind`], and one line in [`REGISTRY`].

mod arguments;
mod count;
mod error;
mod extremum;
mod mean;
mod sum;

pub use arguments::{Argument, Arguments, Parameter, ParameterKind};
pub use error::QueryError;

use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use std::fmt::Debug;

/// A query with a single number for an answer.
pub trait Query: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what it asks, in words: `mean of age`
    fn definition(&self) -> String;

    /// the columns that it reads, each once
    fn columns(&self) -> Vec<String>;

    /// The true answer.
    ///
    /// # Errors
    /// [`QueryError`] if the table lacks what the query needs, or if the answer is undefined or beyond the range of `f64`
    fn answer(&self, table: &Table) -> Result<f64, QueryError>;

    /// The global sensitivity. Of the table it uses what is public only: the declared bounds, and the number of rows where the
    /// relation makes that public.
    ///
    /// # Errors
    /// [`QueryError`] if the table lacks what the query needs, or if the sensitivity is unbounded or beyond the range of `f64`
    fn sensitivity(&self, table: &Table, neighbours: Neighbours)
    -> Result<Sensitivity, QueryError>;
}

/// A kind of query, by the name that a file uses.
pub trait QueryKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what can be said of it in a file
    fn parameters(&self) -> &'static [Parameter];

    /// A query of this kind.
    ///
    /// # Errors
    /// [`QueryError`] if an argument is unknown, missing, of the wrong kind, or outside its range
    fn build(&self, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError>;
}

/// All kinds of queries, in the order in which they are listed.
pub const REGISTRY: &[&dyn QueryKind] = &[
    &count::Count,
    &sum::Sum,
    &mean::Mean,
    &extremum::Max,
    &extremum::Min,
];

/// The kind of that name.
pub fn kind(name: &str) -> Option<&'static dyn QueryKind> {
    REGISTRY
        .iter()
        .copied()
        .find(|kind| kind.about().name == name)
}

#[cfg(test)]
mod tests;
