//! Which rows a tile tallies, and how outcomes and comparisons are read off them.

use super::{ChosenRows, Prepared, Select};
use crate::engine::{Tile, TileCell};
use crate::measure::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::procedure::Streams;
use crate::procedure::pairing::{Comparable, PairPlan, pair_up};
use crate::procedure::sources::{drawn_by, place_of};
use crate::study::select::SelectCell;
use epsweep_core::random::Source;
use epsweep_core::theory::{Discrete, Law};
use std::sync::Arc;

/// What the cells of a tile are asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'a> {
    pub cells: &'a [SelectCell],
    pub measures: &'a [&'static dyn Measure],
    pub streams: Streams,
}

/// A tile, and how to read its tally.
#[derive(Debug)]
pub(super) struct Plan {
    pub tile: Tile<Select>,
    /// of the cells that are no guests, in the tile's order
    pub cells: Vec<CellPlan>,
}

/// How to read a cell's outcomes and comparisons off a tally.
#[derive(Debug)]
pub(super) struct CellPlan {
    /// index of the cell in the request
    pub index: usize,
    /// the cell's place in the tile
    pub place: usize,
    pub cell: SelectCell,
    pub chosen: ChosenRows,
    /// whether who is chosen is reported
    pub reports_chosen: Option<&'static dyn Measure>,
    /// measures of all slots together, in the order of their rows, which come behind those of `chosen`
    pub measures: Vec<&'static dyn Measure>,
    /// names the draws and the law
    pub evidence: String,
    pub pairs: Vec<PairPlan>,
}

impl CellPlan {
    /// Whether it is counted how often one of those is chosen that are not named. Of several slots, "one of the others" happens nearly always
    /// and says little.
    pub fn has_others(&self) -> bool {
        self.cell.ranking.others() > 0 && matches!(self.chosen, ChosenRows::Rank { .. })
    }
}

impl Plan {
    /// A tile of the cells `members` (those marked are tallied elsewhere), and the pairs (a, b): all are indices of the request's cells.
    pub fn new(
        question: &Question<'_>,
        members: &[(usize, bool)],
        pairs: &[(usize, usize)],
    ) -> Plan {
        let mut sources: Vec<Source> = Vec::new();
        let mut cells = Vec::new();
        let mut tile_cells = Vec::new();
        for (place, (index, guest)) in members.iter().enumerate() {
            let cell = &question.cells[*index];
            let source = source_of(cell, question.streams);
            let evidence = format!(
                "{}, {}",
                source.purpose(),
                cell.law.key().unwrap_or_else(|| cell.id.clone())
            );
            let measures = measures(question, cell);
            let chosen = ChosenRows::of(cell);
            tile_cells.push(TileCell {
                cell: Prepared {
                    cell: cell.clone(),
                    number: place,
                    source: place_of(&mut sources, source),
                    measures: measures.iter().map(|(_, rule)| *rule).collect(),
                    chosen,
                },
                guest: *guest,
            });
            cells.push(CellPlan {
                index: *index,
                place,
                cell: cell.clone(),
                chosen,
                reports_chosen: (question.measures.iter().copied())
                    .find(|m| matches!(m.rule(), Rule::Choice(ChoiceRule::Candidate))),
                measures: measures.iter().map(|(measure, _)| *measure).collect(),
                evidence,
                pairs: Vec::new(),
            });
        }
        // rows of all slots together come behind those of who is chosen
        let comparable = |cell: &CellPlan| -> Vec<Comparable> {
            (cell.measures.iter().enumerate())
                .map(|(i, measure)| Comparable {
                    measure: *measure,
                    subject: "all".to_owned(),
                    row: cell.chosen.rows() + i,
                })
                .collect()
        };
        let rows: Vec<Vec<Comparable>> = cells.iter().map(comparable).collect();
        let (tile_pairs, paired) = pair_up(members, pairs, &rows);
        for (cell, pairs) in cells.iter_mut().zip(paired) {
            cell.pairs = pairs;
        }
        cells.retain(|cell| !members[cell.place].1);
        let slots = (question.cells.iter().map(|cell| cell.slots).max()).unwrap_or(1);
        Plan {
            tile: Tile {
                procedure: Select {
                    sources,
                    cells: members.len(),
                    slots,
                },
                cells: tile_cells,
                pairs: tile_pairs,
            },
            cells,
        }
    }
}

/// The draws of a cell. Paths that read variates of different laws have different names anyway; those that read the same share them.
fn source_of(cell: &SelectCell, streams: Streams) -> Source {
    let (law, rows) = cell.sampler.draws(cell.slots);
    let source = Source::new(&format!("select/{}", cell.path.name()), law, rows);
    drawn_by(&cell.id, source, streams)
}

/// The measures of all slots together that the cell has.
fn measures(
    question: &Question<'_>,
    cell: &SelectCell,
) -> Vec<(&'static dyn Measure, ChoiceMeasure)> {
    (question.measures.iter())
        .filter_map(|measure| match measure.rule() {
            Rule::Choice(ChoiceRule::All(rule)) if cell.slots > 1 || !rule.several_only => {
                Some((*measure, rule))
            }
            _ => None,
        })
        .collect()
}

/// The exact law of a measure of all slots together: its values over all choices.
pub(super) fn law_of(cell: &SelectCell, measure: &ChoiceMeasure) -> Option<Arc<dyn Law>> {
    let choices = cell.law.choices()?;
    let atoms = (choices.into_iter().filter(|(_, p)| *p > 0.0)).map(|(ranks, p)| {
        let mut value = [0.0];
        (measure.kernel)(&cell.ranking, cell.slots, &ranks, &mut value);
        (value[0], p)
    });
    Some(Arc::new(Discrete::new(atoms.collect())))
}
