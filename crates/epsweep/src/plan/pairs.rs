//! Which cells are compared with which.

use crate::config::diagnostic::Sink;
use crate::config::source::Span;
use crate::config::sweep::Axis;
use crate::record::ResolvedCompare;
use std::collections::{BTreeMap, HashSet};

/// Most pairs of an experiment.
const MOST_PAIRS: u128 = 1_000_000;

/// The number of cells.
pub(super) fn cells(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).product()
}

/// The place of every axis's value in a cell; the last axis varies fastest.
pub(super) fn places(cell: usize, axes: &[Axis]) -> Vec<usize> {
    places_of(cell, axes.iter().map(|axis| axis.values.len()))
}

/// As [`places`], of axes with so many values.
pub(super) fn places_of(
    mut cell: usize,
    lengths: impl DoubleEndedIterator<Item = usize>,
) -> Vec<usize> {
    let from_last = lengths.rev().map(|length| {
        let place = cell % length;
        cell /= length;
        place
    });
    let mut out: Vec<usize> = from_last.collect();
    out.reverse();
    out
}

fn at(places: &[usize], axes: &[Axis]) -> usize {
    (places.iter().zip(axes)).fold(0, |cell, (place, axis)| cell * axis.values.len() + place)
}

fn place_of(axis: &Axis, label: &str) -> usize {
    let found = axis.values.iter().position(|value| value.label == label);
    // labels were checked when they were read
    found.unwrap_or(0)
}

/// The cell with those labels, one for every axis.
pub(super) fn index(labels: &BTreeMap<String, String>, axes: &[Axis]) -> usize {
    let places: Vec<usize> = (axes.iter())
        .map(|axis| {
            labels
                .get(&axis.name)
                .map_or(0, |label| place_of(axis, label))
        })
        .collect();
    at(&places, axes)
}

/// Adds a pair, unless it is there in either order.
pub(super) fn add(pairs: &mut Vec<(usize, usize)>, a: usize, b: usize) {
    if !pairs.iter().any(|pair| *pair == (a, b) || *pair == (b, a)) {
        pairs.push((a, b));
    }
}

/// The pairs that `[compare]` asks for: each cell with the one that differs from it only in having the baseline's labels; with all pairs,
/// also each cell with every later one that differs from it in the baseline's axes only (in any axis, if there is no baseline).
pub(super) fn of_compare(
    compare: Option<&ResolvedCompare>,
    axes: &[Axis],
    span: Span,
    sink: &Sink,
) -> Option<Vec<(usize, usize)>> {
    let Some(compare) = compare else {
        return Some(Vec::new());
    };
    let count = cells(axes);
    let compared: Vec<bool> = (axes.iter())
        .map(|axis| compare.baseline.is_empty() || compare.baseline.contains_key(&axis.name))
        .collect();
    let set: usize = (axes.iter().zip(&compared))
        .filter(|(_, compared)| **compared)
        .map(|(axis, _)| axis.values.len())
        .product();
    if compare.all_pairs {
        let pairs = count as u128 * (set as u128 - 1) / 2;
        if pairs > MOST_PAIRS {
            sink.fault(span, format!("{pairs} pairs of cells to compare"))
                .rule(format!("at most {MOST_PAIRS} pairs"))
                .remedy(
                    "name the axis to compare along by `baseline`, or leave out pairs = \"all\"",
                )
                .report();
            return None;
        }
    }
    let mut out = Vec::new();
    if !compare.baseline.is_empty() {
        for cell in 0..count {
            let mut other = places(cell, axes);
            for (place, axis) in other.iter_mut().zip(axes) {
                if let Some(label) = compare.baseline.get(&axis.name) {
                    *place = place_of(axis, label);
                }
            }
            let baseline = at(&other, axes);
            if baseline != cell {
                out.push((cell, baseline));
            }
        }
    }
    if compare.all_pairs {
        let mut known: HashSet<(usize, usize)> = out.iter().copied().collect();
        // the cells of a comparison set share their places on the other axes
        let mut sets: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for cell in 0..count {
            let shared = (places(cell, axes).into_iter().zip(&compared))
                .filter(|(_, compared)| !**compared)
                .map(|(place, _)| place)
                .collect();
            sets.entry(shared).or_default().push(cell);
        }
        for cells in sets.values() {
            for (i, a) in cells.iter().enumerate() {
                for b in &cells[i + 1..] {
                    if !known.contains(&(*a, *b)) && known.insert((*b, *a)) {
                        out.push((*b, *a));
                    }
                }
            }
        }
    }
    Some(out)
}
