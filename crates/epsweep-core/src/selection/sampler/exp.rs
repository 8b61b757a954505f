//! The exponential function for arguments from −708 to 0, vectorised, with the same bits on every machine.
//!
//! x = k·ln 2 + r with whole k and |r| ≤ ln 2/2; ln 2 in two parts, the first of which has enough zeros at its end that k times it is
//! exact. e^r by its Taylor polynomial of degree 13, whose remainder is below 4e-18; 2ᵏ is added to the exponent.

use crate::random::isa::Isa;

/// 1.5·2⁵²: adding it rounds to a whole number, which stands in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// ln 2, its first 32 bits.
const LN_2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);

/// The rest of ln 2.
const LN_2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);

/// Below this, the result would be subnormal, and is 0.
const LEAST: f64 = -708.0;

/// 1/13!, …, 1/2!, 1, 1.
const TAYLOR: [f64; 14] = {
    let mut terms = [1.0; 14];
    let mut factorial = 1.0;
    let mut k = 1;
    while k < 14 {
        factorial *= k as f64;
        terms[13 - k] = 1.0 / factorial;
        k += 1;
    }
    terms
};

/// eˣ for x ≤ 0; 0 below −708, and for NaN.
#[inline(always)]
pub(super) fn exp<I: Isa>(isa: I, x: I::F) -> I::F {
    let in_range = isa.less(isa.splat(LEAST), x);
    let x = isa.select(in_range, x, isa.splat(0.0));
    let shifted = isa.add(
        isa.mul(x, isa.splat(std::f64::consts::LOG2_E)),
        isa.splat(ROUNDING),
    );
    let k = isa.sub(shifted, isa.splat(ROUNDING));
    let r = isa.sub(x, isa.mul(k, isa.splat(LN_2_HIGH)));
    let r = isa.sub(r, isa.mul(k, isa.splat(LN_2_LOW)));
    let mut sum = isa.splat(TAYLOR[0]);
    let mut term = 1;
    while term < TAYLOR.len() {
        sum = isa.add(isa.mul(sum, r), isa.splat(TAYLOR[term]));
        term += 1;
    }
    let scaled = isa.from_bits(isa.uadd(isa.to_bits(sum), isa.shl::<52>(isa.to_bits(shifted))));
    isa.select(in_range, scaled, isa.splat(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch;
    use crate::random::Level;
    use crate::random::isa::LANES;

    #[inline(always)]
    fn exp_body<I: Isa>(isa: I, x: &[f64; LANES], to: &mut [f64; LANES]) {
        isa.store(to, exp(isa, isa.load(x)));
    }

    dispatch! {
        fn exp_of(x: &[f64; LANES], to: &mut [f64; LANES]) = exp_body;
    }

    #[test]
    fn it_agrees_with_the_scalar_function_and_on_every_instruction_set() {
        let mut x = -707.99;
        let mut step = 0;
        while x < 0.0 {
            let arguments: [f64; LANES] =
                std::array::from_fn(|lane| (x + 0.011 * lane as f64).min(0.0));
            let mut first = None;
            for level in Level::available() {
                let mut got = [0.0; LANES];
                exp_of(level, &arguments, &mut got);
                for (x, got) in arguments.iter().zip(got) {
                    let expected = libm::exp(*x);
                    assert!((got / expected - 1.0).abs() < 4e-16, "exp({x}) = {got}, not {expected}");
                }
                assert_eq!(*first.get_or_insert(got.map(f64::to_bits)), got.map(f64::to_bits));
            }
            step += 1;
            x += 0.0937;
        }
        assert!(step > 7000);
    }

    #[test]
    fn what_is_too_small_is_nothing() {
        let arguments = [0.0, -0.0, -1e-300, -709.0, -1e308, f64::NEG_INFINITY, f64::NAN, -0.5];
        for level in Level::available() {
            let mut got = [0.0; LANES];
            exp_of(level, &arguments, &mut got);
            assert_eq!(got[..7], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        }
    }
}
