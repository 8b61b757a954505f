//! Lines along a numeric axis: which axis it is, and what the lines are called.

use super::axis::{Axis, extent};
use super::direction::{Better, better};
use super::labels::{axis_label, axis_name};
use super::language::{Language, Word, fill};
use super::rows::{self, Rows};
use crate::record::{ResolvedAxis, Run};
use std::collections::BTreeMap;

/// Numbers that span more than this factor want a log axis.
const WIDE: f64 = 8.0;

/// The numeric axes of which several values are drawn.
pub fn numeric_axes<'a>(
    axes: &'a [ResolvedAxis],
    cells: &BTreeMap<String, Vec<String>>,
) -> Vec<(usize, &'a ResolvedAxis)> {
    let usable = |axis: &ResolvedAxis| {
        let drawn = cells.get(&axis.name).is_none_or(|labels| labels.len() > 1);
        let numbers = axis.numbers.as_ref();
        drawn && numbers.is_some_and(|n| n.len() > 1 && n.len() == axis.labels.len())
    };
    axes.iter()
        .enumerate()
        .filter(|(_, axis)| usable(axis))
        .collect()
}

/// Of those the axis of ε if it is there, else the first.
pub fn numeric_axis<'a>(
    axes: &'a [ResolvedAxis],
    cells: &BTreeMap<String, Vec<String>>,
) -> Option<(usize, &'a ResolvedAxis)> {
    let numeric = numeric_axes(axes, cells);
    let epsilon = |(_, axis): &&(usize, &ResolvedAxis)| {
        axis.path == "budget.epsilon" || axis.name == "epsilon"
    };
    let found = numeric.iter().find(epsilon).or(numeric.first());
    found.copied()
}

/// What stands below it.
pub fn horizontal_title(language: Language, axis: &ResolvedAxis) -> String {
    match axis_name(&axis.name) {
        budget @ ("ε" | "ρ") => fill(language.word(Word::PrivacyBudget), &[budget]),
        other => other.to_owned(),
    }
}

/// The labels of a cell on all varying axes but one.
pub fn series_name(run: &Run, rows: &Rows<'_>, cell: usize, without: usize) -> String {
    let labels = &rows.cells[cell].cell.labels;
    let parts: Vec<String> = (run.resolved.axes.iter().enumerate())
        .filter(|(i, _)| {
            *i != without
                && rows
                    .cells
                    .iter()
                    .any(|c| c.cell.labels.get(*i) != rows.cells[0].cell.labels.get(*i))
        })
        .filter_map(|(i, axis)| Some(axis_label(axis, labels.get(i)?)))
        .collect();
    parts.join(", ")
}

/// The names of all lines, in the order of the cells.
pub fn series_names(run: &Run, rows: &Rows<'_>, without: usize) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for cell in 0..rows.cells.len() {
        let name = series_name(run, rows, cell, without);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Of more lines than a figure holds those that matter, in the order of their names: the best, by their mean rank along the axis; where no direction
/// is better, the first.
pub fn best_lines(
    run: &Run,
    rows: &Rows<'_>,
    index: usize,
    names: &[String],
    most: usize,
) -> Vec<String> {
    let better = better(rows.measure);
    if names.len() <= most || better == Better::Neither {
        return names[..names.len().min(most)].to_vec();
    }
    let series: Vec<Option<usize>> = (0..rows.cells.len())
        .map(|cell| {
            let name = series_name(run, rows, cell, index);
            names.iter().position(|known| *known == name)
        })
        .collect();
    let mut ranks: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for subject in &rows.subjects {
        for label in rows::values(&rows.cells, index) {
            let at = |cell: &usize| {
                rows.cells[*cell]
                    .cell
                    .labels
                    .get(index)
                    .is_some_and(|l| l == label)
            };
            let mut means: Vec<(f64, usize)> = (0..rows.cells.len())
                .filter(at)
                .filter_map(|cell| {
                    let row = rows.row(cell, subject, "mean")?;
                    let mean = row.exact.unwrap_or(row.value);
                    let mean = if better == Better::Higher {
                        -mean
                    } else {
                        mean
                    };
                    mean.is_finite().then_some((mean, series[cell]?))
                })
                .collect();
            means.sort_by(|a, b| a.0.total_cmp(&b.0));
            for (mean, line) in &means {
                // what is as good has the same rank
                let rank = means.iter().filter(|(other, _)| other < mean).count();
                ranks[*line].push(rank as f64);
            }
        }
    }
    let mean = |line: usize| match ranks[line].len() {
        0 => f64::INFINITY,
        count => ranks[line].iter().sum::<f64>() / count as f64,
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    order.truncate(most);
    order.sort_unstable();
    order.into_iter().map(|line| names[line].clone()).collect()
}

/// The values of an axis that the cells of a figure have.
pub fn swept(rows: &Rows<'_>, index: usize, axis: &ResolvedAxis) -> Vec<f64> {
    let labels = rows::values(&rows.cells, index).into_iter();
    let place = |label: &str| axis.labels.iter().position(|known| known == label);
    let number = |label: &str| axis.numbers.as_ref()?.get(place(label)?).copied();
    labels
        .filter_map(number)
        .filter(|x| x.is_finite())
        .collect()
}

/// Log where the numbers are positive and spread widely.
pub fn horizontal(numbers: impl Iterator<Item = f64> + Clone) -> Axis {
    match extent(numbers.clone()) {
        Some((low, high)) if low > 0.0 && high / low > WIDE => {
            Axis::logarithmic(numbers.clone()).unwrap_or_else(|| Axis::linear(numbers))
        }
        _ => Axis::linear(numbers),
    }
}
