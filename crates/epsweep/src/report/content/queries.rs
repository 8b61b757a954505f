//! How far off each query is, side by side along the axis that is compared.

use super::{MOST_ROWS, percent_of_level};
use crate::record::{Lookup, ResolvedQuery, Run, SummaryRow};
use crate::report::document::{Block, Cell, Table, Tone};
use crate::summary::standing::{Setting, mean_of, mean_row, names, settings, varied};
use crate::summary::{own_error, side_by_side};
use crate::words::{about_percent, grouped, significant, with_interval};

/// The section: for releases that are compared along an axis, the mean |error| of every query (of a vector, averaged over its numbers), with its
/// size against the true answer, and which value of the axis has the lowest one. Exact values stand where theory knows them.
pub fn blocks(run: &Run) -> Vec<Block> {
    let Some((axis, queries)) = side_by_side(run) else {
        return Vec::new();
    };
    let axes = &run.resolved.axes;
    let values = &axes[axis].labels;
    let others: Vec<usize> = varied(run)
        .into_iter()
        .filter(|other| *other != axis)
        .collect();
    let mut header = vec!["query".to_owned(), "#true answer".to_owned()];
    header.extend(others.iter().map(|other| axes[*other].name.clone()));
    header.extend(values.iter().map(|value| format!("#{value}")));
    header.push("lowest".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new("", &header);
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let mut computed = true;
    for query in queries {
        let measure = own_error(query);
        for setting in settings(run, &lookup, &query.name, measure, &[axis]) {
            let entry = |value: &String| {
                let cell = cell_at(run, &setting, axis, value)?;
                let mean = mean_row(&lookup, &query.name, measure, cell)?;
                Some((mean, true_size(run, cell, &query.name)))
            };
            let entries: Vec<Option<(&SummaryRow, Option<f64>)>> =
                values.iter().map(entry).collect();
            computed &= entries
                .iter()
                .flatten()
                .all(|(mean, _)| mean.exact.is_some());
            let size = (setting.cells.first()).and_then(|cell| true_size(run, *cell, &query.name));
            let mut row: Vec<Cell> = vec![
                query.name.as_str().into(),
                size.map_or_else(String::new, |size| significant(size, 6))
                    .into(),
            ];
            row.extend(
                others
                    .iter()
                    .map(|other| Cell::from(setting.labels[*other].as_str())),
            );
            row.extend(
                entries
                    .into_iter()
                    .map(|entry| entry.map_or_else(|| "".into(), |(mean, size)| error(mean, size))),
            );
            row.push(names(run, setting.best_or_tied(), &[axis]).into());
            table.rows.push(row);
        }
    }
    if table.rows.is_empty() {
        return Vec::new();
    }
    let large = (table.rows.iter().flatten()).any(|cell| cell.tone == Tone::Alarm);
    table.limit(MOST_ROWS, "summary.csv");
    let numbers = match computed {
        true => "Exact values".to_owned(),
        false => format!(
            "Exact values where theory has them, otherwise with {} intervals",
            percent_of_level(run)
        ),
    };
    let mut text = format!(
        "Mean |error| of every query (averaged over the numbers of one that has many), before post-processing, and in brackets its share of the true answer (of the answers' mean magnitude). {numbers}. Last column: the lowest, with those that are not told from it."
    );
    if large {
        text += " Marked: errors as large as the answer itself.";
    }
    vec![Block::Paragraph(text), Block::Table(table)]
}

/// The cell of a setting that has this value on the compared axis.
fn cell_at(run: &Run, setting: &Setting, axis: usize, value: &str) -> Option<usize> {
    let mut cells = setting.cells.iter().copied();
    cells.find(|cell| run.resolved.cells[*cell].labels[axis] == value)
}

/// The mean error, and its share of the true answer; marked where it is as large as that.
fn error(mean: &SummaryRow, size: Option<f64>) -> Cell {
    let number = match mean.exact {
        Some(exact) => significant(exact, 4),
        None => with_interval(mean.value, mean.low, mean.high),
    };
    let share = (size.filter(|size| *size != 0.0)).map(|size| mean_of(mean) / size.abs());
    Cell {
        text: match share {
            Some(share) => format!("{number} ({})", at_a_glance(share)),
            None => number,
        },
        tone: match share {
            Some(share) if share >= 1.0 => Tone::Alarm,
            _ => Tone::Plain,
        },
        note: String::new(),
    }
}

/// The true answer of a query in a cell; of a vector, the mean magnitude of its numbers, if all are known.
fn true_size(run: &Run, cell: usize, query: &str) -> Option<f64> {
    let mut queries = run.resolved.cells[cell].queries.iter();
    let query: &ResolvedQuery = queries.find(|own| own.name == query)?;
    if query.size == 0 {
        return query.truth;
    }
    if query.numbers.len() as u64 != query.size {
        return None;
    }
    let magnitudes = query.numbers.iter().map(|number| number.truth.abs());
    Some(magnitudes.sum::<f64>() / query.size as f64)
}

/// A share as it is read at a glance.
fn at_a_glance(share: f64) -> String {
    match share {
        share if share >= 10.0 => format!("{}×", grouped(share.min(1e15).round() as u64)),
        // two digits, by which 4.5 % is told from 5 %
        share if share < 0.0995 => format!("{} %", significant(100.0 * share, 2)),
        share => about_percent(share),
    }
}
