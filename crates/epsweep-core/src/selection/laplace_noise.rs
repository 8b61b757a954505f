//! Report-noisy-max with Laplace noise.

use super::problem::Groups;
use super::product::{NOTHING, product_integrals, rule16};
use super::{
    Calibration, ChoiceLaw, Guarantee, Mechanism, Problem, SelectionError, Uniforms,
    laplace_variate, noisy_max,
};
use crate::about::About;
use crate::random::StandardLaw;
use std::f64::consts::LN_2;

const ABOUT: About = About {
    name: "laplace-noisy-max",
    summary: "adds Laplace noise to every score and reports the largest",
    formula: "arg max u(r) + Laplace(2Δ/ε)",
    source: "Dwork and Roth (2014), §3.3, claim 3.9",
};

/// Most distinct scores within reach of the best one for which the exact law is computed (about two seconds).
const MOST_GROUPS: usize = 1 << 14;

/// The mechanism `laplace-noisy-max`.
#[derive(Debug)]
pub(super) struct LaplaceNoise;

impl Mechanism for LaplaceNoise {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    /// Pure differential privacy; no bounded range below the 2ε that it implies is claimed.
    fn guarantee(&self, calibration: &Calibration) -> Guarantee {
        Guarantee::pure(calibration.epsilon())
    }

    fn law(&self, problem: &Problem) -> Result<ChoiceLaw, SelectionError> {
        let groups = Groups::new(problem.gaps());
        let logs = log_probabilities(&groups)?;
        Ok(ChoiceLaw::from_logs(
            groups.spread(&logs, f64::NEG_INFINITY),
        ))
    }

    fn choose(&self, problem: &Problem, uniforms: &mut Uniforms) -> usize {
        noisy_max(problem, uniforms, laplace_variate)
    }

    fn noise(&self) -> Option<StandardLaw> {
        Some(StandardLaw::Laplace)
    }
}

/// The rivals of one best candidate: groups of the others, by their distance δ = gap − gap of the second best.
///
/// Let x be the noisy score of the winner, the best score being 0 and the noise standard, and τ = −x − (gap of the second best). For
/// x < 0, the product of all distribution functions times e^(−x) is e^Λ(τ), where the best candidate's own part is constant.
struct Rivals<'a> {
    distances: &'a [f64],
    counts: &'a [f64],
}

impl Rivals<'_> {
    /// Λ(τ) = −ln 2 + Σ ln F over the rivals. It falls with τ, and is concave.
    fn log_product(&self, tau: f64) -> f64 {
        let mut log = -LN_2;
        for (&distance, &count) in self.distances.iter().zip(self.counts) {
            log += count
                * if distance < tau {
                    distance - tau - LN_2
                } else {
                    libm::log1p(-0.5 * libm::exp(tau - distance))
                };
        }
        log
    }
}

/// ln P of one candidate of each group.
///
/// P(i) = ∫ f(x + gᵢ) Πⱼ≠ᵢ F(x + gⱼ) dx with the gaps g, the standard Laplace density f and distribution function F. It is computed as
/// P(i) = e^(−gᵢ)·qᵢ, where qᵢ is of moderate size:
///
/// - x > 0: with v = e^(−x), ½ ∫₀¹ Πⱼ≠ᵢ (1 − ½ e^(−gⱼ) v) dv, as for permute-and-flip;
/// - x < 0: a piecewise entire integrand with kinks at the −gⱼ. It is flat until the second best comes near; from there Gauss–Legendre
///   rules on panels that end at the kinks, are at most one unit wide, and over which the product falls by at most e⁴. With 16
///   nodes the error of a panel is below 1e-15 of it. The product falls by e^(−ln 2) at least for each rival that is passed, so
///   that after 66 of them nothing is left.
fn log_probabilities(groups: &Groups) -> Result<Vec<f64>, SelectionError> {
    let gaps = &groups.gaps;
    // the gap of the second best, be it another of the best group
    let second = if groups.counts[0] > 1.0 {
        0.0
    } else {
        gaps.get(1).copied().unwrap_or(f64::INFINITY)
    };
    if second == f64::INFINITY {
        return Ok(vec![0.0]);
    }
    // beyond this, all that matters of a candidate is its factor e^(−gap)
    let reach = second + 2.0 * NOTHING + libm::log(groups.counts.iter().sum());
    let near = gaps.partition_point(|&gap| gap <= reach);
    if near > MOST_GROUPS {
        return Err(SelectionError::LawTooDear {
            mechanism: ABOUT.name,
            steps: near as f64,
            limit: MOST_GROUPS as f64,
        });
    }
    let (gaps_near, counts) = (&gaps[..near], &groups.counts[..near]);
    let halves: Vec<f64> = gaps_near.iter().map(|&gap| 0.5 * libm::exp(-gap)).collect();
    let mut q: Vec<f64> = product_integrals(&halves, counts)
        .into_iter()
        .map(|integral| 0.5 * integral)
        .collect();
    // what every candidate beyond reach gets
    let mut far = 0.5 * all_factors(&halves, counts);

    let distances: Vec<f64> = gaps_near.iter().map(|gap| gap - second).collect();
    let mut rival_counts = counts.to_vec();
    rival_counts[0] -= 1.0;
    let rivals = Rivals {
        distances: &distances,
        counts: &rival_counts,
    };
    // the part where no rival is near: e^Λ = ½ there
    let margin = NOTHING + libm::log(groups.counts.iter().sum());
    let flat = (second - margin).max(0.0);
    far += 0.25 * flat;
    for (q, &gap) in q.iter_mut().zip(gaps_near).skip(1) {
        // all others are behind the second best, hence behind this part
        debug_assert!(gap >= flat);
        *q += 0.25 * flat;
    }
    q[0] += if counts[0] > 1.0 {
        0.25 * flat
    } else {
        -0.5 * libm::expm1(-flat)
    };

    let mut start = flat - second;
    let first = rivals.log_product(start);
    let mut value = first;
    let mut kink = distances.partition_point(|&distance| distance <= start);
    while value > first - NOTHING && value > -1.5 * NOTHING {
        let edge = distances.get(kink).copied().unwrap_or(f64::INFINITY);
        let mut end = edge.min(start + 1.0);
        let mut end_value = rivals.log_product(end);
        while value - end_value > 4.0 {
            end = 0.5 * (start + end);
            end_value = rivals.log_product(end);
        }
        for &(node, weight) in rule16() {
            let width = end - start;
            let tau = start + node * width;
            let log = rivals.log_product(tau);
            let product = weight * width * libm::exp(log);
            far += 0.5 * product;
            for (q, &distance) in q.iter_mut().zip(&distances) {
                *q += if distance < tau {
                    product * libm::exp(distance - tau)
                } else {
                    0.5 * product / (1.0 - 0.5 * libm::exp(tau - distance))
                };
            }
        }
        kink += usize::from(end >= edge);
        (start, value) = (end, end_value);
    }
    q.resize(gaps.len(), far);
    Ok(q.iter()
        .zip(gaps)
        .map(|(q, gap)| libm::log(*q) - gap)
        .collect())
}

/// ∫₀¹ Πⱼ (1 − u·pⱼ) du, as what remains for one more factor that is 1.
fn all_factors(p: &[f64], counts: &[f64]) -> f64 {
    let mut p = p.to_vec();
    let mut counts = counts.to_vec();
    p.push(0.0);
    counts.push(1.0);
    product_integrals(&p, &counts).pop().unwrap_or(0.0)
}
