//! Errors that are no scaled variates: computed for a block of trials before the rows of a cell are.

use crate::engine::BLOCK;
use crate::procedure::At;
use epsweep_core::noise::Noise;
use epsweep_core::postprocess::Step;
use epsweep_core::query::{Query, Room};
use epsweep_core::random::Draws;
use std::sync::Arc;

/// Where a row of variates or errors is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// row of a source
    Source(usize, usize),
    /// computed for the block: number of the slot
    Slot(usize),
}

/// A row that is multiplied by a factor to get errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Input {
    pub place: Place,
    pub factor: f64,
}

/// One step of the computation; it reads sources and earlier slots and fills slots from `into` on.
#[derive(Clone, Debug)]
pub(super) enum Computation {
    /// what the noise's transform makes of its standard variates
    Transform {
        noise: Arc<dyn Noise>,
        from: Vec<(usize, usize)>,
        into: usize,
    },
    /// what the query derives from noisy parts, less the targets
    Derive {
        inputs: Vec<Input>,
        truths: Vec<f64>,
        query: Arc<dyn Query>,
        targets: Vec<f64>,
        into: usize,
    },
    /// what post-processing makes of the numbers of a query, less their true values
    Process {
        inputs: Vec<Input>,
        truths: Vec<f64>,
        steps: Vec<Arc<dyn Step>>,
        into: usize,
    },
}

/// The slots of one worker.
#[derive(Debug, Default)]
pub struct Slots {
    values: Vec<f64>,
    /// noisy numbers that a query derives others from, a row for each
    released: Vec<f64>,
    room: Room,
}

impl Slots {
    /// Runs the computations of a cell for a block.
    pub(super) fn fill(
        &mut self,
        computations: &[Computation],
        slots: usize,
        draws: &Draws,
        at: At,
    ) {
        if self.values.len() < slots * BLOCK {
            self.values.resize(slots * BLOCK, 0.0);
        }
        for computation in computations {
            match computation {
                Computation::Transform { noise, from, into } => {
                    let Some(transform) = noise.transform() else {
                        continue;
                    };
                    let out = &mut self.values[into * BLOCK..][..at.len];
                    let row = |(source, row): (usize, usize)| at.of(draws.row(source, row));
                    // one or two rows, as all have: without touching the heap
                    match from.as_slice() {
                        [one] => transform.apply(&[row(*one)], out),
                        [one, two] => transform.apply(&[row(*one), row(*two)], out),
                        more => {
                            let rows: Vec<&[f64]> = more.iter().map(|from| row(*from)).collect();
                            transform.apply(&rows, out);
                        }
                    }
                }
                Computation::Derive {
                    inputs,
                    truths,
                    query,
                    targets,
                    into,
                } => {
                    let (before, after) = self.values.split_at_mut(into * BLOCK);
                    // of a short block the rest is left over from another, and not read
                    self.released.resize(inputs.len() * BLOCK, 0.0);
                    let rows = self.released.chunks_exact_mut(BLOCK);
                    for (row, (input, truth)) in rows.zip(inputs.iter().zip(truths)) {
                        let errors = read(before, input.place, draws, at);
                        for (answer, error) in row.iter_mut().zip(errors) {
                            *answer = truth + input.factor * error;
                        }
                    }
                    let outputs = &mut after[..targets.len() * BLOCK];
                    query.derive_rows(&self.released, BLOCK, &mut self.room, outputs);
                    for (errors, target) in outputs.chunks_exact_mut(BLOCK).zip(targets) {
                        errors.iter_mut().for_each(|error| *error -= target);
                    }
                }
                Computation::Process {
                    inputs,
                    truths,
                    steps,
                    into,
                } => {
                    let (before, after) = self.values.split_at_mut(into * BLOCK);
                    let released = (inputs.as_slice(), truths.as_slice());
                    trials(released, before, draws, at, |trial, answers| {
                        steps.iter().for_each(|step| step.apply(answers));
                        for (slot, (answer, truth)) in answers.iter().zip(truths).enumerate() {
                            after[slot * BLOCK + trial] = answer - truth;
                        }
                    });
                }
            }
        }
    }

    /// A block of a row.
    #[inline]
    pub(super) fn row<'a>(&'a self, place: Place, draws: &'a Draws, at: At) -> &'a [f64] {
        read(&self.values, place, draws, at)
    }
}

/// The noisy numbers of every trial of a block: truths and errors added.
fn trials(
    (inputs, truths): (&[Input], &[f64]),
    slots: &[f64],
    draws: &Draws,
    at: At,
    mut take: impl FnMut(usize, &mut [f64]),
) {
    let rows: Vec<&[f64]> = (inputs.iter())
        .map(|input| read(slots, input.place, draws, at))
        .collect();
    let mut answers = vec![0.0; inputs.len()];
    for trial in 0..at.len {
        for (((answer, truth), input), row) in answers.iter_mut().zip(truths).zip(inputs).zip(&rows)
        {
            *answer = truth + input.factor * row[trial];
        }
        take(trial, &mut answers);
    }
}

#[inline]
fn read<'a>(slots: &'a [f64], place: Place, draws: &'a Draws, at: At) -> &'a [f64] {
    match place {
        Place::Source(source, row) => at.of(draws.row(source, row)),
        Place::Slot(slot) => &slots[slot * BLOCK..][..at.len],
    }
}
