//! Exact samplers of integer noise: from random bits by integer arithmetic alone, after Canonne, Kamath and Steinke (NeurIPS
//! 2020, algorithms 1 to 3).
//!
//! Given unbiased bits, the laws are those of the parameters to the last digit: no floating point, no truncation. (Sizes that
//! exceed 128 bits would need 10³⁰ coins to fall one way.) They take a random number of bits and some hundred
//! nanoseconds a draw; for simulation the [transforms](super::Transform) are made, which are checked against the same masses.

mod coins;
mod discrete_gaussian;
mod discrete_laplace;

pub use coins::Bits;
pub use discrete_gaussian::ExactDiscreteGaussian;
pub use discrete_laplace::ExactDiscreteLaplace;

/// Why parameters have no exact sampler.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// not a parameter of such a law
    #[error("{what} is {value:?}, but must be finite and above 0: give a positive number")]
    Parameter {
        /// ε, Δ or σ²
        what: &'static str,
        /// the value refused
        value: f64,
    },
    /// a fraction of more than 62 bits
    #[error(
        "{what} = {value:?} is a fraction whose parts exceed 62 bits: use a number with fewer binary digits, such as {value:.3e} \
         rounded to a multiple of a power of two"
    )]
    Digits {
        /// ε/Δ or σ²
        what: &'static str,
        /// its value
        value: f64,
    },
}

/// A positive double as an odd integer times a power of two.
fn odd_part(value: f64) -> (u64, i32) {
    let bits = value.to_bits();
    let biased = ((bits >> 52) & 0x7FF) as i32;
    let fraction = bits & 0x000F_FFFF_FFFF_FFFF;
    let (mantissa, exponent) = if biased == 0 {
        (fraction, -1074)
    } else {
        (fraction | 1 << 52, biased - 1075)
    };
    let zeros = mantissa.trailing_zeros();
    (mantissa >> zeros, exponent + zeros as i32)
}

/// The largest numerator and denominator.
const LARGEST: u64 = 1 << 62;

/// `value`·2^`exponent` for a non-negative exponent, if it does not exceed 2⁶².
fn shifted(value: u64, exponent: i32) -> Option<u64> {
    let factor = 1_u64.checked_shl(u32::try_from(exponent).ok()?)?;
    value.checked_mul(factor).filter(|&value| value <= LARGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_taken_apart_exactly() {
        for value in [1.0, 0.1, 1.0 / 3.0, 1e-300, 5e-324, 1e300, 120.0] {
            let (odd, exponent) = odd_part(value);
            assert_eq!(odd % 2, 1);
            assert_eq!(libm::scalbn(odd as f64, exponent), value);
        }
        assert_eq!(shifted(3, 4), Some(48));
        assert_eq!(
            (shifted(3, 61), shifted(1, 64), shifted(1, -1)),
            (None, None, None)
        );
    }
}
