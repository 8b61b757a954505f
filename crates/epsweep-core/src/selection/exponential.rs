//! The exponential mechanism.

use super::{Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms};
use crate::about::About;
use crate::summation::sum;

const ABOUT: About = About {
    name: "exponential",
    summary: "chooses with a probability that grows exponentially with the score",
    formula: "P(r) ∝ exp(ε·u(r)/(2Δ)), without the 2 where all scores move one way",
    source: "McSherry and Talwar (FOCS 2007), theorem 6; Dwork and Roth (2014), §3.4",
};

/// The mechanism `exponential`.
#[derive(Debug)]
pub(super) struct Exponential;

impl Mechanism for Exponential {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Bounded range ε in both forms: the log-ratio of an outcome is a·(u − u′) plus what is common to all outcomes, and a·(u − u′)
    /// lies in [−aΔ, aΔ] with a = ε/(2Δ), or in [0, aΔ] (or [−aΔ, 0]) with a = ε/Δ.
    fn guarantee(&self, calibration: &Calibration) -> Guarantee {
        Guarantee::of_range(calibration.epsilon())
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        Ok(softmax(problem))
    }

    /// Roulette: one uniform variate, and the candidate whose part of the weights it falls in.
    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        let weights: Vec<f64> = problem.gaps().iter().map(|&gap| libm::exp(-gap)).collect();
        let mut left = uniforms() * sum(&weights);
        let mut last = 0;
        for (index, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                last = index;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }
}

/// P(r) = e^(−gap)/Z. The best candidate's weight is 1, so that nothing overflows, and ln Z = ln(1 + Σ of the other weights) is
/// accurate also where the others are next to nothing.
pub(super) fn softmax(problem: &Problem) -> ChoiceLaw {
    let gaps = problem.gaps();
    let weights: Vec<f64> = gaps.iter().map(|&gap| libm::exp(-gap)).collect();
    let best = gaps.iter().position(|&gap| gap == 0.0).unwrap_or(0);
    let others = sum(&weights[..best]) + sum(&weights[best + 1..]);
    let log_total = libm::log1p(others);
    let logs = gaps.iter().map(|gap| -gap - log_total).collect();
    let total = 1.0 + others;
    ChoiceLaw::from_both(
        weights.into_iter().map(|weight| weight / total).collect(),
        logs,
    )
}
