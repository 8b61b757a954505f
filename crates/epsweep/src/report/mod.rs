//! Reports: `report.html`, one file that needs nothing else, and `report.md`, the same in short.
//!
//! Both are made from what a run directory says and from its figures. They hold no times and no facts of the machine, so
//! they are the same bytes each time.

pub(crate) mod content;
mod document;
mod html;
mod latex;
mod markdown;

#[cfg(test)]
mod tests;

pub(crate) use document::{Block, Cell, Document, Section, Table, Tone};

use crate::figure::Drawn;
use crate::record::{Run, names};

/// The files of a report: names within the run directory and contents; writing them is up to the record. `answer` is the answer in a sentence or two.
pub fn files(run: &Run, answer: &str, drawn: &[Drawn]) -> Vec<(&'static str, String)> {
    both(&content::document(run, answer, drawn), drawn)
}

/// A table by itself, in Markdown.
pub(crate) fn table_in_markdown(table: &Table) -> String {
    markdown::table(table)
}

/// A table by itself, in LaTeX.
pub(crate) use latex::table as table_in_latex;

/// A document in both forms: file names and contents.
pub(crate) fn both(document: &Document, drawn: &[Drawn]) -> Vec<(&'static str, String)> {
    vec![
        (names::REPORT_HTML, html::html(document, drawn)),
        (names::REPORT_MD, markdown::markdown(document, drawn)),
    ]
}
