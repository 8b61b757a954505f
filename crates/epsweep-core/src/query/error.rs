//! Why a query is refused.

use super::Parameter;
use crate::data::{DataError, PredicateError};
use crate::sensitivity::{Neighbours, SensitivityError};
use crate::workload::WorkloadError;

/// Why a query cannot be built, answered, or given a sensitivity.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum QueryError {
    /// no such parameter
    #[error("`{query}` has no parameter `{argument}`; it takes {}", available.join(", "))]
    UnknownArgument {
        /// the kind of query
        query: &'static str,
        /// the name given
        argument: String,
        /// the names that there are
        available: Vec<&'static str>,
    },
    /// a parameter without a value
    #[error("`{query}` needs `{}`: {}", parameter.name, parameter.summary)]
    MissingArgument {
        /// the kind of query
        query: &'static str,
        /// what is missing
        parameter: Parameter,
    },
    /// a value of the wrong kind
    #[error("`{}` of `{query}` must be {}", parameter.name, parameter.kind.what())]
    WrongArgument {
        /// the kind of query
        query: &'static str,
        /// whose value is wrong
        parameter: Parameter,
    },
    /// a number outside its range
    #[error("`{argument}` of `{query}` is {value:?}, but must be {rule}")]
    Range {
        /// the kind of query
        query: &'static str,
        /// the parameter
        argument: &'static str,
        /// the value given
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
    /// a word that is none of those known
    #[error("`{argument}` of `{query}` is `{value}`, but must be one of {}", available.join(", "))]
    Choice {
        /// the kind of query
        query: &'static str,
        /// the parameter
        argument: &'static str,
        /// the word given
        value: String,
        /// the words that there are
        available: &'static [&'static str],
    },
    /// a list that cannot be used
    #[error("`{argument}` of `{query}` has {found}, but {rule}")]
    List {
        /// the kind of query
        query: &'static str,
        /// the parameter
        argument: &'static str,
        /// what is wrong with it
        found: String,
        /// what holds for it
        rule: &'static str,
    },
    /// the cells of a histogram are not said, or said twice
    #[error(
        "`{query}` needs exactly one of `edges`, `categories`, and `low`, `high`, `bins` together: they say what the cells are"
    )]
    Cells {
        /// the kind of query
        query: &'static str,
    },
    /// the answer is not a single number
    #[error(
        "the answer of `{query}` is a vector of {parts} numbers, but a single one is needed here: ask for its parts one by one, for \
         example with `count`"
    )]
    Vector {
        /// the kind of query
        query: &'static str,
        /// of how many numbers
        parts: usize,
    },
    /// arguments that exclude each other
    #[error(
        "`{query}` takes `{first}` or `{second}`, but not both: they say differently what the sum is divided by"
    )]
    Exclusive {
        /// the kind of query
        query: &'static str,
        /// one parameter
        first: &'static str,
        /// the other
        second: &'static str,
    },
    /// a predicate that cannot be read
    #[error("`{argument}` of `{query}`: {error}")]
    Predicate {
        /// the kind of query
        query: &'static str,
        /// the parameter
        argument: &'static str,
        /// what is wrong with it, and where
        error: PredicateError,
    },
    /// the table lacks what is needed
    #[error(transparent)]
    Data(#[from] DataError),
    /// no rows
    #[error("the {query} of `{column}` is undefined, for the table has no rows: give at least one")]
    NoRows {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
    },
    /// fewer rows than promised
    #[error(
        "the number of rows is {rows}, but the {query} of `{column}` relies on at least {at_least}: lower `at_least`"
    )]
    TooFewRows {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
        /// the number of rows
        rows: usize,
        /// the number promised
        at_least: f64,
    },
    /// the divisor is private
    #[error(
        "the {query} of `{column}` divides by the number of rows, which is private under {neighbours}: give a public `divisor`, or \
         with `at_least` a public lower bound of the number of rows, or use neighbours = \"substitute\""
    )]
    PrivateSize {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
        /// the relation
        neighbours: Neighbours,
    },
    /// the number of rows is private
    #[error(
        "the sensitivity of the {query} of `{column}` falls with the number of rows, which is private under {neighbours}: give with \
         `at_least` a public lower bound of the number of rows, or use neighbours = \"substitute\""
    )]
    PrivateRows {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
        /// the relation
        neighbours: Neighbours,
    },
    /// an answer beyond the range of `f64`
    #[error(
        "the {query} of `{column}` is beyond the largest double: choose a larger unit for the column"
    )]
    AnswerOverflow {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
    },
    /// a sensitivity beyond the range of `f64`
    #[error("the sensitivity of the {query} of `{column}` cannot be used: {error}")]
    Sensitivity {
        /// the kind of query
        query: &'static str,
        /// the column
        column: String,
        /// what is wrong with it
        error: SensitivityError,
    },
    /// ranges or a strategy that cannot be used
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// weights that are not those of the queries
    #[error(
        "the weights are {weights:?}, but there must be one finite number of at least 0 for each of the {queries} queries"
    )]
    Weights {
        /// the weights given
        weights: Vec<f64>,
        /// how many queries there are
        queries: usize,
    },
    /// a sensitivity of several queries beyond the range of `f64`
    #[error("the joint sensitivity of the queries cannot be used: {0}")]
    JointSensitivity(SensitivityError),
}
