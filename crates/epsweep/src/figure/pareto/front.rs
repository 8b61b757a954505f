//! Which cells are drawn where, and which of them no other one beats.

use crate::figure::axis::extent;
use crate::figure::labels::axis_label;
use crate::figure::rows::{self, Rows};
use crate::record::Run;

/// Values that differ by less are the same.
const SAME: f64 = 1e-9;

/// A cell in the plane.
pub(super) struct Spot {
    /// its place among the figure's cells
    pub(super) cell: usize,
    pub(super) series: usize,
    pub(super) at: [f64; 2],
    pub(super) ends: [(Option<f64>, Option<f64>); 2],
    pub(super) front: bool,
}

/// The two subjects: the first two that were asked for, else those whose means vary most between cells, in their order, and of two queries if
/// there are two.
pub(super) fn chosen<'a>(rows: &Rows<'a>, asked: bool) -> Option<[&'a str; 2]> {
    let subjects = &rows.subjects;
    if subjects.len() < 2 {
        return None;
    }
    if asked || subjects.len() == 2 {
        return Some([subjects[0], subjects[1]]);
    }
    let spread = |subject: &str| {
        let means = (0..rows.cells.len()).filter_map(|i| rows.value(i, subject, "mean"));
        match extent(means.filter(|m| *m > 0.0)) {
            Some((low, high)) => high / low,
            None => 1.0,
        }
    };
    let mut order: Vec<(usize, f64)> = subjects.iter().map(|s| spread(s)).enumerate().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    // parts of one query share their scale: a front of two of them says nothing of the trade between queries
    let query = |place: usize| subjects[place].split('[').next();
    let first = order[0].0;
    let others = order[1..].iter().map(|(place, _)| *place);
    let second = (others.clone().find(|place| query(*place) != query(first)))
        .or_else(|| others.clone().next())?;
    Some([subjects[first.min(second)], subjects[first.max(second)]])
}

/// The names of panels and of series: words are compared within a panel, and numbers (budgets) make panels of their own.
pub(super) fn parts(run: &Run, rows: &Rows<'_>) -> (Vec<String>, Vec<String>) {
    let (mut panels, mut series) = (Vec::new(), Vec::new());
    for cell in 0..rows.cells.len() {
        let (panel, name) = names(run, rows, cell);
        if !panels.contains(&panel) {
            panels.push(panel);
        }
        if !series.contains(&name) {
            series.push(name);
        }
    }
    (panels, series)
}

/// The names of a cell's panel and series.
fn names(run: &Run, rows: &Rows<'_>, cell: usize) -> (String, String) {
    let axes = &run.resolved.axes;
    let varies = |i: &usize| rows::values(&rows.cells, *i).len() > 1;
    let words: Vec<usize> = (0..axes.len())
        .filter(|i| varies(i) && axes[*i].numbers.is_none())
        .collect();
    let labels = &rows.cells[cell].cell.labels;
    let join = |of_series: bool| {
        let parts: Vec<String> = (0..axes.len())
            .filter(|i| varies(i) && (words.is_empty() || words.contains(i)) == of_series)
            .map(|i| axis_label(&axes[i], &labels[i]))
            .collect();
        parts.join(", ")
    };
    (join(false), join(true))
}

pub(super) fn spots(
    run: &Run,
    rows: &Rows<'_>,
    series: &[String],
    panel: &str,
    pair: [&str; 2],
    higher: bool,
) -> Vec<Spot> {
    let mut spots: Vec<Spot> = Vec::new();
    for cell in 0..rows.cells.len() {
        let (own, name) = names(run, rows, cell);
        if own != panel {
            continue;
        }
        let row = |side: usize| {
            rows.row(cell, pair[side], "mean")
                .filter(|r| r.value.is_finite())
        };
        let (Some(x), Some(y)) = (row(0), row(1)) else {
            continue;
        };
        let ends = [x, y].map(|row| {
            (
                row.low.filter(|v| v.is_finite()),
                row.high.filter(|v| v.is_finite()),
            )
        });
        spots.push(Spot {
            cell,
            series: series.iter().position(|s| *s == name).unwrap_or(0),
            at: [x.value, y.value],
            ends,
            front: false,
        });
    }
    let at: Vec<[f64; 2]> = spots.iter().map(|s| s.at).collect();
    for (spot, front) in spots.iter_mut().zip(front(&at, higher)) {
        spot.front = front;
    }
    spots
}

/// Which points no other one beats: is as good in both coordinates and better in one.
pub(super) fn front(points: &[[f64; 2]], higher: bool) -> Vec<bool> {
    let sign = if higher { -1.0 } else { 1.0 };
    let beats = |a: &[f64; 2], b: &[f64; 2]| {
        let margin = |i: usize| SAME * a[i].abs().max(b[i].abs());
        let as_good = (0..2).all(|i| sign * (a[i] - b[i]) <= margin(i));
        as_good && (0..2).any(|i| sign * (b[i] - a[i]) > margin(i))
    };
    (points.iter())
        .map(|point| !points.iter().any(|other| beats(other, point)))
        .collect()
}
