//! Permute-and-flip.

use super::problem::Groups;
use super::product::product_integrals;
use super::{
    Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms, pick,
};
use crate::about::About;

const ABOUT: About = About {
    name: "permute-and-flip",
    summary: "visits the candidates in random order and flips a coin for each; its expected loss is never above the exponential mechanism's",
    formula: "P(heads) = exp(ε·(u(r) − max u)/(2Δ)); the first heads wins",
    source: "McKenna and Sheldon (NeurIPS 2020), algorithm 1",
};

/// The mechanism `permute-and-flip`.
#[derive(Debug)]
pub(super) struct PermuteAndFlip;

impl Mechanism for PermuteAndFlip {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Pure differential privacy only: its log-ratios range over more than ε, so that ε²/8 is not booked for it.
    fn guarantee(&self, calibration: &Calibration) -> Guarantee {
        Guarantee::pure(calibration.epsilon())
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        Ok(flip_law(problem))
    }

    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        let mut waiting: Vec<usize> = (0..problem.gaps().len())
            .filter(|&index| problem.gaps()[index] < f64::INFINITY)
            .collect();
        // the best candidate's coin always shows heads, so that this ends before nobody waits
        loop {
            let next = waiting.swap_remove(pick(waiting.len(), uniforms));
            if waiting.is_empty() || uniforms() < libm::exp(-problem.gaps()[next]) {
                return next;
            }
        }
    }
}

/// The law of permute-and-flip and of report-noisy-max with exponential noise.
///
/// Give every candidate a uniform arrival time; then P(i) = pᵢ ∫₀¹ Πⱼ≠ᵢ (1 − u·pⱼ) du with pⱼ = e^(−gapⱼ): i comes at time u and
/// shows heads, and no candidate before it did.
pub(super) fn flip_law(problem: &Problem) -> ChoiceLaw {
    let groups = Groups::new(problem.gaps());
    let heads: Vec<f64> = groups.gaps.iter().map(|&gap| libm::exp(-gap)).collect();
    let integrals = product_integrals(&heads, &groups.counts);
    let probabilities: Vec<f64> = heads.iter().zip(&integrals).map(|(p, i)| p * i).collect();
    let logs: Vec<f64> = groups
        .gaps
        .iter()
        .zip(&integrals)
        .map(|(gap, integral)| libm::log(*integral) - gap)
        .collect();
    ChoiceLaw::from_both(
        groups.spread(&probabilities, 0.0),
        groups.spread(&logs, f64::NEG_INFINITY),
    )
}
