//! The total loss of all releases on a lattice, and what follows from it for δ and ε.

use super::super::error::AccountingError;
use super::super::release::Mechanism;
use super::fft::Complex;
use super::gap::Gap;
use super::loss::{self, Direction, Leaf};
use super::{Bounds, lattice, merge};
use crate::numeric;

/// Relative error of the masses of a leaf: quadrature and rounding.
const LEAF_ERROR: f64 = 1e-13;

/// The total loss on a lattice, tilted.
pub(super) struct Composed {
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
    /// All releases together, in one direction, at a tilt that fits what is asked.
    ///
    /// # Errors
    /// what [`loss::leaf`] refuses, and [`AccountingError::Limit`] if no window holds the total loss
    pub(super) fn new(
        groups: &[(Mechanism, u64)],
        direction: Direction,
        theta: f64,
    ) -> Result<Composed, AccountingError> {
        let deviation = lattice::deviation(groups, theta);
        let splits: f64 = groups.iter().map(|group| group.1 as f64).sum();
        let wanted = (2.4e-4 / (1.0 + theta) / splits).sqrt();
        // δ changes on the scale of 1/θ
        let width = (18.0 * deviation).max(130.0 / theta);
        let wanted = wanted.min(lattice::FINEST).min(0.05 / theta);
        let length = (width / wanted).clamp(lattice::SMALLEST as f64, lattice::LARGEST as f64);
        let length = (length as usize).next_power_of_two().min(lattice::LARGEST);
        let mut step = (width / length as f64).max(lattice::smallest_step(groups, theta));
        let mut points = length as f64;
        for _ in 0..24 {
            let theta = theta.min(0.05 / step);
            let fitting = lattice::fit_to_atoms(groups, step);
            let leaves: Vec<(Leaf, u64)> = groups
                .iter()
                .map(|&(mechanism, count)| {
                    Ok((loss::leaf(mechanism, direction, theta, fitting)?, count))
                })
                .collect::<Result<_, AccountingError>>()?;
            match lattice::window(&leaves, theta, fitting, length) {
                Ok((first, outside)) => {
                    return Ok(compose(leaves, theta, fitting, length, first, outside));
                }
                Err(needed) => {
                    points = needed / step;
                    step = (step * 1.25).max(needed / length as f64);
                }
            }
        }
        Err(AccountingError::Limit {
            method: super::ABOUT.name,
            what: "the number of lattice points of the total loss",
            value: points,
            limit: length as f64,
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
        self.noise
            * if decay * points > 1.0 {
                1.0 / decay
            } else {
                points
            }
    }

    /// Σ over y > ε of p̃(y)·e^(−θ(y−ε))·(1 − e^(ε−y)), for ε not below the window.
    fn sound(&self, epsilon: f64) -> f64 {
        let index = ((epsilon / self.step).ceil() - self.first as f64).max(0.0);
        if index >= self.mass.len() as f64 {
            return 0.0;
        }
        let index = index as usize;
        // from the lattice point above down to ε
        let rest = (self.point(index) - epsilon).max(0.0);
        libm::exp(-self.theta * rest)
            * (-libm::expm1(-rest) * self.tail[index] + libm::exp(-rest) * self.delta[index])
    }

    /// ln of an upper bound on δ at ε.
    fn log_upper(&self, epsilon: f64) -> f64 {
        if epsilon < self.point(0) {
            return 0.0;
        }
        let sum = self.sound(epsilon) * (1.0 + self.relative) + self.error + self.rounding();
        (libm::log(sum) + self.log_unit(epsilon)).min(0.0)
    }

    /// ln of a lower bound on δ at ε; −∞ if there is none.
    fn log_lower(&self, epsilon: f64) -> f64 {
        let (Some(gap), Some(index)) = (&self.gap, self.index_below(epsilon)) else {
            return f64::NEG_INFINITY;
        };
        let sound = self.sound(epsilon) * (1.0 - self.relative) - self.error - self.rounding();
        let added = gap.at(&self.mass, index) * (1.0 + self.relative);
        let sound = sound - added - gap.uncertainty(self.error, self.noise);
        if sound > 0.0 {
            libm::log(sound) + self.log_unit(epsilon)
        } else {
            f64::NEG_INFINITY
        }
    }

    /// The place of the lattice point at or below a loss, if the window has it.
    fn index_below(&self, loss: f64) -> Option<usize> {
        let place = (loss / self.step).floor() - self.first as f64;
        (place >= 0.0 && place < self.mass.len() as f64).then_some(place as usize)
    }

    pub(super) fn delta_bounds(&self, epsilon: f64) -> Bounds {
        Bounds {
            lower: libm::exp(self.log_lower(epsilon)),
            upper: libm::exp(self.log_upper(epsilon)),
        }
    }

    pub(super) fn epsilon_bounds(&self, log_delta: f64, largest: f64) -> Bounds {
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
        // the largest loss of all cannot be exceeded, but a lattice point above it can
        let upper = upper.min(largest);
        Bounds {
            lower: self.epsilon_above(upper, log_delta),
            upper,
        }
    }

    /// An ε at which δ is certainly above the target, as near below `upper` as can be found; 0 if there is none.
    fn epsilon_above(&self, upper: f64, log_delta: f64) -> f64 {
        let least = self.point(0).max(0.0);
        let mut bad = upper.min(self.point(self.mass.len() - 1));
        // steps that grow find the neighbourhood, halving finds the place in it
        let mut jump = 0.01 * self.step;
        while bad > least {
            let candidate = (bad - jump).max(least);
            if self.log_lower(candidate) > log_delta {
                let mut good = candidate;
                for _ in 0..20 {
                    let middle = 0.5 * (good + bad);
                    if self.log_lower(middle) > log_delta {
                        good = middle;
                    } else {
                        bad = middle;
                    }
                }
                return good;
            }
            bad = candidate;
            jump *= 2.0;
        }
        0.0
    }
}

pub(super) fn compose(
    leaves: Vec<(Leaf, u64)>,
    theta: f64,
    step: f64,
    length: usize,
    first: i64,
    outside: f64,
) -> Composed {
    let log_moment: f64 = leaves
        .iter()
        .map(|(leaf, count)| *count as f64 * leaf.log_scale)
        .sum();
    let number: f64 = leaves.iter().map(|(_, count)| *count as f64).sum();
    let splits: f64 = leaves
        .iter()
        .filter(|(leaf, _)| !leaf.on_lattice)
        .map(|(_, count)| *count as f64)
        .sum();
    let extent = |leaf: &Leaf| leaf.first.unsigned_abs() as f64 + leaf.mass.len() as f64;
    let exponents: f64 = leaves
        .iter()
        .map(|(leaf, count)| *count as f64 * extent(leaf))
        .sum();
    let farthest = first.unsigned_abs() as f64 + length as f64;
    let mut lost: f64 = leaves
        .iter()
        .map(|(leaf, count)| *count as f64 * leaf.lost)
        .sum();
    let mut plans: Vec<Option<super::fft::Fft>> = Vec::new();
    let (spectral, merges) = merge::merge(leaves, length, &mut plans);
    lost += 2.0 * merge::TRIM * merges;

    let fft = merge::plan(&mut plans, length.trailing_zeros() as usize);
    let mut product = vec![Complex { re: 1.0, im: 0.0 }; length];
    let mut powers = 0.0;
    for (leaf, count) in &spectral {
        let mut data = vec![Complex::default(); length];
        for (j, mass) in leaf.mass.iter().enumerate() {
            data[j % length].re += mass;
        }
        fft.forward(&mut data);
        product
            .iter_mut()
            .zip(&data)
            .for_each(|(total, value)| *total = *total * value.power(*count));
        powers += *count as f64;
    }
    let size = product
        .iter()
        .map(|value| (value.re * value.re + value.im * value.im).sqrt())
        .sum::<f64>()
        / length as f64;
    fft.inverse(&mut product);
    let offset: i64 = spectral
        .iter()
        .map(|(leaf, count)| leaf.first * *count as i64)
        .sum();
    let turn = (first - offset).rem_euclid(length as i64) as usize;
    let mass: Vec<f64> = (0..length)
        .map(|j| product[(j + turn) % length].re.max(0.0))
        .collect();

    // one rounding per butterfly level and multiplication, each relative to the mean size of what is transformed
    let unit = f64::EPSILON * f64::from(length.trailing_zeros());
    let noise = 8.0 * unit * (2.0 * powers * size + merges);
    let (mut tail, mut delta) = (vec![0.0; length], vec![0.0; length]);
    let (tilt, shrink, part) = (
        libm::exp(-theta * step),
        libm::exp(-step),
        -libm::expm1(-step),
    );
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
        // a loss that near to a lattice point counts as being on it; exponents are rounded in proportion to their size
        relative: number * LEAF_ERROR
            + (number - splits) * loss::NEAR * step * (1.0 + theta)
            + 8.0 * f64::EPSILON * theta * step * (exponents + farthest),
        gap: Gap::new(splits, step, theta),
        tail,
        delta,
    }
}
