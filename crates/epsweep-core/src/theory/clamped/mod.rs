//! Laplace noise after clamping to an interval.
//!
//! The answer t + Z, with Z of the Laplace law of scale b, is moved to the nearer end of [low, high] where it lies outside. Its
//! law is that of t + Z inside and has an atom at each end. Without an upper end (counts that are not negative) high is infinite.
//!
//! Let ℓ be the distance of t to the interval (0 inside). With probability ½ each the noise leads to either side, where the error is at
//! least ℓ and at most the distance d to the end of that side: its size there is min(max(E, ℓ), d) with E exponential of mean b. So
//! the size has the moments
//!
//! E(|X − t| − ℓ)ᵏ = Σ ½·e^{−ℓ/b}·k·bᵏ·γ(k, (d − ℓ)/b) over both sides,
//!
//! with the lower incomplete gamma function γ. All terms are positive: nothing cancels, however large the noise is beside the
//! interval.

mod reach;
#[cfg(test)]
mod tests;

use super::{Law, finite, open_probability};
use reach::{Reach, Setting};

/// The answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedLaplace(Setting);

impl ClampedLaplace {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedLaplace(Setting {
            scale,
            truth,
            low,
            high,
        })
    }

    /// The mean less the truth: what clamping adds to an unbiased answer.
    pub fn bias(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        let [down, up] = reach.halves(1);
        finite(match reach.side {
            0.0 => up - down,
            side => side * (reach.least + down + up),
        })
    }
}

impl Law for ClampedLaplace {
    fn mean(&self) -> Option<f64> {
        finite(self.0.truth + self.bias()?)
    }

    fn sd(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        let [down, up] = reach.halves(1);
        let first = match reach.side {
            0.0 => up - down,
            _ => up + down,
        };
        finite((reach.beyond(2) - first * first).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        let free = super::Laplace::new(scale, truth).quantile(p)?;
        Some(free.clamp(low, high))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        if x.is_nan() {
            None
        } else if x < low {
            Some(0.0)
        } else if x >= high {
            Some(1.0)
        } else {
            super::Laplace::new(scale, truth).cdf(x)
        }
    }

    /// That of the noise between the ends, which are atoms without a density.
    fn density(&self, x: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        if x == low || x == high {
            None
        } else if low < x && x < high {
            super::Laplace::new(scale, truth).density(x)
        } else {
            (!x.is_nan()).then_some(0.0)
        }
    }
}

/// The absolute error of the answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedAbsError(Setting);

impl ClampedAbsError {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedAbsError(Setting {
            scale,
            truth,
            low,
            high,
        })
    }
}

impl Law for ClampedAbsError {
    fn mean(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        finite(reach.least + reach.beyond(1))
    }

    fn sd(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        let first = reach.beyond(1);
        finite((reach.beyond(2) - first * first).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let Reach {
            scale, least, ends, ..
        } = self.0.reach()?;
        let p = open_probability(p)?;
        if scale == 0.0 {
            return Some(least);
        }
        let (near, far) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        // 1 − p is exact for p above one half, and −ln(1 − p) is log1p below
        let both = -scale * libm::log1p(-p);
        let one = -scale * libm::log(2.0 * (1.0 - p));
        Some(if least == 0.0 && both < near {
            both
        } else {
            one.clamp(near, far)
        })
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let reach = self.0.reach()?;
        if x.is_nan() {
            return None;
        }
        if x < reach.least {
            return Some(0.0);
        }
        if reach.scale == 0.0 {
            return Some(1.0);
        }
        let ends = reach.ends;
        let above: f64 = ends
            .iter()
            .filter(|&&end| x < end)
            .map(|_| 0.5 * reach.decay(x))
            .sum();
        // 1 − e^{−x/b} loses digits near 0
        Some(if x < ends[0] && x < ends[1] {
            -libm::expm1(-x / reach.scale)
        } else {
            1.0 - above
        })
    }

    /// That of each half of the noise up to its end; the ends, and a least error above 0, are atoms without a density.
    fn density(&self, x: f64) -> Option<f64> {
        let reach = self.0.reach()?;
        let atom = reach.ends.contains(&x) || (x == reach.least && (x > 0.0 || reach.scale == 0.0));
        if x.is_nan() || atom {
            return None;
        }
        if x < reach.least || reach.scale == 0.0 {
            return Some(0.0);
        }
        let halves = reach.ends.iter().filter(|&&end| x < end).count();
        finite(0.5 * halves as f64 * reach.decay(x) / reach.scale)
    }
}

/// The squared error of the answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedSquaredError(ClampedAbsError);

impl ClampedSquaredError {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedSquaredError(ClampedAbsError::new(scale, truth, low, high))
    }
}

impl Law for ClampedSquaredError {
    fn mean(&self) -> Option<f64> {
        let reach = self.0.0.reach()?;
        let least = reach.least;
        finite(least * least + 2.0 * least * reach.beyond(1) + reach.beyond(2))
    }

    /// Of (ℓ + Y)² = ℓ² + 2ℓY + Y²: the standard deviation of 2ℓY + Y².
    fn sd(&self) -> Option<f64> {
        let reach = self.0.0.reach()?;
        let twice = 2.0 * reach.least;
        let [first, second, third, fourth] = [1, 2, 3, 4].map(|k| reach.beyond(k));
        let mean = twice * first + second;
        let square = twice * twice * second + 2.0 * twice * third + fourth;
        finite((square - mean * mean).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let root = self.0.quantile(p)?;
        finite(root * root)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.0.cdf(if x < 0.0 { -1.0 } else { x.sqrt() })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x < 0.0 {
            return self.0.density(-1.0);
        }
        // −0 would make it negative
        let root = x.abs().sqrt();
        Some(self.0.density(root)? / (2.0 * root))
    }
}
