//! Which rows a tile tallies, and how outcomes and comparisons are read off them.

use super::spending::Spending;
use super::{Block, Prepared, Quantity, Stream, StreamCell};
use crate::engine::{Pair, Tile, TileCell};
use crate::measure::{Measure, Rule, StreamMeasure};
use crate::procedure::Streams;
use crate::procedure::sources::place_of;
use crate::tally::RowKind;
use epsweep_core::random::Source;
use epsweep_core::theory::Law;
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

/// What is asked of a cell in a row.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub measure: &'static dyn Measure,
    pub subject: String,
    pub ask: Ask,
}

/// How a row comes about.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// from the stream as a whole
    Whole(StreamMeasure),
    /// from some of its positions
    Some(Quantity),
}

impl Ask {
    /// What its values are.
    pub fn kind(&self, cell: &StreamCell) -> RowKind {
        match (self, cell.policy()) {
            (Ask::Whole(rule), _) => (rule.kind)(cell),
            (Ask::Some(quantity), Some(policy)) => policy.kind(*quantity),
            // a gate is not asked
            (Ask::Some(_), None) => RowKind::Flag,
        }
    }

    /// The values in a block.
    pub fn fill(&self, cell: &StreamCell, block: &Block, out: &mut [f64]) {
        match (self, cell.policy(), &block.policy) {
            (Ask::Whole(rule), ..) => (rule.kernel)(cell, block, out),
            (Ask::Some(quantity), Some(policy), Some(room)) => policy.fill(*quantity, room, out),
            (Ask::Some(_), ..) => out.fill(f64::NAN),
        }
    }

    /// The exact law.
    pub fn law(&self, cell: &StreamCell) -> Option<Arc<dyn Law>> {
        match self {
            Ask::Whole(rule) => (rule.law)(cell),
            Ask::Some(quantity) => cell.policy()?.law(*quantity),
        }
    }
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
    /// what is measured, in the order of the rows
    pub measures: Vec<Asked>,
    /// names the draws and the law
    pub evidence: String,
    pub pairs: Vec<PairPlan>,
}

#[derive(Debug)]
pub(super) struct PairPlan {
    /// index of the other cell in the request
    pub against: usize,
    pub measure: &'static dyn Measure,
    pub subject: String,
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
                    measures: measures.iter().map(|asked| asked.ask).collect(),
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
            for (i, own) in cells[at].measures.iter().enumerate() {
                let same = |other: &Asked| {
                    other.measure.about() == own.measure.about() && other.subject == own.subject
                };
                let other = cells[bt].measures.iter().position(same);
                if let (Some(j), true) = (other, own.measure.compared()) {
                    rows.push((i, j));
                    plans.push(PairPlan {
                        against: *b,
                        measure: own.measure,
                        subject: own.subject.clone(),
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

/// What the cell is asked.
fn measures(question: &Question<'_>, cell: &StreamCell) -> Vec<Asked> {
    let asked = |measure: &&'static dyn Measure| {
        let measure = *measure;
        match (measure.rule(), cell.policy()) {
            (Rule::Stream(rule), _) if (rule.suits)(cell) => vec![Asked {
                measure,
                subject: "all".to_owned(),
                ask: Ask::Whole(rule),
            }],
            (Rule::Positions(rule), Some(policy)) => (rule.quantities)(policy)
                .into_iter()
                .map(|(subject, quantity)| Asked {
                    measure,
                    subject,
                    ask: Ask::Some(quantity),
                })
                .collect(),
            _ => Vec::new(),
        }
    };
    question.measures.iter().flat_map(asked).collect()
}
