//! The entry: cells in, finished tallies out.

use super::finish::Finished;
use super::layout::{OutcomePlan, Plan, Question, RowRef, View};
use super::{Release, Streams};
use crate::engine::{Kept, Progress, Work};
use crate::engine::{Listed, Way};
use crate::measure::Measure;
use crate::procedure::drive::{
    Order, Outcome, Planned, Quantiles, RunError, Task, drive, validate,
};
use crate::procedure::rounds::Until;
use crate::procedure::tiles::{Group, Size, Teams, divide};
use crate::procedure::{OnError, Procedure};
use crate::study::release::ReleaseCell;
use crate::tally::{CellTally, RowKind, Tally};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// What to simulate.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// seed of all streams
    pub seed: u64,
    /// trials of every cell; at least one
    pub trials: u64,
    /// threads; 0 takes as many as there are processors, or one where the work is small
    pub jobs: usize,
    /// the cells; their texts differ
    pub cells: &'a [ReleaseCell],
    /// (a, b): cell a is compared with cell b, the baseline, trial by trial
    pub pairs: &'a [(usize, usize)],
    /// what to measure, in the registry's order
    pub measures: &'a [&'static dyn Measure],
    /// whether cells share their noise
    pub streams: Streams,
    /// level of the analyst's interval: between 0 and 1
    pub level: f64,
    /// where quantiles come from
    pub quantiles: Quantiles,
    /// when cells have enough trials, if that is not when they have all
    pub until: Option<Until<'a>>,
    /// what of the run is simulated, and where its tallies are kept
    pub kept: Kept<'a>,
    /// what becomes of it if a trial fails
    pub on_error: OnError,
}

/// Simulates a request. Cells are handed to `sink` as their tiles are finished, from any thread and in any order; what they
/// hold depends on neither. When `stop` becomes true, the work in flight is finished and the cells that are not complete
/// are left out.
///
/// # Errors
/// If the request contradicts itself, or if threads cannot be started.
pub fn run(
    request: &Request<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    let task = request.task();
    let cells = request.cells;
    validate(&task, cells.len())?;
    for cell in cells {
        names_differ(cell)?;
    }
    let question = Question {
        cells,
        measures: request.measures,
        streams: request.streams,
        level: request.level,
    };
    let own = task.kept.own(cells.len());
    let groups = progress.excusing(|| groups(&question, own, request.pairs, task.teams()));
    let plan = |group: &Group| question.plan(group);
    let size = (own, Release::CHUNK);
    drive(&task, size, &groups, plan, progress, stop, sink)
}

/// The tiles of the first `own` cells.
pub(super) fn groups(
    question: &Question<'_>,
    own: usize,
    pairs: &[(usize, usize)],
    teams: Teams,
) -> Vec<Group> {
    divide(own, pairs, teams, |cell| cost_of(question, cell))
}

impl Question<'_> {
    /// A tile, laid out.
    pub(super) fn plan(&self, group: &Group) -> Plan {
        Plan::new(self, &group.members, &group.pairs)
    }
}

impl<'a> Request<'a> {
    /// These cells under that task.
    pub fn new(cells: &'a [ReleaseCell], task: &Task<'a>) -> Request<'a> {
        Request {
            seed: task.seed,
            trials: task.trials,
            jobs: task.jobs,
            cells,
            pairs: task.pairs,
            measures: task.measures,
            streams: task.streams,
            level: task.level,
            quantiles: task.quantiles,
            until: task.until,
            kept: task.kept,
            on_error: task.on_error,
        }
    }

    fn task(&self) -> Task<'_> {
        Task {
            seed: self.seed,
            trials: self.trials,
            jobs: self.jobs,
            pairs: self.pairs,
            measures: self.measures,
            streams: self.streams,
            level: self.level,
            quantiles: self.quantiles,
            until: self.until,
            kept: self.kept,
            on_error: self.on_error,
        }
    }
}

impl Planned for Plan {
    fn work(&self) -> &dyn Work {
        &self.tile
    }

    fn read_off(&self) -> Vec<Option<RowKind>> {
        let layout = self.tile.layout();
        let first = self.tile.first_rows();
        let kind = |outcome: &OutcomePlan| match outcome.view {
            View::Row { row, .. } => Some(
                layout.kinds()[match row {
                    RowRef::Shared(row) => row,
                    RowRef::Own(place, row) => first[place] + row,
                }],
            ),
            View::Constant(_) | View::Undefined => None,
        };
        (self.cells.iter().flat_map(|cell| &cell.outcomes))
            .map(kind)
            .collect()
    }

    fn listed(&self) -> Vec<Listed> {
        let first_row = self.tile.first_rows();
        let listed = |outcome: &OutcomePlan| Listed {
            subject: outcome.subject.clone(),
            measure: outcome.measure.about().name,
            way: match outcome.view {
                View::Row { row, scale, shift } => {
                    let row = match row {
                        RowRef::Shared(row) => row,
                        RowRef::Own(place, row) => first_row[place] + row,
                    };
                    Way::Row { row, scale, shift }
                }
                View::Constant(value) => Way::Constant(value),
                View::Undefined => Way::Constant(f64::NAN),
            },
        };
        let cells = self.cells.iter().take(1);
        cells
            .flat_map(|cell| cell.outcomes.iter().map(listed))
            .collect()
    }

    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally)) {
        Finished::new(self, tally, order).cells().for_each(sink);
    }
}

/// What a cell costs in a worker's buffers.
fn cost_of(question: &Question<'_>, cell: usize) -> Size {
    let alone = Plan::new(question, &[(cell, false)], &[]);
    let layout = alone.tile.layout();
    let shared = alone.tile.shared_rows();
    let own = layout.kinds().len() - shared;
    let bins: usize = layout.kinds()[shared..].iter().map(|k| k.bins()).sum();
    // a cell without rows of its own still has its plan
    Size {
        tallied: bins * size_of::<u32>() + 1024,
        kept: own * alone.tile.chunk_len() * size_of::<f64>(),
        paired: own * 512,
    }
}

fn names_differ(cell: &ReleaseCell) -> Result<(), RunError> {
    let mut names = HashSet::new();
    for query in &cell.queries {
        if !names.insert(query.name.as_str()) {
            return Err(RunError::RepeatedQuery {
                cell: cell.id.clone(),
                query: query.name.clone(),
            });
        }
    }
    Ok(())
}
