//! Which rows a tile tallies, and how each outcome and each comparison is read off them.

use super::draft::Draft;
use super::{Release, Streams};
use crate::engine::{Pair, Tile, TileCell};
use crate::measure::Measure;
use crate::study::release::ReleaseCell;
use epsweep_core::theory::Law;
use std::collections::HashMap;
use std::sync::Arc;

/// What the cells of a tile are asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub cells: &'a [ReleaseCell],
    pub measures: &'a [&'static dyn Measure],
    pub streams: Streams,
    pub level: f64,
}

/// A tile, and how to read its tally.
#[derive(Debug)]
pub(super) struct Plan {
    pub tile: Tile<Release>,
    /// of the cells that are no guests, in the tile's order
    pub cells: Vec<CellPlan>,
}

/// How to read a cell's outcomes and comparisons off a tally.
#[derive(Debug)]
pub(super) struct CellPlan {
    /// index of the cell in the request
    pub cell: usize,
    pub outcomes: Vec<OutcomePlan>,
    pub pairs: Vec<PairPlan>,
}

impl CellPlan {
    /// What is read off row `row` of the cell.
    pub fn name_of(&self, row: usize) -> Option<String> {
        let reads = |outcome: &&OutcomePlan| match outcome.view {
            View::Row { row: at, .. } => matches!(at, RowRef::Own(_, own) if own == row),
            View::Constant(_) | View::Undefined => false,
        };
        let outcome = self.outcomes.iter().find(reads)?;
        let name = outcome.measure.about().name;
        Some(format!("{name} of {}", outcome.subject))
    }
}

#[derive(Clone, Debug)]
pub(super) struct OutcomePlan {
    pub subject: String,
    pub measure: &'static dyn Measure,
    pub view: View,
    pub law: Option<Arc<dyn Law>>,
    pub evidence: String,
}

#[derive(Debug)]
pub(super) struct PairPlan {
    /// index of the other cell in the request
    pub against: usize,
    pub subject: String,
    pub measure: &'static dyn Measure,
    pub view: PairView,
}

/// A row of a tile's tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowRef {
    /// by its place among the shared rows
    Shared(usize),
    /// by the cell's place in the tile, and the row's place among the cell's
    Own(usize, usize),
}

/// How an outcome is read off: `scale`·row + `shift`, or without a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum View {
    Row { row: RowRef, scale: f64, shift: f64 },
    Constant(f64),
    Undefined,
}

/// How a paired difference is read off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PairView {
    /// the difference is `scale`·row + `shift` in every trial
    Affine { row: RowRef, scale: f64, shift: f64 },
    /// the difference is the same in every trial
    Constant(f64),
    /// the trials were compared one by one: number of the paired row
    Rows(usize),
}

impl Plan {
    /// A tile of the cells `members`, of which those from `guests` on are tallied elsewhere, and the pairs (a, b). All are indices
    /// of the request's cells. The tile's order is that of `members`.
    pub fn new(
        question: &Question<'_>,
        members: &[(usize, bool)],
        pairs: &[(usize, usize)],
    ) -> Plan {
        let mut release = Release {
            sources: Vec::new(),
            shared: Vec::new(),
        };
        let mut drafts: Vec<Draft> = members
            .iter()
            .enumerate()
            .map(|(place, (cell, _))| Draft::new(question, *cell, place, &mut release))
            .collect();

        let mut tile_pairs = Vec::with_capacity(pairs.len());
        let mut pair_plans: Vec<Vec<PairPlan>> = members.iter().map(|_| Vec::new()).collect();
        let mut paired_rows = 0;
        let places: HashMap<usize, usize> = (members.iter().enumerate())
            .map(|(place, (cell, _))| (*cell, place))
            .collect();
        for (a, b) in pairs {
            let (at, bt) = (places[a], places[b]);
            let mut rows = Vec::new();
            for (i, j) in common_outcomes(&drafts[at], &drafts[bt]) {
                let (first, second) = (drafts[at].outcomes[i].view, drafts[bt].outcomes[j].view);
                let view = match difference(&first, &second) {
                    Some(view) => view,
                    None => {
                        let first = drafts[at].row_of(first, &release);
                        let second = drafts[bt].row_of(second, &release);
                        let (Some(first), Some(second)) = (first, second) else {
                            continue;
                        };
                        rows.push((first, second));
                        paired_rows += 1;
                        PairView::Rows(paired_rows - 1)
                    }
                };
                let outcome = &drafts[at].outcomes[i];
                pair_plans[at].push(PairPlan {
                    against: *b,
                    subject: outcome.subject.clone(),
                    measure: outcome.measure,
                    view,
                });
            }
            if !rows.is_empty() {
                tile_pairs.push(Pair { a: at, b: bt, rows });
            }
        }
        let mut cells = Vec::with_capacity(drafts.len());
        let mut tile_cells = Vec::with_capacity(drafts.len());
        for ((draft, (_, guest)), pairs) in drafts.into_iter().zip(members).zip(pair_plans) {
            tile_cells.push(TileCell {
                cell: draft.prepare(question),
                guest: *guest,
            });
            if !guest {
                cells.push(CellPlan {
                    cell: draft.cell,
                    outcomes: draft.outcomes,
                    pairs,
                });
            }
        }
        let tile = Tile {
            procedure: release,
            cells: tile_cells,
            pairs: tile_pairs,
        };
        Plan { tile, cells }
    }
}

/// Outcomes that both cells have and that cells are compared by.
fn common_outcomes(a: &Draft, b: &Draft) -> Vec<(usize, usize)> {
    let mut both = Vec::new();
    for (i, x) in a.outcomes.iter().enumerate() {
        if !x.measure.compared() {
            continue;
        }
        let name = x.measure.about().name;
        let same = |y: &OutcomePlan| y.subject == x.subject && y.measure.about().name == name;
        // mostly at the same place
        let j = match b.outcomes.get(i) {
            Some(y) if same(y) => Some(i),
            _ => b.outcomes.iter().position(same),
        };
        both.extend(j.map(|j| (i, j)));
    }
    both
}

/// What is known of a − b without looking at single trials; `None` where that takes the trials.
fn difference(a: &View, b: &View) -> Option<PairView> {
    match (*a, *b) {
        (View::Constant(a), View::Constant(b)) => Some(PairView::Constant(a - b)),
        (View::Row { row, scale, shift }, View::Constant(b)) => Some(PairView::Affine {
            row,
            scale,
            shift: shift - b,
        }),
        // only of rows that are tallied here for certain: b may be a guest
        (View::Constant(a), View::Row { row, scale, shift }) => match row {
            RowRef::Shared(_) => Some(PairView::Affine {
                row,
                scale: -scale,
                shift: a - shift,
            }),
            RowRef::Own(..) => None,
        },
        (
            View::Row { row, scale, shift },
            View::Row {
                row: other,
                scale: other_scale,
                shift: other_shift,
            },
        ) => (row == other).then_some(PairView::Affine {
            row,
            scale: scale - other_scale,
            shift: shift - other_shift,
        }),
        (View::Undefined, _) | (_, View::Undefined) => None,
    }
}
