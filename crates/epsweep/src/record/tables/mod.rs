//! The CSV files: one description per kind of row serves writing and reading.

mod kinds;
mod read;

pub(in crate::record) use read::{parse, parse_hashed, parse_while};

use super::columns::Column;
use read::Fields;
use std::sync::Arc;

/// A kind of row and its columns.
pub(in crate::record) trait Table: Sized {
    /// Columns before those of the axes.
    const BEFORE: &'static [Column];
    /// Columns after those of the axes.
    const AFTER: &'static [Column];
    /// How the axes appear.
    const AXES: Axes;
    /// One label per axis of the experiment, empty for an axis that is compared.
    fn axes(&self) -> &[String];
    /// The other fields, in the order of the columns.
    fn fields(&self) -> Vec<String>;
    /// The row of these labels and fields.
    fn parse(axes: &Arc<[String]>, fields: &mut Fields) -> Result<Self, String>;
}

fn names<'a>(columns: &'static [Column]) -> impl Iterator<Item = &'a str> {
    columns.iter().map(|column| column.name)
}

/// How the axes of the experiment appear in a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::record) enum Axes {
    /// one column each
    All,
    /// one column each, but none for an axis along which every row compares
    ButCompared,
    /// not at all
    None,
}

/// The text of a file with these rows.
pub(in crate::record) fn write<R: Table>(
    rows: &[R],
    axes: &[String],
) -> Result<Vec<u8>, csv::Error> {
    let shown: Vec<usize> = match R::AXES {
        Axes::All => (0..axes.len()).collect(),
        Axes::None => Vec::new(),
        Axes::ButCompared => (0..axes.len())
            .filter(|i| rows.is_empty() || rows.iter().any(|r| !r.axes()[*i].is_empty()))
            .collect(),
    };
    let mut text = header::<R>(axes, &shown)?;
    text.extend(body(rows, &shown)?);
    Ok(text)
}

/// The first line of a file that shows these axes.
pub(in crate::record) fn header<R: Table>(
    axes: &[String],
    shown: &[usize],
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let shown_axes = shown.iter().map(|i| axes[*i].as_str());
    writer.write_record((names(R::BEFORE)).chain(shown_axes).chain(names(R::AFTER)))?;
    inner(writer)
}

/// The lines of these rows in a file that shows these axes.
pub(in crate::record) fn body<R: Table>(
    rows: &[R],
    shown: &[usize],
) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let fields = row.fields();
        let (before, after) = fields.split_at(R::BEFORE.len());
        let labels = shown.iter().map(|i| &row.axes()[*i]);
        writer.write_record(before.iter().chain(labels).chain(after))?;
    }
    inner(writer)
}

fn inner(writer: csv::Writer<Vec<u8>>) -> Result<Vec<u8>, csv::Error> {
    writer
        .into_inner()
        .map_err(|e| csv::Error::from(e.into_error()))
}
