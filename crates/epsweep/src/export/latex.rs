//! LaTeX tables with the rules of booktabs.

use super::{Format, Printed, Writer};
use crate::report::table_in_latex;

pub(super) const FORMAT: Format = Format {
    name: "latex",
    about: "tables for a paper; needs the package booktabs and no other",
    ending: "tex",
    write: Writer::Page(write),
};

fn write(tables: &[Printed]) -> String {
    let set = |printed: &Printed| {
        let Printed { table, .. } = printed;
        table_in_latex(table, &printed.caption, &printed.label)
    };
    tables.iter().map(set).collect::<Vec<_>>().join("\n")
}
