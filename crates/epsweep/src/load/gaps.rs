//! Values of a column that are missing: where they are, what stands there, and what the file says is to be done.

use super::cell::missing;
use super::numbers::Page;
use super::sheet::Sheet;
use crate::config::data::Missing;
use crate::config::diagnostic::{Diagnostic, Sink};

/// The missing values of a column.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// their rows, in order
    pub rows: Vec<usize>,
    /// what stands there, with how often
    kinds: Vec<(&'static str, usize)>,
}

impl Gaps {
    /// Those of a column of texts. What the questions name is a category, also where it looks like a mark.
    pub fn of_texts(sheet: &Sheet<'_>, at: usize, categories: &[&str]) -> Gaps {
        let mut out = Gaps::default();
        for (row, field) in sheet.column(at).enumerate() {
            if let Some(kind) = missing(&field.text)
                && !categories.contains(&field.text.as_ref())
            {
                out.push(row, kind);
            }
        }
        out
    }

    /// Takes down one more.
    pub fn push(&mut self, row: usize, kind: &'static str) {
        self.rows.push(row);
        match self.kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => self.kinds.push((kind, 1)),
        }
    }

    /// `100 blank, 16 NA`
    pub fn kinds(&self) -> String {
        let parts: Vec<String> = (self.kinds.iter())
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        parts.join(", ")
    }

    /// Reports them where the file refuses them; whether nothing was reported.
    pub fn report(&self, page: &Page<'_>, at: usize, remedy: &str, sink: &Sink) -> bool {
        let Some(first) = (self.rows.first()).filter(|_| page.spec.missing == Missing::Refuse)
        else {
            return true;
        };
        let sheet = page.sheet;
        let message = format!(
            "column `{}`: {} of {} values cannot be used, the first in line {}",
            sheet.header[at],
            self.rows.len(),
            sheet.len(),
            sheet.line(*first)
        );
        let mut fault = Diagnostic::of_file(page.file, message).rule(self.kinds());
        fault.position =
            (sheet.column(at).nth(*first)).map(|field| sheet.position(page.text, *first, field));
        sink.foreign(page.spec.span, fault.remedy(remedy));
        false
    }

    /// What is said of them where their rows are left out.
    pub fn left_out(&self, name: &str, rows: usize) -> Option<String> {
        (!self.rows.is_empty()).then(|| {
            format!(
                "column `{name}`: {} of {rows} values cannot be used ({}); their rows were left out",
                self.rows.len(),
                self.kinds()
            )
        })
    }
}
