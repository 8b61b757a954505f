//! Whether cells that are compared have the same true answers: an error that is counted from another answer says nothing of which setting is best.

use super::standing::label;
use crate::record::{ResolvedCell, ResolvedQuery, Run};
use crate::words::{about_percent, join, significant};
use std::collections::HashMap;

/// Share of an answer up to which a difference is one of rounding: sums in another order part by less.
const ROUNDING: f64 = 1e-9;

/// The lowest and the highest true answer to a query in cells that are compared, with these cells.
#[derive(Clone, Copy)]
struct Ends {
    low: (f64, usize),
    high: (f64, usize),
}

impl Ends {
    /// How far they are apart, as a share of the larger.
    fn share(&self) -> f64 {
        let (low, high) = (self.low.0, self.high.0);
        (high - low) / low.abs().max(high.abs())
    }
}

/// What is to be said first where the same question has different true answers along the axes that are compared, on records of the same
/// source: then clipping, or what else was done to the values, is no part of the errors. `None` where answers are the same.
pub(super) fn apart(run: &Run, axes: &[usize]) -> Option<String> {
    let cells = &run.resolved.cells;
    // by what is asked, and where on the axes that are not compared
    let mut found: HashMap<(Vec<&str>, &str, &str, &str), Ends> = HashMap::new();
    let mut worst: Option<(&str, Ends)> = None;
    for (index, cell) in cells.iter().enumerate() {
        let place: Vec<&str> = (cell.labels.iter().enumerate())
            .filter(|(axis, _)| !axes.contains(axis))
            .map(|(_, label)| label.as_str())
            .collect();
        let source = run.resolved.data.get(cell.data)?.source.as_str();
        for (query, truth) in cell.queries.iter().filter_map(with_truth) {
            let key = (place.clone(), source, &*query.name, &*query.definition);
            let ends = found.entry(key).or_insert(Ends {
                low: (truth, index),
                high: (truth, index),
            });
            if truth < ends.low.0 {
                ends.low = (truth, index);
            }
            if truth > ends.high.0 {
                ends.high = (truth, index);
            }
            if ends.share() > worst.map_or(ROUNDING, |(_, worst)| worst.share()) {
                worst = Some((&query.name, *ends));
            }
        }
    }
    let (name, ends) = worst?;
    let along: Vec<&str> = (axes.iter())
        .map(|axis| run.resolved.axes[*axis].name.as_str())
        .collect();
    // in the order in which the settings stand in the file
    let (first, second) = match ends.low.1 < ends.high.1 {
        true => (ends.low, ends.high),
        false => (ends.high, ends.low),
    };
    let at = |(truth, cell): (f64, usize)| {
        format!("{} at {}", significant(truth, 6), label(run, cell, axes))
    };
    let mut text = format!(
        "The true answers differ along {}, so that the lowest error is not the best setting: that of `{name}` is {} and {}, {} ({}) apart, and each error is counted from the true answer of its own cell.",
        join(&along, "and"),
        at(first),
        at(second),
        significant(ends.high.0 - ends.low.0, 4),
        about_percent(ends.share()),
    );
    if bounds_differ(run, &cells[first.1], &cells[second.1]) {
        text += " The queries `clipped-mean` and `clipped-sum` count what clipping does, too.";
    }
    Some(text)
}

fn with_truth(query: &ResolvedQuery) -> Option<(&ResolvedQuery, f64)> {
    let truth = query.truth.filter(|truth| truth.is_finite())?;
    Some((query, truth))
}

/// Whether some column has other bounds in the data of one cell than in those of another.
fn bounds_differ(run: &Run, a: &ResolvedCell, b: &ResolvedCell) -> bool {
    let columns =
        |cell: &ResolvedCell| (run.resolved.data.get(cell.data)).map(|data| &data.columns);
    let (Some(a), Some(b)) = (columns(a), columns(b)) else {
        return false;
    };
    (a.iter()).any(|x| b.iter().any(|y| x.name == y.name && x.bounds != y.bounds))
}
