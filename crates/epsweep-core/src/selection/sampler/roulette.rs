//! Roulette: one draw from fresh scores.

use super::BLOCK;
use crate::dispatch;
use crate::random::exp::{exp, exp_at_least};
use crate::random::isa::{Isa, LANES};
use crate::random::{Level, level};
use crate::selection::{Calibration, Scores};

/// A sum of a block up to which all its weights may be e⁻⁷⁰⁸, which is what those below it, and those of what is never chosen, are taken for in a
/// sum. Beside the best, whose weight is 1, it is nothing.
const NOTHING: f64 = 1e-304;

/// Chooses as the exponential mechanism does, with one uniform variate: sums the weights by blocks, and looks only into the block
/// where the variate falls. Nothing is built, and no running sum is stored: for scores that are used once.
///
/// Weights below e⁻⁷⁰⁸ count as 0.
#[derive(Clone, Debug)]
pub struct Roulette {
    level: Level,
    weights: Vec<f64>,
    sums: Vec<f64>,
}

impl Default for Roulette {
    fn default() -> Self {
        Self::with_level(level())
    }
}

impl Roulette {
    /// Room for the sums of the blocks; the same choices whatever the instruction set.
    pub fn with_level(level: Level) -> Roulette {
        Roulette {
            level,
            weights: vec![0.0; BLOCK],
            sums: Vec::new(),
        }
    }

    /// The index of the candidate for a variate in (0, 1).
    pub fn choose(&mut self, scores: &Scores, calibration: &Calibration, uniform: f64) -> usize {
        let values = scores.as_slice();
        let best = scores.best();
        let slope = calibration.slope();
        // then (score − best)·slope needs no care: where the difference overflows, the weight is 0
        let plain = (1e-300..=f64::MAX).contains(&slope);
        self.sums.clear();
        let mut total = 0.0;
        for block in values.chunks(BLOCK) {
            // the weights themselves are wanted of one block only
            let sum = match plain {
                true => sum_plain(self.level, block, best, slope),
                false => self.weigh(block, best, plain, calibration, slope),
            };
            self.sums.push(sum);
            total += sum;
        }
        let mut left = uniform * total;
        let mut wanted = None;
        for (block, &sum) in self.sums.iter().enumerate() {
            if sum > NOTHING {
                wanted = Some(block);
                if left < sum {
                    break;
                }
                left -= sum;
            }
        }
        // the best has weight 1, so that there is a block
        let start = wanted.unwrap_or(0) * BLOCK;
        let block = &values[start..values.len().min(start + BLOCK)];
        self.weigh(block, best, plain, calibration, slope);
        let mut last = 0;
        for (index, &weight) in self.weights[..block.len()].iter().enumerate() {
            if weight > 0.0 {
                last = index;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        start + last
    }

    /// The weights of a block, and their sum.
    fn weigh(
        &mut self,
        block: &[f64],
        best: f64,
        plain: bool,
        calibration: &Calibration,
        slope: f64,
    ) -> f64 {
        let weights = &mut self.weights[..block.len()];
        if plain {
            weigh_plain(self.level, block, best, slope, weights)
        } else {
            for (weight, &score) in weights.iter_mut().zip(block) {
                *weight = -calibration.gap(best, score);
            }
            exponentiate(self.level, weights)
        }
    }
}

/// eˣ; where it is not kept, e⁻⁷⁰⁸ at the least. No closure: it would not be compiled for the instruction set.
#[inline(always)]
fn weight_of<I: Isa, const KEEP: bool>(isa: I, x: I::F) -> I::F {
    match KEEP {
        true => exp(isa, x),
        false => exp_at_least(isa, x),
    }
}

/// The sum of e^((score − best)·slope) over a block; with `KEEP` the weights are written down, one for each score, else those below e⁻⁷⁰⁸ are taken
/// for that.
#[inline(always)]
fn weigh_each<I: Isa, const KEEP: bool>(
    isa: I,
    block: &[f64],
    best: f64,
    slope: f64,
    weights: &mut [f64],
) -> f64 {
    let (groups, rest) = block.as_chunks::<LANES>();
    let (best, slope) = (isa.splat(best), isa.splat(slope));
    // two sums, so that one addition need not wait for the other
    let (mut even, mut odd) = (isa.splat(0.0), isa.splat(0.0));
    let (pairs, last) = groups.as_chunks::<2>();
    let (kept, kept_rest) = weights.as_chunks_mut::<LANES>();
    for (place, [one, two]) in pairs.iter().enumerate() {
        let one = weight_of::<I, KEEP>(isa, isa.mul(isa.sub(isa.load(one), best), slope));
        let two = weight_of::<I, KEEP>(isa, isa.mul(isa.sub(isa.load(two), best), slope));
        if KEEP {
            isa.store(&mut kept[2 * place], one);
            isa.store(&mut kept[2 * place + 1], two);
        }
        even = isa.add(even, one);
        odd = isa.add(odd, two);
    }
    if let [group] = last {
        let weight = weight_of::<I, KEEP>(isa, isa.mul(isa.sub(isa.load(group), best), slope));
        if KEEP {
            isa.store(&mut kept[groups.len() - 1], weight);
        }
        even = isa.add(even, weight);
    }
    if !rest.is_empty() {
        let mut padded = [f64::NEG_INFINITY; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let weight = weight_of::<I, KEEP>(isa, isa.mul(isa.sub(isa.load(&padded), best), slope));
        if KEEP {
            kept_rest.copy_from_slice(&isa.lanes(weight)[..rest.len()]);
        }
        even = isa.add(even, weight);
    }
    isa.sum(isa.add(even, odd))
}

/// The sum of e^((score − best)·slope) over a block.
#[inline(always)]
fn sum_body<I: Isa>(isa: I, block: &[f64], best: f64, slope: f64) -> f64 {
    weigh_each::<I, false>(isa, block, best, slope, &mut [])
}

/// e^((score − best)·slope) of every score, and the sum.
#[inline(always)]
fn weigh_body<I: Isa>(isa: I, block: &[f64], best: f64, slope: f64, weights: &mut [f64]) -> f64 {
    weigh_each::<I, true>(isa, block, best, slope, weights)
}

/// Replaces every logarithm (0 or less) by its exponential, and gives the sum.
#[inline(always)]
fn exponentiate_body<I: Isa>(isa: I, values: &mut [f64]) -> f64 {
    let (groups, rest) = values.as_chunks_mut::<LANES>();
    let mut sum = isa.splat(0.0);
    for group in groups {
        let weight = exp(isa, isa.load(group));
        isa.store(group, weight);
        sum = isa.add(sum, weight);
    }
    if !rest.is_empty() {
        let mut padded = [f64::NEG_INFINITY; LANES];
        padded[..rest.len()].copy_from_slice(rest);
        let weight = exp(isa, isa.load(&padded));
        rest.copy_from_slice(&isa.lanes(weight)[..rest.len()]);
        sum = isa.add(sum, weight);
    }
    isa.sum(sum)
}

dispatch! {
    fn sum_plain(block: &[f64], best: f64, slope: f64) -> f64 = sum_body;
    fn weigh_plain(block: &[f64], best: f64, slope: f64, weights: &mut [f64]) -> f64 = weigh_body;
    fn exponentiate(values: &mut [f64]) -> f64 = exponentiate_body;
}
