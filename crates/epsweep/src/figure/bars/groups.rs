//! Which bars there are, and in which groups.

use super::MOST_BARS;
use crate::figure::labels::{axis_label, subject_labels};
use crate::figure::page::most_names;
use crate::figure::rows::{self, Rows};
use crate::figure::style::{SERIES, Style};
use crate::record::Run;

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// canonical text of its cell
    pub cell: String,
    /// query, or `all`
    pub subject: String,
    /// the mean
    pub value: f64,
    /// lower end of its interval
    pub low: Option<f64>,
    /// upper end of its interval
    pub high: Option<f64>,
    /// what theory says
    pub exact: Option<f64>,
}

/// Bars in groups: `bars[group][series]`.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// below the groups
    pub groups: Vec<String>,
    /// in the legend; a single series has no legend
    pub series: Vec<String>,
    /// `None` where there is nothing to draw
    pub bars: Vec<Vec<Option<Bar>>>,
}

fn bar(rows: &Rows<'_>, cell: usize, subject: &str) -> Option<Bar> {
    let row = rows
        .row(cell, subject, "mean")
        .filter(|r| r.value.is_finite())?;
    Some(Bar {
        cell: row.cell.to_string(),
        subject: subject.to_owned(),
        value: row.value,
        low: row.low.filter(|v| v.is_finite()),
        high: row.high.filter(|v| v.is_finite()),
        exact: row.exact.filter(|v| v.is_finite()),
    })
}

/// Bars per subject, grouped by subject: one series per cell.
pub fn by_subject(rows: &Rows<'_>) -> Groups {
    Groups {
        groups: subject_labels(&rows.subjects),
        series: rows.cells.iter().map(|c| c.label.clone()).collect(),
        bars: (rows.subjects.iter())
            .map(|subject| {
                (0..rows.cells.len())
                    .map(|cell| bar(rows, cell, subject))
                    .collect()
            })
            .collect(),
    }
}

/// Chooses groups and series: several subjects are groups of cells; otherwise the values of the axis with the fewest
/// values (at most as many as there are colours) are the series and the others the groups.
pub(super) fn arrange(run: &Run, rows: &Rows<'_>, style: &Style) -> (Groups, usize) {
    let count = rows.cells.len() * rows.subjects.len();
    let mut groups = if rows.subjects.len() > 1 && rows.cells.len() <= SERIES {
        by_subject(rows)
    } else {
        along_axes(run, rows)
    };
    let per_group = groups.bars.first().map_or(1, Vec::len).max(1);
    // a group whose name has no room says nothing
    let most = (MOST_BARS / per_group).clamp(1, most_names(style, 0.97 * style.width));
    groups.groups.truncate(most);
    groups.bars.truncate(most);
    let shown = groups.bars.len() * per_group;
    (groups, count.saturating_sub(shown))
}

fn along_axes(run: &Run, rows: &Rows<'_>) -> Groups {
    let axes = &run.resolved.axes;
    let values = |axis: usize| rows::values(&rows.cells, axis);
    let varying: Vec<usize> = (0..axes.len()).filter(|i| values(*i).len() > 1).collect();
    let series_axis = rows::series_axis(run, &rows.cells);
    let several = rows.subjects.len() > 1;
    let mut groups = Groups::default();
    if let Some(axis) = series_axis {
        groups.series = values(axis)
            .iter()
            .map(|label| axis_label(&axes[axis], label))
            .collect();
    } else {
        groups.series = vec![String::new()];
    }
    let mut index = std::collections::BTreeMap::new();
    let names = subject_labels(&rows.subjects);
    for (subject, name) in rows.subjects.iter().zip(&names) {
        for (i, shown) in rows.cells.iter().enumerate() {
            let others: Vec<String> = (varying.iter().copied())
                .filter(|axis| Some(*axis) != series_axis)
                .map(|axis| {
                    let label = shown.cell.labels.get(axis).map_or("", String::as_str);
                    axis_label(&axes[axis], label)
                })
                .collect();
            let mut label = if varying.is_empty() {
                shown.label.clone()
            } else {
                others.join(", ")
            };
            if several {
                label = if label.is_empty() {
                    name.clone()
                } else {
                    format!("{name}: {label}")
                };
            }
            let group = *index.entry(label.clone()).or_insert_with(|| {
                groups.groups.push(label);
                groups.bars.push(vec![None; groups.series.len()]);
                groups.bars.len() - 1
            });
            let series = series_axis
                .and_then(|axis| {
                    values(axis)
                        .iter()
                        .position(|v| shown.cell.labels.get(axis).is_some_and(|l| l == v))
                })
                .unwrap_or(0);
            groups.bars[group][series] = bar(rows, i, subject);
        }
    }
    groups
}
