//! A policy on a stream, and which numbers a trial of it yields.
//!
//! The noise of a position is addressed by the position and by what it is for (a release of a round, or a test), so that a trial that
//! releases less, or is refused, moves no other draw.

use super::Block;
use crate::engine::{At, BLOCK};
use crate::tally::RowKind;
use epsweep_core::random::{Draws, Source, StandardLaw};
use epsweep_core::stream::policy::{Policy, Room, Rows, Schedule, Terms};
use epsweep_core::theory::{Constant, Law, MeanAbsolute, MeanAbsoluteGaussian};
use std::sync::Arc;

/// A stream whose answers are released by a policy.
#[derive(Clone, Debug)]
pub struct PolicyCell {
    /// what it is answered under
    pub terms: Terms,
    /// the true answers, one for each position
    pub answers: Arc<Vec<f64>>,
    /// what decides how much an answer may cost
    pub policy: Arc<dyn Policy>,
    /// what it does, where that is known in advance
    pub schedule: Option<Arc<Schedule>>,
    /// groups of positions that results name
    pub groups: Vec<Group>,
}

/// A block of the rows that the cell's sources have.
struct Drawn<'a> {
    draws: &'a Draws,
    sources: &'a [usize],
    at: At,
}

impl Rows for Drawn<'_> {
    fn release(&self, position: usize, round: usize) -> &[f64] {
        self.at.of(self.draws.row(self.sources[round], position))
    }

    fn test(&self, position: usize) -> &[f64] {
        let test = self.sources[self.sources.len() - 1];
        self.at.of(self.draws.row(test, position))
    }
}

/// Positions first, first + 1, …, last, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// the first
    pub first: usize,
    /// the last
    pub last: usize,
}

impl Group {
    /// Its name in results, counted from 1: `9-16`, or `9`.
    pub fn name(self) -> String {
        match self.first == self.last {
            true => (self.first + 1).to_string(),
            false => format!("{}-{}", self.first + 1, self.last + 1),
        }
    }

    /// So many groups of nearly equal size, at most one for each position.
    pub fn divide(positions: usize, groups: usize) -> Vec<Group> {
        let groups = groups.clamp(1, positions.max(1));
        let start = |group: usize| group * positions / groups;
        (0..groups)
            .map(|group| Group {
                first: start(group),
                last: start(group + 1) - 1,
            })
            .collect()
    }
}

/// First and last position that the name of a group says, counted from 1; `None` for another name.
pub fn positions_of(subject: &str) -> Option<(u64, u64)> {
    match subject.split_once('-') {
        Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
        None => subject.parse().ok().map(|position| (position, position)),
    }
}

/// A number of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// mean absolute error of what stands for the answers at these positions
    Error(Group),
    /// what has been spent up to the last of these positions (in the window that ends there)
    Spent(Group),
    /// the most that is spent: in all, or in a window
    MostSpent,
    /// positions with a release
    Answered,
    /// requests that the filter refused
    Refused,
    /// positions where what stands for the answer is on the other side of the threshold
    Misjudged,
}

impl PolicyCell {
    /// The releases of each round, then the tests: one row for each position.
    pub(super) fn sources(&self) -> Vec<Source> {
        let law = self.terms.guarantee().standard();
        let source = |what: String| Source::new(&format!("stream/{what}"), law, self.positions());
        let releases = (1..=self.policy.rounds()).map(|round| source(format!("release {round}")));
        let tests = self.policy.tests().then(|| source("test".to_owned()));
        releases.chain(tests).collect()
    }

    /// Equal for equal policies on equal streams. Where decisions are known in advance, errors are scaled draws whatever the stream.
    pub(super) fn evidence(&self) -> String {
        let mut text = format!("{:?} {:?}", self.policy, self.terms);
        if self.schedule.is_none() {
            text += &format!("{:?}", self.answers);
        }
        let hash = blake3::hash(text.as_bytes());
        format!("policy {}", &hash.to_hex()[..16])
    }

    /// Walks a block.
    pub(crate) fn play(&self, draws: &Draws, sources: &[usize], at: At, block: &mut Block) {
        let room = block.policy.get_or_insert_with(|| Room::new(BLOCK));
        let rows = Drawn { draws, sources, at };
        (self.policy).walk(&self.terms, &self.answers, &rows, at.len, room);
        block.answered.clear();
        (block.answered).extend(room.answered().iter().map(|count| *count as u32));
        block.spent.clear();
        // a trial that the audit finds beyond its guarantee has no spend that could be within it
        let guarantee = self.terms.guarantee();
        let spent = |(taken, over): (&f64, &f64)| match *over == 0.0 {
            true => guarantee.spent(*taken),
            false => f64::INFINITY,
        };
        let audited = room.most_taken().iter().zip(room.overspent());
        block.spent.extend(audited.map(spent));
    }

    fn positions(&self) -> usize {
        self.answers.len()
    }

    /// All positions.
    pub fn whole(&self) -> Group {
        Group {
            first: 0,
            last: self.positions() - 1,
        }
    }

    /// What the values of a quantity are.
    pub fn kind(&self, quantity: Quantity) -> RowKind {
        match quantity {
            Quantity::Error(_) => {
                let each = self.terms.capacity() / self.terms.span() as f64;
                RowKind::real(self.terms.scale(each))
            }
            Quantity::Spent(_) | Quantity::MostSpent => {
                RowKind::real(self.terms.guarantee().spent(self.terms.capacity()))
            }
            Quantity::Answered | Quantity::Misjudged => RowKind::Index {
                n: self.positions() + 1,
            },
            Quantity::Refused => RowKind::Index {
                n: self.positions() * (self.policy.rounds() + 1) + 1,
            },
        }
    }

    /// Reads a quantity off the block that was walked last.
    pub fn fill(&self, quantity: Quantity, room: &Room, out: &mut [f64]) {
        let guarantee = self.terms.guarantee();
        let spend = |taken: &[f64], out: &mut [f64]| {
            for (out, taken) in out.iter_mut().zip(taken) {
                *out = guarantee.spent(*taken);
            }
        };
        match quantity {
            Quantity::Error(group) => {
                out.fill(0.0);
                for position in group.first..=group.last {
                    for (sum, error) in out.iter_mut().zip(room.errors(position)) {
                        *sum += error.abs();
                    }
                }
                let count = (group.last - group.first + 1) as f64;
                out.iter_mut().for_each(|sum| *sum /= count);
            }
            Quantity::Spent(group) => spend(room.taken(group.last), out),
            Quantity::MostSpent => spend(room.most_taken(), out),
            Quantity::Answered => out.copy_from_slice(room.answered()),
            Quantity::Refused => out.copy_from_slice(room.refused()),
            Quantity::Misjudged => {
                out.fill(0.0);
                let Some(threshold) = self.terms.threshold() else {
                    return;
                };
                for (position, truth) in self.answers.iter().enumerate() {
                    let above = *truth > threshold;
                    for (count, error) in out.iter_mut().zip(room.errors(position)) {
                        *count += f64::from(u8::from((truth + error > threshold) != above));
                    }
                }
            }
        }
    }

    /// The exact law of a quantity, where decisions are known in advance.
    pub fn law(&self, quantity: Quantity) -> Option<Arc<dyn Law>> {
        let schedule = self.schedule.as_ref()?;
        let constant = |value: f64| Some(Arc::new(Constant::new(value)) as Arc<dyn Law>);
        let spent = |taken: f64| constant(self.terms.guarantee().spent(taken));
        let steps = &schedule.steps;
        match quantity {
            Quantity::Error(group) => {
                // where a release is repeated the error depends on the answers as well
                let scales: Option<Vec<f64>> = (steps[group.first..=group.last].iter())
                    .map(|step| step.scale)
                    .collect();
                let scales = scales?;
                Some(match self.terms.guarantee().standard() {
                    StandardLaw::Normal => Arc::new(MeanAbsoluteGaussian::new(&scales)),
                    _ => Arc::new(MeanAbsolute::new(&scales)),
                })
            }
            Quantity::Spent(group) => spent(steps[group.last].taken),
            Quantity::MostSpent => spent(steps.iter().map(|step| step.taken).fold(0.0, f64::max)),
            Quantity::Answered => {
                constant(steps.iter().filter(|step| step.scale.is_some()).count() as f64)
            }
            Quantity::Refused => constant(schedule.refused),
            Quantity::Misjudged => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_cover_every_position_once_and_are_found_by_name() {
        for (positions, groups) in [(64, 8), (10, 3), (5, 9), (1, 1), (7, 7)] {
            let divided = Group::divide(positions, groups);
            assert_eq!(divided.len(), groups.min(positions));
            let all: Vec<usize> = divided.iter().flat_map(|g| g.first..=g.last).collect();
            assert_eq!(all, (0..positions).collect::<Vec<_>>());
            for group in divided {
                let (first, last) = positions_of(&group.name()).unwrap();
                assert_eq!(
                    (first, last),
                    (group.first as u64 + 1, group.last as u64 + 1)
                );
            }
        }
        for other in ["all", "mean age", "1-", "a-2", ""] {
            assert_eq!(positions_of(other), None);
        }
    }
}
