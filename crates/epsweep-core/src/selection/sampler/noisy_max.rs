//! Report-noisy-max, vectorised.

use super::BLOCK;
use crate::dispatch;
use crate::random::isa::{Isa, LANES};
use crate::random::{Level, TrialStream, level};
use crate::selection::Problem;

/// Chooses the largest of −gap + noise, with one variate per candidate of whatever law the stream has. Ties have a probability of
/// about 2⁻⁵² per pair; the first wins.
#[derive(Clone, Debug)]
pub struct NoisyMax {
    level: Level,
    negated: Vec<f64>,
    block: Vec<f64>,
}

impl NoisyMax {
    /// For a problem; the same choices whatever the instruction set.
    pub fn new(problem: &Problem) -> NoisyMax {
        Self::with_level(level(), problem)
    }

    /// As [`NoisyMax::new`], with the instruction set given.
    pub fn with_level(level: Level, problem: &Problem) -> NoisyMax {
        NoisyMax {
            level,
            negated: problem.gaps().iter().map(|gap| -gap).collect(),
            block: vec![0.0; BLOCK],
        }
    }

    /// The winner, with the next variates of a stream of the mechanism's noise
    /// ([`Mechanism::noise`](crate::selection::Mechanism::noise)): one for each candidate.
    pub fn choose(&mut self, noise: &mut TrialStream) -> usize {
        let mut best = f64::NEG_INFINITY;
        let mut winner = 0;
        for (number, scores) in self.negated.chunks(BLOCK).enumerate() {
            let noisy = &mut self.block[..scores.len()];
            noise.fill(noisy);
            let largest = add_noise(self.level, scores, noisy);
            if largest > best {
                best = largest;
                let place = noisy.iter().position(|&value| value == largest);
                winner = number * BLOCK + place.unwrap_or(0);
            }
        }
        winner
    }
}

/// Adds scores to noise, and gives the largest sum.
#[inline(always)]
fn add_noise_body<I: Isa>(isa: I, scores: &[f64], noisy: &mut [f64]) -> f64 {
    let (groups, rest) = scores.as_chunks::<LANES>();
    let (noisy, rest_noisy) = noisy.as_chunks_mut::<LANES>();
    let mut largest = isa.splat(f64::NEG_INFINITY);
    for (scores, noisy) in groups.iter().zip(noisy) {
        let sum = isa.add(isa.load(scores), isa.load(noisy));
        isa.store(noisy, sum);
        largest = isa.max(sum, largest);
    }
    let mut largest = isa
        .lanes(largest)
        .into_iter()
        .fold(f64::NEG_INFINITY, f64::max);
    for (score, noisy) in rest.iter().zip(rest_noisy) {
        *noisy += score;
        largest = largest.max(*noisy);
    }
    largest
}

dispatch! {
    fn add_noise(scores: &[f64], noisy: &mut [f64]) -> f64 = add_noise_body;
}
