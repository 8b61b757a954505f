//! The data of an experiment: from files and generators to tables.

pub mod cell;
pub mod csv;
mod generate;

use crate::config::data::{ColumnSpec, DataSpec, Missing, SourceSpec};
use crate::config::diagnostic::{Diagnostic, Sink};
use crate::config::document;
use crate::config::source::Span;
use cell::{Reading, read};
use csv::{SHOWN, Sheet, position, sheet};
use epsweep_core::data::{Column, Table};
use std::path::PathBuf;

/// A column that an experiment uses, with the place that names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Used {
    /// the column's name
    pub name: String,
    /// where a query names it
    pub span: Span,
}

/// A data set, ready for queries.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// the columns that are used, clipped to their bounds
    pub table: Table,
    /// where it comes from, in words
    pub source: String,
    /// hash of the content
    pub digest: String,
    /// what the reader should know
    pub warnings: Vec<String>,
}

/// Loads the columns that are used; every fault of the data goes to the sink.
pub fn load(spec: &DataSpec, used: &[Used], base: &std::path::Path, sink: &Sink) -> Option<Loaded> {
    match &spec.source {
        SourceSpec::Csv { path, span } => {
            let full = base.join(path);
            let bytes = read_file(&full, *span, sink)?;
            let file = full.display().to_string();
            let text = match document::decode(&file, &bytes) {
                Ok(text) => text,
                Err(fault) => {
                    sink.foreign(*span, *fault);
                    return None;
                }
            };
            let digest = blake3::hash(&bytes).to_hex().to_string();
            let (table, warnings) = from_csv(spec, used, &file, text, sink)?;
            Some(Loaded {
                table,
                source: path.clone(),
                digest,
                warnings,
            })
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
            let column = built(
                Column::number(column.clone(), values, bounds),
                spec.span,
                sink,
            )?;
            let warnings = clipped(&column);
            if !known {
                return None;
            }
            Some(Loaded {
                table: built(Table::new(vec![column]), spec.span, sink)?,
                source: generate::describe(*law, *rows, *seed),
                digest: hasher.finalize().to_hex().to_string(),
                warnings: warnings.into_iter().collect(),
            })
        }
    }
}

fn read_file(path: &PathBuf, span: Span, sink: &Sink) -> Option<Vec<u8>> {
    let fault = |message: String| {
        sink.fault(span, message)
            .remedy("the path is relative to the experiment file")
            .report();
        None
    };
    if path.is_dir() {
        return fault(format!("{} is a directory, not a file", path.display()));
    }
    match std::fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) => fault(format!("cannot read {}: {error}", path.display())),
    }
}

fn built<T, E: std::fmt::Display>(result: Result<T, E>, span: Span, sink: &Sink) -> Option<T> {
    result
        .map_err(|error| sink.fault(span, error.to_string()).report())
        .ok()
}

fn clipped(column: &Column) -> Option<String> {
    let bounds = column.bounds()?;
    let count = column.clipped();
    (count > 0).then(|| {
        format!(
            "column `{}`: {count} of {} values lie outside {bounds} and were clipped",
            column.name(),
            column.values().len()
        )
    })
}

/// Whether every column that is used or declared is there.
fn check_names(spec: &DataSpec, used: &[Used], names: &[&str], file: &str, sink: &Sink) -> bool {
    let mentioned = (used.iter().map(|u| (&u.name, u.span)))
        .chain(spec.columns.iter().map(|c| (&c.name, c.span)));
    let mut known = true;
    for (name, span) in mentioned {
        if !names.contains(&name.as_str()) {
            known = false;
            sink.fault(span, format!("{file} has no column `{name}`"))
                .names(name, names)
                .report();
        }
    }
    known
}

fn from_csv(
    spec: &DataSpec,
    used: &[Used],
    file: &str,
    text: &str,
    sink: &Sink,
) -> Option<(Table, Vec<String>)> {
    let sheet = match sheet(file, text) {
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
    let mut unusable = vec![false; sheet.rows.len()];
    let mut warnings = Vec::new();
    let mut numbers: Vec<Option<Vec<f64>>> = Vec::new();
    for (at, declared) in &wanted {
        if declared.is_some_and(|c| c.text) {
            numbers.push(None);
            continue;
        }
        let column = Numbers::read(&sheet, *at);
        good &= column.report(spec, file, text, &sheet, *at, sink);
        for row in &column.unusable {
            unusable[*row] = true;
        }
        if !column.unusable.is_empty() {
            warnings.push(format!(
                "column `{}`: {} of {} values cannot be used ({}); their rows were left out",
                names[*at],
                column.unusable.len(),
                sheet.rows.len(),
                column.kinds()
            ));
        }
        numbers.push(Some(column.values));
    }
    if !good {
        return None;
    }
    let kept: Vec<usize> = (0..sheet.rows.len())
        .filter(|row| !unusable[*row])
        .collect();
    if kept.is_empty() {
        let message = "no row is left: every one has a value that cannot be used";
        sink.foreign(spec.span, Diagnostic::of_file(file, message));
        return None;
    }
    let mut columns = Vec::new();
    for ((at, declared), values) in wanted.into_iter().zip(numbers) {
        let name = names[at];
        let column = match values {
            None => {
                let texts = kept
                    .iter()
                    .map(|row| sheet.rows[*row].fields[at].text.to_string());
                Column::text(name, texts.collect())
            }
            Some(values) => {
                let values = kept.iter().map(|row| values[*row]).collect();
                let bounds = declared.and_then(|c| c.bounds);
                built(Column::number(name, values, bounds), spec.span, sink)?
            }
        };
        warnings.extend(clipped(&column));
        columns.push(column);
    }
    if columns.is_empty() {
        // a count of all rows uses no column, but a table needs one to have rows
        columns.push(Column::number(names[0], vec![0.0; kept.len()], None).ok()?);
    }
    let table = built(Table::new(columns), spec.span, sink)?;
    Some((table, warnings))
}

/// The numbers of a column, with what cannot be read.
struct Numbers {
    /// one per row; 0 where it cannot be used
    values: Vec<f64>,
    /// rows with a missing value
    unusable: Vec<usize>,
    /// what stands there, with how often
    missing: Vec<(&'static str, usize)>,
    /// rows whose text is no number, with a hint
    wrong: Vec<(usize, &'static str)>,
}

impl Numbers {
    fn read(sheet: &Sheet<'_>, at: usize) -> Numbers {
        let mut out = Numbers {
            values: Vec::with_capacity(sheet.rows.len()),
            unusable: Vec::new(),
            missing: Vec::new(),
            wrong: Vec::new(),
        };
        for (i, row) in sheet.rows.iter().enumerate() {
            let value = match read(&row.fields[at].text) {
                Reading::Number(value) => value,
                Reading::Missing(kind) => {
                    out.unusable.push(i);
                    match out.missing.iter_mut().find(|(known, _)| *known == kind) {
                        Some((_, count)) => *count += 1,
                        None => out.missing.push((kind, 1)),
                    }
                    0.0
                }
                Reading::Wrong(hint) => {
                    out.wrong.push((i, hint));
                    0.0
                }
            };
            out.values.push(value);
        }
        out
    }

    /// `100 blank, 16 NA`
    fn kinds(&self) -> String {
        let parts: Vec<String> = (self.missing.iter())
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        parts.join(", ")
    }

    /// Reports what the policy does not allow; whether there was nothing.
    fn report(
        &self,
        spec: &DataSpec,
        file: &str,
        text: &str,
        sheet: &Sheet<'_>,
        at: usize,
        sink: &Sink,
    ) -> bool {
        let name = &sheet.header[at];
        let put = |row: usize, message: String, rule: Option<String>, remedy: &str| {
            let field = &sheet.rows[row].fields[at];
            // a quoted field may hold line ends before it, so the line is counted from the row's start
            let start = sheet.rows[row].at;
            let before = text[start..field.at]
                .bytes()
                .filter(|b| *b == b'\n')
                .count();
            let line = sheet.rows[row].line + before;
            let mut fault = Diagnostic::of_file(file, message).remedy(remedy);
            fault.rule = rule;
            fault.position = Some(position(text, line, field.at, field.text.chars().count()));
            sink.foreign(spec.span, fault);
        };
        if spec.missing == Missing::Refuse
            && let Some(first) = self.unusable.first()
        {
            put(
                *first,
                format!(
                    "column `{name}`: {} of {} values cannot be used, the first in line {}",
                    self.unusable.len(),
                    sheet.rows.len(),
                    sheet.rows[*first].line
                ),
                Some(self.kinds()),
                "complete them, or leave their rows out by `missing = \"drop\"` in [data]",
            );
        }
        for (row, hint) in self.wrong.iter().take(SHOWN) {
            let given = &sheet.rows[*row].fields[at].text;
            put(
                *row,
                format!("column `{name}`: `{given}` is not a number"),
                None,
                hint,
            );
        }
        if self.wrong.len() > SHOWN {
            let message = format!(
                "column `{name}`: {} values in all are not numbers; the first {SHOWN} are shown",
                self.wrong.len()
            );
            sink.foreign(spec.span, Diagnostic::of_file(file, message));
        }
        self.wrong.is_empty() && (spec.missing == Missing::Drop || self.unusable.is_empty())
    }
}
