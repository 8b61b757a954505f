//! Which row of one run is about the same as which row of another.

use crate::config::diagnostic::nearest;
use crate::record::{ClaimRow, Resolved, SummaryRow};
use std::collections::HashMap;

/// One of the two runs.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// what it is called in messages
    pub name: &'a str,
    /// its resolved experiment
    pub resolved: &'a Resolved,
    /// its estimates
    pub summary: &'a [SummaryRow],
    /// its claims
    pub claims: &'a [ClaimRow],
}

/// Why two runs cannot be put beside each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// an axis that only one run has
    #[error(
        "{run} has an axis `{axis}` with {} values, {other} has none: choose one, as in --where {axis}={}",
        .labels.len(),
        .labels.first().map_or("", String::as_str)
    )]
    Axis {
        /// the run that has the axis
        run: String,
        /// the run without
        other: String,
        /// the axis
        axis: String,
        /// its values
        labels: Vec<String>,
    },
    /// an axis that neither run has
    #[error("no axis is called `{axis}`{hint}; the axes are: {}", .axes.join(", "))]
    NoAxis {
        /// what was asked for
        axis: String,
        /// the nearest name
        hint: String,
        /// all axes
        axes: Vec<String>,
    },
    /// a value that an axis does not have
    #[error("{run} has no {axis} `{label}`: it has {}", .labels.join(", "))]
    NoLabel {
        /// the run
        run: String,
        /// the axis
        axis: String,
        /// what was asked for
        label: String,
        /// its values
        labels: Vec<String>,
    },
    /// no number is in both
    #[error(
        "no number is in both {a} and {b}: cells, subjects, measures or statistics have other names"
    )]
    Nothing {
        /// one run
        a: String,
        /// the other
        b: String,
    },
}

/// Rows that are about the same thing.
#[derive(Debug)]
pub(super) struct Matched<'a> {
    /// the cell by the axes of both, A's row, B's row; in A's order
    pub pairs: Vec<(String, &'a SummaryRow, &'a SummaryRow)>,
    pub only_a: u64,
    pub only_b: u64,
}

pub(super) fn pair<'a>(
    a: &Side<'a>,
    b: &Side<'a>,
    only: &[(String, String)],
) -> Result<Matched<'a>, Incomparable> {
    let only = &as_written(a, b, only);
    exist(a, b, only)?;
    lone_axes(a, b, only)?;
    lone_axes(b, a, only)?;
    // the axes of both, in A's order
    let shared: Vec<&str> = (a.resolved.axes.iter())
        .map(|axis| axis.name.as_str())
        .filter(|name| index(b, name).is_some())
        .collect();
    let mut theirs: HashMap<_, &SummaryRow> = HashMap::new();
    for row in chosen(b, only) {
        theirs.insert(key(b, &shared, row), row);
    }
    let (mut pairs, mut only_a) = (Vec::new(), 0);
    for row in chosen(a, only) {
        let key = key(a, &shared, row);
        match theirs.remove(&key) {
            Some(other) => pairs.push((key.0, row, other)),
            None => only_a += 1,
        }
    }
    if pairs.is_empty() {
        return Err(Incomparable::Nothing {
            a: a.name.to_owned(),
            b: b.name.to_owned(),
        });
    }
    Ok(Matched {
        pairs,
        only_a,
        only_b: theirs.len() as u64,
    })
}

fn index(side: &Side, axis: &str) -> Option<usize> {
    side.resolved.axes.iter().position(|of| of.name == axis)
}

/// The labels as the runs write them: 3 where 3.0 was asked for.
fn as_written(a: &Side, b: &Side, only: &[(String, String)]) -> Vec<(String, String)> {
    let called = |axis: &str, label: &str| {
        let axes = a.resolved.axes.iter().chain(&b.resolved.axes);
        (axes.filter(|of| of.name == axis))
            .find_map(|of| of.label_called(label))
            .map(str::to_owned)
    };
    (only.iter())
        .map(|(axis, label)| {
            let label = called(axis, label).unwrap_or_else(|| label.clone());
            (axis.clone(), label)
        })
        .collect()
}

/// What is asked for must exist: a slip must not leave everything out in silence.
fn exist(a: &Side, b: &Side, only: &[(String, String)]) -> Result<(), Incomparable> {
    for (axis, label) in only {
        let mut known = false;
        for side in [a, b] {
            let Some(at) = index(side, axis) else {
                continue;
            };
            known = true;
            let labels = &side.resolved.axes[at].labels;
            if !labels.contains(label) {
                return Err(Incomparable::NoLabel {
                    run: side.name.to_owned(),
                    axis: axis.clone(),
                    label: label.clone(),
                    labels: labels.clone(),
                });
            }
        }
        if !known {
            let mut axes: Vec<String> = (a.resolved.axes.iter().chain(&b.resolved.axes))
                .map(|axis| axis.name.clone())
                .collect();
            axes.sort();
            axes.dedup();
            let names: Vec<&str> = axes.iter().map(String::as_str).collect();
            let hint = nearest(axis, &names)
                .map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"));
            return Err(Incomparable::NoAxis {
                axis: axis.clone(),
                hint,
                axes,
            });
        }
    }
    Ok(())
}

/// An axis of one run only says nothing if it has one value, or one is chosen.
fn lone_axes(side: &Side, other: &Side, only: &[(String, String)]) -> Result<(), Incomparable> {
    for axis in &side.resolved.axes {
        let chosen = only.iter().any(|(name, _)| *name == axis.name);
        if axis.labels.len() > 1 && !chosen && index(other, &axis.name).is_none() {
            return Err(Incomparable::Axis {
                run: side.name.to_owned(),
                other: other.name.to_owned(),
                axis: axis.name.clone(),
                labels: axis.labels.clone(),
            });
        }
    }
    Ok(())
}

fn chosen<'a>(side: &Side<'a>, only: &[(String, String)]) -> impl Iterator<Item = &'a SummaryRow> {
    let wanted: Vec<(usize, String)> = (only.iter())
        .filter_map(|(axis, label)| Some((index(side, axis)?, label.clone())))
        .collect();
    (side.summary.iter()).filter(move |row| {
        wanted
            .iter()
            .all(|(at, label)| row.axes.get(*at) == Some(label))
    })
}

/// The cell by the axes of both runs, subject, measure, statistic.
type Key<'a> = (String, &'a str, &'a str, &'a str);

fn key<'a>(side: &Side, shared: &[&str], row: &'a SummaryRow) -> Key<'a> {
    let cell: Vec<String> = (shared.iter())
        .filter_map(|name| Some(format!("{name}={}", row.axes.get(index(side, name)?)?)))
        .collect();
    let cell = match cell.is_empty() {
        true => String::from("-"),
        false => cell.join(" "),
    };
    (cell, &row.subject, &row.measure, &row.statistic)
}
