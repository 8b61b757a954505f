//! Reports: `report.html`, one file that needs nothing else, and `report.md`, the same in short.
//!
//! Both are made from what a run directory says and from its figures. They hold no times and no facts of the machine, so
//! they are the same bytes each time.

mod content;
mod document;
mod html;
mod markdown;
pub mod number;

#[cfg(test)]
mod tests;

use crate::figure::Drawn;
use crate::record::{RecordError, Run, names, write_file};

/// The files of a report: names within the run directory and contents. `answer` is the answer in a sentence or two.
pub fn files(run: &Run, answer: &str, drawn: &[Drawn]) -> Vec<(&'static str, String)> {
    let document = content::document(run, answer, drawn);
    vec![
        (names::REPORT_HTML, html::html(&document, drawn)),
        (names::REPORT_MD, markdown::markdown(&document, drawn)),
    ]
}

/// Writes the report into the run's directory, each file under its final name only once it is complete.
///
/// # Errors
/// The files cannot be written.
pub fn write(run: &Run, answer: &str, drawn: &[Drawn]) -> Result<(), RecordError> {
    for (name, text) in files(run, answer, drawn) {
        write_file(&run.dir, name, text.as_bytes())?;
    }
    Ok(())
}
