//! Exact discrete Gaussian noise.

use super::coins::{Bits, exponential, exponential_fraction, exponential_whole, fraction};
use super::{ExactDiscreteLaplace, ExactError, LARGEST, odd_part, shifted};

/// P(X = x) ∝ e^{−x²/(2σ²)} for a rational σ² = p/q.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactDiscreteGaussian {
    p: u64,
    q: u64,
    /// ⌊σ⌋ + 1, the scale of the proposals; any other would do, more slowly
    t: u64,
}

impl ExactDiscreteGaussian {
    /// Noise of parameter σ², the double exactly as it is.
    ///
    /// # Errors
    /// [`ExactError`] if σ² is not finite and positive, or a fraction p/q of which p or 2q(⌊σ⌋ + 1)² exceeds 2⁶²
    pub fn new(variance: f64) -> Result<Self, ExactError> {
        if !(variance > 0.0 && variance.is_finite()) {
            return Err(ExactError::Parameter {
                what: "σ²",
                value: variance,
            });
        }
        let (odd, exponent) = odd_part(variance);
        let parts = if exponent >= 0 {
            shifted(odd, exponent).zip(Some(1))
        } else {
            Some(odd).zip(shifted(1, -exponent))
        };
        let made = parts.map(|(p, q)| Self {
            p,
            q,
            t: variance.sqrt() as u64 + 1,
        });
        made.filter(|made| made.denominator().is_some_and(|d| d <= u128::from(LARGEST)))
            .ok_or(ExactError::Digits {
                what: "σ²",
                value: variance,
            })
    }

    /// 2qt²
    fn denominator(&self) -> Option<u128> {
        let t = u128::from(self.t);
        (2 * u128::from(self.q)).checked_mul(t * t)
    }

    /// One draw (algorithm 3): a discrete Laplace Y of scale t, accepted with probability e^{−(|Y| − σ²/t)²/(2σ²)}.
    pub fn sample(&self, bits: &mut impl Bits) -> i128 {
        let proposal = ExactDiscreteLaplace::of_scale(self.t);
        loop {
            let y = proposal.sample(bits);
            if self.accepts(bits, y.unsigned_abs()) {
                return y;
            }
        }
    }

    /// True with probability e^{−n²/(pd)} for n = ||Y|·tq − p| and d = 2qt². With n = Ap + r = Bd + u, the exponent is
    /// AB + A·u/d + B·r/p + (r/p)(u/d): a product of coins, none of which needs more than 128 bits.
    fn accepts(&self, bits: &mut impl Bits, magnitude: u128) -> bool {
        let (p, q, t) = (u128::from(self.p), u128::from(self.q), u128::from(self.t));
        // t·q ≤ 2⁶¹ and |Y| < 2⁶⁴·t; the product is at most 2¹²⁶, for 2qt² is at most 2⁶²
        let n = (magnitude * (t * q)).abs_diff(p);
        let d = 2 * q * t * t;
        let (a, r) = (n / p, n % p);
        let (b, u) = (n / d, n % d);
        exponential_whole(bits, a.saturating_mul(b))
            && exponential_product(bits, a, u, d)
            && exponential_product(bits, b, r, p)
            && exponential(bits, |bits| fraction(bits, r, p) && fraction(bits, u, d))
    }
}

/// True with probability e^{−factor·numerator/denominator} for numerator < denominator ≤ 2⁶².
fn exponential_product(
    bits: &mut impl Bits,
    factor: u128,
    numerator: u128,
    denominator: u128,
) -> bool {
    let (whole, rest) = (factor / denominator, factor % denominator);
    exponential_whole(bits, whole.saturating_mul(numerator))
        && exponential_fraction(bits, rest * numerator, denominator)
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_masses_match;
    use super::super::coins::tests::bits;
    use super::*;
    use crate::theory::DiscreteGaussian;

    #[test]
    fn draws_have_the_masses() {
        for variance in [0.1, 1.0, 7.3, 100.5, 250_000.0] {
            let sampler = ExactDiscreteGaussian::new(variance).unwrap();
            let mut bits = bits(4);
            let draws: Vec<f64> = (0..200_000)
                .map(|_| sampler.sample(&mut bits) as f64)
                .collect();
            let sigma = libm::sqrt(variance);
            let right = DiscreteGaussian::new(sigma).unwrap();
            let wrong = DiscreteGaussian::new(1.1 * sigma).unwrap();
            assert_masses_match(&draws, |x| right.mass(x), |x| wrong.mass(x));
        }
    }

    #[test]
    fn the_coin_of_acceptance_is_the_exponential() {
        // also for parts that a product of two 64-bit numbers exceeds; |z| < 5
        for (variance, magnitudes) in [
            (7.3, [0_u128, 1, 4, 9]),
            (1e-3, [0, 1, 2, 3]),
            (1e15, [0, 1 << 20, 30_000_000, 1 << 26]),
        ] {
            let sampler = ExactDiscreteGaussian::new(variance).unwrap();
            let mut bits = bits(5);
            let n = 100_000_u32;
            for magnitude in magnitudes {
                let hits = (0..n)
                    .filter(|_| sampler.accepts(&mut bits, magnitude))
                    .count();
                let distance = magnitude as f64 - variance / sampler.t as f64;
                let p = libm::exp(-distance * distance / (2.0 * variance));
                let got = hits as f64 / f64::from(n);
                let error = (p * (1.0 - p) / f64::from(n)).sqrt();
                assert!(
                    (got - p).abs() <= 5.0 * error + 1e-12,
                    "{variance} {magnitude}: {got} {p}"
                );
            }
        }
    }

    #[test]
    fn variances_that_have_no_sampler_are_refused() {
        for variance in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-30, 1e30] {
            let text = ExactDiscreteGaussian::new(variance)
                .unwrap_err()
                .to_string();
            assert!(text.contains("σ²"), "{text}");
        }
    }
}
