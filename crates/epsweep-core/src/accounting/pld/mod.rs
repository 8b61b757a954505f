//! The privacy loss distribution, composed numerically: for unequal and mixed releases, with certified bounds on both sides.
//!
//! - the loss and its composition by convolution: Sommer, Meiser and Mohammadi, PoPETs 2019(2), theorem 1; by the fast Fourier transform:
//!   Koskela, Jälkö and Honkela, AISTATS 2020
//! - the upper bound: a lattice law that dominates the true one ([`loss`]), Doroshenko et al., PoPETs 2022(4)
//! - the lower bound: the upper one less what the lattice can add ([`gap`])
//!
//! Lattice masses are tilted before they are convolved. With the moment M(θ) = E[e^(θL)] and the tilted law p̃,
//! δ(ε) = M·e^(−θε)·Σ over y > ε of p̃(y)·e^(−θ(y−ε))·(1 − e^(ε−y)): every error in p̃ (mass cut off, mass that wraps around, rounding) enters as
//! itself times M·e^(−θε), which is Chernoff's bound on δ, so that δ = 1e-300 is as well served as 1e-3.
//!
//! Purely private releases are taken for randomised response, which dominates them: for those the lower bound is about
//! the worst mechanism with that ε. Sampling is asymmetric, so that both directions are composed and the larger counts.

mod fft;
mod gap;
mod loss;

use super::error::{self, AccountingError};
use super::release::{self, Mechanism, NoiseMultiplier, Release};
use super::{Accountant, Total, numeric};
use crate::about::About;
use fft::{Complex, Fft};
use gap::Gap;
use loss::{Direction, Leaf};

/// Bounds between which the true value lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// not above the true value
    pub lower: f64,
    /// not below it
    pub upper: f64,
}

/// Sizes of the lattice that are worth their time.
const SMALLEST: usize = 1 << 12;
const LARGEST: usize = 1 << 19;
/// Tilted mass that may lie outside the window.
const OUTSIDE: f64 = 1e-13;
/// Relative error of the masses of a leaf: quadrature and rounding.
const LEAF_ERROR: f64 = 1e-13;
/// Mass cut off each end of a convolution.
const TRIM: f64 = 1e-16;

/// What is composed: Gaussian releases as one, then every mechanism with its count.
fn normalised(releases: &[Release]) -> Result<Vec<(Mechanism, u64)>, AccountingError> {
    let mut squares = 0.0;
    let mut groups = Vec::new();
    for release in release::grouped(releases)? {
        match release.mechanism() {
            Mechanism::Gaussian(noise) => squares += release.count() as f64 / noise.get() / noise.get(),
            mechanism => groups.push((mechanism, release.count())),
        }
    }
    if squares > 0.0 {
        // one Gaussian release with μ² = Σμ² is exactly as private
        groups.push((Mechanism::Gaussian(NoiseMultiplier::new(1.0 / squares.sqrt())?), 1));
    }
    Ok(groups)
}

/// ln E[e^(θL)] of all together; infinite where it cannot be computed, since it only steers.
fn log_moment(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let mut sum = 0.0;
    for &(mechanism, count) in groups {
        match loss::log_moment(mechanism, theta) {
            Ok(moment) => sum += count as f64 * moment,
            Err(_) => return f64::INFINITY,
        }
    }
    if sum.is_nan() { f64::INFINITY } else { sum }
}

/// The total loss on a lattice, tilted.
struct Composed {
    theta: f64,
    step: f64,
    /// the loss of the first mass, in steps
    first: i64,
    /// tilted masses
    mass: Vec<f64>,
    log_moment: f64,
    /// in units of e^(−θε)·M: what may be missing from any δ or be too much in it
    error: f64,
    /// the same per lattice point, from rounding
    noise: f64,
    /// relative error of the masses
    relative: f64,
    gap: Option<Gap>,
    /// Σ over y ≥ point of p̃(y)·e^(−θ(y−point))
    tail: Vec<f64>,
    /// Σ over y > point of p̃(y)·e^(−θ(y−point))·(1 − e^(point−y)): the δ at the point
    delta: Vec<f64>,
}

impl Composed {
    fn new(groups: &[(Mechanism, u64)], direction: Direction, theta: f64) -> Result<Composed, AccountingError> {
        let deviation = deviation(groups, theta);
        let splits: f64 = groups.iter().map(|group| group.1 as f64).sum();
        let wanted = (8e-5 / (1.0 + theta) / splits).sqrt();
        // δ changes on the scale of 1/θ
        let width = (18.0 * deviation).max(60.0 / theta);
        let length = (width / wanted).clamp(SMALLEST as f64, LARGEST as f64);
        let length = (length as usize).next_power_of_two().min(LARGEST);
        let mut step = (width / length as f64).max(smallest_step(groups, theta));
        for _ in 0..24 {
            let theta = theta.min(0.5 / step);
            let fitting = fit_to_atoms(groups, step);
            let leaves: Vec<(Leaf, u64)> = groups
                .iter()
                .map(|&(mechanism, count)| Ok((loss::leaf(mechanism, direction, theta, fitting)?, count)))
                .collect::<Result<_, AccountingError>>()?;
            match window(&leaves, fitting, length) {
                Ok((first, outside)) => return Ok(compose(leaves, theta, fitting, length, first, outside)),
                Err(needed) => step = (step * 1.25).max(needed / length as f64),
            }
        }
        Err(AccountingError::Limit {
            method: ABOUT.name,
            what: "the width of a lattice step",
            value: step,
            limit: step,
            remedy: "the releases differ too much in size; use rdp or basic",
        })
    }

    fn point(&self, index: usize) -> f64 {
        (self.first + index as i64) as f64 * self.step
    }

    /// ln of the unit of `delta`, `error` and `noise` at ε.
    fn log_unit(&self, epsilon: f64) -> f64 {
        self.log_moment - self.theta * epsilon
    }

    /// What rounding per point adds up to: Σ over m of e^(−θhm)·min(1, hm).
    fn rounding(&self) -> f64 {
        let points = self.mass.len() as f64;
        let decay = libm::expm1(self.theta * self.step);
        self.noise * if decay * points > 1.0 { 1.0 / decay } else { points }
    }

    /// ln of an upper bound on δ at ε.
    fn log_upper(&self, epsilon: f64) -> f64 {
        let place = (epsilon / self.step).ceil() - self.first as f64;
        let sound = if place >= self.mass.len() as f64 {
            0.0
        } else if place < 0.0 {
            return 0.0;
        } else {
            let index = place as usize;
            let rest = (self.point(index) - epsilon).max(0.0);
            // from the lattice point above down to ε
            let tilt = libm::exp(-self.theta * rest);
            tilt * (-libm::expm1(-rest) * self.tail[index] + libm::exp(-rest) * self.delta[index])
        };
        (libm::log(sound * (1.0 + self.relative) + self.error + self.rounding()) + self.log_unit(epsilon)).min(0.0)
    }

    /// ln of a lower bound on δ at a lattice point; −∞ if there is none.
    fn log_lower(&self, index: usize) -> f64 {
        let Some(gap) = &self.gap else {
            return f64::NEG_INFINITY;
        };
        let sound = self.delta[index] * (1.0 - self.relative) - 2.0 * self.error - self.rounding();
        let sound = sound - gap.at(&self.mass, index) * (1.0 + self.relative);
        if sound > 0.0 {
            libm::log(sound) + self.log_unit(self.point(index))
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The place of the lattice point at or below a loss, if the window has it.
    fn index_below(&self, loss: f64) -> Option<usize> {
        let place = (loss / self.step).floor() - self.first as f64;
        (place >= 0.0 && place < self.mass.len() as f64).then_some(place as usize)
    }

    fn delta_bounds(&self, epsilon: f64) -> Bounds {
        // the lower bound at the next point above, where δ is smaller
        let above = ((epsilon / self.step).ceil() - self.first as f64).max(0.0);
        let lower = if above < self.mass.len() as f64 { libm::exp(self.log_lower(above as usize)) } else { 0.0 };
        Bounds { lower, upper: libm::exp(self.log_upper(epsilon)) }
    }

    fn epsilon_bounds(&self, log_delta: f64) -> Bounds {
        let top = self.point(self.mass.len() - 1).max(0.0);
        let upper = if self.log_upper(0.0) <= log_delta {
            0.0
        } else {
            // beyond the window the error term falls with e^(−θε)
            let mut high = top + self.step;
            for _ in 0..64 {
                if self.log_upper(high) <= log_delta {
                    break;
                }
                high = 2.0 * high + 1.0;
            }
            if self.log_upper(high) > log_delta {
                f64::INFINITY
            } else {
                numeric::bisect(0.0, high, |epsilon| self.log_upper(epsilon) <= log_delta).1
            }
        };
        Bounds { lower: self.epsilon_above(upper, log_delta), upper }
    }

    /// A lattice point at which δ is certainly above the target, as near below `upper` as can be found.
    fn epsilon_above(&self, upper: f64, log_delta: f64) -> f64 {
        let Some(start) = self.index_below(upper.min(self.point(self.mass.len() - 1))) else {
            return 0.0;
        };
        // steps that grow find the neighbourhood, halving finds the place in it
        let holds = |index: usize| self.log_lower(index) > log_delta;
        let zero = (-self.first).clamp(0, self.mass.len() as i64 - 1) as usize;
        let (mut bad, mut jump) = (start + 1, 1);
        loop {
            let candidate = bad.saturating_sub(jump);
            if candidate <= zero || bad <= zero {
                return 0.0;
            }
            if holds(candidate) {
                let (mut good, mut bad) = (candidate, bad);
                while bad - good > 1 {
                    let middle = good + (bad - good) / 2;
                    if holds(middle) {
                        good = middle;
                    } else {
                        bad = middle;
                    }
                }
                return self.point(good).max(0.0);
            }
            bad = candidate;
            jump *= 2;
        }
    }
}

/// The standard deviation of the tilted total, from the curvature of ln M. It only steers the size of the window.
fn deviation(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let reach = 0.1 * (theta + 0.1);
    let at = |theta: f64| log_moment(groups, theta.max(0.0));
    let (low, middle, high) = (at(theta - reach), at(theta), at(theta + reach));
    let variance = (low - 2.0 * middle + high) / (reach * reach);
    if variance > 0.0 && variance.is_finite() { variance.sqrt() } else { 0.0 }
}

/// A width below which single releases would need too many points.
fn smallest_step(groups: &[(Mechanism, u64)], theta: f64) -> f64 {
    let range = |mechanism: Mechanism| match mechanism {
        Mechanism::Laplace(epsilon) => (2.0 * epsilon.get()).min(45.0 / (theta + 0.5)),
        Mechanism::Gaussian(noise) => 19.0 / noise.get(),
        Mechanism::SubsampledGaussian(_, noise) => (1.0 + theta + 24.0 * noise.get()) / noise.get() / noise.get(),
        other => {
            let epsilon = other.pure_epsilon().or(other.epsilon_delta().map(|pair| pair.0)).unwrap_or(0.0);
            // both outcomes only matter where the tilt leaves something of the lower one
            if (1.0 + 2.0 * theta) * epsilon > 45.0 { 1e-12 * epsilon } else { 2.0 * epsilon }
        }
    };
    let widest = groups.iter().map(|&(mechanism, _)| range(mechanism)).fold(0.0, f64::max);
    let farthest = groups.iter().filter_map(|(mechanism, _)| mechanism.pure_epsilon()).fold(0.0, f64::max);
    (widest / LARGEST as f64).max(farthest * 1e-12).max(1e-14)
}

/// A step near the one given on which the losses ±ε of the most frequent release of two losses lie: then nothing of it is split.
fn fit_to_atoms(groups: &[(Mechanism, u64)], step: f64) -> f64 {
    let two_losses = groups.iter().filter(|(mechanism, _)| !matches!(mechanism, Mechanism::Laplace(_)));
    let most = two_losses
        .filter_map(|(mechanism, count)| mechanism.epsilon_delta().map(|pair| (*count, pair.0)))
        .max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    match most {
        Some((_, epsilon)) if epsilon >= step => epsilon / (epsilon / step).floor(),
        _ => step,
    }
}

/// The first lattice point of a window of `length` points and a bound on the tilted mass outside of it by Chernoff's inequality; or the width
/// that would be needed.
fn window(leaves: &[(Leaf, u64)], step: f64, length: usize) -> Result<(i64, f64), f64> {
    let (mut mean, mut variance) = (0.0, 0.0);
    for (leaf, count) in leaves {
        let centre: f64 = leaf.mass.iter().enumerate().map(|(j, mass)| mass * j as f64).sum();
        let spread: f64 = leaf.mass.iter().enumerate().map(|(j, mass)| mass * (j as f64 - centre).powi(2)).sum();
        mean += *count as f64 * (leaf.first as f64 + centre);
        variance += *count as f64 * spread;
    }
    let deviation = variance.max(0.0).sqrt();
    let side = |sign: f64| {
        // the distance from the mean, in steps, beyond which at most half of what is allowed lies
        let mut best = f64::INFINITY;
        for pace in [2.0, 4.0, 6.0, 8.0, 12.0] {
            let eta = pace / deviation.max(1.0);
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
    if !(mean.abs() + needed < 1e15) {
        return Err(2.0 * step * length as f64);
    }
    if !(needed <= length as f64) {
        return Err(if needed.is_finite() { needed * step * 1.02 } else { f64::MAX.min(2.0 * step * length as f64) });
    }
    let spare = 0.5 * (length as f64 - needed);
    Ok(((mean - below - spare).floor() as i64 - 1, OUTSIDE))
}

/// ln E[e^(η(j − E j))] of a leaf's masses, in steps.
fn centred_log_moment(leaf: &Leaf, eta: f64) -> f64 {
    let mean: f64 = leaf.mass.iter().enumerate().map(|(j, mass)| mass * j as f64).sum();
    let ratio = libm::exp(eta);
    let mut factor = libm::exp(-eta * mean);
    let mut sum = 0.0;
    for mass in &leaf.mass {
        sum += mass * factor;
        factor *= ratio;
    }
    if sum.is_finite() { libm::log(sum) } else { f64::INFINITY }
}

fn compose(leaves: Vec<(Leaf, u64)>, theta: f64, step: f64, length: usize, first: i64, outside: f64) -> Composed {
    let log_moment: f64 = leaves.iter().map(|(leaf, count)| *count as f64 * leaf.log_scale).sum();
    let number: f64 = leaves.iter().map(|(_, count)| *count as f64).sum();
    let splits: f64 = leaves.iter().filter(|(leaf, _)| !leaf.on_lattice).map(|(_, count)| *count as f64).sum();
    let mut lost: f64 = leaves.iter().map(|(leaf, count)| *count as f64 * leaf.lost).sum();
    let mut plans: Vec<Option<Fft>> = Vec::new();
    let (spectral, merges) = merge(leaves, length, &mut plans);
    lost += 2.0 * TRIM * merges;

    let fft = plan(&mut plans, length.trailing_zeros() as usize);
    let mut product = vec![Complex { re: 1.0, im: 0.0 }; length];
    let mut powers = 0.0;
    for (leaf, count) in &spectral {
        let mut data = vec![Complex::default(); length];
        for (j, mass) in leaf.mass.iter().enumerate() {
            data[j % length].re += mass;
        }
        fft.forward(&mut data);
        product.iter_mut().zip(&data).for_each(|(total, value)| *total = *total * value.power(*count));
        powers += *count as f64;
    }
    let size = product.iter().map(|value| (value.re * value.re + value.im * value.im).sqrt()).sum::<f64>() / length as f64;
    fft.inverse(&mut product);
    let offset: i64 = spectral.iter().map(|(leaf, count)| leaf.first * *count as i64).sum();
    let turn = (first - offset).rem_euclid(length as i64) as usize;
    let mass: Vec<f64> = (0..length).map(|j| product[(j + turn) % length].re.max(0.0)).collect();

    // one rounding per butterfly level and multiplication, each relative to the mean size of what is transformed
    let unit = f64::EPSILON * f64::from(length.trailing_zeros());
    let noise = 8.0 * unit * (2.0 * powers * size + merges);
    let (mut tail, mut delta) = (vec![0.0; length], vec![0.0; length]);
    let (tilt, shrink, part) = (libm::exp(-theta * step), libm::exp(-step), -libm::expm1(-step));
    tail[length - 1] = mass[length - 1];
    for j in (0..length - 1).rev() {
        delta[j] = tilt * (part * tail[j + 1] + shrink * delta[j + 1]);
        tail[j] = mass[j] + tilt * tail[j + 1];
    }
    Composed {
        theta,
        step,
        first,
        mass,
        log_moment,
        error: (lost + outside) * 1.01,
        noise,
        // a loss within 1e-9 steps of a lattice point counts as being on it
        relative: number * (LEAF_ERROR + 1e-9 * step * (1.0 + theta)),
        gap: Gap::new(splits, step, theta),
        tail,
        delta,
    }
}

fn plan(plans: &mut Vec<Option<Fft>>, bits: usize) -> &Fft {
    if plans.len() <= bits {
        plans.resize_with(bits + 1, || None);
    }
    plans[bits].get_or_insert_with(|| Fft::new(1 << bits))
}

/// Convolves many narrow leaves pairwise, the narrowest first, until few are left: cheaper than a long transform for each. Returns what is
/// left and the number of convolutions.
fn merge(leaves: Vec<(Leaf, u64)>, length: usize, plans: &mut Vec<Option<Fft>>) -> (Vec<(Leaf, u64)>, f64) {
    const FEW: usize = 12;
    if leaves.len() <= FEW {
        return (leaves, 0.0);
    }
    let (mut spectral, mut narrow) = (Vec::new(), std::collections::BinaryHeap::new());
    for (number, (leaf, count)) in leaves.into_iter().enumerate() {
        if count <= 4 && leaf.mass.len() <= length / 8 {
            for _ in 0..count {
                narrow.push(Narrow { leaf: leaf.clone(), number });
            }
        } else {
            spectral.push((leaf, count));
        }
    }
    let mut merges = 0.0;
    let mut number = usize::MAX / 2;
    while narrow.len() > 2 {
        let (Some(a), Some(b)) = (narrow.pop(), narrow.pop()) else {
            break;
        };
        let size = a.leaf.mass.len() + b.leaf.mass.len() - 1;
        if size > length / 2 {
            spectral.extend([(a.leaf, 1), (b.leaf, 1)]);
            continue;
        }
        let bits = size.next_power_of_two().trailing_zeros() as usize;
        let mut mass = plan(plans, bits).convolve(&a.leaf.mass, &b.leaf.mass);
        debug_assert!(plan(plans, bits).length() >= size);
        mass.iter_mut().for_each(|value| *value = value.max(0.0));
        let mut leaf = Leaf { first: a.leaf.first + b.leaf.first, mass, log_scale: 0.0, lost: 0.0, on_lattice: true };
        leaf.trim(TRIM);
        number += 1;
        merges += 1.0;
        narrow.push(Narrow { leaf, number });
    }
    spectral.extend(narrow.into_sorted_vec().into_iter().map(|narrow| (narrow.leaf, 1)));
    (spectral, merges)
}

/// A leaf in the order in which leaves are convolved: the narrowest is the greatest, the earlier of equal ones.
struct Narrow {
    leaf: Leaf,
    number: usize,
}

impl Ord for Narrow {
    fn cmp(&self, other: &Narrow) -> std::cmp::Ordering {
        (other.leaf.mass.len(), other.number).cmp(&(self.leaf.mass.len(), self.number))
    }
}

impl PartialOrd for Narrow {
    fn partial_cmp(&self, other: &Narrow) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Narrow {
    fn eq(&self, other: &Narrow) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Narrow {}

/// The directions that have to be looked at.
fn directions(groups: &[(Mechanism, u64)]) -> &'static [Direction] {
    let sampled = groups.iter().any(|(mechanism, _)| match mechanism {
        Mechanism::SubsampledGaussian(probability, _) => probability.get() < 1.0,
        _ => false,
    });
    if sampled { &[Direction::Remove, Direction::Add] } else { &[Direction::Remove] }
}

/// The θ at which a function that falls and then rises is least.
fn best_tilt(mut of: impl FnMut(f64) -> f64) -> f64 {
    libm::exp(numeric::minimise(libm::log(1e-3), libm::log(1e14), |log_theta| of(libm::exp(log_theta))).0)
}

/// ln of θ^θ/(1 + θ)^(1 + θ), the largest (1 − e^(−d))·e^(−θd): with it, M·e^(−θε) is the improved conversion's bound on δ.
fn log_peak(theta: f64) -> f64 {
    -theta * libm::log1p(1.0 / theta) - libm::log1p(theta)
}

/// Refuses what has no pair before anything is computed.
fn check_pairs(groups: &[(Mechanism, u64)]) -> Result<(), AccountingError> {
    for &(mechanism, _) in groups {
        if matches!(mechanism, Mechanism::Zcdp(_)) {
            loss::leaf(mechanism, Direction::Remove, 0.0, 1.0)?;
        }
    }
    Ok(())
}

/// Bounds on the smallest ε of all releases together at δ.
///
/// # Errors
/// [`AccountingError`] if δ is not in (0, 1), a release has no dominating pair, or the lattice cannot hold them
pub fn epsilon(releases: &[Release], delta: f64) -> Result<Bounds, AccountingError> {
    error::positive_delta(delta)?;
    let left = release::remaining_delta(ABOUT.name, releases, delta)?;
    let groups = normalised(releases)?;
    check_pairs(&groups)?;
    let log_delta = libm::log(left);
    let theta = best_tilt(|theta| (log_moment(&groups, theta) + log_peak(theta) - log_delta) / theta);
    let mut bounds = Bounds { lower: 0.0, upper: 0.0 };
    for &direction in directions(&groups) {
        let found = Composed::new(&groups, direction, theta)?.epsilon_bounds(log_delta);
        bounds = Bounds { lower: bounds.lower.max(found.lower), upper: bounds.upper.max(found.upper) };
    }
    // the largest loss of all cannot be exceeded, but a lattice point above it can
    let largest = largest_loss(&groups);
    bounds.upper = bounds.upper.min(largest);
    bounds.lower = bounds.lower.min(bounds.upper);
    if bounds.upper.is_finite() {
        return Ok(bounds);
    }
    Err(AccountingError::Limit {
        method: ABOUT.name,
        what: "ln δ",
        value: log_delta,
        limit: log_delta + 1.0,
        remedy: "use a larger δ, or rdp",
    })
}

/// Bounds on the δ of all releases together at ε ≥ 0.
///
/// # Errors
/// [`AccountingError`] if ε is negative or not finite, a release has no dominating pair, or the lattice cannot hold them
pub fn delta(releases: &[Release], epsilon: f64) -> Result<Bounds, AccountingError> {
    error::non_negative("ε", epsilon)?;
    let groups = normalised(releases)?;
    check_pairs(&groups)?;
    let own = release::composed_own_delta(releases);
    if epsilon >= largest_loss(&groups) {
        return Ok(Bounds { lower: own, upper: own });
    }
    let theta = best_tilt(|theta| log_moment(&groups, theta) + log_peak(theta) - theta * epsilon);
    let mut bounds = Bounds { lower: 0.0, upper: 0.0 };
    for &direction in directions(&groups) {
        let found = Composed::new(&groups, direction, theta)?.delta_bounds(epsilon);
        bounds = Bounds { lower: bounds.lower.max(found.lower), upper: bounds.upper.max(found.upper) };
    }
    let with_own = |delta: f64| own + (1.0 - own) * delta;
    Ok(Bounds { lower: with_own(bounds.lower), upper: with_own(bounds.upper) })
}

/// Σε where every release has a largest loss, else ∞.
fn largest_loss(groups: &[(Mechanism, u64)]) -> f64 {
    let parts: Option<Vec<f64>> = groups
        .iter()
        .map(|(mechanism, count)| mechanism.epsilon_delta().map(|pair| pair.0 * *count as f64))
        .collect();
    parts.map_or(f64::INFINITY, |parts| crate::summation::sum(&parts))
}

/// The accountant.
pub struct Pld;

const ABOUT: About = About {
    name: "pld",
    summary: "the privacy loss distribution, composed numerically, with certified bounds on both sides",
    formula: "δ(ε) = E[(1 − e^(ε−L))₊], L = Σ ln P/Q under P",
    source: "Sommer, Meiser, Mohammadi, PoPETs 2019; Doroshenko, Ghazi, Kamath, Kumar, Manurangsi, PoPETs 2022(4)",
};

impl Accountant for Pld {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let bounds = epsilon(releases, delta)?;
        Ok(Total { epsilon: bounds.upper, lower: Some(bounds.lower), note: None })
    }
}

#[cfg(test)]
mod tests;
