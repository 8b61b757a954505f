//! Trials of a stream in lock-step: position by position, all trials of a block together.
//!
//! Stopping early or asking less moves no other draw: the noise of a position belongs to the position.

use super::purse::Purse;
use super::terms::Terms;
use super::{Nature, Rule};

/// What a policy may know of a trial at a position: all of it has been released, or follows from what was.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    /// the guarantee, the stream's length, and what else was declared
    pub terms: &'a Terms,
    /// the position, from 0
    pub position: usize,
    /// how much of the capacity is left here
    pub left: f64,
    /// how much of it was taken by releases, in the window that ends here; the rest was taken by tests
    pub released: f64,
    /// the last value released
    pub last: f64,
    /// the amount that it took; 0 before the first release
    pub last_amount: f64,
    /// positions since the last release: 1 where it is the one before; `position + 1` before the first
    pub since: usize,
    /// how far the last release is from the truth here: not a number, except for an oracle
    pub peeked: f64,
}

/// What was told at a position before a round.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// how far the last release is from the truth, with noise; not a number where nothing was paid for it
    pub distance: f64,
    /// what the rounds so far have taken
    pub amount: f64,
    /// their values together, weighted by the inverse squares of their scales; not a number before the first
    pub estimate: f64,
    /// its scale: 1/√(Σ 1/scale²)
    pub scale: f64,
}

/// Standard variates of the law of the guarantee, one for each trial of a block.
pub trait Rows {
    /// For the releases of a round at a position.
    fn release(&self, position: usize, round: usize) -> &[f64];

    /// For the tests at a position.
    fn test(&self, position: usize) -> &[f64];
}

/// Memory of one worker, and the outcomes of the block that was walked last.
#[derive(Clone, Debug)]
pub struct Room {
    block: usize,
    trials: usize,
    horizon: usize,
    purse: Purse,
    last: Vec<f64>,
    last_amount: Vec<f64>,
    last_position: Vec<f64>,
    released: Vec<f64>,
    distance: Vec<f64>,
    amount: Vec<f64>,
    weighted: Vec<f64>,
    weight: Vec<f64>,
    answered: Vec<f64>,
    refused: Vec<f64>,
    most: Vec<f64>,
    errors: Vec<f64>,
    taken: Vec<f64>,
    overspent: Vec<f64>,
}

impl Room {
    /// For blocks of at most `block` trials.
    pub fn new(block: usize) -> Room {
        let row = || vec![0.0; block];
        Room {
            block,
            trials: 0,
            horizon: 0,
            purse: Purse::new(block),
            last: row(),
            last_amount: row(),
            last_position: row(),
            released: row(),
            distance: row(),
            amount: row(),
            weighted: row(),
            weight: row(),
            answered: row(),
            refused: row(),
            most: row(),
            errors: Vec::new(),
            taken: Vec::new(),
            overspent: row(),
        }
    }

    /// What stands for the answer at a position, less the true answer, in each trial.
    pub fn errors(&self, position: usize) -> &[f64] {
        &self.errors[position * self.block..][..self.trials]
    }

    /// What was taken up to a position, with it, in the window that ends there: in the unit of the capacity.
    pub fn taken(&self, position: usize) -> &[f64] {
        &self.taken[position * self.block..][..self.trials]
    }

    /// The most that was taken: in all, or in a window.
    pub fn most_taken(&self) -> &[f64] {
        &self.most[..self.trials]
    }

    /// Positions with a release.
    pub fn answered(&self) -> &[f64] {
        &self.answered[..self.trials]
    }

    /// Requests that the filter refused.
    pub fn refused(&self) -> &[f64] {
        &self.refused[..self.trials]
    }

    /// What the release of a round took at a position.
    pub fn granted(&self, position: usize, round: usize) -> &[f64] {
        self.purse.row(position, round)
    }

    /// Requests at each position: as many releases as there are rounds, then a test.
    pub fn parts(&self) -> usize {
        self.purse.parts()
    }

    /// 1 where the recorded spends of a trial exceed the guarantee, else 0. Nothing but a fault in this crate makes it 1.
    pub fn overspent(&self) -> &[f64] {
        &self.overspent[..self.trials]
    }

    fn begin(&mut self, terms: &Terms, trials: usize, parts: usize) {
        assert!(
            trials <= self.block,
            "a block has no room for so many trials"
        );
        (self.trials, self.horizon) = (trials, terms.horizon());
        self.purse.begin(terms, trials, parts);
        self.last.fill(terms.start());
        for row in [
            &mut self.last_amount,
            &mut self.released,
            &mut self.answered,
            &mut self.refused,
            &mut self.most,
        ] {
            row.fill(0.0);
        }
        self.last_position.fill(-1.0);
        let size = self.horizon * self.block;
        if self.errors.len() < size {
            self.errors.resize(size, 0.0);
            self.taken.resize(size, 0.0);
        }
    }

    #[inline(always)]
    fn seen<'a>(&self, terms: &'a Terms, position: usize, trial: usize, peeked: f64) -> Seen<'a> {
        Seen {
            terms,
            position,
            left: (terms.capacity() - self.purse.taken(trial)).max(0.0),
            released: self.released[trial],
            last: self.last[trial],
            last_amount: self.last_amount[trial],
            since: (position as f64 - self.last_position[trial]) as usize,
            peeked,
        }
    }
}

/// Walks a block of trials through a stream.
#[inline(always)]
pub(super) fn walk<R: Rule>(
    rule: &R,
    terms: &Terms,
    answers: &[f64],
    noise: &dyn Rows,
    trials: usize,
    room: &mut Room,
) {
    assert_eq!(
        answers.len(),
        terms.horizon(),
        "one answer for each position"
    );
    let rounds = rule.rounds();
    let tests = usize::from(R::TESTS);
    let oracle = matches!(R::NATURE, Nature::Oracle);
    room.begin(terms, trials, rounds + tests);
    for (position, &truth) in answers.iter().enumerate() {
        room.purse.turn_to(position);
        if let Some(gone) = terms.window().and_then(|w| position.checked_sub(w)) {
            for round in 0..rounds {
                let row = room.purse.row(gone, round);
                for (released, amount) in room.released.iter_mut().zip(row) {
                    *released -= amount;
                }
            }
        }
        let peek = |last: f64| match oracle {
            true => (truth - last).abs(),
            false => f64::NAN,
        };
        if R::TESTS {
            let row = &noise.test(position)[..trials];
            for (trial, noise) in row.iter().enumerate() {
                let seen = room.seen(terms, position, trial, peek(room.last[trial]));
                let amount = rule.test(&seen);
                room.distance[trial] = f64::NAN;
                if !(amount > 0.0) {
                    continue;
                }
                if room.purse.take(position, rounds, trial, amount) {
                    let noise = terms.scale(amount) * noise;
                    room.distance[trial] = (truth - room.last[trial]).abs() + noise;
                } else {
                    room.refused[trial] += 1.0;
                }
            }
        } else {
            room.distance[..trials].fill(f64::NAN);
        }
        for row in [&mut room.amount, &mut room.weighted, &mut room.weight] {
            row[..trials].fill(0.0);
        }
        for round in 0..rounds {
            let row = &noise.release(position, round)[..trials];
            for (trial, variate) in row.iter().enumerate() {
                // a round after one that asked for nothing, or was refused, is none
                if round > 0 && room.purse.row(position, round - 1)[trial] == 0.0 {
                    continue;
                }
                let seen = room.seen(terms, position, trial, peek(room.last[trial]));
                let told = Told {
                    distance: room.distance[trial],
                    amount: room.amount[trial],
                    estimate: room.weighted[trial] / room.weight[trial],
                    scale: 1.0 / room.weight[trial].sqrt(),
                };
                let amount = rule.release(&seen, round, &told);
                if !(amount > 0.0) {
                    continue;
                }
                if room.purse.take(position, round, trial, amount) {
                    let scale = terms.scale(amount);
                    let weight = 1.0 / (scale * scale);
                    room.amount[trial] += amount;
                    room.weight[trial] += weight;
                    room.weighted[trial] += weight * (truth + scale * variate);
                } else {
                    room.refused[trial] += 1.0;
                }
            }
        }
        let errors = &mut room.errors[position * room.block..][..trials];
        let taken = &mut room.taken[position * room.block..][..trials];
        for trial in 0..trials {
            if room.amount[trial] > 0.0 {
                room.last[trial] = match rounds {
                    // without the rounding of a weighted mean of one
                    1 => {
                        truth + terms.scale(room.amount[trial]) * noise.release(position, 0)[trial]
                    }
                    _ => room.weighted[trial] / room.weight[trial],
                };
                room.last_amount[trial] = room.amount[trial];
                room.last_position[trial] = position as f64;
                room.released[trial] += room.amount[trial];
                room.answered[trial] += 1.0;
            }
            errors[trial] = room.last[trial] - truth;
            taken[trial] = room.purse.taken(trial);
            room.most[trial] = room.most[trial].max(taken[trial]);
        }
    }
    (room.purse).audit(terms.horizon(), &mut room.distance, &mut room.overspent);
}
