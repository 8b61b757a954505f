//! Which rows a tile tallies, and how each outcome and each comparison is read off them.

use super::{NoiseRow, Prepared, Release, ReleaseCell, Streams};
use crate::engine::{Pair, Tile, TileCell};
use crate::measure::{AllRule, Measure, Rule, Standard, Value};
use epsweep_core::random::Source;
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

/// A cell while its tile is laid out.
struct Draft {
    cell: usize,
    own: Vec<NoiseRow>,
    all: Vec<&'static dyn Measure>,
    sources: Vec<usize>,
    outcomes: Vec<OutcomePlan>,
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
        Plan::assemble(question, members, release, drafts, tile_pairs, pair_plans)
    }

    /// Rows of all queries together come behind those of single queries, whose number is known only now.
    fn assemble(
        question: &Question<'_>,
        members: &[(usize, bool)],
        release: Release,
        drafts: Vec<Draft>,
        mut pairs: Vec<Pair>,
        pair_plans: Vec<Vec<PairPlan>>,
    ) -> Plan {
        let own: Vec<usize> = drafts.iter().map(|d| d.own.len()).collect();
        let settle = |place: usize, row: usize| match row.checked_sub(ALL_ROWS) {
            Some(all) => own[place] + all,
            None => row,
        };
        for pair in &mut pairs {
            for (a, b) in &mut pair.rows {
                (*a, *b) = (settle(pair.a, *a), settle(pair.b, *b));
            }
        }
        let settle_row = |row: &mut RowRef| {
            if let RowRef::Own(place, row) = row {
                *row = settle(*place, *row);
            }
        };
        let mut cells = Vec::new();
        let mut tile_cells = Vec::new();
        for ((draft, (_, guest)), mut pair_plans) in drafts.into_iter().zip(members).zip(pair_plans)
        {
            tile_cells.push(TileCell {
                cell: draft.prepare(question),
                guest: *guest,
            });
            if *guest {
                continue;
            }
            let mut outcomes = draft.outcomes;
            for outcome in &mut outcomes {
                if let View::Row { row, .. } = &mut outcome.view {
                    settle_row(row);
                }
            }
            for pair in &mut pair_plans {
                if let PairView::Affine { row, .. } = &mut pair.view {
                    settle_row(row);
                }
            }
            cells.push(CellPlan {
                cell: draft.cell,
                outcomes,
                pairs: pair_plans,
            });
        }
        let tile = Tile {
            procedure: release,
            cells: tile_cells,
            pairs,
        };
        Plan { tile, cells }
    }
}

/// Offset that marks rows of all queries together while a tile is laid out.
const ALL_ROWS: usize = 1 << 32;

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

impl Draft {
    fn new(question: &Question<'_>, index: usize, place: usize, release: &mut Release) -> Draft {
        let cell = &question.cells[index];
        let sources = cell
            .queries
            .iter()
            .map(|query| {
                let mut purpose = format!("{}/{}", query.noise.name(), query.name);
                if question.streams == Streams::Independent {
                    // a character that no name has, so that no query's name can imitate a cell's
                    purpose = format!("{purpose}\u{1f}{}", cell.id);
                }
                let source = Source::new(&purpose, query.noise.standard(), 1);
                place_of(&mut release.sources, source)
            })
            .collect();
        let mut draft = Draft {
            cell: index,
            own: Vec::new(),
            all: Vec::new(),
            sources,
            outcomes: Vec::new(),
        };
        draft.query_outcomes(question, place, release);
        draft.all_outcomes(question, place, release);
        draft
    }

    fn query_outcomes(&mut self, question: &Question<'_>, place: usize, release: &mut Release) {
        for (query, source) in question.cells[self.cell].queries.iter().zip(&self.sources) {
            for measure in question.measures {
                let Rule::Query(rule) = measure.rule() else {
                    continue;
                };
                let (view, evidence) = match (rule.value)(query, question.level) {
                    Value::Undefined => (View::Undefined, String::from("undefined")),
                    Value::Constant(value) => (View::Constant(value), String::from("constant")),
                    Value::Affine { of, scale, shift } => {
                        let purpose = release.sources[*source].purpose();
                        let evidence = format!("{purpose} {}", of.name());
                        let mut row = NoiseRow {
                            source: *source,
                            of,
                            scale: 1.0,
                        };
                        let view = match question.streams {
                            Streams::Common => View::Row {
                                row: RowRef::Shared(place_of(&mut release.shared, row)),
                                scale,
                                shift,
                            },
                            Streams::Independent => {
                                row.scale = scale;
                                View::Row {
                                    row: RowRef::Own(place, place_of(&mut self.own, row)),
                                    scale: 1.0,
                                    shift,
                                }
                            }
                        };
                        (view, evidence)
                    }
                };
                self.outcomes.push(OutcomePlan {
                    subject: query.name.clone(),
                    measure: *measure,
                    view,
                    law: (rule.law)(query, question.level),
                    evidence,
                });
            }
        }
    }

    fn all_outcomes(&mut self, question: &Question<'_>, place: usize, release: &Release) {
        let queries = &question.cells[self.cell].queries;
        let largest = largest_scale(&question.cells[self.cell]);
        for measure in question.measures {
            let Rule::All(rule) = measure.rule() else {
                continue;
            };
            let weightless = rule.weighted && weights(&question.cells[self.cell]).is_none();
            let view = if queries.is_empty() || !largest.is_finite() || weightless {
                View::Undefined
            } else if largest == 0.0 {
                View::Constant(0.0)
            } else {
                self.all.push(*measure);
                View::Row {
                    row: RowRef::Own(place, ALL_ROWS + self.all.len() - 1),
                    scale: 1.0,
                    shift: 0.0,
                }
            };
            self.outcomes.push(OutcomePlan {
                subject: String::from("all"),
                measure: *measure,
                view,
                law: (rule.law)(queries),
                evidence: self.all_evidence(question, &rule, *measure, largest, release),
            });
        }
    }

    /// Cells whose scales are the same up to a common factor carry the same evidence: their outcomes are those of one
    /// another, rescaled.
    fn all_evidence(
        &self,
        question: &Question<'_>,
        rule: &AllRule,
        measure: &'static dyn Measure,
        largest: f64,
        release: &Release,
    ) -> String {
        let cell = &question.cells[self.cell];
        let mut text = String::from(measure.about().name);
        let weights = weights(cell).filter(|_| rule.weighted);
        for (i, (query, source)) in cell.queries.iter().zip(&self.sources).enumerate() {
            // nine digits: factors that should be equal differ by their rounding
            let ratio = query.noise.scale() / largest;
            text.push_str(&format!(
                ", {} × {ratio:.9e}",
                release.sources[*source].purpose()
            ));
            if let Some(weights) = &weights {
                text.push_str(&format!(" weighted {:.9e}", weights[i]));
            }
        }
        text
    }

    /// The cell's own row of what `view` shows, made if need be; `None` where it is undefined. Only outcomes that cells are
    /// compared by have need of it, and these add nothing to the noise.
    fn row_of(&mut self, view: View, release: &Release) -> Option<usize> {
        let row = match view {
            View::Row {
                row: RowRef::Own(_, row),
                ..
            } => return Some(row),
            View::Row {
                row: RowRef::Shared(shared),
                scale,
                ..
            } => NoiseRow {
                scale,
                ..release.shared[shared]
            },
            View::Constant(value) => NoiseRow {
                source: 0,
                of: Standard::One,
                scale: value,
            },
            View::Undefined => return None,
        };
        Some(place_of(&mut self.own, row))
    }

    fn prepare(&self, question: &Question<'_>) -> Prepared {
        let cell = &question.cells[self.cell];
        let largest = largest_scale(cell);
        let unit = power_of_two(largest);
        let magnitude = |rule: AllRule| match rule.degree {
            // squares of large variates reach further up
            2 => 4.0 * largest * largest,
            _ => largest,
        };
        let all = self.all.iter().filter_map(|measure| match measure.rule() {
            Rule::All(rule) => Some((rule.kernel, magnitude(rule))),
            Rule::Query(_) => None,
        });
        Prepared {
            own: self.own.clone(),
            all: all.collect(),
            sources: self.sources.clone(),
            scales: cell
                .queries
                .iter()
                .map(|q| q.noise.scale() / unit)
                .collect(),
            weights: weights(cell).unwrap_or_else(|| vec![0.0; cell.queries.len()]),
            unit,
        }
    }
}

/// The place of an item in a list, to which it is added if it is not there.
fn place_of<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    match list.iter().position(|x| *x == item) {
        Some(place) => place,
        None => {
            list.push(item);
            list.len() - 1
        }
    }
}

/// The largest scale of a cell; NaN if one of them is.
fn largest_scale(cell: &ReleaseCell) -> f64 {
    cell.queries.iter().map(|q| q.noise.scale()).fold(
        0.0,
        |m, s| {
            if s.is_nan() || s > m { s } else { m }
        },
    )
}

/// The weights, as parts of 1; `None` where they have no finite positive sum.
fn weights(cell: &ReleaseCell) -> Option<Vec<f64>> {
    let largest = cell.queries.iter().map(|q| q.weight).fold(0.0, f64::max);
    let relative: Vec<f64> = cell.queries.iter().map(|q| q.weight / largest).collect();
    let sum: f64 = relative.iter().sum();
    (sum > 0.0 && sum.is_finite()).then(|| relative.iter().map(|w| w / sum).collect())
}

/// The power of two at or below a positive number; 1 for what has none among the normal floats.
fn power_of_two(x: f64) -> f64 {
    let power = f64::from_bits(x.to_bits() & f64::INFINITY.to_bits());
    if power.is_normal() { power } else { 1.0 }
}
