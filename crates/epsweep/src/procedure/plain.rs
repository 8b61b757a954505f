//! Procedures whose cells have rows of their own and nothing that is shared, derived or rescaled: each row is an outcome as it stands.

use super::drive::{Order, Outcome, Planned, RunError, Task, drive, validate};
use super::tiles::{Group, Size, divide};
use super::{Procedure, Streams};
use crate::engine::{Pair, Progress, Tile, TileCell, Work};
use crate::measure::Measure;
use crate::tally::{CellTally, Histogram, Nature, OutcomeTally, PairTally, RowKind, Tally};
use epsweep_core::random::Source;
use epsweep_core::statistics::Moments;
use epsweep_core::theory::Law;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A row of a cell, and what is reported of it.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    /// what it is of
    pub subject: String,
    /// the measure
    pub measure: &'static dyn Measure,
    /// how it is tallied
    pub kind: RowKind,
    /// its exact law, where known
    pub law: Option<Arc<dyn Law>>,
}

/// A procedure of this kind.
pub(super) trait Plain: Procedure + Sized {
    /// A cell as it is planned.
    type Spec: Sync;
    /// Canonical text of a cell.
    fn id(spec: &Self::Spec) -> &str;
    /// The rows of a cell, in their order.
    fn reported(spec: &Self::Spec, measures: &[&'static dyn Measure]) -> Vec<Reported>;
    /// The sources of a cell's draws: equal ones are shared among the cells of a tile.
    fn drawn(spec: &Self::Spec) -> Vec<Source>;
    /// A cell that is ready to be simulated, from its rows and the places of its sources among those of the procedure.
    fn prepared(spec: &Self::Spec, reported: &[Reported], sources: Vec<usize>) -> Self::Cell;
    /// The procedure of a tile.
    fn new(sources: Vec<Source>) -> Self;
}

/// A tile, and how to read its tally.
struct Plan<P: Plain> {
    tile: Tile<P>,
    cells: Vec<CellPlan>,
}

struct CellPlan {
    /// index of the cell in the request
    index: usize,
    id: String,
    /// number of its first row
    first: usize,
    reported: Vec<Reported>,
    pairs: Vec<PairPlan>,
}

struct PairPlan {
    against: usize,
    subject: String,
    measure: &'static str,
    row: usize,
}

impl<P: Plain> Plan<P> {
    fn new(cells: &[P::Spec], task: &Task<'_>, group: &Group) -> Plan<P> {
        let mut sources: Vec<Source> = Vec::new();
        let mut tile_cells = Vec::new();
        let mut plans: Vec<CellPlan> = Vec::new();
        for (index, guest) in &group.members {
            let spec = &cells[*index];
            let reported = P::reported(spec, task.measures);
            let places = (P::drawn(spec).into_iter())
                .map(|source| place_of(&mut sources, own(source, task.streams, P::id(spec))))
                .collect();
            tile_cells.push(TileCell {
                cell: P::prepared(spec, &reported, places),
                guest: *guest,
            });
            plans.push(CellPlan {
                index: *index,
                id: P::id(spec).to_owned(),
                first: 0,
                reported,
                pairs: Vec::new(),
            });
        }
        let places: HashMap<usize, usize> = (group.members.iter().enumerate())
            .map(|(place, (cell, _))| (*cell, place))
            .collect();
        let mut tile_pairs = Vec::new();
        let mut paired = 0;
        for (a, b) in &group.pairs {
            let (at, bt) = (places[a], places[b]);
            let mut rows = Vec::new();
            let mut pairs = Vec::new();
            for (i, row) in plans[at].reported.iter().enumerate() {
                let name = row.measure.about().name;
                let same = |other: &Reported| {
                    other.measure.about().name == name && other.subject == row.subject
                };
                let other = plans[bt].reported.iter().position(same);
                if let (Some(j), true) = (other, row.measure.compared()) {
                    rows.push((i, j));
                    pairs.push(PairPlan {
                        against: *b,
                        subject: row.subject.clone(),
                        measure: name,
                        row: paired,
                    });
                    paired += 1;
                }
            }
            if !rows.is_empty() {
                tile_pairs.push(Pair { a: at, b: bt, rows });
            }
            plans[at].pairs.extend(pairs);
        }
        let tile = Tile {
            procedure: P::new(sources),
            cells: tile_cells,
            pairs: tile_pairs,
        };
        for (plan, first) in plans.iter_mut().zip(tile.first_rows()) {
            plan.first = first;
        }
        let mut guests = group.members.iter().map(|(_, guest)| *guest);
        plans.retain(|_| guests.next() == Some(false));
        Plan { tile, cells: plans }
    }
}

/// With independent streams, the cell's text enters the purpose.
fn own(source: Source, streams: Streams, id: &str) -> Source {
    match streams {
        Streams::Common => source,
        // a character that no name has
        Streams::Independent => {
            let purpose = format!("{}\u{1f}{id}", source.purpose());
            Source::new(&purpose, source.law(), source.rows())
        }
    }
}

/// The place of a source: one with the same draws is made longer if need be.
fn place_of(sources: &mut Vec<Source>, source: Source) -> usize {
    let same = |s: &Source| s.purpose() == source.purpose() && s.law() == source.law();
    match sources.iter().position(same) {
        Some(place) => {
            if sources[place].rows() < source.rows() {
                sources[place] = source;
            }
            place
        }
        None => {
            sources.push(source);
            sources.len() - 1
        }
    }
}

impl<P: Plain> Planned for Plan<P>
where
    Tile<P>: Work,
{
    fn work(&self) -> &dyn Work {
        &self.tile
    }

    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally)) {
        let layout = self.tile.layout();
        let rows = layout.kinds().len();
        let moments = tally
            .moments()
            .unwrap_or_else(|| vec![Moments::default(); rows + layout.pairs()].into());
        for cell in &self.cells {
            let outcomes = cell.reported.iter().enumerate().map(|(i, reported)| {
                let row = cell.first + i;
                let (min, max) = (tally.counts.min[row], tally.counts.max[row]);
                let defined = min <= max;
                OutcomeTally {
                    subject: reported.subject.clone(),
                    measure: reported.measure.about().name,
                    undefined: tally.trials - moments[row].n,
                    moments: moments[row],
                    histogram: Histogram::from_counts(
                        layout.kinds()[row],
                        &tally.counts.bins[layout.range(row)],
                        min,
                        max,
                    ),
                    order: order.get(row).cloned().flatten(),
                    min: if defined { min } else { f64::NAN },
                    max: if defined { max } else { f64::NAN },
                    law: reported.law.clone(),
                    nature: match reported.kind {
                        RowKind::Flag => Nature::Flag,
                        _ => Nature::Number,
                    },
                    evidence: format!(
                        "{} {}, {}",
                        reported.measure.about().name,
                        reported.subject,
                        cell.id
                    ),
                }
            });
            let pairs = cell.pairs.iter().map(|pair| {
                let wins = tally.counts.wins[pair.row];
                PairTally {
                    against: pair.against,
                    subject: pair.subject.clone(),
                    measure: pair.measure,
                    moments: moments[rows + pair.row],
                    win: wins.win,
                    tie: wins.tie,
                    loss: wins.loss,
                }
            });
            sink(CellTally {
                cell: cell.index,
                trials: tally.trials,
                outcomes: outcomes.collect(),
                pairs: pairs.collect(),
                fit: None,
                exact: Vec::new(),
            });
        }
    }
}

/// Simulates the cells. They are handed to `sink` as their tiles are finished, from any thread and in any order; what they hold depends on
/// neither. When `stop` becomes true, the work in flight is finished and the cells that are not complete are left out.
///
/// # Errors
/// If the task contradicts itself, or if threads cannot be started.
pub(super) fn run<P: Plain>(
    cells: &[P::Spec],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    validate(task, cells.len())?;
    let groups = divide(cells.len(), task.pairs, |cell| {
        let rows = P::reported(&cells[cell], task.measures);
        let bins: usize = rows.iter().map(|row| row.kind.bins()).sum();
        Size {
            tallied: bins * size_of::<u32>() + 1024,
            kept: rows.len() * P::CHUNK * size_of::<f64>(),
            paired: rows.len() * 512,
        }
    });
    let plan = |group: &Group| Plan::<P>::new(cells, task, group);
    drive(
        task,
        (cells.len(), P::CHUNK),
        &groups,
        plan,
        progress,
        stop,
        sink,
    )
}
