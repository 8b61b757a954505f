//! The error of one query under discrete Gaussian noise.
//!
//! Sums over the integers are taken term by term for σ up to [`TABLED`], smallest terms first. Above, the Euler–Maclaurin
//! formula at midpoints (DLMF 2.10.1, 24.4.27) gives them from the normal integral: its terms fall like σ^{−2}, and the third
//! one left out is below 1e−15 of the sum.

use std::fmt;
use std::sync::Arc;

use super::discrete_laplace::settle;
use super::symmetric::Symmetric;
use crate::statistics::{normal_cdf, normal_density, normal_quantile};

/// The largest σ whose sums are tabled.
const TABLED: f64 = 256.0;

/// √(2π)
const ROOT_TAU: f64 = 2.506_628_274_631_000_7;

/// The law P(X = x) ∝ e^{−x²/(2σ²)} on the integers (Canonne, Kamath and Steinke, NeurIPS 2020). Its variance is below σ², by
/// nothing that a double shows from σ = 2 on.
#[derive(Clone)]
pub struct DiscreteGaussian {
    sigma: f64,
    /// Σ e^{−x²/(2σ²)} over all integers
    normalizer: f64,
    /// Σ over k ≥ m of e^{−k²/(2σ²)} at index m, until it vanishes
    tails: Option<Arc<[f64]>>,
    /// E|X|, E X², E X⁴
    moments: [f64; 3],
}

/// Without the table.
impl fmt::Debug for DiscreteGaussian {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DiscreteGaussian")
            .field("sigma", &self.sigma)
            .finish_non_exhaustive()
    }
}

impl DiscreteGaussian {
    /// `None` unless σ is positive and at most 2⁴⁸, where integers are still apart in the tails.
    pub fn new(sigma: f64) -> Option<Self> {
        if !(sigma > 0.0 && sigma <= 281_474_976_710_656.0) {
            return None;
        }
        Some(if sigma <= TABLED {
            Self::tabled(sigma)
        } else {
            let square = sigma * sigma;
            let normalizer = sigma * ROOT_TAU;
            // Euler–Maclaurin at 0 of x·e^{−x²/(2σ²)}
            let first =
                square - 1.0 / 12.0 - 1.0 / (240.0 * square) - 1.0 / (2016.0 * square * square);
            Self {
                sigma,
                normalizer,
                tails: None,
                moments: [2.0 * first / normalizer, square, 3.0 * square * square],
            }
        })
    }

    fn tabled(sigma: f64) -> Self {
        // e^{−745.2} is the smallest double
        let last = (38.7 * sigma).ceil() as usize + 1;
        let mut tails = vec![0.0; last + 1];
        let mut sums = [0.0; 3];
        let mut tail = 0.0;
        for k in (0..=last).rev() {
            let x = k as f64;
            let term = libm::exp(-0.5 * (x / sigma) * (x / sigma));
            tail += term;
            tails[k] = tail;
            let square = x * x;
            for (sum, power) in sums.iter_mut().zip([x, square, square * square]) {
                *sum += term * power;
            }
        }
        let normalizer = 1.0 + 2.0 * tails[1];
        Self {
            sigma,
            normalizer,
            tails: Some(tails.into()),
            moments: sums.map(|sum| 2.0 * sum / normalizer),
        }
    }

    /// The parameter σ.
    pub fn sigma(&self) -> f64 {
        self.sigma
    }

    /// Σ e^{−x²/(2σ²)} over all integers.
    pub fn normalizer(&self) -> f64 {
        self.normalizer
    }

    /// P(X = x); 0 where x is no integer.
    pub fn mass(&self, x: f64) -> f64 {
        if x.fract() == 0.0 {
            libm::exp(-0.5 * (x / self.sigma) * (x / self.sigma)) / self.normalizer
        } else {
            0.0
        }
    }

    /// ln P(X = x) for an integer x, also where the probability is below the smallest double.
    pub fn log_mass(&self, x: f64) -> f64 {
        -0.5 * (x / self.sigma) * (x / self.sigma) - libm::log(self.normalizer)
    }

    /// P(X ≥ m) for any integer m.
    pub fn tail(&self, m: f64) -> f64 {
        if m > 0.0 {
            self.above(m - 1.0)
        } else {
            1.0 - self.above(-m)
        }
    }

    /// P(X ≥ m) for m ≥ 1 by the Euler–Maclaurin formula: with ξ = (m − ½)/σ and s = 1/σ,
    /// Q(ξ) − φ(ξ)·(s²ξ/24 + 7s⁴(3ξ − ξ³)/5760 + 31s⁶(15ξ − 10ξ³ + ξ⁵)/967680).
    fn smooth_tail(&self, m: f64) -> f64 {
        let x = (m - 0.5) / self.sigma;
        let s = 1.0 / (self.sigma * self.sigma);
        let square = x * x;
        let third = x * (3.0 - square);
        let fifth = x * (15.0 - square * (10.0 - square));
        let correction =
            s * (x / 24.0 + s * (7.0 / 5760.0 * third + s * (31.0 / 967_680.0 * fifth)));
        (normal_cdf(-x) - normal_density(x) * correction).max(0.0)
    }
}

impl Symmetric for DiscreteGaussian {
    fn above(&self, x: f64) -> f64 {
        let m = x.floor() + 1.0;
        match &self.tails {
            // `as` saturates, beyond the table there is nothing
            Some(tails) => tails
                .get(m as usize)
                .map_or(0.0, |sum| sum / self.normalizer),
            None => self.smooth_tail(m),
        }
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        if let Some(tails) = &self.tails {
            let from_one = &tails[1..];
            return Some(from_one.partition_point(|sum| sum / self.normalizer > tail) as f64);
        }
        let guess = self.sigma * normal_quantile(tail).ok()?.abs() - 0.5;
        settle(guess.ceil().max(0.0), |x| self.above(x) <= tail)
    }

    fn density_at(&self, _x: f64) -> Option<f64> {
        None
    }

    fn mean_absolute(&self) -> Option<f64> {
        Some(self.moments[0])
    }

    fn second_moment(&self) -> Option<f64> {
        Some(self.moments[1])
    }

    fn fourth_moment(&self) -> Option<f64> {
        Some(self.moments[2])
    }

    fn lattice(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_of_summing_agree_where_they_meet() {
        let tabled = DiscreteGaussian::new(TABLED).unwrap();
        let smooth = DiscreteGaussian::new(TABLED * (1.0 + 1e-15)).unwrap();
        assert!(tabled.tails.is_some() && smooth.tails.is_none());
        let close = |a: f64, b: f64, within: f64| assert!((a / b - 1.0).abs() < within, "{a} {b}");
        close(tabled.normalizer, smooth.normalizer, 1e-14);
        for (one, other) in tabled.moments.iter().zip(smooth.moments) {
            close(*one, other, 1e-13);
        }
        for m in [1.0, 2.0, 100.0, 1000.0, 2500.0] {
            close(tabled.tail(m), smooth.tail(m), 1e-11);
        }
        for tail in [0.5, 0.4999, 0.1, 1e-3, 1e-12] {
            assert_eq!(tabled.above_quantile(tail), smooth.above_quantile(tail));
        }
    }

    #[test]
    fn quantiles_are_the_smallest_integers_that_suffice() {
        for sigma in [0.05, 0.5, 3.7, 255.0, 1e4, 1e9] {
            let law = DiscreteGaussian::new(sigma).unwrap();
            for tail in [0.5, 0.3, 1e-3, 1e-30] {
                let x = law.above_quantile(tail).unwrap();
                assert!(law.above(x) <= tail && x.fract() == 0.0);
                assert!(x == 0.0 || law.above(x - 1.0) > tail, "{sigma} {tail} {x}");
            }
        }
        for sigma in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e15] {
            assert!(DiscreteGaussian::new(sigma).is_none());
        }
    }
}
