//! The exact probability of an output: which queries are said to be above.
//!
//! Given the noise of the threshold the answers are independent, so that the probability of an output is one integral of a product, for
//! each threshold that is drawn. The integrand is log-concave: it has one peak, around which it is integrated between its kinks to full
//! relative accuracy, however small the probability.

use super::nodes::{UNDECIDED, mass};
use super::{Calibrated, Queries, StreamError};
use crate::numeric::{integrate, minimise};

/// How far the integrand's logarithm falls below its peak before it is left out: e⁻⁵⁰ = 2e-22.
const FALL: f64 = 50.0;
/// By how much the logarithm may change in a panel.
const CHANGE: f64 = 8.0;

/// ln P(output), −∞ where it is impossible on these queries. The output has one answer, true for "above", for each query until the gate closes or the
/// stream ends.
///
/// # Errors
/// [`StreamError::NoSuchOutput`] if the gate cannot give so many or so few answers
pub fn log_probability(
    gate: &Calibrated,
    queries: &Queries,
    output: &[bool],
) -> Result<f64, StreamError> {
    let above = output.iter().filter(|above| **above).count();
    let closed = gate.limit.is_some_and(|limit| above == limit);
    let fits = match closed {
        true => output.len() <= queries.len() && output.last() == Some(&true),
        false => output.len() == queries.len() && gate.limit.is_none_or(|limit| above < limit),
    };
    if !fits {
        return Err(StreamError::NoSuchOutput);
    }
    let gaps = &queries.gaps()[..output.len()];
    if !gate.redrawn {
        return Ok(log_product(gate, gaps, output));
    }
    let mut total = 0.0;
    let mut start = 0;
    for answers in output.split_inclusive(|above| *above) {
        total += log_product(gate, &gaps[start..start + answers.len()], answers);
        start += answers.len();
    }
    Ok(total)
}

/// P(output), as [`log_probability`].
///
/// # Errors
/// As [`log_probability`].
pub fn probability(
    gate: &Calibrated,
    queries: &Queries,
    output: &[bool],
) -> Result<f64, StreamError> {
    log_probability(gate, queries, output).map(libm::exp)
}

/// Every output that the gate can give, in the order of the answers with "above" last. There are up to 2ⁿ of them.
pub fn outputs(gate: &Calibrated, queries: usize) -> Vec<Vec<bool>> {
    let mut done = Vec::new();
    let mut open = vec![Vec::new()];
    while let Some(output) = open.pop() {
        let above = output.iter().filter(|above| **above).count();
        if output.len() == queries || gate.limit.is_some_and(|limit| above == limit) {
            done.push(output);
            continue;
        }
        for answer in [true, false] {
            let mut longer: Vec<bool> = output.clone();
            longer.push(answer);
            open.push(longer);
        }
    }
    done
}

/// ln of the probability of these answers under one threshold.
fn log_product(gate: &Calibrated, gaps: &[f64], output: &[bool]) -> f64 {
    let (threshold, query) = (gate.threshold_scale, gate.query_scale);
    let log_queries = |noise: f64| -> f64 {
        (gaps.iter().zip(output))
            .map(|(gap, above)| log_side(query, noise - gap, *above))
            .sum()
    };
    if threshold == 0.0 {
        return log_queries(0.0);
    }
    if query == 0.0 {
        return log_between(threshold, gaps, output);
    }
    let log_integrand = |noise: f64| log_queries(noise) - noise.abs() / threshold;
    // beyond all kinks and 0, the integrand falls as soon as what is left of the queries' slopes is less than the threshold's
    let count = gaps.len() as f64;
    let margin = query * libm::log1p(count * threshold / query) + threshold.min(query);
    let low = gaps.iter().copied().fold(0.0, f64::min) - margin;
    let high = gaps.iter().copied().fold(0.0, f64::max) + margin;
    let (peak, negative) = minimise(low, high, |noise| -log_integrand(noise));
    let top = -negative;
    let end = |direction: f64| {
        let mut step = threshold.min(query);
        while log_integrand(peak + direction * step) > top - FALL {
            step *= 1.5;
        }
        peak + direction * step
    };
    let (first, last) = (end(-1.0), end(1.0));
    // beyond these every query is decided, and the integrand a plain exponential
    let decided = UNDECIDED * query;
    let mut edges: Vec<f64> = (gaps.iter())
        .flat_map(|gap| [gap - decided, *gap, gap + decided])
        .chain([0.0])
        .filter(|kink| first < *kink && *kink < last)
        .chain([first, last])
        .collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    let longest = CHANGE / (1.0 / threshold + count / query);
    let mut total = 0.0;
    for pair in edges.windows(2) {
        let middle = pair[0] + 0.5 * (pair[1] - pair[0]);
        let plain = gaps.iter().all(|gap| (gap - middle).abs() > decided);
        let panels = if plain {
            (log_integrand(pair[1]) - log_integrand(pair[0])).abs() / CHANGE
        } else {
            (pair[1] - pair[0]) / longest
        };
        let panels = panels.ceil().max(1.0);
        let width = (pair[1] - pair[0]) / panels;
        for panel in 0..panels as usize {
            let start = pair[0] + width * panel as f64;
            total += integrate(start, width, |noise| libm::exp(log_integrand(noise) - top));
        }
    }
    top + libm::log(total / (2.0 * threshold))
}

/// ln of the probability that a query is (or is not) above, at this distance of the noisy threshold above its true answer.
fn log_side(query: f64, distance: f64, above: bool) -> f64 {
    if query == 0.0 {
        let is = distance <= 0.0;
        return if is == above { 0.0 } else { f64::NEG_INFINITY };
    }
    // how far on the unlikely side
    let x = if above { distance } else { -distance } / query;
    if x >= 0.0 {
        -x - std::f64::consts::LN_2
    } else {
        libm::log1p(-0.5 * libm::exp(x))
    }
}

/// ln P(largest gap of those below < noise ≤ least gap of those above).
fn log_between(threshold: f64, gaps: &[f64], output: &[bool]) -> f64 {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    for (gap, above) in gaps.iter().zip(output) {
        if *above {
            high = high.min(*gap);
        } else {
            low = low.max(*gap);
        }
    }
    if low >= high {
        return f64::NEG_INFINITY;
    }
    if low < 0.0 && high > 0.0 {
        return libm::log(mass(threshold, low, 0.0) + mass(threshold, 0.0, high));
    }
    let near = low.max(-high).max(0.0);
    let far = if low >= 0.0 { high } else { -low };
    -near / threshold - std::f64::consts::LN_2 + libm::log(-libm::expm1((near - far) / threshold))
}
