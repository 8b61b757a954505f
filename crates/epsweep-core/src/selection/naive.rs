//! What is sometimes taken for the exponential mechanism: Laplace noise, rounding, the largest.

use super::problem::Groups;
use super::product::{NOTHING, product_integrals};
use super::{
    Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms, fair_arg_max,
    laplace_variate,
};
use crate::about::About;

const ABOUT: About = About {
    name: "naive-rounding",
    summary: "for contrast: adds Laplace noise to every score, rounds to whole numbers and reports the largest, ties being fair",
    formula: "arg max round(u(r) + Laplace(2Δ/ε))",
    source: "a common misreading of Dwork and Roth (2014), §3.3; not a published mechanism",
};

/// Most evaluations of one factor for which the exact law is computed (about two seconds).
const MOST_STEPS: f64 = 1e8;

/// Whole numbers are exact below this.
const WHOLE: f64 = 4_503_599_627_370_496.0;

/// The mechanism `naive-rounding`.
///
/// For whole scores with a whole Δ it is report-noisy-max with rounded noise, and as private. Otherwise rounding can turn a change below
/// 1 into one of 1, which the proof does not cover: nothing is promised.
#[derive(Debug)]
pub(super) struct Naive;

impl Mechanism for Naive {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn guarantee(&self, _: &Calibration) -> Guarantee {
        Guarantee::NONE
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        let scale = problem.calibration().noise_scale();
        if problem.calibration().epsilon() == 0.0 {
            return Ok(ChoiceLaw::uniform(problem));
        }
        let best = problem.scores().best();
        let losses: Vec<f64> = (0..problem.scores().len())
            .map(|index| problem.scores().loss(index))
            .collect();
        let groups = Groups::new(&losses);
        let probabilities = probabilities(&groups, best, scale)?;
        let logs: Vec<f64> = probabilities.iter().map(|&p| libm::log(p)).collect();
        Ok(ChoiceLaw::from_both(
            groups.spread(&probabilities, 0.0),
            groups.spread(&logs, f64::NEG_INFINITY),
        ))
    }

    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        let scale = problem.calibration().noise_scale();
        let uniform = problem.calibration().epsilon() == 0.0;
        let rounded: Vec<(usize, f64)> = problem
            .scores()
            .as_slice()
            .iter()
            .enumerate()
            .filter(|(_, score)| **score > f64::NEG_INFINITY)
            .map(|(index, &score)| {
                let noise = laplace_variate(uniforms);
                // at ε = 0 there is nothing but noise, of no scale, and all are equally likely
                let noisy = if uniform { 0.0 } else { score + scale * noise };
                (index, noisy.round())
            })
            .collect();
        fair_arg_max(rounded.into_iter(), uniforms)
    }
}

/// P of one candidate of each group of losses.
///
/// Let Fⱼ(m) = P(round(uⱼ + noise) ≤ m) and rⱼ = P(= m)/Fⱼ(m). Ties are decided by uniform marks, so that
/// P(i) = Σₘ rᵢ·Πⱼ Fⱼ(m)·∫₀¹ Πⱼ≠ᵢ (1 − v·rⱼ) dv.
fn probabilities(groups: &Groups, best: f64, scale: f64) -> Result<Vec<f64>, SelectionError> {
    let count: f64 = groups.counts.iter().sum();
    let spread = scale * (NOTHING + libm::log(count));
    let size = best.abs() + spread;
    if size.is_nan() || size >= WHOLE {
        return Err(SelectionError::LawTooLarge {
            mechanism: ABOUT.name,
            size,
        });
    }
    let steps = (2.0 * spread + 3.0) * 64.0 * groups.gaps.len() as f64;
    if steps > MOST_STEPS {
        return Err(SelectionError::LawTooDear {
            mechanism: ABOUT.name,
            steps,
            limit: MOST_STEPS,
        });
    }
    // from a distance of a whole number to its probability and the distribution function there
    let cells = |m: f64, r: &mut [f64]| {
        let mut log = 0.0;
        for (r, (&loss, &count)) in r.iter_mut().zip(groups.gaps.iter().zip(&groups.counts)) {
            let score = best - loss;
            let (mass, below_or_here) = cell(m, score, scale);
            *r = if mass > 0.0 {
                (mass / below_or_here).min(1.0)
            } else {
                0.0
            };
            log += count * libm::log(below_or_here);
        }
        log
    };
    let mut total = vec![0.0; groups.gaps.len()];
    let mut ratios = total.clone();
    let mut m = (best + spread).round() + 1.0;
    let least = (best - spread).round() - 1.0;
    while m >= least {
        let log = cells(m, &mut ratios);
        if log < -2.0 * NOTHING {
            break;
        }
        if ratios.iter().any(|&r| r > 0.0) {
            let product = libm::exp(log);
            let integrals = product_integrals(&ratios, &groups.counts);
            for ((total, ratio), integral) in total.iter_mut().zip(&ratios).zip(integrals) {
                *total += ratio * product * integral;
            }
        }
        m -= 1.0;
    }
    Ok(total)
}

/// P(round(score + noise) = m) and P(… ≤ m) for Laplace noise of a scale; of scale 0, too.
fn cell(m: f64, score: f64, scale: f64) -> (f64, f64) {
    if scale == 0.0 {
        let here = score.round();
        return (
            f64::from(u8::from(here == m)),
            f64::from(u8::from(here <= m)),
        );
    }
    let low = (m - 0.5 - score) / scale;
    let high = (m + 0.5 - score) / scale;
    let below = |x: f64| {
        if x < 0.0 {
            0.5 * libm::exp(x)
        } else {
            1.0 - 0.5 * libm::exp(-x)
        }
    };
    // each without cancellation
    let mass = if high <= 0.0 {
        -0.5 * libm::exp(high) * libm::expm1(low - high)
    } else if low >= 0.0 {
        -0.5 * libm::exp(-low) * libm::expm1(low - high)
    } else {
        -0.5 * (libm::expm1(low) + libm::expm1(-high))
    };
    (mass, below(high))
}
