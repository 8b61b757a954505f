//! Queries: the answer on a table, and the sensitivity under a neighbouring relation.
//!
//! To add a query: one file here with a [`QueryKind`], and one line in [`REGISTRY`].

mod arguments;
mod cell_query;
mod cells;
mod clipped;
mod contribution;
mod count;
mod distinct;
mod dot_product;
mod error;
mod extremum;
pub mod formula;
mod group_count;
mod histogram;
mod join_count;
mod joint;
mod linear;
mod map;
mod mean;
mod order;
mod range_queries;
mod spread;
mod sum;
mod vector_sum;

pub use arguments::{Argument, Arguments, Parameter, ParameterKind};
pub use contribution::{Amount, Contribution};
pub use error::QueryError;
pub use joint::{Joint, joint};

use crate::about::About;
use crate::data::Table;
use crate::sensitivity::{Neighbours, Sensitivity};
use std::fmt::Debug;

/// Memory that [`Query::derive_rows`] uses again and again.
#[derive(Clone, Debug, Default)]
pub struct Room {
    counts: Vec<f64>,
    estimates: Vec<f64>,
}

/// A query with a vector of numbers for an answer, most often a single one.
///
/// What is *released* with noise are the [`parts`](Query::parts), with the true values [`answers`](Query::answers). What is told
/// are the [`outputs`](Query::outputs), computed from the released parts by [`derive`](Query::derive): for most queries the parts
/// themselves, but a mean from a noisy sum and a noisy count, or range counts from the nodes of a tree. What it is all about is the
/// [`target`](Query::target): the outputs without noise and without the bias of clipping and truncation.
pub trait Query: Debug + Send + Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what it asks, in words: `mean of age`
    fn definition(&self) -> String;

    /// the columns that it reads, each once
    fn columns(&self) -> Vec<String>;

    /// The texts that it says can stand in its columns, as (column, text): its groups, and what its predicates compare with. A mark such as `?`
    /// among them is a category, and no sign that a value is missing.
    fn texts(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// The true answer of a query with a single number.
    ///
    /// # Errors
    /// [`QueryError`] if the table lacks what the query needs, or if the answer is undefined or beyond the range of `f64`;
    /// [`QueryError::Vector`] if the answer is a vector, which [`Query::answers`] gives
    fn answer(&self, table: &Table) -> Result<f64, QueryError>;

    /// The global sensitivity of all parts together. Of the table it uses what is public only: the declared bounds, and the number of
    /// rows where the relation makes that public.
    ///
    /// # Errors
    /// [`QueryError`] if the table lacks what the query needs, or if the sensitivity is unbounded or beyond the range of `f64`
    fn sensitivity(&self, table: &Table, neighbours: Neighbours)
    -> Result<Sensitivity, QueryError>;

    /// What is released with noise, one label each, at least one: bins, groups, or the definition where it is a single number.
    fn parts(&self) -> Vec<String> {
        vec![self.definition()]
    }

    /// The true value of every part.
    ///
    /// # Errors
    /// As [`Query::answer`]
    fn answers(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        Ok(vec![self.answer(table)?])
    }

    /// The sensitivity of each part by itself, which is what budgets are allocated by where each part has its own.
    ///
    /// # Errors
    /// As [`Query::sensitivity`]
    fn part_sensitivities(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Vec<Sensitivity>, QueryError> {
        let all = self.sensitivity(table, neighbours)?;
        Ok(vec![all; self.parts().len()])
    }

    /// What one record adds to the parts, if every part is a sum over the records under this relation (a mean over a public number
    /// of rows is one under substitution); `None` if not. It is what [`joint`] sees of the query: a record adds the amounts of all
    /// contributions in whose region it lies.
    ///
    /// # Errors
    /// As [`Query::sensitivity`]
    fn contributions(
        &self,
        table: &Table,
        neighbours: Neighbours,
    ) -> Result<Option<Vec<Contribution>>, QueryError> {
        let _ = (table, neighbours);
        Ok(None)
    }

    /// What is told, one label each: the parts, unless [`Query::derive`] makes something else of them.
    fn outputs(&self) -> Vec<String> {
        self.parts()
    }

    /// What is told, from the released parts (as many as there are parts, in their order), without any look at the data.
    fn derive(&self, released: &[f64]) -> Vec<f64> {
        let mut outputs = vec![0.0; self.outputs().len()];
        self.derive_rows(released, 1, &mut Room::default(), &mut outputs);
        outputs
    }

    /// [`Query::derive`] for `trials` releases at once: a row of so many numbers for each part, and into `outputs` one for each output.
    ///
    /// # Panics
    /// If `released` or `outputs` is shorter than that.
    fn derive_rows(&self, released: &[f64], trials: usize, room: &mut Room, outputs: &mut [f64]) {
        let _ = (trials, room);
        outputs.copy_from_slice(&released[..outputs.len()]);
    }

    /// The variance of each output if every part has independent noise of variance 1, where [`Query::derive`] is linear, else
    /// `None`.
    fn output_variances(&self) -> Option<Vec<f64>> {
        Some(vec![1.0; self.parts().len()])
    }

    /// The parameter of a population that the query is about, where it is one of columns. Without it the parameter of a query that is a
    /// sum over the records follows from its contributions.
    fn estimand(&self) -> Option<Estimand> {
        None
    }

    /// How many of the rows that it is asked about no part counts: those outside the cells of a histogram. `None` of a query without cells.
    ///
    /// # Errors
    /// As [`Query::answer`]
    fn uncounted(&self, table: &Table) -> Result<Option<usize>, QueryError> {
        let _ = table;
        Ok(None)
    }

    /// A number that is not whole, among the true values of the parts and what the records, and the bounds of their columns, add to them.
    /// Noise of whole numbers leaves what is behind the point as it is, so that no ε holds for such a query.
    ///
    /// # Errors
    /// As [`Query::answer`]
    fn fraction(&self, table: &Table, neighbours: Neighbours) -> Result<Option<f64>, QueryError> {
        let added = match self.contributions(table, neighbours)? {
            Some(all) => contribution::fraction(&all, table)?,
            None => None,
        };
        Ok(added.or(self.answers(table)?.into_iter().find(|x| x.fract() != 0.0)))
    }

    /// Which order statistic of its one column the answer is, among so many rows; `None` if it is none. Mechanisms that look at the data
    /// at hand go by it.
    fn order_statistic(&self, rows: usize) -> Option<OrderStatistic> {
        let _ = rows;
        None
    }

    /// What the outputs stand for: their values without noise, clipping and truncation. The derived true answers less this are the
    /// bias of the query.
    ///
    /// # Errors
    /// As [`Query::answer`]
    fn target(&self, table: &Table) -> Result<Vec<f64>, QueryError> {
        Ok(self.derive(&self.answers(table)?))
    }
}

/// An order statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrderStatistic {
    /// p, from 0 to 1: the p-quantile
    pub fraction: f64,
    /// its place among the sorted values, from 1: ⌈p·n⌉, or 1 for p = 0
    pub rank: usize,
}

impl OrderStatistic {
    /// The p-quantile of so many values, at least one; p from 0 to 1.
    pub fn of(fraction: f64, rows: usize) -> OrderStatistic {
        let rank = (fraction * rows as f64).ceil() as usize;
        OrderStatistic {
            fraction,
            rank: rank.clamp(1, rows.max(1)),
        }
    }
}

/// What a query estimates where its records are a sample from a population, as a parameter of columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Estimand {
    /// the mean of a column
    Mean(String),
    /// the number of records times the mean of a column, over a public divisor
    Sum(String, f64),
    /// the variance of a column
    Variance(String),
    /// the standard deviation of a column
    StandardDeviation(String),
    /// the p-quantile of a column
    Quantile(String, f64),
    /// the covariance of two columns
    Covariance(String, String),
}

/// A kind of query, by the name that a file uses.
pub trait QueryKind: Sync {
    /// what it is
    fn about(&self) -> &'static About;

    /// what can be said of it in a file
    fn parameters(&self) -> &'static [Parameter];

    /// An example of its parameters, as an inline table of TOML; of columns it names those of the generated census, or of the generated
    /// join.
    fn example(&self) -> &'static str;

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
    &order::Quantile,
    &order::Median,
    &order::Range,
    &spread::VARIANCE,
    &spread::SAMPLE_VARIANCE,
    &spread::STANDARD_DEVIATION,
    &spread::SAMPLE_STANDARD_DEVIATION,
    &spread::COVARIANCE,
    &spread::SAMPLE_COVARIANCE,
    &dot_product::DotProduct,
    &distinct::CountDistinct,
    &clipped::ClippedSum,
    &clipped::ClippedMean,
    &clipped::SplitMean,
    &vector_sum::VectorSum,
    &join_count::JoinCount,
    &histogram::Histogram,
    &group_count::GroupCount,
    &linear::Linear,
    &linear::PrefixSums,
    &linear::BinaryTree,
    &range_queries::RangeQueries,
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
#[cfg(test)]
mod vector_tests;
