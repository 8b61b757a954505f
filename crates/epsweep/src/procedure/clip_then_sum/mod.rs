//! Choosing a clipping bound, then summing and counting, on one budget.

#[cfg(test)]
mod tests;

use super::plain::{self, Plain, Reported};
use super::{At, Outcome, Procedure, Rows, RunError, Task};
use crate::engine::{BLOCK, Progress};
use crate::measure::{Measure, Rule, StagedRule, Standard};
use crate::study::clip_then_sum::StagedCell;
use crate::tally::{CellTally, RowKind};
use epsweep_core::pipeline::Answer;
use epsweep_core::random::{Draws, Source};
use epsweep_core::theory::{Law, Of};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct ClipThenSum {
    sources: Vec<Source>,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    cell: StagedCell,
    /// of the noise of sum and count, and of the choice where there is one
    sources: Vec<usize>,
    rows: Vec<(Row, RowKind)>,
}

/// What fills a row.
#[derive(Clone, Copy, Debug)]
enum Row {
    /// a function of an answer's error
    Error(Answer, Of),
    /// a function of the bound
    Staged(StagedRule),
}

impl Row {
    /// The exact law.
    fn law(&self, cell: &StagedCell) -> Option<Arc<dyn Law>> {
        match self {
            Row::Error(answer, of) => Some(Arc::new(cell.stages.law(*answer, *of))),
            Row::Staged(rule) => (rule.law)(cell),
        }
    }
}

/// The rows of a cell, and what is reported of them.
fn rows(cell: &StagedCell, measures: &[&'static dyn Measure]) -> Vec<(Row, Reported)> {
    let mut rows = Vec::new();
    for measure in measures {
        let of = match (measure.of_error(), measure.rule()) {
            (Some(Standard::Signed), _) => Of::Signed,
            (Some(Standard::Absolute), _) => Of::Absolute,
            (Some(Standard::Squared), _) => Of::Squared,
            (_, Rule::Staged(rule)) => {
                let reported = Reported {
                    few: false,
                    subject: "all".to_owned(),
                    measure: *measure,
                    kind: (rule.kind)(cell),
                };
                rows.push((Row::Staged(rule), reported));
                continue;
            }
            _ => continue,
        };
        for answer in Answer::ALL {
            let spread = cell.stages.spread(*answer);
            let reported = Reported {
                few: false,
                subject: answer.name().to_owned(),
                measure: *measure,
                kind: match of {
                    Of::Signed => RowKind::signed(spread),
                    Of::Absolute => RowKind::real(spread),
                    Of::Squared => RowKind::real(spread * spread),
                },
            };
            rows.push((Row::Error(*answer, of), reported));
        }
    }
    rows
}

impl Plain for ClipThenSum {
    type Spec = StagedCell;
    type Context = ();

    fn id(spec: &StagedCell) -> &str {
        &spec.id
    }

    fn reported(spec: &StagedCell, measures: &[&'static dyn Measure]) -> Vec<Reported> {
        (rows(spec, measures).into_iter())
            .map(|(_, reported)| reported)
            .collect()
    }

    fn laws(spec: &StagedCell, measures: &[&'static dyn Measure]) -> Vec<Option<Arc<dyn Law>>> {
        let rows = rows(spec, measures);
        rows.iter().map(|(row, _)| row.law(spec)).collect()
    }

    fn drawn(spec: &StagedCell) -> Vec<Source> {
        spec.stages.sources()
    }

    fn prepared(
        spec: &StagedCell,
        _: usize,
        measures: &[&'static dyn Measure],
        sources: Vec<usize>,
    ) -> Prepared {
        Prepared {
            rows: (rows(spec, measures).into_iter())
                .map(|(row, reported)| (row, reported.kind))
                .collect(),
            cell: spec.clone(),
            sources,
        }
    }

    fn new(sources: Vec<Source>, (): &()) -> ClipThenSum {
        ClipThenSum { sources }
    }
}

impl Procedure for ClipThenSum {
    type Cell = Prepared;
    /// The places of the bounds that are chosen in a block.
    type Scratch = Vec<usize>;
    const CHUNK: usize = 4096;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        cell.rows.iter().map(|(_, kind)| *kind).collect()
    }

    fn scratch(&self) -> Vec<usize> {
        vec![0; BLOCK]
    }

    fn cell(
        &self,
        cell: &Prepared,
        draws: &Draws,
        at: At,
        chosen: &mut Vec<usize>,
        rows: &mut Rows<'_>,
    ) {
        let stages = &cell.cell.stages;
        let row = |source: usize| at.of(draws.row(source, 0));
        let (sums, counts) = (row(cell.sources[0]), row(cell.sources[1]));
        let chosen = &mut chosen[..at.len];
        chosen.fill(0);
        if let Some(source) = cell.sources.get(2) {
            for (place, uniform) in chosen.iter_mut().zip(row(*source)) {
                *place = stages.choose(*uniform);
            }
        }
        for (index, (row, _)) in cell.rows.iter().enumerate() {
            let out = rows.row(index);
            match row {
                Row::Staged(rule) => {
                    for (to, place) in out.iter_mut().zip(chosen.iter()) {
                        *to = (rule.value)(&cell.cell, *place);
                    }
                }
                Row::Error(answer, of) => {
                    let trials = chosen.iter().zip(sums).zip(counts);
                    for (to, ((place, sum), count)) in out.iter_mut().zip(trials) {
                        let error = stages.error(*answer, *place, *sum, *count);
                        *to = match of {
                            Of::Signed => error,
                            Of::Absolute => error.abs(),
                            Of::Squared => error * error,
                        };
                    }
                }
            }
        }
    }
}

/// Simulates the cells; like every plain procedure, in parallel and without leaving a trace of the schedule.
pub(super) fn run(
    cells: &[StagedCell],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    plain::run::<ClipThenSum>(cells, &(), task, progress, stop, sink)
}
