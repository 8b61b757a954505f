//! Tables of estimates beside exact values.

use super::{MOST_ROWS, percent_of_level};
use crate::figure::measure_words;
use crate::record::{Run, SummaryRow};
use crate::report::document::{Block, Cell, Table, Tone};
use crate::summary::{alike, left_out};
use crate::words::{grouped_range, significant, supported, with_interval};
use std::collections::BTreeMap;

/// Cells up to which every measure gets a table.
const FEW_CELLS: usize = 12;
/// A z beyond this is marked: under the exact law, once in 16 000.
const LARGE_Z: f64 = 4.0;

/// The rows of a measure, by cell and subject, in the order of the file.
type Grouped<'a> = Vec<(&'a str, &'a str, BTreeMap<&'a str, &'a SummaryRow>)>;

fn grouped_rows<'a>(run: &'a Run, measure: &str) -> Grouped<'a> {
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found: Grouped<'a> = Vec::new();
    for row in run.summary.iter().filter(|r| r.measure == measure) {
        let place = *places.entry((&row.cell, &row.subject)).or_insert_with(|| {
            found.push((&row.cell, &row.subject, BTreeMap::new()));
            found.len() - 1
        });
        found[place].2.insert(row.statistic.as_str(), row);
    }
    found
}

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    if run.resolved.trials == 0 {
        return Vec::new();
    }
    let few = run.resolved.cells.len() <= FEW_CELLS;
    let alike = alike(run);
    let mut measures: Vec<&str> = Vec::new();
    for row in &run.summary {
        let again = alike.iter().any(|(name, _)| *name == row.measure.as_str());
        if !again && !measures.contains(&row.measure.as_str()) {
            measures.push(&row.measure);
        }
    }
    // measures of all queries together are the headlines; then what a single answer's user wants to know
    let together = |measure: &&str| {
        run.summary
            .iter()
            .any(|r| r.measure == *measure && r.subject == "all")
    };
    let (mut shown, single): (Vec<&str>, Vec<&str>) = measures.iter().copied().partition(together);
    shown.extend(
        single
            .iter()
            .filter(|m| ["abs_error", "covered", "chosen"].contains(*m)),
    );
    if shown.is_empty() {
        shown.extend(single.iter().take(2));
    }
    if !few {
        shown.truncate(2);
    }
    let mut blocks = Vec::new();
    if shown.is_empty() {
        return blocks;
    }
    blocks.push(Block::Paragraph(format!(
        "Means over {} trials with the half-width of their {} intervals. z is the distance to the exact value in Monte Carlo standard errors. \
         The quantiles are those of single trials.",
        grouped_range(&run.trials()),
        percent_of_level(run)
    )));
    let lead = |cell: &str| vec![labels.get(cell).map_or(cell, String::as_str).into()];
    for (rank, measure) in shown.iter().enumerate() {
        let mut table = table(run, measure, (&["cell"], &lead), &SHOWN);
        table.limit(MOST_ROWS, "summary.csv");
        table.long_only = rank >= 2;
        blocks.push(Block::Table(table));
    }
    let others: Vec<&str> = measures
        .iter()
        .copied()
        .filter(|m| !shown.contains(m))
        .collect();
    let mut rest = "summary.csv has every statistic (mean, sd, min, q01 to q99, max) with its standard error and interval".to_owned();
    if others.is_empty() {
        rest.push('.');
    } else {
        rest.push_str(&format!(", also of {}.", others.join(", ")));
    }
    if let Some(left_out) = left_out(&alike) {
        rest.push_str(&format!(" {left_out}."));
    }
    blocks.push(Block::Paragraph(rest));
    blocks
}

/// Statistics that a report shows. The first has its interval, the exact value and z beside it.
pub const SHOWN: [&str; 4] = ["mean", "median", "q95", "max"];

/// Heads of the columns that say which cell a row is of, and what they say of it.
pub type Lead<'a> = (&'a [&'a str], &'a dyn Fn(&str) -> Vec<Cell>);

/// The estimates of a measure: a row for each cell and subject, which begins with what `lead` says of the cell under the heads that it has.
pub fn table(run: &Run, measure: &str, (heads, lead): Lead<'_>, statistics: &[&str]) -> Table {
    let (words, unit) = measure_words(measure);
    let unit = if unit.is_empty() {
        String::new()
    } else {
        format!(" ({unit})")
    };
    let rows = grouped_rows(run, measure);
    let many = rows.iter().any(|(_, subject, _)| *subject != "all");
    let names: Vec<String> = statistics.iter().map(|name| head(name)).collect();
    let mut header = heads.to_vec();
    if many {
        header.push(if measure == "chosen" {
            "candidate"
        } else {
            "query"
        });
    }
    let mut names = names.iter().map(String::as_str);
    header.extend(names.next());
    header.extend(["#exact", "#z"]);
    header.extend(names);
    let mut table = Table::new(format!("{words}{unit}"), &header);
    for (cell, subject, found) in rows {
        // a choice as a whole has a test of its frequencies, and none of these statistics
        if !statistics.iter().any(|name| found.contains_key(name)) {
            continue;
        }
        let mut entries: Vec<Cell> = lead(cell);
        if many {
            entries.push(subject.into());
        }
        let of = |statistic: &&str| found.get(statistic).copied();
        let first = statistics.first().and_then(of);
        let z = first.and_then(|r| r.z).filter(|z| z.is_finite());
        entries.push(
            first
                .map_or_else(String::new, |r| with_interval(r.value, r.low, r.high))
                .into(),
        );
        entries.push(
            first
                .and_then(|r| r.exact)
                .map_or_else(String::new, |e| significant(e, 6))
                .into(),
        );
        entries.push(Cell {
            text: z.map_or_else(String::new, |z| format!("{z:+.2}").replace('-', "−")),
            tone: if z.is_some_and(|z| z.abs() > LARGE_Z) {
                Tone::Alarm
            } else {
                Tone::Plain
            },
            note: String::new(),
        });
        for statistic in statistics.iter().skip(1) {
            let text = of(statistic).map_or_else(String::new, |r| match *statistic {
                // what was observed has no error
                "min" | "max" => significant(r.value, 4),
                _ => supported(r.value, r.mcse, r.low, r.high),
            });
            entries.push(text.into());
        }
        table.rows.push(entries);
    }
    table
}

/// The head of a column of a statistic.
fn head(statistic: &str) -> String {
    match statistic {
        "min" => "#smallest seen".to_owned(),
        "max" => "#largest seen".to_owned(),
        other => match other.strip_prefix('q') {
            Some(percent) => format!("#{} % quantile", percent.trim_start_matches('0')),
            None => format!("#{other}"),
        },
    }
}
