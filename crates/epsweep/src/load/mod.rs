//! The data of an experiment: from files and generators to tables.

pub mod cell;
mod gaps;
mod generate;
mod numbers;
mod population;
pub mod rows;
pub mod sheet;
mod survey;

use crate::config::data::{ColumnSpec, DataSpec, SourceSpec, Used};
use crate::config::diagnostic::{Diagnostic, Sink};
use crate::config::encoding;
use crate::config::file;
use crate::config::source::Span;
use crate::words::{are_all_numbers, grouped};
use epsweep_core::data::{Column, Table};
use epsweep_core::population::Population;
use epsweep_core::query::Query;
use epsweep_core::sensitivity::Neighbours;
use gaps::Gaps;
use numbers::{Numbers, Page};
use rows::{Row, Rows};
use sheet::{SHOWN, sheet};
use std::path::Path;
use std::sync::Arc;

pub use survey::{ColumnFound, Survey, survey};

/// A data set, ready for queries.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// the columns that are used, clipped to their bounds
    pub table: Arc<Table>,
    /// where it comes from, in words
    pub source: String,
    /// hash of the content
    pub digest: String,
    /// what the reader should know
    pub warnings: Vec<String>,
    /// what the records are a sample of, where they are generated
    pub population: Option<Population>,
    /// where the records stand
    pub places: Places,
}

/// Where records stand in a file.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// the line of each record that is kept, from 1; empty where there is no file
    lines: Vec<usize>,
}

impl Places {
    /// `line 7` for the record of that number, from 0; `None` of generated data.
    pub fn of(&self, record: usize) -> Option<String> {
        Some(format!("line {}", self.lines.get(record)?))
    }
}

impl Loaded {
    /// What the numbers of a query are in the population, where there is one and they are known.
    pub fn parameter(&self, query: &dyn Query) -> Option<Vec<f64>> {
        let found = self.population.as_ref()?.parameter(query, &self.table);
        found.ok().flatten()
    }
}

/// Loads the columns that are used; every fault of the data goes to the sink.
pub fn load(spec: &DataSpec, used: &[Used], base: &std::path::Path, sink: &Sink) -> Option<Loaded> {
    match &spec.source {
        SourceSpec::Csv { path, span } => {
            let full = base.join(path);
            let bytes = read_file(&full, *span, sink)?;
            let file = full.display().to_string();
            let wanted: Vec<&str> = used.iter().map(|used| used.name.as_str()).collect();
            let text = match decoded(&file, &bytes, &wanted) {
                Ok(text) => text,
                Err(faults) => {
                    for fault in faults {
                        sink.foreign(*span, fault);
                    }
                    return None;
                }
            };
            let digest = blake3::hash(&bytes).to_hex().to_string();
            let (table, places, warnings) = from_csv(spec, used, &file, text, sink)?;
            Some(Loaded {
                table: Arc::new(table),
                source: path.clone(),
                digest,
                warnings,
                population: None,
                places,
            })
        }
        SourceSpec::Population { kind, rows, seed } => {
            population::load(kind, (*rows, *seed), spec, used, sink)
        }
        SourceSpec::Generated {
            column,
            law,
            rows,
            seed,
        } => {
            let names = [column.as_str()];
            let known = check_names(spec, used, &names, "the generated data", sink);
            let values = generate::values(*law, *rows, *seed);
            let mut hasher = blake3::Hasher::new();
            for value in &values {
                hasher.update(&value.to_le_bytes());
            }
            let declared = spec.columns.iter().find(|c| c.name == *column);
            if let Some(declared) = declared.filter(|c| c.text) {
                sink.fault(
                    declared.span,
                    format!("column `{column}` is generated: it holds numbers"),
                )
                .report();
                return None;
            }
            let bounds = declared.and_then(|c| c.bounds);
            let built_column = built(
                Column::number(column.clone(), values, bounds),
                spec.span,
                sink,
            )?;
            let warnings = clipping(&built_column);
            if !known {
                return None;
            }
            Some(Loaded {
                table: Arc::new(built(Table::new(vec![built_column]), spec.span, sink)?),
                source: generate::describe(*law, *rows, *seed),
                digest: hasher.finalize().to_hex().to_string(),
                warnings,
                population: generate::population(column, *law, bounds),
                places: Places::default(),
            })
        }
    }
}

fn read_file(path: &Path, span: Span, sink: &Sink) -> Option<Vec<u8>> {
    let fault = |message: String| {
        sink.fault(span, message)
            .remedy("the path is relative to the experiment file")
            .report();
        None
    };
    match file::read(path, file::MOST_DATA) {
        Ok(bytes) => Some(bytes),
        Err(error) => fault(format!("cannot read {}: {error}", path.display())),
    }
}

/// The text of a file.
///
/// # Errors
/// Where it is not UTF-8, and what else is wrong with its rows.
fn decoded<'a>(file: &str, bytes: &'a [u8], wanted: &[&str]) -> Result<&'a str, Vec<Diagnostic>> {
    if let Ok(text) = encoding::decode(file, bytes) {
        return Ok(text);
    }
    let mut faults = encoding::undecodable(file, bytes, SHOWN);
    let is_text = faults.first().is_some_and(|fault| fault.position.is_some());
    if is_text {
        let text = String::from_utf8_lossy(bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        faults.extend(sheet(file, text, wanted).err().into_iter().flatten());
    }
    Err(faults)
}

fn built<T, E: std::fmt::Display>(result: Result<T, E>, span: Span, sink: &Sink) -> Option<T> {
    result
        .map_err(|error| sink.fault(span, error.to_string()).report())
        .ok()
}

/// What is to be known of a column that is clipped to its bounds.
fn clipping(column: &Column) -> Vec<String> {
    let Some(bounds) = column.bounds() else {
        return Vec::new();
    };
    let (name, count) = (column.name(), column.clipped());
    let clipped = (count > 0).then(|| {
        format!(
            "column `{name}`: {count} of {} values lie outside {bounds} and were clipped",
            column.values().len()
        )
    });
    let constant = (bounds.width() == 0.0).then(|| {
        format!(
            "column `{name}`: {bounds} holds one value, to which every record is clipped: what is asked of it is a constant, whatever the data; declare low < high"
        )
    });
    clipped.into_iter().chain(constant).collect()
}

/// Whether every column that is used or declared is there.
fn check_names(spec: &DataSpec, used: &[Used], names: &[&str], file: &str, sink: &Sink) -> bool {
    let mentioned = (used.iter().map(|u| (&u.name, u.span)))
        .chain(spec.columns.iter().map(|c| (&c.name, c.span)));
    let nameless = are_all_numbers(names.iter().copied());
    let mut known = true;
    for (name, span) in mentioned {
        if !names.contains(&name.as_str()) {
            known = false;
            let fault =
                (sink.fault(span, format!("{file} has no column `{name}`"))).names(name, names);
            let fault = match nameless {
                true => fault.remedy(
                    "the first line of the file seems to be a record: put a line with the names of the columns before it",
                ),
                false => fault,
            };
            fault.report();
        }
    }
    known
}

/// What is wrong with a file whose header is a single field that looks like several, if no column in use is called so.
fn separated_otherwise(file: &str, text: &str, wanted: &[&str]) -> Option<Diagnostic> {
    let header = Rows::new(text)
        .flatten()
        .find(|row: &Row<'_>| !row.is_empty())?;
    let [field] = header.fields.as_slice() else {
        return None;
    };
    let name = field.text.as_ref();
    let known = wanted.is_empty() || wanted.contains(&name);
    let (_, word) = [(';', "semicolons"), ('\t', "tabs"), ('|', "bars")]
        .into_iter()
        .find(|(mark, _)| name.contains(*mark))
        .filter(|_| !known)?;
    let mut fault = Diagnostic::of_file(file, format!("the fields seem to be separated by {word}"));
    let length = name.chars().count();
    fault.position = Some(sheet::position(text, header.line, field.at, length));
    Some(
        fault
            .rule("fields are separated by commas")
            .remedy("save the file again with commas between fields, and points in numbers"),
    )
}

/// What to do about missing texts.
const REMEDY_OF_TEXTS: &str = "complete them, or leave their rows out by `missing = \"drop\"` in [data]; what is a category all the same is named as one: among `groups`, `categories` or `candidates`, or in a predicate";

fn from_csv(
    spec: &DataSpec,
    used: &[Used],
    file: &str,
    text: &str,
    sink: &Sink,
) -> Option<(Table, Places, Vec<String>)> {
    let wanted: Vec<&str> = used.iter().map(|used| used.name.as_str()).collect();
    // said once, and not as so many columns that are not there
    if let Some(fault) = separated_otherwise(file, text, &wanted) {
        sink.foreign(spec.span, fault);
        return None;
    }
    let sheet = match sheet(file, text, &wanted) {
        Ok(sheet) => sheet,
        Err(faults) => {
            for fault in faults {
                sink.foreign(spec.span, fault);
            }
            return None;
        }
    };
    let names: Vec<&str> = sheet.header.iter().map(String::as_str).collect();
    let mut good = check_names(spec, used, &names, file, sink);
    let mut wanted: Vec<(usize, Option<&ColumnSpec>)> = Vec::new();
    for used in used {
        if let Some(at) = names.iter().position(|name| *name == used.name)
            && !wanted.iter().any(|(known, _)| *known == at)
        {
            wanted.push((at, spec.columns.iter().find(|c| c.name == used.name)));
        }
    }
    let page = Page {
        file,
        text,
        sheet: &sheet,
        spec,
    };
    let mut unusable = vec![false; sheet.len()];
    let mut warnings = Vec::new();
    let mut numbers: Vec<Option<Vec<f64>>> = Vec::new();
    for (at, declared) in &wanted {
        let gaps = if declared.is_some_and(|c| c.text) {
            let categories: Vec<&str> = (used.iter())
                .filter(|used| used.name == names[*at])
                .flat_map(|used| used.texts.iter().map(String::as_str))
                .collect();
            let gaps = Gaps::of_texts(&sheet, *at, &categories);
            good &= gaps.report(&page, *at, REMEDY_OF_TEXTS, sink);
            numbers.push(None);
            gaps
        } else {
            let column = Numbers::read(&sheet, *at);
            good &= column.report(&page, *at, sink);
            numbers.push(Some(column.values));
            column.gaps
        };
        for row in &gaps.rows {
            unusable[*row] = true;
        }
        warnings.extend(gaps.left_out(names[*at], sheet.len()));
    }
    if !good {
        return None;
    }
    let kept: Vec<usize> = (0..sheet.len()).filter(|row| !unusable[*row]).collect();
    if kept.is_empty() {
        let message = "no row is left: every one has a value that cannot be used";
        sink.foreign(spec.span, Diagnostic::of_file(file, message));
        return None;
    }
    let dropped = sheet.len() - kept.len();
    if dropped > 0 && spec.neighbours == Neighbours::Substitute {
        warnings.push(format!(
            "{} of {} records are left out, and under neighbours = \"substitute\" the number of the others counts as public: the guarantee is for the records that are left, and does not hide whether a record has a value that can be used; neighbours = \"add-remove\" hides that, too",
            grouped(dropped as u64),
            grouped(sheet.len() as u64)
        ));
    }
    let mut columns = Vec::new();
    for ((at, declared), values) in wanted.into_iter().zip(numbers) {
        let name = names[at];
        let column = match values {
            None => {
                let texts = (sheet.column(at).enumerate())
                    .filter(|(row, _)| !unusable[*row])
                    .map(|(_, field)| field.text.to_string());
                Column::text(name, texts.collect())
            }
            Some(values) => {
                let values = kept.iter().map(|row| values[*row]).collect();
                let bounds = declared.and_then(|c| c.bounds);
                built(Column::number(name, values, bounds), spec.span, sink)?
            }
        };
        warnings.extend(clipping(&column));
        columns.push(column);
    }
    if columns.is_empty() {
        // a count of all rows uses no column, but a table needs one to have rows
        columns.push(Column::number("row", vec![0.0; kept.len()], None).ok()?);
    }
    let table = built(Table::new(columns), spec.span, sink)?;
    let places = Places {
        lines: kept.iter().map(|row| sheet.line(*row)).collect(),
    };
    Some((table, places, warnings))
}
