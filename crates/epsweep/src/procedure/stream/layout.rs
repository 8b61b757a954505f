//! Which rows a tile tallies, and how outcomes and comparisons are read off them.

use super::spending::Spending;
use super::{Prepared, Stream, StreamCell};
use crate::engine::{Pair, Tile, TileCell};
use crate::measure::{Measure, Rule, StreamMeasure};
use crate::procedure::Streams;
use crate::procedure::sources::place_of;
use epsweep_core::random::Source;
use std::collections::HashMap;
use std::sync::Arc;

/// What the cells of a tile are asked.
#[derive(Clone, Debug)]
pub(super) struct Question<'a> {
    pub cells: &'a [StreamCell],
    pub measures: &'a [&'static dyn Measure],
    pub streams: Streams,
    pub spending: Arc<Spending>,
}

/// A tile, and how to read its tally.
#[derive(Debug)]
pub(super) struct Plan {
    pub tile: Tile<Stream>,
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
    pub cell: StreamCell,
    /// measures, in the order of their rows
    pub measures: Vec<(&'static dyn Measure, StreamMeasure)>,
    /// names the draws and the law
    pub evidence: String,
    pub pairs: Vec<PairPlan>,
}

#[derive(Debug)]
pub(super) struct PairPlan {
    /// index of the other cell in the request
    pub against: usize,
    pub measure: &'static dyn Measure,
    /// number of the paired row
    pub row: usize,
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
        let places: HashMap<usize, usize> = (members.iter().enumerate())
            .map(|(place, (cell, _))| (*cell, place))
            .collect();
        for (place, (index, guest)) in members.iter().enumerate() {
            let cell = &question.cells[*index];
            let measures = measures(question, cell);
            let own = (cell.method.sources().into_iter())
                .map(|source| place_of(&mut sources, named(source, cell, question.streams)));
            tile_cells.push(TileCell {
                cell: Prepared {
                    cell: cell.clone(),
                    index: *index,
                    sources: own.collect(),
                    measures: measures.iter().map(|(_, rule)| *rule).collect(),
                },
                guest: *guest,
            });
            let mut evidence = cell.method.evidence();
            if question.streams == Streams::Independent {
                evidence = format!("{evidence}, {}", cell.id);
            }
            cells.push(CellPlan {
                index: *index,
                place,
                cell: cell.clone(),
                measures,
                evidence,
                pairs: Vec::new(),
            });
        }
        let mut tile_pairs = Vec::new();
        let mut paired = 0;
        for (a, b) in pairs {
            let (at, bt) = (places[a], places[b]);
            let mut rows = Vec::new();
            let mut plans = Vec::new();
            for (i, (measure, _)) in cells[at].measures.iter().enumerate() {
                let name = measure.about().name;
                let other = (cells[bt].measures.iter()).position(|(m, _)| m.about().name == name);
                if let (Some(j), true) = (other, measure.compared()) {
                    rows.push((i, j));
                    plans.push(PairPlan {
                        against: *b,
                        measure: *measure,
                        row: paired,
                    });
                    paired += 1;
                }
            }
            if !rows.is_empty() {
                tile_pairs.push(Pair { a: at, b: bt, rows });
            }
            cells[at].pairs.extend(plans);
        }
        cells.retain(|cell| !members[cell.place].1);
        Plan {
            tile: Tile {
                procedure: Stream {
                    sources,
                    spending: question.spending.clone(),
                },
                cells: tile_cells,
                pairs: tile_pairs,
            },
            cells,
        }
    }
}

/// A source as the cell draws from it: by itself where streams are independent.
fn named(source: Source, cell: &StreamCell, streams: Streams) -> Source {
    match streams {
        Streams::Common => source,
        // a character that no name has
        Streams::Independent => {
            let purpose = format!("{}\u{1f}{}", source.purpose(), cell.id);
            Source::new(&purpose, source.law(), source.rows())
        }
    }
}

/// The measures that the cell has.
fn measures(
    question: &Question<'_>,
    cell: &StreamCell,
) -> Vec<(&'static dyn Measure, StreamMeasure)> {
    (question.measures.iter())
        .filter_map(|measure| match measure.rule() {
            Rule::Stream(rule) if (rule.suits)(cell) => Some((*measure, rule)),
            _ => None,
        })
        .collect()
}
