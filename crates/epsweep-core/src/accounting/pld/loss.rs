//! The privacy loss of one release on a lattice.
//!
//! A release is described by a dominating pair (P, Q), which is (M(D), M(D′)) itself where that is known: Zhu, Dong and Wang, AISTATS 2022,
//! sections 2 and 3. Its loss is ln P/Q under P. Each loss between two lattice points is split onto both so that its
//! mass under P and under Q is kept ("connect the dots": Doroshenko, Ghazi, Kamath, Kumar and Manurangsi, PoPETs 2022(4), section 4),
//! which gives a pair that dominates the first: all δ of the lattice are upper bounds.
//!
//! The masses are tilted by e^(θ·loss) and normalised: where θ fits the δ in question, nothing underflows, and rounding errors of the
//! transform are relative to that δ.

use super::super::error::AccountingError;
use super::super::release::Mechanism;
use super::super::{normal, rdp};
use crate::numeric::{self, LEGENDRE_5};

/// Which of two neighbours is P.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// the data set with the record
    Remove,
    /// the data set without it
    Add,
}

/// A loss on the lattice {j·h}, tilted and normalised.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// j of the first mass
    pub(super) first: i64,
    /// tilted masses, which sum to 1
    pub(super) mass: Vec<f64>,
    /// ln Σ P(loss)·e^(θ·loss)
    pub(super) log_scale: f64,
    /// what was cut off at the ends, of the tilted mass
    pub(super) lost: f64,
    /// whether every loss lies on the lattice, so that nothing was split
    pub(super) on_lattice: bool,
}

/// Tilted mass that is cut off at an end of an unbounded loss: two tails of the normal law beyond 9.5 or more.
const CUT: f64 = 1e-19;
/// Standard deviations kept on each side.
const REACH: f64 = 9.5;
/// A loss this near to a lattice point, in steps, lies on it.
pub(super) const NEAR: f64 = 1e-7;

/// ln E_P[e^(θ·loss)] = θ·(Rényi divergence of order 1 + θ) of the pair that is used. Where the order cannot be computed, that of a
/// neighbouring one: this only steers the tilt.
pub(super) fn log_moment(mechanism: Mechanism, theta: f64) -> Result<f64, AccountingError> {
    let pair = match mechanism {
        Mechanism::ExponentialMechanism(epsilon) => Mechanism::Pure(epsilon),
        other => other,
    };
    let curve = rdp::curve(pair)?;
    let order = 1.0 + theta;
    let divergence = match (mechanism, order > 2.0) {
        (Mechanism::SubsampledGaussian(..), true) => curve.rdp(order.min(1e5).round())?,
        _ => curve.rdp(order)?,
    };
    Ok(theta * divergence)
}

/// Collects masses on the lattice.
struct Spread {
    step: f64,
    theta: f64,
    /// ln of what every tilted mass is divided by
    reference: f64,
    first: i64,
    mass: Vec<f64>,
    /// the share of the upper lattice point for the nodes of the quadrature rule in a whole cell
    upper_share: [f64; 5],
    tilt_of_step: f64,
}

impl Spread {
    fn new(step: f64, theta: f64, reference: f64, range: (f64, f64)) -> Spread {
        let first = (range.0 / step).floor() as i64 - 1;
        let last = (range.1 / step).floor() as i64 + 2;
        let share = |node: f64| upper_share(0.5 * (1.0 + node) * step, step);
        Spread {
            step,
            theta,
            reference,
            first,
            mass: vec![0.0; (last - first + 1) as usize],
            upper_share: LEGENDRE_5.map(|(node, _)| share(node)),
            tilt_of_step: libm::exp(theta * step),
        }
    }

    /// Splits a mass within the cell that begins at lattice point `cell`.
    fn split(&mut self, cell: i64, share: f64, log_mass: f64) {
        let lower = libm::exp(log_mass + self.theta * cell as f64 * self.step - self.reference);
        let place = (cell - self.first) as usize;
        self.mass[place] += (1.0 - share) * lower;
        self.mass[place + 1] += share * lower * self.tilt_of_step;
    }

    /// A single loss with a mass. Returns whether it lies on the lattice.
    fn atom(&mut self, loss: f64, log_mass: f64) -> bool {
        let steps = loss / self.step;
        let nearest = steps.round();
        if (steps - nearest).abs() < NEAR {
            self.split(nearest as i64, 0.0, log_mass);
            return true;
        }
        let cell = steps.floor();
        self.split(
            cell as i64,
            upper_share((steps - cell) * self.step, self.step),
            log_mass,
        );
        false
    }

    /// Losses with a density on [low, high] that is smooth on the given scale: what fits a quadrature rule.
    fn density(&mut self, low: f64, high: f64, scale: f64, log_density: impl Fn(f64) -> f64) {
        let log_half_step = libm::log(0.5 * self.step);
        let log_weights = LEGENDRE_5.map(|(_, weight)| libm::log(weight) + log_half_step);
        for cell in (low / self.step).floor() as i64..=(high / self.step).floor() as i64 {
            let begin = cell as f64 * self.step;
            let (from, to) = (begin.max(low), (begin + self.step).min(high));
            if from == begin && to == begin + self.step && self.step <= scale {
                for (index, (node, _)) in LEGENDRE_5.into_iter().enumerate() {
                    let loss = begin + 0.5 * (1.0 + node) * self.step;
                    let log_mass = log_density(loss) + log_weights[index];
                    self.split(cell, self.upper_share[index], log_mass);
                }
            } else if to > from {
                let pieces = ((to - from) / scale).ceil().max(1.0);
                let width = (to - from) / pieces;
                for piece in 0..pieces as usize {
                    let left = from + piece as f64 * width;
                    for (node, weight) in LEGENDRE_5 {
                        let loss = left + 0.5 * (1.0 + node) * width;
                        let log_mass = log_density(loss) + libm::log(0.5 * width * weight);
                        let share = upper_share((loss - begin).max(0.0), self.step);
                        self.split(cell, share, log_mass);
                    }
                }
            }
        }
    }

    /// Normalised.
    fn finish(self, lost: f64, on_lattice: bool) -> Leaf {
        let sum: f64 = self.mass.iter().sum();
        let mut leaf = Leaf {
            first: self.first,
            mass: self.mass,
            log_scale: self.reference + libm::log(sum),
            lost,
            on_lattice,
        };
        leaf.mass.iter_mut().for_each(|mass| *mass /= sum);
        leaf.trim(CUT);
        leaf
    }
}

impl Leaf {
    /// Cuts up to `most` of the mass off each end.
    pub(super) fn trim(&mut self, most: f64) {
        let count = |masses: &mut dyn Iterator<Item = &f64>| {
            let (mut number, mut sum) = (0, 0.0);
            for mass in masses {
                if sum + mass > most {
                    break;
                }
                sum += mass;
                number += 1;
            }
            (number, sum)
        };
        let (tail, tail_mass) = count(&mut self.mass.iter().rev());
        self.mass.truncate((self.mass.len() - tail).max(1));
        let (head, head_mass) = count(&mut self.mass.iter());
        let head = head.min(self.mass.len() - 1);
        self.mass.drain(..head);
        self.first += head as i64;
        self.lost += tail_mass + head_mass;
    }
}

/// The part of a mass at distance `above` from the lower end of a cell that goes to its upper end.
fn upper_share(above: f64, step: f64) -> f64 {
    libm::expm1(-above) / libm::expm1(-step)
}

/// The loss of a mechanism on the lattice of width `step`, tilted by θ. The δ of an (ε, δ) release is not in it.
///
/// # Errors
/// [`AccountingError::Unsupported`] for what has no dominating pair, [`AccountingError::Limit`] if the lattice would have more than 2²⁴ points
pub(super) fn leaf(
    mechanism: Mechanism,
    direction: Direction,
    theta: f64,
    step: f64,
) -> Result<Leaf, AccountingError> {
    match mechanism {
        Mechanism::Pure(epsilon)
        | Mechanism::Approximate(epsilon, _)
        | Mechanism::RandomisedResponse(epsilon)
        | Mechanism::ExponentialMechanism(epsilon)
        | Mechanism::PermuteAndFlip(epsilon) => two_losses(epsilon.get(), theta, step),
        Mechanism::Laplace(epsilon) => laplace(epsilon.get(), theta, step),
        Mechanism::Gaussian(noise) => gaussian(1.0 / noise.get(), theta, step),
        Mechanism::SubsampledGaussian(probability, noise) if probability.get() == 1.0 => {
            gaussian(1.0 / noise.get(), theta, step)
        }
        Mechanism::SubsampledGaussian(probability, noise) => {
            subsampled(probability.get(), noise.get(), direction, theta, step)
        }
        Mechanism::Zcdp(_) => Err(AccountingError::Unsupported {
            method: super::ABOUT.name,
            what: mechanism.to_string(),
            reason: "ρ alone determines no pair of distributions that dominates the release",
            alternative: "zcdp or rdp",
        }),
    }
}

fn affordable(range: (f64, f64), step: f64) -> Result<(), AccountingError> {
    const MOST: f64 = 16_777_216.0;
    let points = (range.1 - range.0) / step;
    if points <= MOST && (range.1.abs().max(range.0.abs()) / step) < 1e15 {
        return Ok(());
    }
    Err(AccountingError::Limit {
        method: super::ABOUT.name,
        what: "the number of lattice points of one release",
        value: points,
        limit: MOST,
        remedy: "the releases differ too much in size; use rdp or basic",
    })
}

/// Randomised response, which dominates all that is ε-private.
fn two_losses(epsilon: f64, theta: f64, step: f64) -> Result<Leaf, AccountingError> {
    let log_p = -libm::log1p(libm::exp(-epsilon));
    let log_up = log_p + theta * epsilon;
    let log_down = log_p - epsilon - theta * epsilon;
    // an outcome that is nothing beside the other would only widen the lattice
    let both = log_down - log_up > -44.0;
    let range = (if both { -epsilon } else { epsilon }, epsilon);
    affordable(range, step)?;
    let mut spread = Spread::new(step, theta, log_up, range);
    let mut on_lattice = spread.atom(epsilon, log_p);
    if both {
        on_lattice &= spread.atom(-epsilon, log_p - epsilon);
    }
    Ok(spread.finish(if both { 0.0 } else { CUT }, on_lattice))
}

/// P = Lap(0, b), Q = Lap(Δ, b): half of the mass at ε, e^(−ε)/2 at −ε, and e^(−(ε−ℓ)/2)/4 between.
fn laplace(epsilon: f64, theta: f64, step: f64) -> Result<Leaf, AccountingError> {
    let low = (-epsilon).max(epsilon - 45.0 / (theta + 0.5));
    let cut = low > -epsilon;
    affordable((low, epsilon), step)?;
    let half = -std::f64::consts::LN_2;
    let mut spread = Spread::new(step, theta, half + theta * epsilon, (low, epsilon));
    spread.atom(epsilon, half);
    if !cut {
        spread.atom(-epsilon, half - epsilon);
    }
    spread.density(low, epsilon, 0.5, |loss| {
        2.0 * half - 0.5 * (epsilon - loss)
    });
    Ok(spread.finish(if cut { 1e-18 } else { 0.0 }, false))
}

/// The loss is N(μ²/2, μ²); tilted, N(μ²/2 + θμ², μ²).
fn gaussian(mu: f64, theta: f64, step: f64) -> Result<Leaf, AccountingError> {
    let mean = 0.5 * mu * mu;
    let centre = mean + theta * mu * mu;
    let range = (centre - REACH * mu, centre + REACH * mu);
    affordable(range, step)?;
    let reference = theta * mean + 0.5 * theta * theta * mu * mu;
    let mut spread = Spread::new(step, theta, reference, range);
    let log_mu = libm::log(mu);
    spread.density(range.0, range.1, 0.25 * mu, |loss| {
        normal::log_density((loss - mean) / mu) - log_mu
    });
    Ok(spread.finish(1e-19, false))
}

/// P = (1−q)N(0,σ²) + qN(1,σ²) and Q = N(0,σ²), or the reverse. The loss ±ln(1 − q + q·e^((2z−1)/2σ²)) is monotone in z, over which the
/// quadrature runs, from one lattice point's z to the next's.
fn subsampled(
    probability: f64,
    sigma: f64,
    direction: Direction,
    theta: f64,
    step: f64,
) -> Result<Leaf, AccountingError> {
    let remove = direction == Direction::Remove;
    let square = sigma * sigma;
    let log_ratio = |z: f64| {
        let exponent = (2.0 * z - 1.0) / (2.0 * square);
        numeric::log_diluted(probability, exponent)
    };
    let loss_at = |z: f64| if remove { log_ratio(z) } else { -log_ratio(z) };
    let log_mass_at = |z: f64| {
        let base = normal::log_density(z / sigma) - libm::log(sigma);
        if remove { base + log_ratio(z) } else { base }
    };
    // the tilted density is that of N(1 + θ, σ²) times a factor that falls with z, and that of N(0, σ²) times one that rises (in the other
    // direction N(−θ, σ²) and N(0, σ²)), so that each tail is no heavier than that normal law's
    let reach = 12.0 * sigma;
    let (low, high) = if remove {
        (-reach, 1.0 + theta.ceil() + reach)
    } else {
        (-theta - reach, reach)
    };
    let ends = (loss_at(low), loss_at(high));
    let range = (ends.0.min(ends.1), ends.0.max(ends.1));
    affordable(range, step)?;
    // the largest tilted density on a coarse grid is near enough to scale by
    let reference = (0..=400)
        .map(|index| low + (high - low) * f64::from(index) / 400.0)
        .map(|z| log_mass_at(z) + theta * loss_at(z))
        .fold(f64::NEG_INFINITY, f64::max);
    let mut spread = Spread::new(step, theta, reference, range);
    // ln(1 − q + q·e^u) = r  ⇔  u = ln(1 + (e^r − 1)/q)
    let z_at = |ratio: f64| {
        let inner = libm::expm1(ratio) / probability;
        if inner <= -1.0 {
            return f64::NEG_INFINITY;
        }
        let exponent = if ratio > 500.0 {
            ratio - libm::log(probability)
        } else {
            libm::log1p(inner)
        };
        square * exponent + 0.5
    };
    let widest = sigma.min(square) / 4.0;
    for cell in (range.0 / step).floor() as i64..=(range.1 / step).floor() as i64 {
        let (begin, end) = (cell as f64 * step, (cell + 1) as f64 * step);
        let (from, to) = if remove {
            (z_at(begin), z_at(end))
        } else {
            (z_at(-end), z_at(-begin))
        };
        let (from, to) = (from.max(low), to.min(high));
        if to <= from {
            continue;
        }
        let pieces = ((to - from) / widest).ceil().max(1.0);
        let width = (to - from) / pieces;
        for piece in 0..pieces as usize {
            let left = from + piece as f64 * width;
            for (node, weight) in LEGENDRE_5 {
                let z = left + 0.5 * (1.0 + node) * width;
                let above = (loss_at(z) - begin).clamp(0.0, step);
                spread.split(
                    cell,
                    upper_share(above, step),
                    log_mass_at(z) + libm::log(0.5 * width * weight),
                );
            }
        }
    }
    Ok(spread.finish(1e-19, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::release::{NoiseMultiplier, SamplingProbability};
    use crate::budget::Epsilon;

    /// Σ mass·e^(η·loss) on the lattice against e^(K(θ+η) − K(θ)); splitting can only raise it, by a factor of about 1 + η²h²/8.
    #[test]
    fn moments_are_those_of_the_renyi_divergence() {
        let epsilon = Epsilon::new(0.8).unwrap();
        let sample = Mechanism::SubsampledGaussian(
            SamplingProbability::new(0.05).unwrap(),
            NoiseMultiplier::new(0.9).unwrap(),
        );
        let step = 1e-3;
        for mechanism in [
            Mechanism::Pure(epsilon),
            Mechanism::Laplace(epsilon),
            Mechanism::Gaussian(NoiseMultiplier::new(1.3).unwrap()),
            sample,
        ] {
            for theta in [0.0, 1.0, 4.0] {
                let leaf = leaf(mechanism, Direction::Remove, theta, step).unwrap();
                let expected = if theta == 0.0 {
                    0.0
                } else {
                    log_moment(mechanism, theta).unwrap()
                };
                let excess = leaf.log_scale - expected;
                assert!(
                    (-1e-11..1e-5).contains(&excess),
                    "{mechanism}, θ = {theta}: {excess:e}"
                );
                // under Q the masses are those of a probability, too: E_P[e^−loss] = 1
                let mean: f64 = leaf
                    .mass
                    .iter()
                    .enumerate()
                    .map(|(j, mass)| {
                        mass * libm::exp(-(1.0 + theta) * (leaf.first + j as i64) as f64 * step)
                    })
                    .sum();
                if theta <= 1.0 {
                    let total = libm::exp(leaf.log_scale) * mean;
                    assert!(
                        (total - 1.0).abs() < 1e-8,
                        "{mechanism}, θ = {theta}: {total}"
                    );
                }
            }
        }
        // in the other direction: E_P[e^(−2·loss)] is the moment of order 2 of the first
        let reverse = leaf(sample, Direction::Add, 0.0, step).unwrap();
        let moment: f64 = reverse
            .mass
            .iter()
            .enumerate()
            .map(|(j, mass)| mass * libm::exp(-2.0 * (reverse.first + j as i64) as f64 * step))
            .sum();
        assert!((libm::log(moment) - log_moment(sample, 1.0).unwrap()).abs() < 1e-5);
    }

    /// Noise so small beside a lattice step that all of its loss lies within two cells: its masses are those of the normal law.
    #[test]
    fn a_loss_narrower_than_a_step_is_integrated_all_the_same() {
        for ratio in [0.03, 0.3, 3.0] {
            let (step, noise) = (0.01, 1.0 / (0.01 * ratio));
            let mechanism = Mechanism::Gaussian(NoiseMultiplier::new(noise).unwrap());
            let leaf = leaf(mechanism, Direction::Remove, 0.0, step).unwrap();
            assert!(leaf.log_scale.abs() < 1e-13, "{}", leaf.log_scale);
            let under_q: f64 = leaf
                .mass
                .iter()
                .enumerate()
                .map(|(j, mass)| mass * libm::exp(-(leaf.first + j as i64) as f64 * step))
                .sum();
            assert!((under_q - 1.0).abs() < 1e-12, "{under_q}");
        }
    }
}
