//! Exact discrete Laplace noise.

use super::coins::{Bits, exponential_fraction, exponential_whole, fraction, uniform};
use super::{ExactError, odd_part, shifted};

/// P(X = x) ∝ e^{−|x|·s/t} for integers s, t.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactDiscreteLaplace {
    s: u64,
    t: u64,
}

impl ExactDiscreteLaplace {
    /// Noise of rate ε/Δ, for the double ε exactly as it is and an integer Δ ≥ 1.
    ///
    /// # Errors
    /// [`ExactError`] if ε is not finite and positive, Δ is 0, or numerator or denominator of ε/Δ exceed 2⁶²
    pub fn new(epsilon: f64, sensitivity: u64) -> Result<Self, ExactError> {
        if !(epsilon > 0.0 && epsilon.is_finite()) {
            return Err(ExactError::Parameter {
                what: "ε",
                value: epsilon,
            });
        }
        if sensitivity == 0 {
            return Err(ExactError::Parameter {
                what: "Δ",
                value: 0.0,
            });
        }
        let (odd, exponent) = odd_part(epsilon);
        let divisor = gcd(odd, sensitivity);
        let (odd, rest) = (odd / divisor, sensitivity / divisor);
        // powers of two on one side only
        let zeros = rest.trailing_zeros();
        let exponent = exponent - zeros as i32;
        let parts = if exponent >= 0 {
            shifted(odd, exponent).zip(shifted(rest >> zeros, 0))
        } else {
            shifted(odd, 0).zip(shifted(rest >> zeros, -exponent))
        };
        let (s, t) = parts.ok_or(ExactError::Digits {
            what: "ε/Δ",
            value: epsilon / sensitivity as f64,
        })?;
        Ok(Self { s, t })
    }

    /// The law of scale t: P(X = x) ∝ e^{−|x|/t}.
    pub(super) fn of_scale(t: u64) -> Self {
        Self { s: 1, t }
    }

    /// One draw (algorithm 2): U + tV, with U on 0..t accepted with probability e^{−U/t} and V geometric, is geometric of rate 1/t; a
    /// whole s-th part of it is so of rate s/t; a sign, of which −0 is rejected, makes it two-sided.
    pub fn sample(&self, bits: &mut impl Bits) -> i128 {
        let (s, t) = (i128::from(self.s), u128::from(self.t));
        loop {
            let within = uniform(bits, t);
            if !exponential_fraction(bits, within, t) {
                continue;
            }
            let mut steps: u64 = 0;
            while exponential_whole(bits, 1) {
                steps += 1;
            }
            // below 2⁶² + 2⁶²·2⁶⁴
            let magnitude = (within + t * u128::from(steps)) as i128 / s;
            let negative = fraction(bits, 1, 2);
            if !(negative && magnitude == 0) {
                return if negative { -magnitude } else { magnitude };
            }
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::assert_masses_match;
    use super::super::coins::tests::bits;
    use super::*;
    use crate::random::{Draws, Source, StandardLaw};
    use crate::theory::DiscreteLaplace;

    #[test]
    fn draws_have_the_masses() {
        for (epsilon, delta) in [(1.0, 1), (1.0 / 3.0, 120), (6.0, 3), (0.1, 1)] {
            let sampler = ExactDiscreteLaplace::new(epsilon, delta).unwrap();
            let mut bits = bits(3);
            let draws: Vec<f64> = (0..200_000)
                .map(|_| sampler.sample(&mut bits) as f64)
                .collect();
            let rate = epsilon / delta as f64;
            let (right, wrong) = (
                DiscreteLaplace::new(rate).unwrap(),
                DiscreteLaplace::new(1.1 * rate).unwrap(),
            );
            assert_masses_match(&draws, |x| right.mass(x), |x| wrong.mass(x));
        }
    }

    #[test]
    fn our_own_streams_are_bits() {
        let draws = Draws::new(7, 1, &[Source::new("exact", StandardLaw::Bits, 0)]);
        let sampler = ExactDiscreteLaplace::new(0.5, 1).unwrap();
        let mut stream = draws.trial(0, 0);
        let values: Vec<f64> = (0..50_000)
            .map(|_| sampler.sample(&mut stream) as f64)
            .collect();
        let (right, wrong) = (
            DiscreteLaplace::new(0.5).unwrap(),
            DiscreteLaplace::new(0.55).unwrap(),
        );
        assert_masses_match(&values, |x| right.mass(x), |x| wrong.mass(x));
    }

    #[test]
    fn rates_are_reduced_fractions_or_refused() {
        let laplace = |epsilon, delta| ExactDiscreteLaplace::new(epsilon, delta);
        assert_eq!(laplace(6.0, 3), Ok(ExactDiscreteLaplace { s: 2, t: 1 }));
        assert_eq!(laplace(0.75, 6), Ok(ExactDiscreteLaplace { s: 1, t: 8 }));
        assert_eq!(laplace(4.0, 8), Ok(ExactDiscreteLaplace { s: 1, t: 2 }));
        for (epsilon, delta) in [(f64::NAN, 1), (0.0, 1), (1.0, 0), (1e-30, 1), (1e30, 1)] {
            let text = laplace(epsilon, delta).unwrap_err().to_string();
            assert!(text.contains("ε") || text.contains("Δ"), "{text}");
        }
    }
}
