//! The noise of a threshold as finitely many values with their probabilities: a quadrature that is exact for what a gate does.
//!
//! Given the threshold, the queries are independent, and the probability that one is above is ½e^(−x) or 1 − ½e^x of its distance x. Sums and
//! products of these are smooth between the kinks, where a noisy threshold meets a true answer; so Gauss–Legendre rules on panels that end
//! at the kinks converge geometrically.

use crate::numeric::{LEGENDRE_5, LEGENDRE_16};

/// Beyond so many scales the noise has a probability of e⁻⁴⁰ = 4e-18.
const REACH: f64 = 40.0;
/// Within so many of the queries' scales of a kink its query is not decided.
pub(super) const UNDECIDED: f64 = 42.0;
/// The longest panel of a rule of sixteen points, in the queries' scales: for fifty positive answers the count of them still
/// varies slowly enough.
const LONG: f64 = 0.5;
/// The longest panel of a rule of five points, in the queries' scales.
const SHORT: f64 = 0.04;

/// A value of the threshold's noise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// in the units of the answers
    pub noise: f64,
    /// its share of the probability
    pub weight: f64,
}

/// Nodes for a threshold's noise of scale `threshold`, queries with noise of scale `query`, and answers that lie `gaps` above their
/// thresholds. Scales may be 0.
pub(super) fn nodes(threshold: f64, query: f64, gaps: &[f64]) -> Vec<Node> {
    if threshold == 0.0 {
        return vec![Node {
            noise: 0.0,
            weight: 1.0,
        }];
    }
    let reach = REACH * threshold;
    let mut kinks: Vec<f64> = (gaps.iter().copied())
        .filter(|gap| gap.abs() < reach + UNDECIDED * query)
        .collect();
    kinks.sort_by(f64::total_cmp);
    kinks.dedup();
    let mut edges: Vec<f64> = (kinks.iter().copied())
        .filter(|kink| kink.abs() < reach)
        .chain([-reach, 0.0, reach])
        .collect();
    edges.sort_by(f64::total_cmp);
    edges.dedup();
    let mut nodes = Vec::new();
    for pair in edges.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        if query == 0.0 {
            // nothing changes between kinks: the whole stretch is one value
            nodes.push(Node {
                noise: low + 0.5 * (high - low),
                weight: mass(threshold, low, high),
            });
        } else {
            panel(threshold, query, &kinks, low, high, &mut nodes);
        }
    }
    if query == 0.0 {
        // the ends stand for the tails beyond them
        let tail = 0.5 * libm::exp(-REACH);
        if let Some(first) = nodes.first_mut() {
            first.weight += tail;
        }
        if let Some(last) = nodes.last_mut() {
            last.weight += tail;
        }
    }
    nodes
}

/// P(low < noise ≤ high) for a stretch on one side of 0.
pub(super) fn mass(scale: f64, low: f64, high: f64) -> f64 {
    let (near, far) = if low >= 0.0 {
        (low, high)
    } else {
        (-high, -low)
    };
    0.5 * libm::exp(-near / scale) * -libm::expm1((near - far) / scale)
}

/// Halves a stretch without kinks inside until a rule is exact on it.
fn panel(threshold: f64, query: f64, kinks: &[f64], low: f64, high: f64, nodes: &mut Vec<Node>) {
    let width = high - low;
    let after = kinks.partition_point(|kink| *kink < high);
    let above = kinks.get(after).map_or(f64::INFINITY, |kink| kink - high);
    let below = after
        .checked_sub(1)
        .map_or(f64::INFINITY, |before| low - kinks[before]);
    let undecided = above.min(below) < UNDECIDED * query;
    let longest = if undecided {
        threshold.min(LONG * query)
    } else {
        2.0 * threshold
    };
    let middle = low + 0.5 * width;
    if width > longest && low < middle && middle < high {
        panel(threshold, query, kinks, low, middle, nodes);
        panel(threshold, query, kinks, middle, high, nodes);
        return;
    }
    let half = 0.5 * width;
    let mut push = |place: f64, weight: f64| {
        let noise = middle + half * place;
        let density = libm::exp(-noise.abs() / threshold) / (2.0 * threshold);
        nodes.push(Node {
            noise,
            weight: half * weight * density,
        });
    };
    if width <= SHORT * threshold.min(query) {
        for (place, weight) in LEGENDRE_5 {
            push(place, weight);
        }
    } else {
        for (place, weight) in LEGENDRE_16.iter().rev() {
            push(-place, *weight);
        }
        for (place, weight) in LEGENDRE_16 {
            push(place, weight);
        }
    }
}

/// P(noise of a query ≥ x) and P(noise < x) at this distance x of the noisy threshold above the true answer, both to full relative accuracy.
#[inline]
pub(super) fn sides(query: f64, distance: f64) -> [f64; 2] {
    if query == 0.0 {
        return if distance <= 0.0 {
            [1.0, 0.0]
        } else {
            [0.0, 1.0]
        };
    }
    let rare = 0.5 * libm::exp(-distance.abs() / query);
    if distance >= 0.0 {
        [rare, 1.0 - rare]
    } else {
        [1.0 - rare, rare]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_a_law_with_the_moments_of_laplace_noise() {
        let scattered: Vec<f64> = (0..300).map(|i| libm::sin(f64::from(i)) * 20.0).collect();
        for (threshold, query) in [(1.0, 2.0), (3.0, 0.01), (0.2, 50.0), (1e9, 2e9), (2.0, 0.0)] {
            for gaps in [&[][..], &[0.3], &[1e300, -5.0, 5.0], &scattered] {
                let nodes = nodes(threshold, query, gaps);
                let total: f64 = nodes.iter().map(|node| node.weight).sum();
                assert!((total - 1.0).abs() < 2e-14, "{threshold} {query}: {total}");
                if query > 0.0 {
                    let square: f64 = (nodes.iter())
                        .map(|node| node.weight * node.noise * node.noise)
                        .sum();
                    assert!((square / (2.0 * threshold * threshold) - 1.0).abs() < 1e-13);
                }
            }
        }
    }

    /// P(L·b₁ ≤ g + M·b₂) for two Laplace variates L and M has a closed form: with x = |g|, the tail is
    /// (b₁²e^(−x/b₁) − b₂²e^(−x/b₂))/(2(b₁² − b₂²)).
    #[test]
    fn a_single_query_has_the_law_of_a_difference_of_laplace_variates() {
        for (b1, b2) in [(1.0, 2.0), (2.0, 0.5), (3.0, 4.0)] {
            for gap in [-30.0, -2.0, 0.0, 0.7, 9.0_f64] {
                let x = gap.abs();
                let tail = (b1 * b1 * libm::exp(-x / b1) - b2 * b2 * libm::exp(-x / b2))
                    / (2.0 * (b1 * b1 - b2 * b2));
                let exact = if gap >= 0.0 { 1.0 - tail } else { tail };
                let got: f64 = (nodes(b1, b2, &[gap]).iter())
                    .map(|node| node.weight * sides(b2, node.noise - gap)[0])
                    .sum();
                assert!((got - exact).abs() < 2e-15 + 1e-13 * exact, "{got} {exact}");
            }
        }
    }
}
