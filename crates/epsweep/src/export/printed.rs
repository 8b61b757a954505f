//! The tables of a report, of the rows that are chosen, each with a caption of its own.

use super::{ExportError, Selection, Table};
use crate::figure::measure_words;
use crate::record::{Run, SummaryRow, names};
use crate::report::content::{claim_table, comparisons, estimates, percent_of_level};
use crate::report::{self, Cell};
use crate::words::{join, of_trials};

/// A table to be set.
#[derive(Clone, Debug, PartialEq)]
pub struct Printed {
    pub(super) table: report::Table,
    /// what it shows, and how its numbers are to be read
    pub caption: String,
    /// a name to refer to it by
    pub label: String,
}

/// A table of a run as it is set in reports. Of estimates there is one for each measure.
///
/// # Errors
/// The table is not for readers, the run is too large to be read whole, or nothing is chosen.
pub fn printed(
    run: &Run,
    table: Table,
    selection: &Selection,
    format: &'static str,
) -> Result<Vec<Printed>, ExportError> {
    selection.asked().suits(table)?;
    if run.left_out() > 0 {
        let cells = run.left_out() + run.resolved.cells.len() as u64;
        return Err(ExportError::TooManyCells { cells, format });
    }
    let mut chosen = run.clone();
    let places: Vec<&str> = run.resolved.axes.iter().map(|a| a.name.as_str()).collect();
    fn label<'a>(places: &[&str], labels: &'a [String], axis: &str) -> Option<&'a str> {
        let place = places.iter().position(|known| *known == axis)?;
        labels.get(place).map(String::as_str)
    }
    chosen.summary.retain(|row| {
        selection.keeps(&|field| match field {
            "measure" => Some(row.measure.as_str()),
            "subject" => Some(row.subject.as_str()),
            "statistic" => Some(row.statistic.as_str()),
            axis => label(&places, &row.axes, axis),
        })
    });
    chosen.comparisons.retain(|row| {
        selection.keeps(&|field| match field {
            "measure" => Some(row.measure.as_str()),
            "subject" => Some(row.subject.as_str()),
            "a" => Some(row.a.as_str()),
            "b" => Some(row.b.as_str()),
            axis => label(&places, &row.axes, axis),
        })
    });
    let name = &run.resolved.name;
    let of = |what: &str| format!("tab:{name}-{what}");
    let title = &run.resolved.title;
    let tables = match table {
        Table::File(names::SUMMARY) => estimates_of(&chosen, selection),
        Table::File(names::COMPARISONS) if !chosen.comparisons.is_empty() => vec![Printed {
            table: comparisons::table(&chosen),
            caption: format!(
                "{title}: differences of means {}, with the half-widths of their {} intervals; shares of trials in which a is lower, equal or higher; p values of “no difference”, adjusted by Holm's rule.",
                comparisons::pairing(run),
                percent_of_level(run)
            ),
            label: of("comparisons"),
        }],
        Table::File(names::CLAIMS) if !chosen.claims.is_empty() => vec![Printed {
            table: claim_table(&chosen),
            caption: format!(
                "{title}: statements and verdicts, with the half-widths of {} intervals.",
                percent_of_level(run)
            ),
            label: of("claims"),
        }],
        Table::File(names::COMPARISONS | names::CLAIMS) => Vec::new(),
        Table::File(_) | Table::Trials => {
            return Err(ExportError::NotPrinted {
                table: table.name(),
                format,
            });
        }
    };
    if !tables.is_empty() {
        let tidy = |printed: Printed| Printed {
            table: printed.table.without_empty_columns(),
            ..printed
        };
        return Ok(tables.into_iter().map(tidy).collect());
    }
    Err(match selection.options() {
        options if !options.is_empty() => ExportError::Nothing {
            table: table.name(),
            options,
        },
        _ => ExportError::NoTable {
            table: table.name(),
            reason: match table {
                Table::File(names::COMPARISONS) => "its file has no section [compare]",
                Table::File(names::CLAIMS) => "its file states no [[claim]]",
                _ => "it has no rows",
            },
        },
    })
}

/// Statistics of a table of estimates where none are named.
const USUAL: [&str; 3] = ["mean", "median", "q95"];

fn estimates_of(run: &Run, selection: &Selection) -> Vec<Printed> {
    let axes: Vec<&str> = run.resolved.axes.iter().map(|a| a.name.as_str()).collect();
    let lead = |cell: &str| -> Vec<Cell> {
        let of = run.resolved.cells.iter().find(|known| known.id == cell);
        let labels = of.map_or(&[][..], |cell| &cell.labels);
        labels.iter().map(|label| label.as_str().into()).collect()
    };
    let mut measures: Vec<&str> = Vec::new();
    for row in &run.summary {
        if !measures.contains(&row.measure.as_str()) {
            measures.push(&row.measure);
        }
    }
    let asked = &selection.asked().statistics;
    let statistics: Vec<&str> = match asked.is_empty() {
        true => USUAL.to_vec(),
        false => asked.iter().map(String::as_str).collect(),
    };
    let printed = |measure: &str| {
        let of_measure = |row: &&SummaryRow| row.measure == measure;
        let rows: Vec<&SummaryRow> = run.summary.iter().filter(of_measure).collect();
        let words = {
            let (words, unit) = measure_words(measure);
            match unit {
                "" => words,
                unit => format!("{words} ({unit})"),
            }
        };
        let mut caption = format!("{}: {words}", run.resolved.title);
        if run.resolved.trials > 0 {
            caption += &format!(
                "; the {} over {}",
                join(&statistics, "and"),
                of_trials(&run.trials())
            );
        }
        if rows.iter().any(|row| row.low < row.high) {
            caption += &format!(
                ", the first with the half-width of its {} interval",
                percent_of_level(run)
            );
        }
        if rows.iter().any(|row| row.exact.is_some()) {
            caption += "; exact: from theory";
        }
        if rows.iter().any(|row| row.z.is_some()) {
            caption += "; z: the distance between the two in Monte Carlo standard errors";
        }
        Printed {
            table: estimates::table(run, measure, (&axes, &lead), &statistics),
            caption: caption + ".",
            label: format!("tab:{}-{}", run.resolved.name, measure),
        }
    };
    measures.into_iter().map(printed).collect()
}
