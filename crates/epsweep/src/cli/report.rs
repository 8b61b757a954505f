//! `epsweep report`

use super::arguments::Report;
use super::{Failure, exit, output, show};
use crate::figure::Formats;
use crate::words::join;
use crate::{pipeline, record};

/// Draws the figures of a finished run and writes its reports again, from the files of its directory alone.
pub fn report(arguments: &Report) -> Result<u8, Failure> {
    let run = record::read(&arguments.dir)?;
    let strangers = record::strangers(&arguments.dir);
    if !strangers.is_empty() {
        output::note(&format!(
            "note: left out, since they are no files of a run: {}",
            join(&strangers, "and")
        ));
    }
    let recorded = pipeline::redraw(run, Formats::default())?;
    for warning in recorded.drawn.iter().flat_map(|figure| &figure.warnings) {
        output::note(&format!("warning: {warning}"));
    }
    output::result(&show::run(&recorded.run, arguments.format)?)?;
    Ok(exit::DONE)
}
