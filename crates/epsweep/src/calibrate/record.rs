//! The files that a calibration leaves.

use super::{Calibration, figures, report};
use crate::figure::{self, FigureError, Formats, Sketch, Style};
use crate::plan::Plan;
use crate::record::{CsvText, RecordError, number, optional};
use std::path::Path;

/// Names of the tables: coverages, and families of comparisons.
pub const FILES: [&str; 2] = ["calibration.csv", "families.csv"];

/// Whether a calibration may be written to a directory: it is new, empty, or holds one.
///
/// # Errors
/// It holds something else, or cannot be read.
pub fn place_is_free(path: &Path) -> Result<(), RecordError> {
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(_) if path.exists() && !path.is_dir() => {
            return Err(RecordError::NotADirectory {
                path: path.to_path_buf(),
            });
        }
        Err(error) => return Err(RecordError::io("read the directory", path)(error)),
    };
    let names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if names.is_empty() || names.iter().any(|name| name == FILES[0]) {
        return Ok(());
    }
    Err(RecordError::Foreign {
        path: path.to_path_buf(),
        found: names[0].clone(),
    })
}

/// All files of a calibration: names within its directory and contents.
///
/// # Errors
/// A picture cannot be drawn.
pub fn files(plan: &Plan, of: &Calibration) -> Result<Vec<(String, Vec<u8>)>, FigureError> {
    let style = Style::named(None)?;
    let formats = Formats {
        pdf: false,
        ..Formats::default()
    };
    let pictures = [
        ("coverage", figures::coverage(of, &style)),
        ("zip", figures::zip(of, &style)),
    ];
    let sketches = pictures.map(|(name, drawing)| {
        Ok(Sketch {
            drawing,
            name: name.into(),
            kind: name.into(),
            fonts: Vec::new(),
        })
    });
    let drawn = figure::finish_all(sketches, formats)?;
    let document = report::document(plan, of);
    let mut files = vec![
        (
            crate::record::names::EXPERIMENT.to_owned(),
            plan.text().as_bytes().to_vec(),
        ),
        (FILES[0].to_owned(), coverages(of).into_bytes()),
        (FILES[1].to_owned(), families(of).into_bytes()),
    ];
    for (name, text) in crate::report::both(&document, &drawn) {
        files.push((name.to_owned(), text.into_bytes()));
    }
    files.extend(drawn.into_iter().flat_map(|drawn| drawn.files));
    Ok(files)
}

fn table<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut table = CsvText::new(heads);
    for row in rows {
        table.row(row);
    }
    table.text()
}

/// The table of coverages: `cell, subject, measure, statistic, truth, source, repeats, without, covered, below, above, coverage, expected,
/// warned, judgement`.
pub(crate) fn coverages(of: &Calibration) -> String {
    let heads = [
        "cell",
        "subject",
        "measure",
        "statistic",
        "truth",
        "source",
        "repeats",
        "without",
        "covered",
        "below",
        "above",
        "coverage",
        "expected",
        "warned",
        "judgement",
    ];
    let rows = of.coverages.iter().map(|of| {
        [
            of.name.cell.clone(),
            of.name.subject.clone(),
            of.name.measure.clone(),
            of.name.statistic.clone(),
            number(of.truth),
            if of.exact { "exact" } else { "run" }.to_owned(),
            of.repeats.to_string(),
            of.without.to_string(),
            of.covered.to_string(),
            of.below.to_string(),
            of.above.to_string(),
            number(of.share()),
            optional(of.expected),
            number(of.warned_share()),
            of.judgement.name().to_owned(),
        ]
    });
    table(heads, rows)
}

/// The table of families: `axes, subject, measure, nulls, comparisons, repeats, errors, share, judgement`.
fn families(of: &Calibration) -> String {
    let heads = [
        "axes",
        "subject",
        "measure",
        "nulls",
        "comparisons",
        "repeats",
        "errors",
        "share",
        "judgement",
    ];
    let rows = of.families.iter().map(|of| {
        [
            of.axes.clone(),
            of.subject.clone(),
            of.measure.clone(),
            of.nulls.to_string(),
            of.comparisons.to_string(),
            of.repeats.to_string(),
            of.errors.to_string(),
            number(of.share()),
            if of.too_many {
                "too many"
            } else {
                "controlled"
            }
            .to_owned(),
        ]
    });
    table(heads, rows)
}
