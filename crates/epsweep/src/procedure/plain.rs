//! Procedures whose cells have rows of their own and nothing that is shared, derived or rescaled: each row is an outcome as it stands.

use super::drive::{Order, Outcome, Planned, RunError, Task, drive, validate};
use super::pairing::{Comparable, PairPlan, pair_up};
use super::reading::Reading;
use super::sources::{drawn_by, place_of};
use super::tiles::{Group, Size, divide};
use super::{Procedure, Streams};
use crate::engine::{Listed, Way};
use crate::engine::{Progress, Tile, TileCell, Work};
use crate::measure::Measure;
use crate::tally::{CellTally, RowKind, Tally};
use epsweep_core::random::Source;
use epsweep_core::theory::Law;
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
    /// whether its values are few though they are reals, as sums of few budgets are
    pub few: bool,
}

/// A procedure of this kind.
pub(super) trait Plain: Procedure + Sized {
    /// A cell as it is planned.
    type Spec: Sync;
    /// What all tiles of a run have in common.
    type Context: Sync;
    /// Canonical text of a cell.
    fn id(spec: &Self::Spec) -> &str;
    /// The rows of a cell, in their order.
    fn reported(spec: &Self::Spec, measures: &[&'static dyn Measure]) -> Vec<Reported>;
    /// The exact laws of these rows, where known. They are asked for once, when the tally is read.
    fn laws(spec: &Self::Spec, measures: &[&'static dyn Measure]) -> Vec<Option<Arc<dyn Law>>>;
    /// The sources of a cell's draws: equal ones are shared among the cells of a tile.
    fn drawn(spec: &Self::Spec) -> Vec<Source>;
    /// A cell that is ready to be simulated: cell `index` of the request, with the places of its sources among those of the procedure.
    fn prepared(
        spec: &Self::Spec,
        index: usize,
        measures: &[&'static dyn Measure],
        sources: Vec<usize>,
    ) -> Self::Cell;
    /// The procedure of a tile.
    fn new(sources: Vec<Source>, context: &Self::Context) -> Self;
    /// Names the draws and the law of a cell: cells with the same text are one piece of evidence.
    fn evidence(spec: &Self::Spec) -> String {
        Self::id(spec).to_owned()
    }
}

/// A tile, and how to read its tally.
struct Plan<'a, P: Plain> {
    tile: Tile<P>,
    /// of the cells that are no guests, in the tile's order
    cells: Vec<CellPlan<'a, P>>,
    measures: &'a [&'static dyn Measure],
}

struct CellPlan<'a, P: Plain> {
    /// index of the cell in the request
    index: usize,
    spec: &'a P::Spec,
    /// number of its first row
    first: usize,
    reported: Vec<Reported>,
    evidence: String,
    pairs: Vec<PairPlan>,
}

impl<'a, P: Plain> Plan<'a, P> {
    fn new(
        cells: &'a [P::Spec],
        context: &P::Context,
        task: &Task<'a>,
        group: &Group,
    ) -> Plan<'a, P> {
        let mut sources: Vec<Source> = Vec::new();
        let mut tile_cells = Vec::new();
        let mut plans: Vec<CellPlan<'a, P>> = Vec::new();
        for (index, guest) in &group.members {
            let spec = &cells[*index];
            let places = (P::drawn(spec).into_iter())
                .map(|source| place_of(&mut sources, drawn_by(P::id(spec), source, task.streams)))
                .collect();
            tile_cells.push(TileCell {
                cell: P::prepared(spec, *index, task.measures, places),
                guest: *guest,
            });
            let mut evidence = P::evidence(spec);
            if task.streams == Streams::Independent {
                evidence = format!("{evidence}, {}", P::id(spec));
            }
            plans.push(CellPlan {
                index: *index,
                spec,
                first: 0,
                reported: P::reported(spec, task.measures),
                evidence,
                pairs: Vec::new(),
            });
        }
        let comparable = |plan: &CellPlan<'a, P>| -> Vec<Comparable> {
            (plan.reported.iter().enumerate())
                .map(|(row, reported)| Comparable {
                    measure: reported.measure,
                    subject: reported.subject.clone(),
                    row,
                })
                .collect()
        };
        let rows: Vec<Vec<Comparable>> = plans.iter().map(comparable).collect();
        let (tile_pairs, pairs) = pair_up(&group.members, &group.pairs, &rows);
        let tile = Tile {
            procedure: P::new(sources, context),
            cells: tile_cells,
            pairs: tile_pairs,
        };
        for ((plan, first), pairs) in plans.iter_mut().zip(tile.first_rows()).zip(pairs) {
            (plan.first, plan.pairs) = (first, pairs);
        }
        let mut guests = group.members.iter().map(|(_, guest)| *guest);
        plans.retain(|_| guests.next() == Some(false));
        Plan {
            tile,
            cells: plans,
            measures: task.measures,
        }
    }
}

impl<P: Plain> Planned for Plan<'_, P>
where
    Tile<P>: Work,
{
    fn work(&self) -> &dyn Work {
        &self.tile
    }

    fn read_off(&self) -> Vec<Option<RowKind>> {
        let reported = self.cells.iter().flat_map(|cell| &cell.reported);
        reported.map(|row| (!row.few).then_some(row.kind)).collect()
    }

    fn listed(&self) -> Vec<Listed> {
        let cells = self.cells.iter().take(1);
        let listed = cells.flat_map(|cell| {
            (cell.reported.iter().enumerate()).map(|(i, reported)| Listed {
                subject: reported.subject.clone(),
                measure: reported.measure.about().name,
                way: Way::row(cell.first + i),
            })
        });
        listed.collect()
    }

    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally)) {
        let reading = Reading::new(self.tile.layout(), tally, order);
        for (number, cell) in self.cells.iter().enumerate() {
            let laws = P::laws(cell.spec, self.measures);
            let outcomes = (cell.reported.iter().zip(laws).enumerate()).map(|(i, (row, law))| {
                let number = cell.first + i;
                reading.outcome(number, row.measure, &row.subject, law, &cell.evidence)
            });
            sink(CellTally {
                cell: cell.index,
                trials: tally.trials,
                outcomes: outcomes.collect(),
                pairs: cell.pairs.iter().map(|pair| reading.pair(pair)).collect(),
                fit: None,
                exact: Vec::new(),
                failed: reading.failed(number, |row| {
                    let row = cell.reported.get(row)?;
                    Some(format!("{} of {}", row.measure.about().name, row.subject))
                }),
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
    context: &P::Context,
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    validate(task, cells.len())?;
    let own = task.kept.own(cells.len());
    let size_of = |cell: usize| {
        let rows = P::reported(&cells[cell], task.measures);
        let kinds: Vec<RowKind> = rows.iter().map(|row| row.kind).collect();
        Size::of(&kinds, P::CHUNK)
    };
    let groups = progress.excusing(|| divide(own, task.pairs, task.teams(), size_of));
    let plan = |group: &Group| Plan::<P>::new(cells, context, task, group);
    let size = (own, P::CHUNK);
    drive(task, size, &groups, plan, progress, stop, sink)
}
