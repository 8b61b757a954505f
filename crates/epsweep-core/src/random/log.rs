//! The natural logarithm, vectorised, with the same bits on every machine.
//!
//! A positive normal double is 2ᵉ·m with m in [1, 2). The top four bits of the mantissa cut that range into sixteen
//! intervals; c is the middle of an interval, so m − c is exact. With r = (m − c)·(1/c), |r| ≤ 1/33,
//!
//! −ln x = −e·ln 2 − ln c − ln(1 + r),  ln(1 + r) ≈ r − r²/2 + r³·q(r).
//!
//! For the nine upper intervals, from 1.4375 on, e is taken one higher and c half as large: below x = 1 the first two
//! terms would otherwise cancel. What can still cancel is less than 1/32.
//!
//! Error, tested against double-double arithmetic: below 2.5 units in the last place where |ln x| > 1/16; nearer
//! to x = 1 below 1.2·10⁻¹⁷ in absolute terms. That is what inversion needs: a uniform variate near 1 has a grid
//! of 2.2·10⁻¹⁶, ten times as coarse.
//!
//! q interpolates (ln(1 + r) − r + r²/2)/r³ at the seven Chebyshev nodes cos((2i + 1)π/14)/33 of [−1/33, 1/33],
//! computed in decimal arithmetic of 80 digits; the error left in ln(1 + r) is below 1.1·10⁻¹⁸. The table is
//! made of 1/c, rounded once, and of −ln c to nearest (tested).

use super::isa::{Isa, Table};
use super::polynomial::polynomial;

/// The bits of 1.
const ONE: u64 = 0x3FF0_0000_0000_0000;

/// The mantissa behind the bits that choose the interval.
const WITHIN: u64 = 0x0000_FFFF_FFFF_FFFF;

/// The middle of the first interval.
const MIDDLE: f64 = 1.0 + 1.0 / 32.0;

/// The first interval whose exponent is taken one higher.
const UPPER: usize = 7;

/// Added to the bits, this carries from interval `UPPER` on into the exponent.
const CARRY: u64 = (16 - UPPER as u64) << 48;

/// 1/c, for c in [1, 2), and −ln c, for c in [0.71875, 1.4375), of the sixteen intervals.
static INTERVALS: Table = Table::new([INVERSE, MINUS_LN]);

const INVERSE: [f64; 16] = {
    let mut inverse = [0.0; 16];
    let mut i = 0;
    while i < 16 {
        inverse[i] = 1.0 / (MIDDLE + i as f64 / 16.0);
        i += 1;
    }
    inverse
};

const MINUS_LN: [f64; 16] = [
    -0.030771658666753687,
    -0.08961215868968714,
    -0.1451820098444979,
    -0.19782574332991987,
    -0.24783616390458127,
    -0.2954642128938359,
    -0.3409265869705932,
    0.3087354816496133,
    0.26706278524904525,
    0.22705745063534608,
    0.18859116980755003,
    0.15154989812720093,
    0.1158318155251217,
    0.0813456394539524,
    0.048009219186360606,
    0.015748356968139168,
];

/// ½ − r·q(r), constant term first.
const P: [f64; 8] = [
    0.5,
    -0.3333333333333333,
    0.2500000000084804,
    -0.20000000000770962,
    0.16666659279251342,
    -0.1428570756975364,
    0.12516085173432817,
    -0.11125734211356464,
];

/// −ln x for positive normal finite x (the bits of other arguments depend on the instruction set; there is no trap).
#[inline(always)]
pub(crate) fn minus_ln<I: Isa>(isa: I, x: I::F) -> I::F {
    let bits = isa.to_bits(x);
    let exponent = isa.exponent(isa.from_bits(isa.uadd(bits, isa.splat_bits(CARRY))));
    let [inverse, minus_ln] = isa.lookup(&INTERVALS, isa.shr::<48>(bits));
    // as if in the first interval: the distance from the middle is the same in all
    let shifted = isa.from_bits(isa.or(isa.and(bits, isa.splat_bits(WITHIN)), isa.splat_bits(ONE)));
    let r = isa.mul(isa.sub(shifted, isa.splat(MIDDLE)), inverse);

    // minus what ln(1 + r) has behind r
    let square = isa.mul(r, r);
    let tail = isa.mul(
        square,
        polynomial(isa, &P, r, square, isa.mul(square, square)),
    );

    let far = isa.sub(
        minus_ln,
        isa.mul(exponent, isa.splat(core::f64::consts::LN_2)),
    );
    isa.add(isa.sub(far, r), tail)
}
