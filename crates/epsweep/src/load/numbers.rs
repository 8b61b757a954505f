//! A numeric column of a sheet: its values, and what cannot be used.

use super::cell::{Reading, read};
use super::gaps::Gaps;
use super::rows::Field;
use super::sheet::{SHOWN, Sheet};
use crate::config::data::DataSpec;
use crate::config::diagnostic::{Diagnostic, Sink};

/// A sheet with where it comes from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page<'a> {
    /// path of the file
    pub file: &'a str,
    /// its text
    pub text: &'a str,
    /// what was read
    pub sheet: &'a Sheet<'a>,
    /// what the experiment says of it
    pub spec: &'a DataSpec,
}

/// The numbers of a column, with what cannot be read.
#[derive(Debug)]
pub(super) struct Numbers {
    /// one per row; 0 where it cannot be used
    pub values: Vec<f64>,
    /// those that are missing
    pub gaps: Gaps,
    /// rows whose text is no number, with a hint
    pub wrong: Vec<(usize, &'static str)>,
}

impl Numbers {
    pub fn read(sheet: &Sheet<'_>, at: usize) -> Numbers {
        let mut out = Numbers {
            values: Vec::with_capacity(sheet.len()),
            gaps: Gaps::default(),
            wrong: Vec::new(),
        };
        for (i, field) in sheet.column(at).enumerate() {
            let value = match read(&field.text) {
                Reading::Number(value) => value,
                Reading::Missing(kind) => {
                    out.gaps.push(i, kind);
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

    /// Reports what the policy does not allow; whether there was nothing.
    pub fn report(&self, page: &Page<'_>, at: usize, sink: &Sink) -> bool {
        let (sheet, named_at) = (page.sheet, page.spec.span);
        let name = &sheet.header[at];
        let put = |row: usize, field: &Field<'_>, fault: Diagnostic| {
            let mut fault = fault;
            fault.position = Some(sheet.position(page.text, row, field));
            sink.foreign(named_at, fault);
        };
        let complete = self.gaps.report(
            page,
            at,
            "complete them, or leave their rows out by `missing = \"drop\"` in [data]",
            sink,
        );
        let mut shown = 0;
        for (row, field) in sheet.column(at).enumerate() {
            if shown < SHOWN
                && let Some((wrong, hint)) = self.wrong.get(shown)
                && *wrong == row
            {
                shown += 1;
                let message = format!("column `{name}`: `{}` is not a number", field.text);
                put(
                    row,
                    field,
                    Diagnostic::of_file(page.file, message).remedy(*hint),
                );
            }
        }
        if self.wrong.len() > SHOWN {
            let message = format!(
                "column `{name}`: {} values in all are not numbers; the first {SHOWN} are shown",
                self.wrong.len()
            );
            sink.foreign(named_at, Diagnostic::of_file(page.file, message));
        }
        self.wrong.is_empty() && complete
    }
}
