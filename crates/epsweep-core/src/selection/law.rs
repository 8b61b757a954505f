//! The exact law of a choice.

use super::{Problem, Scores};
use crate::summation::sum;

/// The probability of each candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct ChoiceLaw {
    probabilities: Vec<f64>,
    log_probabilities: Vec<f64>,
}

/// The classical bound on the loss, beside what is true.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossTail {
    /// (2Δ/ε)(ln(|R|/|OPT|) + t), or with Δ/ε in the monotone form; in the units of the scores
    pub loss: f64,
    /// e⁻ᵗ (at most 1): what the theorem promises for P(loss ≥ that)
    pub bound: f64,
    /// P(loss ≥ that) under the law
    pub probability: f64,
}

impl ChoiceLaw {
    /// From the natural logarithms of the probabilities; −∞ for "never".
    pub(super) fn from_logs(log_probabilities: Vec<f64>) -> ChoiceLaw {
        // rounding must not make a probability exceed 1
        let log_probabilities: Vec<f64> = log_probabilities
            .into_iter()
            .map(|log| log.min(0.0))
            .collect();
        ChoiceLaw {
            probabilities: log_probabilities
                .iter()
                .map(|&log| libm::exp(log))
                .collect(),
            log_probabilities,
        }
    }

    /// From both forms, where both are known to full accuracy.
    pub(super) fn from_both(probabilities: Vec<f64>, log_probabilities: Vec<f64>) -> ChoiceLaw {
        ChoiceLaw {
            probabilities,
            log_probabilities,
        }
    }

    /// Equal probabilities for all that are permitted.
    pub(super) fn uniform(problem: &Problem) -> ChoiceLaw {
        let share = 1.0 / problem.scores().permitted() as f64;
        let (probabilities, logs) = problem
            .scores()
            .as_slice()
            .iter()
            .map(|&score| {
                if score == f64::NEG_INFINITY {
                    (0.0, f64::NEG_INFINITY)
                } else {
                    (share, libm::log(share))
                }
            })
            .unzip();
        ChoiceLaw::from_both(probabilities, logs)
    }

    /// The probabilities, in the order of the candidates; 0 where they are below the range of `f64`.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// Their natural logarithms, also where the probabilities themselves are below the range of `f64`.
    pub fn log_probabilities(&self) -> &[f64] {
        &self.log_probabilities
    }

    /// E(best − score), in the units of the scores.
    ///
    /// # Panics
    /// If the scores are fewer than those of the law.
    pub fn expected_loss(&self, scores: &Scores) -> f64 {
        let halves: Vec<f64> = self
            .probabilities
            .iter()
            .enumerate()
            .filter(|&(index, &probability)| probability > 0.0 && scores.loss(index) > 0.0)
            .map(|(index, probability)| probability * scores.half_loss(index))
            .collect();
        2.0 * sum(&halves)
    }

    /// P(best − score ≥ `loss`), for a loss in the units of the scores.
    ///
    /// # Panics
    /// If the scores are fewer than those of the law.
    pub fn loss_at_least(&self, scores: &Scores, loss: f64) -> f64 {
        self.total(|index| scores.loss(index) >= loss)
    }

    /// The bound of the exponential mechanism, P(loss ≥ (2Δ/ε)(ln(|R|/|OPT|) + t)) ≤ e⁻ᵗ (McSherry and Talwar, FOCS 2007; Dwork and
    /// Roth 2014, theorem 3.11), where |R| counts the candidates that are permitted, with the exact probability of this law. It
    /// holds for permute-and-flip as well, which is never worse (McKenna and Sheldon, NeurIPS 2020, theorem 2), and is not promised
    /// for other mechanisms.
    pub fn loss_tail(&self, problem: &Problem, t: f64) -> LossTail {
        let scores = problem.scores();
        let gap = libm::log(scores.permitted() as f64 / scores.optimal() as f64) + t;
        // compared as gaps, which are within range where losses overflow
        let probability = self.total(|index| problem.gaps()[index] >= gap);
        LossTail {
            loss: problem.calibration().loss_of(gap),
            bound: libm::exp(-t).min(1.0),
            probability,
        }
    }

    fn total(&self, wanted: impl Fn(usize) -> bool) -> f64 {
        let parts: Vec<f64> = self
            .probabilities
            .iter()
            .enumerate()
            .filter(|&(index, _)| wanted(index))
            .map(|(_, &probability)| probability)
            .collect();
        sum(&parts).min(1.0)
    }
}
