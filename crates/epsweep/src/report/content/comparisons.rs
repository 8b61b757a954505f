//! The table of paired comparisons.

use super::{MOST_ROWS, percent_of_level};
use crate::figure::measure_words;
use crate::record::{ComparisonRow, Run};
use crate::report::document::{Block, Cell, Table};
use crate::summary::alike;
use crate::words::{percent, significant, with_interval};

/// The section.
pub fn blocks(run: &Run) -> Vec<Block> {
    if run.comparisons.is_empty() {
        return Vec::new();
    }
    let alike = alike(run);
    let again = |row: &ComparisonRow| alike.iter().any(|(name, _)| *name == row.measure);
    let rows = run.comparisons.iter().filter(|row| !again(row));
    let mut table = table_of(run, rows.collect());
    table.limit(MOST_ROWS, "comparisons.csv");
    vec![
        Block::Paragraph(format!(
            "Differences of means {}, with {} intervals; the shares of trials in which a is lower, equal or higher; p values of “no difference”, adjusted (Holm) for the number of comparisons of one measure of one subject in one setting.",
            pairing(run),
            percent_of_level(run)
        )),
        Block::Table(table),
    ]
}

/// How trials were paired.
pub fn pairing(run: &Run) -> &'static str {
    if run.resolved.streams == "common" {
        "on the same noise draws, trial by trial"
    } else {
        "on independent noise draws"
    }
}

/// All comparisons.
pub fn table(run: &Run) -> Table {
    table_of(run, run.comparisons.iter().collect())
}

/// Some comparisons.
fn table_of(run: &Run, mut rows: Vec<&ComparisonRow>) -> Table {
    let axes: Vec<usize> = (0..run.resolved.axes.len())
        .filter(|i| {
            run.comparisons
                .iter()
                .any(|c| c.axes.get(*i).is_some_and(|l| !l.is_empty()))
        })
        .collect();
    let mut header: Vec<&str> = axes
        .iter()
        .map(|i| run.resolved.axes[*i].name.as_str())
        .collect();
    header.extend([
        "measure",
        "query",
        "a",
        "b",
        "#a − b",
        "#a lower",
        "#equal",
        "#a higher",
        "#adjusted p",
    ]);
    let mut table = Table::new("", &header);
    // what concerns all queries comes first, and every setting of a measure before the next measure
    let mut measures: Vec<&str> = Vec::new();
    for row in &run.comparisons {
        if !measures.contains(&row.measure.as_str()) {
            measures.push(&row.measure);
        }
    }
    let rank = |measure: &str| measures.iter().position(|known| *known == measure);
    rows.sort_by_key(|row| (row.subject != "all", rank(&row.measure)));
    for row in rows {
        let share = |count: u64| {
            if row.trials == 0 {
                String::new()
            } else {
                percent(count as f64 / row.trials as f64)
            }
        };
        let mut entries: Vec<Cell> = axes
            .iter()
            .map(|i| row.axes.get(*i).map_or("", String::as_str).into())
            .collect();
        entries.extend([
            measure_words(&row.measure).0.into(),
            row.subject.as_str().into(),
            row.a.as_str().into(),
            row.b.as_str().into(),
            with_interval(row.difference, Some(row.low), Some(row.high)).into(),
            share(row.win).into(),
            share(row.tie).into(),
            share(row.loss).into(),
            p_value(row.p_adjusted).into(),
        ]);
        table.rows.push(entries);
    }
    table
}

fn p_value(p: f64) -> String {
    if p < 1e-16 {
        "< 10⁻¹⁶".to_owned()
    } else {
        significant(p, 2)
    }
}
