//! The exponential function for arguments from −708 to 0, vectorised, with the same bits on every machine.
//!
//! x = (16k + i)·ln 2/16 + r with whole k, i from 0 to 15 and |r| ≤ ln 2/32; ln 2/16 in two parts, the first of which has enough zeros
//! at its end that its multiples are exact. eˣ = 2ᵏ·2^(i/16)·e^r, with 2^(i/16) from a table that fits into registers, and e^r by its Taylor
//! polynomial of degree 6, whose remainder is below 5e-16; k is added to the exponent of 2^(i/16).

use crate::random::isa::{Isa, Table};

/// 1.5·2⁵²: adding it rounds to a whole number, which stands in the low bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

/// ln 2/16, its first 32 bits.
const STEP_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000) / 16.0;

/// The rest of ln 2/16.
const STEP_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76) / 16.0;

/// 16/ln 2.
const STEPS: f64 = 16.0 * std::f64::consts::LOG2_E;

/// Below this, the result would be subnormal, and is 0.
const LEAST: f64 = -708.0;

/// 1/6!, …, 1/2!, 1, 1.
const TAYLOR: [f64; 7] = [
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// 2^(i/16), to nearest, without what i adds to the exponent when 16k + i is moved there; in both columns.
static ROOTS: Table = Table::new([MOVED, MOVED]);

const MOVED: [f64; 16] = {
    let mut moved = ROOT;
    let mut i = 0;
    while i < moved.len() {
        moved[i] = f64::from_bits(ROOT[i].to_bits() - ((i as u64) << 48));
        i += 1;
    }
    moved
};

const ROOT: [f64; 16] = [
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
    std::f64::consts::SQRT_2,
    1.4768261459394993,
    1.5422108254079407,
    1.6104903319492543,
    1.681792830507429,
    1.7562521603732995,
    1.8340080864093424,
    1.9152065613971474,
];

/// eˣ for x ≤ 0; 0 below −708, and for NaN.
#[inline(always)]
pub(crate) fn exp<I: Isa>(isa: I, x: I::F) -> I::F {
    let in_range = isa.less(isa.splat(LEAST), x);
    let exponential = in_range_exp(isa, isa.select(in_range, x, isa.splat(0.0)));
    isa.select(in_range, exponential, isa.splat(0.0))
}

/// eˣ for x ≤ 0 that is a number; e⁻⁷⁰⁸ = 3.3e-308 below −708. The same bits as [`exp`] above.
#[inline(always)]
pub(crate) fn exp_at_least<I: Isa>(isa: I, x: I::F) -> I::F {
    in_range_exp(isa, isa.max(x, isa.splat(LEAST)))
}

/// eˣ for −708 ≤ x ≤ 0.
#[inline(always)]
fn in_range_exp<I: Isa>(isa: I, x: I::F) -> I::F {
    let shifted = isa.add(isa.mul(x, isa.splat(STEPS)), isa.splat(ROUNDING));
    let steps = isa.sub(shifted, isa.splat(ROUNDING));
    let r = isa.sub(x, isa.mul(steps, isa.splat(STEP_HIGH)));
    let r = isa.sub(r, isa.mul(steps, isa.splat(STEP_LOW)));
    let mut sum = isa.splat(TAYLOR[0]);
    let mut term = 1;
    while term < TAYLOR.len() {
        sum = isa.add(isa.mul(sum, r), isa.splat(TAYLOR[term]));
        term += 1;
    }
    let bits = isa.to_bits(shifted);
    let [root, _] = isa.lookup(&ROOTS, bits);
    // the steps, with the whole sixteens in the exponent; what is shifted out at the top is the exponent of the rounding constant
    let power = isa.from_bits(isa.uadd(isa.to_bits(root), isa.shl::<48>(bits)));
    isa.mul(sum, power)
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

    #[inline(always)]
    fn at_least_body<I: Isa>(isa: I, x: &[f64; LANES], to: &mut [f64; LANES]) {
        isa.store(to, exp_at_least(isa, isa.load(x)));
    }

    dispatch! {
        fn exp_of(x: &[f64; LANES], to: &mut [f64; LANES]) = exp_body;
        fn at_least_of(x: &[f64; LANES], to: &mut [f64; LANES]) = at_least_body;
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
                let mut bounded = [0.0; LANES];
                at_least_of(level, &arguments, &mut bounded);
                assert_eq!(got, bounded);
                for (x, got) in arguments.iter().zip(got) {
                    let expected = libm::exp(*x);
                    assert!(
                        (got / expected - 1.0).abs() < 1e-15,
                        "exp({x}) = {got}, not {expected}"
                    );
                }
                assert_eq!(
                    *first.get_or_insert(got.map(f64::to_bits)),
                    got.map(f64::to_bits)
                );
            }
            step += 1;
            x += 0.0937;
        }
        assert!(step > 7000);
    }

    #[test]
    fn what_is_too_small_is_nothing() {
        let arguments = [
            0.0,
            -0.0,
            -1e-300,
            -709.0,
            -1e308,
            f64::NEG_INFINITY,
            f64::NAN,
            -0.5,
        ];
        for level in Level::available() {
            let mut got = [0.0; LANES];
            exp_of(level, &arguments, &mut got);
            assert_eq!(got[..7], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
            at_least_of(level, &arguments, &mut got);
            for small in &got[3..6] {
                assert!(
                    (small / 3.307_553_003_638_408e-308 - 1.0).abs() < 1e-12,
                    "{small}"
                );
            }
        }
    }
}
