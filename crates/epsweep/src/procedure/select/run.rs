//! The entry: cells in, finished tallies out.

use super::finish::Finished;
use super::layout::{Plan, Question};
use super::{ChosenRows, Select};
use crate::engine::{Listed, Way};
use crate::engine::{Progress, Work};
use crate::procedure::Procedure;
use crate::procedure::drive::{Order, Outcome, Planned, RunError, Task, drive, validate};
use crate::procedure::tiles::{Group, Size, divide};
use crate::study::select::OTHERS;
use crate::study::select::SelectCell;
use crate::tally::{CellTally, Tally};
use std::sync::atomic::AtomicBool;

/// Simulates the cells. They are handed to `sink` as their tiles are finished, from any thread and in any order; what they hold depends on
/// neither. When `stop` becomes true, the work in flight is finished and the cells that are not complete are left out.
///
/// # Errors
/// If the task contradicts itself, or if threads cannot be started.
pub fn run(
    cells: &[SelectCell],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    validate(task, cells.len())?;
    let question = Question {
        cells,
        measures: task.measures,
        streams: task.streams,
    };
    let own = task.kept.own(cells.len());
    let cost = |cell| cost_of(&question, cell);
    let groups = progress.excusing(|| divide(own, task.pairs, task.teams(), cost));
    let plan = |group: &Group| Plan::new(&question, &group.members, &group.pairs);
    let size = (own, Select::CHUNK);
    drive(task, size, &groups, plan, progress, stop, sink)
}

impl Planned for Plan {
    fn work(&self) -> &dyn Work {
        &self.tile
    }

    fn listed(&self) -> Vec<Listed> {
        let Some(plan) = self.cells.first() else {
            return Vec::new();
        };
        let first = self.tile.first_rows()[plan.place];
        let ranking = &plan.cell.ranking;
        let shown = ranking.names().len();
        let mut listed = Vec::new();
        if let Some(measure) = plan.reports_chosen {
            let chosen = |subject: &str, way| Listed {
                subject: subject.to_owned(),
                measure: measure.about().name,
                way,
            };
            listed.extend(ranking.names().iter().enumerate().map(|(rank, name)| {
                let way = match plan.chosen {
                    ChosenRows::Rank { .. } => Way::Rank { row: first, rank },
                    ChosenRows::Flags { .. } => Way::row(first + rank),
                };
                chosen(name, way)
            }));
            if plan.has_others() {
                let way = Way::RankFrom {
                    row: first,
                    rank: shown,
                };
                listed.push(chosen(OTHERS, way));
            }
        }
        let first = first + plan.chosen.rows();
        listed.extend(plan.measures.iter().enumerate().map(|(i, measure)| Listed {
            subject: "all".to_owned(),
            measure: measure.about().name,
            way: Way::row(first + i),
        }));
        listed
    }

    fn read(&self, tally: &Tally, order: Order, sink: &mut dyn FnMut(CellTally)) {
        Finished::new(self, tally, order).cells().for_each(sink);
    }
}

/// What a cell costs in a worker's buffers.
fn cost_of(question: &Question<'_>, cell: usize) -> Size {
    let alone = Plan::new(question, &[(cell, false)], &[]);
    Size::of(alone.tile.layout().kinds(), Select::CHUNK)
}
