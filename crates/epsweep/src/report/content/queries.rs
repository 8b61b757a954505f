//! How far off each query is, side by side along the axis that is compared.

use super::{MOST_ROWS, percent_of_level};
use crate::record::{Lookup, ResolvedQuery, Run};
use crate::report::document::{Block, Cell, Table, Tone};
use crate::summary::own_error;
use crate::summary::standing::{Setting, compared_axis, mean_of, mean_row, settings};
use crate::words::{about_percent, grouped, join, significant, with_interval};

/// The section's title.
pub(super) const TITLE: &str = "Error of each query";

/// Columns of the compared axis that fit beside each other.
const MOST_COLUMNS: usize = 8;

/// The section: for releases that are compared along an axis, the mean |error| of every query (of a vector, averaged over its numbers), with its
/// size against the true answer, and which value of the axis has the lowest one. Exact values stand where theory knows them.
pub fn blocks(run: &Run) -> Vec<Block> {
    let resolved = &run.resolved;
    let Some(axis) = compared_axis(run) else {
        return Vec::new();
    };
    let values = &resolved.axes[axis].labels;
    let Some(first) = resolved.cells.first() else {
        return Vec::new();
    };
    // where the data or the queries themselves are compared, there is nothing to put side by side
    let alike = |query: &&ResolvedQuery| {
        (resolved.cells.iter()).all(|cell| cell.queries.iter().any(|own| own.name == query.name))
    };
    let queries: Vec<&ResolvedQuery> = first.queries.iter().filter(alike).collect();
    if values.len() > MOST_COLUMNS || queries.len() < 2 {
        return Vec::new();
    }
    let lookup = Lookup::new(resolved, &run.summary, &run.comparisons);
    let of_query =
        |query: &&ResolvedQuery| settings(run, &lookup, &query.name, own_error(query), axis);
    let found: Vec<(&ResolvedQuery, Vec<Setting>)> = (queries.iter().copied())
        .map(|query| (query, of_query(&query)))
        .filter(|(_, settings)| !settings.is_empty())
        .collect();
    if found.is_empty() {
        return Vec::new();
    }
    let others: Vec<usize> = (0..resolved.axes.len())
        .filter(|other| *other != axis && resolved.axes[*other].labels.len() > 1)
        .collect();
    let mut header = vec!["query".to_owned(), "#true answer".to_owned()];
    header.extend(
        others
            .iter()
            .map(|other| resolved.axes[*other].name.clone()),
    );
    header.extend(values.iter().map(|value| format!("#{value}")));
    header.push("lowest".to_owned());
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new("", &header);
    let (mut large, mut computed) = (false, true);
    for (query, settings) in &found {
        let measure = own_error(query);
        for setting in settings {
            let true_size = |cell: usize| {
                let own = resolved.cells[cell]
                    .queries
                    .iter()
                    .find(|own| own.name == query.name);
                own.and_then(size)
            };
            let mut row: Vec<Cell> = vec![
                query.name.as_str().into(),
                (setting.cells.first())
                    .and_then(|cell| true_size(*cell))
                    .map_or_else(String::new, |size| significant(size, 6))
                    .into(),
            ];
            row.extend(
                others
                    .iter()
                    .map(|other| setting.labels[*other].as_str().into()),
            );
            for value in values {
                let cell = (setting.cells.iter().copied())
                    .find(|cell| resolved.cells[*cell].labels[axis] == *value);
                let Some((cell, mean)) = cell
                    .and_then(|cell| Some((cell, mean_row(&lookup, &query.name, measure, cell)?)))
                else {
                    row.push("".into());
                    continue;
                };
                computed &= mean.exact.is_some();
                let share = (true_size(cell))
                    .filter(|size| *size != 0.0)
                    .map(|size| mean_of(mean) / size.abs());
                let beyond = share.is_some_and(|share| share >= 1.0);
                large |= beyond;
                let number = match mean.exact {
                    Some(exact) => significant(exact, 4),
                    None => with_interval(mean.value, mean.low, mean.high),
                };
                row.push(Cell {
                    text: match share {
                        Some(share) => format!("{number} ({})", percent(share)),
                        None => number,
                    },
                    tone: if beyond { Tone::Alarm } else { Tone::Plain },
                    note: String::new(),
                });
            }
            let best = &setting.cells[..setting.tied];
            let names: Vec<&str> = (best.iter())
                .map(|cell| resolved.cells[*cell].labels[axis].as_str())
                .collect();
            row.push(join(&names, "and").into());
            table.rows.push(row);
        }
    }
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

/// The magnitude of the true answer: of a vector, the mean of those of its numbers, if all are known.
fn size(query: &ResolvedQuery) -> Option<f64> {
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
fn percent(share: f64) -> String {
    match share {
        share if share >= 10.0 => format!("{}×", grouped(share.min(1e15).round() as u64)),
        share if share < 0.01 => format!("{} %", significant(100.0 * share, 2)),
        share => about_percent(share),
    }
}
