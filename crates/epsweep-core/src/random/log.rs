//! The natural logarithm, vectorised, with the same bits on every machine.
//!
//! A positive normal double is 2ᵉ·m with m in [0.703125, 1.40625). That range is cut into sixteen intervals by the
//! top four bits of (bits of m − bits of 0.703125); c is the double in the middle of the bits of an interval, so every c has a short
//! mantissa and m − c is exact, and the interval around 1 has c = 1 exactly. With r = (m − c)·(1/c), |r| ≤ 1/32,
//!
//! −ln x = −e·ln 2 − ln c − ln(1 + r),  ln(1 + r) ≈ r − r²/2 + r³·q(r).
//!
//! Around 1 the first two terms vanish and the *relative* error stays small: 1 − 10⁻¹⁵ has a good logarithm. The table
//! is as in the logarithms of ARM's optimized routines, made small enough for two registers.
//!
//! q interpolates (ln(1 + r) − r + r²/2)/r³ at the seven Chebyshev nodes cos((2i + 1)π/14)/32 of [−1/32, 1/32], in decimal arithmetic of 80 digits;
//! the error that is left is below 4.6·10⁻¹⁷ relative to r. The table is made of 1/c, rounded once, and of −ln c to nearest.
//! Tests compare the whole with a logarithm in double-double arithmetic: the error is below 1.8 units in the last place.

use super::isa::{Isa, Table};
use super::polynomial::polynomial;

/// The bits of 0.703125, where the first interval begins.
const FIRST: u64 = 0x3FE6_8000_0000_0000;

/// The bits of 1.
const ONE: u64 = 0x3FF0_0000_0000_0000;

const MANTISSA: u64 = 0x000F_FFFF_FFFF_FFFF;

/// The four high bits of the mantissa: which interval.
const INTERVAL: u64 = 0x000F_0000_0000_0000;

/// Half the width of an interval, in bits.
const HALF: u64 = 0x0000_8000_0000_0000;

/// The double in the middle of interval `i`.
const fn centre(i: usize) -> f64 {
    f64::from_bits(FIRST + ((i as u64) << 48) + HALF)
}

/// 1/c and −ln c of the sixteen intervals.
static CENTRES: Table = Table::new([INVERSE, MINUS_LN]);

/// 1/c.
const INVERSE: [f64; 16] = {
    let mut inverse = [0.0; 16];
    let mut i = 0;
    while i < 16 {
        inverse[i] = 1.0 / centre(i);
        i += 1;
    }
    inverse
};

/// −ln c.
const MINUS_LN: [f64; 16] = [
    0.33024168687057687,
    0.2876820724517809,
    0.24686007793152578,
    0.2076393647782445,
    0.16989903679539747,
    0.13353139262452263,
    0.09844007281325252,
    0.06453852113757118,
    0.0317486983145803,
    0.0,
    -0.06062462181643484,
    -0.11778303565638346,
    -0.17185025692665923,
    -0.22314355131420976,
    -0.27193371548364176,
    -0.3184537311185346,
];

/// q, constant term first.
const Q: [f64; 7] = [
    0.3333333333333333,
    -0.25000000001020084,
    0.2000000000092737,
    -0.16666658310969995,
    0.14285706689471792,
    -0.12517107244459322,
    0.11126663395059673,
];

/// 2⁵²: or-ing a small integer into its bits adds that integer.
const TWO_52: f64 = 4_503_599_627_370_496.0;

/// −ln x for positive normal finite x; +0 at 1. Other arguments give finite or NaN nonsense, never a trap.
#[inline(always)]
pub(super) fn minus_ln<I: Isa>(isa: I, x: I::F) -> I::F {
    // counted from the first interval, but with the exponent of 1, so that it stays positive
    let bits = isa.uadd(isa.to_bits(x), isa.splat_bits(ONE - FIRST));
    let exponent = isa.sub(
        isa.from_bits(isa.or(isa.shr::<52>(bits), isa.splat_bits(TWO_52.to_bits()))),
        isa.splat(TWO_52 + 1023.0),
    );
    let interval = isa.shr::<48>(bits);
    let m = isa.from_bits(isa.uadd(
        isa.and(bits, isa.splat_bits(MANTISSA)),
        isa.splat_bits(FIRST),
    ));
    let c = isa.from_bits(isa.uadd(
        isa.and(bits, isa.splat_bits(INTERVAL)),
        isa.splat_bits(FIRST + HALF),
    ));
    let [inverse, minus_ln] = isa.lookup(&CENTRES, interval);
    let r = isa.mul(isa.sub(m, c), inverse);

    // minus what ln(1 + r) has behind r: r²·(½ − r·q(r))
    let square = isa.mul(r, r);
    let q = polynomial(isa, &Q, r, square, isa.mul(square, square));
    let tail = isa.mul(square, isa.sub(isa.splat(0.5), isa.mul(q, r)));

    let far = isa.sub(
        minus_ln,
        isa.mul(exponent, isa.splat(core::f64::consts::LN_2)),
    );
    isa.add(far, isa.sub(tail, r))
}
