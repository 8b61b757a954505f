//! Which rows of two cells are compared.

use crate::engine::Pair;
use crate::measure::Measure;
use std::collections::HashMap;

/// A row of a cell that can be compared with that of another.
#[derive(Clone, Debug)]
pub(super) struct Comparable {
    /// the measure
    pub measure: &'static dyn Measure,
    /// what it is of
    pub subject: String,
    /// number of the row in the cell
    pub row: usize,
}

/// A comparison in a tile: where it is tallied, and what it is of.
#[derive(Clone, Debug)]
pub(super) struct PairPlan {
    /// index of the other cell in the request
    pub against: usize,
    pub subject: String,
    pub measure: &'static dyn Measure,
    /// number of the paired row
    pub row: usize,
}

/// Compares the cells of the pairs (a, b) by all measures that both have of the same subject. `members` are the cells of a tile, `rows` what each of
/// them has. The second value has the comparisons of each member with others.
pub(super) fn pair_up(
    members: &[(usize, bool)],
    pairs: &[(usize, usize)],
    rows: &[Vec<Comparable>],
) -> (Vec<Pair>, Vec<Vec<PairPlan>>) {
    let places: HashMap<usize, usize> = (members.iter().enumerate())
        .map(|(place, (cell, _))| (*cell, place))
        .collect();
    let (mut tile_pairs, mut paired) = (Vec::new(), 0);
    let mut plans = vec![Vec::new(); members.len()];
    for (a, b) in pairs {
        let (at, bt) = (places[a], places[b]);
        let mut compared = Vec::new();
        for own in rows[at].iter().filter(|own| own.measure.compared()) {
            let same = |other: &&Comparable| {
                other.measure.about() == own.measure.about() && other.subject == own.subject
            };
            let Some(other) = rows[bt].iter().find(same) else {
                continue;
            };
            compared.push((own.row, other.row));
            plans[at].push(PairPlan {
                against: *b,
                subject: own.subject.clone(),
                measure: own.measure,
                row: paired,
            });
            paired += 1;
        }
        if !compared.is_empty() {
            tile_pairs.push(Pair {
                a: at,
                b: bt,
                rows: compared,
            });
        }
    }
    (tile_pairs, plans)
}
