//! Training privately: each trial is a descent by noisy gradients.
//!
//! Eight trials run at once over the same data. The noise of a step is addressed by (trial, step, feature), whatever came before it, so that under
//! common random numbers all cells see the same noise, rescaled; the samples of cells with the same sampling probability are the same too.

#[cfg(test)]
mod tests;

use super::plain::{self, Plain, Reported};
use super::{At, Outcome, Procedure, Rows, RunError, Task};
use crate::engine::Progress;
use crate::measure::{Measure, Rule, TrainRule};
use crate::study::train::{TrainCell, Trained};
use crate::tally::{CellTally, RowKind};
use epsweep_core::random::isa::LANES;
use epsweep_core::random::{Draws, Source, StandardLaw, TrialStream};
use epsweep_core::theory::Law;
use epsweep_core::training::{Data, Room, Streams, kernel};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The procedure, for the cells of one tile.
#[derive(Debug)]
pub struct Train {
    sources: Vec<Source>,
}

/// A cell, ready to be simulated.
#[derive(Debug)]
pub struct Prepared {
    cell: TrainCell,
    /// of the noise, and of the samples where there are any
    sources: Vec<usize>,
    /// what fills each row, with the place of its subject
    rows: Vec<(TrainRule, usize)>,
}

/// The rules of a cell's rows.
fn rules(
    cell: &TrainCell,
    measures: &[&'static dyn Measure],
) -> Vec<(&'static dyn Measure, TrainRule, usize)> {
    let mut rules = Vec::new();
    for measure in measures {
        if let Rule::Train(rule) = measure.rule() {
            let places = match rule.each_step {
                true => cell.descent.recorded.len(),
                false => 1,
            };
            rules.extend((0..places).map(|place| (*measure, rule, place)));
        }
    }
    rules
}

impl Plain for Train {
    type Spec = TrainCell;
    type Context = ();

    fn id(spec: &TrainCell) -> &str {
        &spec.id
    }

    fn reported(spec: &TrainCell, measures: &[&'static dyn Measure]) -> Vec<Reported> {
        (rules(spec, measures).into_iter())
            .map(|(measure, rule, place)| Reported {
                few: false,
                subject: match rule.each_step {
                    true => spec.step_name(place),
                    false => "all".to_owned(),
                },
                measure,
                kind: (rule.kind)(spec),
            })
            .collect()
    }

    fn laws(spec: &TrainCell, measures: &[&'static dyn Measure]) -> Vec<Option<Arc<dyn Law>>> {
        (rules(spec, measures).into_iter())
            .map(|(_, rule, place)| (rule.law)(spec, place))
            .collect()
    }

    fn drawn(spec: &TrainCell) -> Vec<Source> {
        let mut sources = vec![Source::new("train/noise", StandardLaw::Normal, 0)];
        if spec.descent.sampling.get() < 1.0 {
            sources.push(Source::new("train/sample", StandardLaw::Exponential, 0));
        }
        sources
    }

    fn prepared(
        spec: &TrainCell,
        _: usize,
        measures: &[&'static dyn Measure],
        sources: Vec<usize>,
    ) -> Prepared {
        let rows = rules(spec, measures).into_iter();
        Prepared {
            rows: rows.map(|(_, rule, place)| (rule, place)).collect(),
            cell: spec.clone(),
            sources,
        }
    }

    fn new(sources: Vec<Source>, (): &()) -> Train {
        Train { sources }
    }
}

impl Procedure for Train {
    type Cell = Prepared;
    type Scratch = Room;
    /// As many trials as there are lanes: a descent is dear.
    const CHUNK: usize = LANES;

    fn sources(&self) -> Vec<Source> {
        self.sources.clone()
    }

    fn rows(&self, cell: &Prepared) -> Vec<RowKind> {
        let kind = |(rule, _): &(TrainRule, usize)| (rule.kind)(&cell.cell);
        cell.rows.iter().map(kind).collect()
    }

    fn scratch(&self) -> Room {
        Room::default()
    }

    fn cell(
        &self,
        prepared: &Prepared,
        draws: &Draws,
        at: At,
        room: &mut Room,
        rows: &mut Rows<'_>,
    ) {
        let cell = &prepared.cell;
        let streams = |source: usize| -> [TrialStream; LANES] {
            // of a shorter block, the last trial runs in the lanes that are left over
            std::array::from_fn(|lane| draws.trial(source, at.first + lane.min(at.len - 1)))
        };
        let mut noise = streams(prepared.sources[0]);
        let mut samples = prepared.sources.get(1).map(|source| streams(*source));
        let data = Data {
            examples: &cell.learnt.train,
            limits: &cell.limits,
            level: at.level,
        };
        let streams = Streams {
            noise: &mut noise,
            samples: samples.as_mut(),
        };
        cell.descent.run(&data, &cell.plan, streams, room);
        let model = cell.descent.model;
        let judged = |needed: fn(&TrainRule) -> bool, examples| {
            let needed = prepared.rows.iter().any(|(rule, _)| needed(rule));
            needed.then(|| kernel::judge(at.level, model, examples, &room.parameters))
        };
        let on_train = judged(|rule| rule.needs_loss, &cell.learnt.train);
        let on_test = match &cell.learnt.test {
            Some(test) => judged(|rule| rule.needs_test, &test.examples),
            None => None,
        };
        for lane in 0..at.len.min(LANES) {
            let square: f64 = (room.parameters.iter().zip(&cell.learnt.optimum))
                .map(|(w, best)| (w[lane] - best) * (w[lane] - best))
                .sum();
            let trained = Trained {
                loss: on_train.map_or(f64::NAN, |(losses, _)| losses[lane]),
                test_loss: on_test.map_or(f64::NAN, |(losses, _)| losses[lane]),
                accuracy: on_test.map_or(f64::NAN, |(_, right)| right[lane]),
                distance: square.sqrt(),
                steps: room.steps[lane],
                spent: room.spent[lane],
                losses: &room.losses,
                lane,
            };
            for (row, (rule, place)) in prepared.rows.iter().enumerate() {
                let value = (rule.value)(&trained, *place);
                // a descent that leaves the range of doubles has failed
                rows.row(row)[lane] = if value.is_finite() { value } else { f64::NAN };
            }
        }
    }
}

/// Simulates the cells; like every plain procedure, in parallel and without leaving a trace of the schedule.
pub(super) fn run(
    cells: &[TrainCell],
    task: &Task<'_>,
    progress: &Progress,
    stop: &AtomicBool,
    sink: &(dyn Fn(CellTally) + Sync),
) -> Result<Outcome, RunError> {
    plain::run::<Train>(cells, &(), task, progress, stop, sink)
}
