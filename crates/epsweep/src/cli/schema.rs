//! `epsweep schema`

use super::{Failure, exit, help, output};
use crate::config::schema as shapes;
use clap::{Args, ValueEnum};

/// Arguments of `schema`.
#[derive(Args, Debug)]
#[command(after_help = help::SCHEMA)]
pub struct Schema {
    /// which kind of file
    #[arg(value_enum, default_value_t = FileKind::Experiment)]
    pub of: FileKind,
}

/// Kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileKind {
    /// a file for `run`
    Experiment,
    /// a file for `audit`
    Audit,
}

/// Prints the JSON Schema of a kind of file.
pub fn schema(arguments: &Schema) -> Result<u8, Failure> {
    let document = match arguments.of {
        FileKind::Experiment => shapes::document(
            "epsweep experiment",
            "One question about a differentially private analysis, answered by `epsweep run`.",
            &shapes::experiment(),
        ),
        FileKind::Audit => shapes::document(
            "epsweep audit",
            "A claim about a mechanism or a program, tried by `epsweep audit`.",
            &crate::audit::schema::shape(),
        ),
    };
    output::result(&output::json(&document))?;
    Ok(exit::DONE)
}
