//! How far a clamped answer can be from the truth, and the moments of how far it is.

use super::super::{finite, valid_scale};

/// Truth, scale and interval of a clamped answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Setting {
    pub(super) scale: f64,
    pub(super) truth: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

/// How far a clamped answer is from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// the scale of the noise
    pub(super) scale: f64,
    /// the least error: the distance from the truth to the interval
    pub(super) least: f64,
    /// the largest errors that the noise downwards and upwards can make; infinite without an end
    pub(super) ends: [f64; 2],
    /// where the answer is if the noise leads out of the interval by the nearer way: −1 below the truth, 1 above it
    pub(super) side: f64,
}

impl Setting {
    pub(super) fn valid(self) -> Option<Self> {
        valid_scale(self.scale)?;
        finite(self.truth)?;
        finite(self.low)?;
        (self.low <= self.high).then_some(self)
    }

    pub(super) fn reach(self) -> Option<Reach> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.valid()?;
        // outside, the half of the noise that leads away changes nothing
        let (least, ends, side) = if truth < low {
            (low - truth, [low - truth, high - truth], 1.0)
        } else if truth > high {
            (truth - high, [truth - low, truth - high], -1.0)
        } else {
            (0.0, [truth - low, high - truth], 0.0)
        };
        Some(Reach {
            scale,
            least,
            ends,
            side,
        })
    }
}

impl Reach {
    /// exp(−x/b).
    pub(super) fn decay(&self, x: f64) -> f64 {
        if x == 0.0 {
            1.0
        } else {
            libm::exp(-x / self.scale)
        }
    }

    /// E(|X − t| − ℓ)ᵏ over the noise of either side, for k from 1 to 4.
    pub(super) fn halves(&self, k: i32) -> [f64; 2] {
        if self.scale == 0.0 {
            return [0.0; 2];
        }
        let factor = 0.5 * self.decay(self.least) * f64::from(k);
        self.ends.map(|end| {
            let width = (end - self.least) / self.scale;
            factor * powers(self.scale, k) * lower_gamma(k, width)
        })
    }

    /// E(|X − t| − ℓ)ᵏ.
    pub(super) fn beyond(&self, k: i32) -> f64 {
        let [down, up] = self.halves(k);
        down + up
    }
}

/// xᵏ by multiplications.
pub(super) fn powers(x: f64, k: i32) -> f64 {
    (0..k).fold(1.0, |power, _| power * x)
}

/// γ(k, x) = ∫₀ˣ y^{k−1}e^{−y} dy for k from 1 to 4 and x ≥ 0 (Abramowitz and Stegun 6.5.4 and 6.5.29, and 6.5.13 for whole k).
pub(super) fn lower_gamma(k: i32, x: f64) -> f64 {
    if x < 2.0 {
        // x^k·e^{−x}·Σ xⁿ/(k(k+1)…(k+n))
        let mut term = 1.0 / f64::from(k);
        let mut sum = term;
        let mut n = k;
        while term > 1e-18 * sum {
            n += 1;
            term *= x / f64::from(n);
            sum += term;
        }
        return powers(x, k) * libm::exp(-x) * sum;
    }
    let factorial = (1..k).fold(1.0, |product, j| product * f64::from(j));
    if x > 745.0 {
        return factorial;
    }
    // (k−1)!·(1 − e^{−x}·Σ xʲ/j!)
    let mut term = 1.0;
    let mut sum = term;
    for j in 1..k {
        term *= x / f64::from(j);
        sum += term;
    }
    factorial * (1.0 - libm::exp(-x) * sum)
}
