//! What a run found, in the formats of other programs: typed tables for those that compute, set tables for those that write.
//!
//! A new format is one file here and one line in [`REGISTRY`]. All of them are given the same: rows as they stand in the files of the run,
//! with what their columns mean ([`Sheet`]), or the tables of the report ([`Printed`]).

mod csv;
mod latex;
mod markdown;
mod parquet;
mod printed;
mod selection;
mod sheet;
mod trials;

pub use printed::{Printed, printed};
pub use selection::{Select, Selection};
pub use sheet::{Column, Sheet, Take, Values, of_file};
pub use trials::{MOST_ROWS, has_trials, of_trials};

use crate::pipeline::PipelineError;
use crate::record::{RecordError, names};
use std::io::Write;

/// A format.
#[derive(Debug)]
pub struct Format {
    /// its name on the command line
    pub name: &'static str,
    /// what it is, in a few words
    pub about: &'static str,
    /// the ending of its files
    pub ending: &'static str,
    /// how it is written
    pub write: Writer,
}

/// How a format is written.
#[derive(Debug)]
pub enum Writer {
    /// one table a file, row by row; not for a terminal
    Binary(WriteSheet),
    /// one table, row by row
    Text(WriteSheet),
    /// tables one below the other, as they stand in reports
    Page(fn(&[Printed]) -> String),
}

/// Writes the rows of a table.
pub type WriteSheet = fn(&Sheet<'_>, &mut (dyn Write + Send)) -> Result<(), ExportError>;

/// The formats.
pub const REGISTRY: &[&Format] = &[
    &parquet::FORMAT,
    &csv::FORMAT,
    &latex::FORMAT,
    &markdown::FORMAT,
];

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// a file of the run: its name
    File(&'static str),
    /// every number of every trial, simulated again
    Trials,
}

impl Table {
    /// All, in the order in which they are listed.
    pub const ALL: &[Table] = &[
        Table::File(names::SUMMARY),
        Table::File(names::COMPARISONS),
        Table::File(names::CLAIMS),
        Table::File(names::HISTOGRAMS),
        Table::File(names::CONVERGENCE),
        Table::Trials,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Table::File(file) => file.trim_end_matches(".csv"),
            Table::Trials => "trials",
        }
    }

    /// What is in it.
    pub fn about(self) -> &'static str {
        match self {
            Table::File(names::SUMMARY) => "estimates with intervals and exact values",
            Table::File(names::COMPARISONS) => "paired comparisons",
            Table::File(names::CLAIMS) => "statements and verdicts",
            Table::File(names::HISTOGRAMS) => "counts by value",
            Table::File(_) => "means after fewer trials, where a figure draws them",
            Table::Trials => "every number of every trial, simulated again",
        }
    }
}

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// what is written to does not take it
    #[error("cannot write the result: {0}")]
    Io(#[from] std::io::Error),
    /// a file of the run
    #[error(transparent)]
    Record(#[from] RecordError),
    /// the trials cannot be simulated again
    #[error(transparent)]
    Simulation(#[from] PipelineError),
    /// a name that the run does not have
    #[error("unknown {what} `{given}`: {hint}allowed: {allowed}")]
    Unknown {
        /// what it names
        what: String,
        /// what was asked for
        given: String,
        /// the nearest name
        hint: String,
        /// the names that there are
        allowed: String,
    },
    /// a choice that a table has no column for
    #[error("the table `{table}` has no column `{column}` to choose by: leave {option} away")]
    NoColumn {
        /// the table
        table: &'static str,
        /// what was chosen by
        column: &'static str,
        /// the option that did so
        option: &'static str,
    },
    /// nothing is left
    #[error(
        "no row of the table `{table}` is chosen: each of {options} is known, but not together"
    )]
    Nothing {
        /// the table
        table: &'static str,
        /// the options that chose
        options: String,
    },
    /// a table that the run does not have
    #[error("the run has no table `{table}`: {reason}")]
    NoTable {
        /// the table
        table: &'static str,
        /// why not
        reason: &'static str,
    },
    /// a table that is not for readers
    #[error(
        "a table `{table}` is not set in {format}: it is for programs; take --format parquet or csv"
    )]
    NotPrinted {
        /// the table
        table: &'static str,
        /// the format
        format: &'static str,
    },
    /// a run that is too large to be read whole
    #[error(
        "the run has {cells} cells, and is not read whole for tables in {format}: take --format parquet or csv"
    )]
    TooManyCells {
        /// cells of the run
        cells: u64,
        /// the format
        format: &'static str,
    },
    /// more trials than a file should hold
    #[error(
        "{rows} rows are more than the {most} that are written: take fewer trials (--trials), cells (--where), measures (--measure) or subjects (--subject)"
    )]
    TooManyRows {
        /// rows that were asked for
        rows: String,
        /// rows that are written
        most: String,
    },
}

impl ExportError {
    /// Whether it is about what was asked for, and not about where files are.
    pub fn is_input(&self) -> bool {
        match self {
            ExportError::Io(_) | ExportError::Simulation(_) => false,
            ExportError::Record(error) => error.is_input(),
            _ => true,
        }
    }

    fn unknown<T: AsRef<str>>(what: &str, given: &str, names: &[T]) -> ExportError {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        ExportError::Unknown {
            what: what.to_owned(),
            given: given.to_owned(),
            hint: match crate::config::diagnostic::nearest(given, &names) {
                Some(name) => format!("did you mean `{name}`? "),
                None => String::new(),
            },
            allowed: match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            },
        }
    }
}
