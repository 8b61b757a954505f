//! Tables in GitHub's Markdown.

use super::{Format, Printed, Writer};
use crate::report::{Table, table_in_markdown};

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    about: "tables for a README or an issue",
    ending: "md",
    write: Writer::Page(write),
};

fn write(tables: &[Printed]) -> String {
    let set = |printed: &Printed| {
        let titled = Table {
            title: printed.caption.clone(),
            ..printed.table.clone()
        };
        table_in_markdown(&titled)
    };
    let text: String = tables.iter().map(set).collect();
    format!("{}\n", text.trim_end())
}
