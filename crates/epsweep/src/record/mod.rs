//! The run directory: what a run leaves behind, and all that figures and reports may read.
//!
//! ```text
//! experiment.toml   verbatim
//! resolved.json     every value after defaults            (`Resolved`)
//! summary.csv       estimates                             (`SummaryRow`)
//! comparisons.csv   paired comparisons                    (`ComparisonRow`)
//! claims.csv        statements and verdicts               (`ClaimRow`)
//! histograms.csv    counts by value                       (`HistogramRow`)
//! convergence.csv   means after fewer trials, where a figure draws them (`SummaryRow`)
//! audits.csv        what audits said, if any              (`AuditRow`)
//! *.parquet         what was exported, if anything: see [`crate::export`]
//! figures/  report.html  report.md
//! manifest.json     written last: it marks the run as finished (`Manifest`)
//! ```
//!
//! The order of work is: [`RunDir::open`] before anything is simulated (so that a directory that cannot be written costs
//! no computing time), [`RunDir::write`] once the rows are there, [`RunDir::read_back`] for figures and report,
//! [`RunDir::put`] for each of those, and [`RunDir::finish`] ([`RunDir::reopen`] stands for the first two where only figures and
//! reports are made again). Every file is written beside its final name and renamed, so
//! a final name only ever shows a complete file. [`read`] gives a finished run back.

mod columns;
mod csv_text;
mod directory;
mod error;
mod files;
mod identity;
mod lock;
mod lookup;
mod manifest;
mod naming;
mod number;
mod place;
mod resolved;
mod rows;
mod run;
mod settings;
mod spool;
mod tables;
mod tallies;
#[cfg(test)]
mod tests;
mod text;
mod version;

pub use columns::{Column, Kind, columns};
pub use csv_text::CsvText;
pub use directory::{Contents, RunDir, State};
pub use error::RecordError;
pub(crate) use files::{write_files, write_streamed};
pub use identity::{Identity, VALUES_VERSION, hash_of_pairs};
pub use lookup::{Lookup, PairNames, Paired, pair_names};
pub use manifest::{FailedCell, FailedOne, Machine, Manifest, Reached, Times, utc};
pub use naming::cells_called;
pub use number::{number, optional};
pub use place::{run_of, strangers};
pub use resolved::*;
pub use rows::*;
pub use run::{MOST_CELLS, Numbers, Run, open, read, read_numbers};
pub use spool::{Pieces, Spools};
pub use tallies::{Header, Merged, Others, ShardDir, ShardFile, Store, write_shard};
pub use text::Text;

/// The version of the form of the files that this program writes, and the only one that it reads.
pub const SCHEMA: u32 = 1;

/// File names of a run directory.
pub mod names {
    /// the experiment file, verbatim
    pub const EXPERIMENT: &str = "experiment.toml";
    /// every value after defaults
    pub const RESOLVED: &str = "resolved.json";
    /// versions, machine, times, digests
    pub const MANIFEST: &str = "manifest.json";
    /// estimates
    pub const SUMMARY: &str = "summary.csv";
    /// paired comparisons
    pub const COMPARISONS: &str = "comparisons.csv";
    /// statements and verdicts
    pub const CLAIMS: &str = "claims.csv";
    /// counts by value
    pub const HISTOGRAMS: &str = "histograms.csv";
    /// means after fewer trials, where a figure draws them
    pub const CONVERGENCE: &str = "convergence.csv";
    /// every number of every trial, where it was exported
    pub const TRIALS: &str = "trials.parquet";
    /// audits of the mechanisms of a run, where some were put beside it
    pub const AUDITS: &str = "audits.csv";
    /// the folder of the figures
    pub const FIGURES: &str = "figures";
    /// the report as one self-contained page
    pub const REPORT_HTML: &str = "report.html";
    /// the report as text
    pub const REPORT_MD: &str = "report.md";
}
