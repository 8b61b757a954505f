//! The Gumbel race, without its second logarithm.

use super::BLOCK;
use crate::dispatch;
use crate::random::isa::{Isa, LANES};
use crate::random::{Level, TrialStream, level};
use crate::selection::Problem;
use crate::selection::top_k::Noisy;

/// Chooses as the exponential mechanism does, with one exponential variate E per candidate: arg max −gap − ln E is arg min E·e^gap, so
/// that report-noisy-max with Gumbel noise needs no logarithm beyond that of E. The k smallest are the one-shot top k.
///
/// A factor e^gap beyond the range of `f64` never wins against one within, though its candidate has a probability below 1e-308; such
/// candidates are ranked behind the others, and among themselves by their gaps with noise of their own.
#[derive(Clone, Debug)]
pub struct Race {
    level: Level,
    factors: Vec<f64>,
    /// (gap, score, index) of those that may be chosen though their factor is beyond range
    beyond: Vec<(f64, f64, usize)>,
    block: Vec<f64>,
}

impl Race {
    /// For a problem; the same choices whatever the instruction set.
    pub fn new(problem: &Problem) -> Race {
        Self::with_level(level(), problem, 1.0)
    }

    /// For the one-shot choice of `k` candidates, where every gap is divided by `k`.
    pub fn top(problem: &Problem, k: usize) -> Race {
        Self::with_level(level(), problem, 1.0 / k as f64)
    }

    /// As [`Race::new`], with every gap multiplied by `share`, and the instruction set given.
    pub fn with_level(level: Level, problem: &Problem, share: f64) -> Race {
        let scores = problem.scores().as_slice();
        let mut beyond = Vec::new();
        let factors = problem.gaps().iter().enumerate().map(|(index, &gap)| {
            let factor = libm::exp(gap * share);
            if factor == f64::INFINITY && scores[index] > f64::NEG_INFINITY {
                beyond.push((gap * share, scores[index], index));
            }
            factor
        });
        Race {
            level,
            factors: factors.collect(),
            beyond,
            block: vec![0.0; BLOCK],
        }
    }

    /// The winner, with the next variates of a stream of [`StandardLaw::Exponential`](crate::random::StandardLaw::Exponential): one for each
    /// candidate.
    pub fn choose(&mut self, exponentials: &mut TrialStream) -> usize {
        let mut best = f64::INFINITY;
        let mut winner = 0;
        for (number, factors) in self.factors.chunks(BLOCK).enumerate() {
            let times = &mut self.block[..factors.len()];
            exponentials.fill(times);
            let least = arrivals(self.level, factors, times);
            if least < best {
                best = least;
                let place = times.iter().position(|&time| time == least);
                winner = number * BLOCK + place.unwrap_or(0);
            }
        }
        winner
    }

    /// The first `k` in the order of their arrival (all that may be chosen, if they are fewer), with the variates of
    /// [`Race::choose`], and more where candidates beyond the range of `f64` are needed to fill the slots.
    pub fn choose_several(&mut self, k: usize, exponentials: &mut TrialStream) -> Vec<usize> {
        // arrivals so far, in order
        let mut first: Vec<(f64, usize)> = Vec::with_capacity(k + 1);
        for (number, factors) in self.factors.chunks(BLOCK).enumerate() {
            let times = &mut self.block[..factors.len()];
            exponentials.fill(times);
            let least = arrivals(self.level, factors, times);
            let mut limit = limit_of(&first, k);
            if least >= limit {
                continue;
            }
            for (place, &time) in times.iter().enumerate() {
                if time < limit {
                    let rank = first.partition_point(|&(earlier, _)| earlier <= time);
                    first.insert(rank, (time, number * BLOCK + place));
                    first.truncate(k);
                    limit = limit_of(&first, k);
                }
            }
        }
        let mut first: Vec<usize> = first.into_iter().map(|(_, index)| index).collect();
        if first.len() < k {
            let rest = self.beyond.iter().map(|&(gap, score, index)| {
                let mut exponential = [1.0];
                exponentials.fill(&mut exponential);
                let noise = -libm::log(exponential[0]);
                let key = gap - noise;
                Noisy {
                    key,
                    score,
                    noise,
                    index,
                }
            });
            first.extend(Noisy::first(rest.collect(), k - first.len()));
        }
        first
    }
}

/// What an arrival must be below to be among the first k.
fn limit_of(first: &[(f64, usize)], k: usize) -> f64 {
    if first.len() < k {
        f64::INFINITY
    } else {
        first.last().map_or(0.0, |&(time, _)| time)
    }
}

/// Multiplies the variates by the factors, and gives the smallest product.
#[inline(always)]
fn arrivals_body<I: Isa>(isa: I, factors: &[f64], times: &mut [f64]) -> f64 {
    let (groups, rest) = factors.as_chunks::<LANES>();
    let (times, rest_times) = times.as_chunks_mut::<LANES>();
    let mut least = isa.splat(f64::INFINITY);
    for (factors, times) in groups.iter().zip(times) {
        let time = isa.mul(isa.load(factors), isa.load(times));
        isa.store(times, time);
        least = isa.min(time, least);
    }
    let mut least = isa.lanes(least).into_iter().fold(f64::INFINITY, f64::min);
    for (factor, time) in rest.iter().zip(rest_times) {
        *time *= factor;
        least = least.min(*time);
    }
    least
}

dispatch! {
    fn arrivals(factors: &[f64], times: &mut [f64]) -> f64 = arrivals_body;
}
