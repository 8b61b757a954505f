//! Which lattice to take: how fine, how long, and where it begins.

use super::super::release::Mechanism;
use super::log_moment;
use super::loss::Leaf;

/// Sizes of the lattice that are worth their time.
pub(super) const SMALLEST: usize = 1 << 12;
pub(super) const LARGEST: usize = 1 << 19;
/// A step that is fine enough for few releases.
pub(super) const FINEST: f64 = 5e-4;
/// Tilted mass that may lie outside the window.
pub(super) const OUTSIDE: f64 = 1e-13;

/// The standard deviation of the tilted total, from the curvature of ln M. It only steers the size of the window.
pub(super) fn deviation(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let reach = 0.1 * (theta + 0.1);
    let at = |theta: f64| log_moment(groups, theta.max(0.0));
    let (low, middle, high) = (at(theta - reach), at(theta), at(theta + reach));
    let variance = (low - 2.0 * middle + high) / (reach * reach);
    if variance > 0.0 && variance.is_finite() {
        variance.sqrt()
    } else {
        0.0
    }
}

/// A width below which single releases would need too many points.
pub(super) fn smallest_step(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let range = |mechanism: Mechanism| match mechanism {
        Mechanism::Laplace(epsilon) => (2.0 * epsilon.get()).min(45.0 / (theta + 0.5)),
        Mechanism::Gaussian(noise) => 19.0 / noise.get(),
        Mechanism::SubsampledGaussian(_, noise) => {
            (1.0 + theta + 24.0 * noise.get()) / noise.get() / noise.get()
        }
        other => {
            let epsilon = other.epsilon_delta().map_or(0.0, |pair| pair.0);
            // both outcomes only matter where the tilt leaves something of the lower one
            if (1.0 + 2.0 * theta) * epsilon > 45.0 {
                1e-12 * epsilon
            } else {
                2.0 * epsilon
            }
        }
    };
    let widest = groups
        .iter()
        .map(|&(mechanism, _)| range(mechanism))
        .fold(0.0, f64::max);
    let farthest = groups
        .iter()
        .filter_map(|(mechanism, _)| mechanism.epsilon_delta())
        .fold(0.0, |most, pair| pair.0.max(most));
    (widest / LARGEST as f64).max(farthest * 1e-8)
}

/// A step near the one given on which the largest losses ±ε of the most frequent purely private release lie: then these are not split.
pub(super) fn fit_to_atoms(groups: &[(Mechanism, u64)], step: f64) -> f64 {
    let most = groups
        .iter()
        .filter_map(|(mechanism, count)| mechanism.epsilon_delta().map(|pair| (*count, pair.0)))
        .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    match most {
        Some((_, epsilon)) if epsilon >= step => epsilon / (epsilon / step).floor(),
        _ => step,
    }
}

/// The first lattice point of a window of `length` points and a bound on the tilted mass outside of it by Chernoff's inequality; or the width
/// that would be needed.
pub(super) fn window(
    leaves: &[(Leaf, u64)],
    theta: f64,
    step: f64,
    length: usize,
) -> Result<(i64, f64), f64> {
    let (mut mean, mut variance) = (0.0, 0.0);
    for (leaf, count) in leaves {
        let centre: f64 = leaf
            .mass
            .iter()
            .enumerate()
            .map(|(j, mass)| mass * j as f64)
            .sum();
        let spread: f64 = leaf
            .mass
            .iter()
            .enumerate()
            .map(|(j, mass)| {
                let away = j as f64 - centre;
                mass * away * away
            })
            .sum();
        mean += *count as f64 * (leaf.first as f64 + centre);
        variance += *count as f64 * spread;
    }
    let deviation = variance.max(0.0).sqrt();
    let side = |sign: f64| {
        // the distance from the mean, in steps, beyond which at most half of what is allowed lies
        let mut best = f64::INFINITY;
        // normal tails suit the first paces, exponential ones, which the tilt leaves below an atom, the last
        let paces = [2.0, 4.0, 6.0, 8.0, 12.0].map(|pace| pace / deviation.max(1.0));
        for eta in paces
            .into_iter()
            .chain([0.5, 0.75].map(|part| part * theta * step))
        {
            let mut log_moment = 0.0;
            for (leaf, count) in leaves {
                log_moment += *count as f64 * centred_log_moment(leaf, sign * eta);
            }
            best = best.min((log_moment - libm::log(0.5 * OUTSIDE)) / eta);
        }
        best
    };
    let (below, above) = (side(-1.0), side(1.0));
    let needed = below + above + 4.0;
    // places are counted in integers
    let begin = |(leaf, count): &(Leaf, u64)| leaf.first.unsigned_abs() as f64 * *count as f64;
    let begins: f64 = leaves.iter().map(begin).sum();
    let farthest = mean.abs() + needed;
    if farthest.is_nan() || farthest >= 1e15 || begins >= 1e17 {
        return Err(2.0 * step * length as f64);
    }
    if needed > length as f64 {
        return Err(if needed.is_finite() {
            needed * step * 1.02
        } else {
            f64::MAX.min(2.0 * step * length as f64)
        });
    }
    let spare = 0.5 * (length as f64 - needed);
    Ok(((mean - below - spare).floor() as i64 - 1, OUTSIDE))
}

/// ln E[e^(η(j − E j))] of a leaf's masses, in steps.
fn centred_log_moment(leaf: &Leaf, eta: f64) -> f64 {
    let mean: f64 = leaf
        .mass
        .iter()
        .enumerate()
        .map(|(j, mass)| mass * j as f64)
        .sum();
    // outwards from the mean, where the factors are near 1: from an end they might underflow for good
    let middle = (mean.floor() as usize).min(leaf.mass.len() - 1);
    let (low, high) = leaf.mass.split_at(middle);
    let at_middle = libm::exp(eta * (middle as f64 - mean));
    let one_side = |masses: &mut dyn Iterator<Item = &f64>, eta: f64, from: f64| {
        let (ratio, mut factor, mut sum) = (libm::exp(eta), from, 0.0);
        for mass in masses {
            sum += mass * factor;
            factor *= ratio;
        }
        sum
    };
    let sum = one_side(&mut high.iter(), eta, at_middle)
        + one_side(&mut low.iter().rev(), -eta, at_middle * libm::exp(-eta));
    if sum > 0.0 && sum.is_finite() {
        libm::log(sum)
    } else {
        f64::INFINITY
    }
}
