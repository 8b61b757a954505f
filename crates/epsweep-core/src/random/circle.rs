//! Uniform points on the unit circle, vectorised, with the same bits on every machine.
//!
//! A word gives an angle in the first half quadrant and, from bits that the angle does not use, one of its
//! eight mirror images. For a in (0, 1), sin(πa/4) = a·S(a²) and cos(πa/4) = C(a²). S interpolates at the eight
//! Chebyshev nodes (1 + cos((2i + 1)π/16))/2 of a² in [0, 1]; C is 1 + z·D(z), where D interpolates (cos(π√z/4)
//! − 1)/z at the seven. Both were computed in decimal arithmetic of 80 digits. Of the polynomials, 3·10⁻¹⁷ is
//! left at most; with rounding, sines and cosines are good to 3 units in the last place (tested against
//! double-double arithmetic).

use super::isa::{Isa, SIGN_BIT};
use super::polynomial::polynomial;
use super::unit::open_unit;

/// S, constant term first.
const S: [f64; 8] = [
    core::f64::consts::FRAC_PI_4,
    -0.08074551218828079,
    0.0024903945701927163,
    -3.6576204182147085e-05,
    3.133616889192818e-07,
    -1.7572474204808876e-09,
    6.948154114367228e-12,
    -2.0225906185890113e-14,
];

/// C, constant term first.
const C: [f64; 8] = [
    1.0,
    -0.30842513753404244,
    0.015854344243815488,
    -0.0003259918869271996,
    3.590860447448612e-06,
    -2.4611366238309744e-08,
    1.1500679700940496e-10,
    -3.863156948832656e-13,
];

/// (sin, cos) of πa/4, for a in (0, 1).
#[inline(always)]
pub(super) fn half_quadrant<I: Isa>(isa: I, a: I::F) -> [I::F; 2] {
    let z = isa.mul(a, a);
    let square = isa.mul(z, z);
    let fourth = isa.mul(square, square);
    let sine = isa.mul(a, polynomial(isa, &S, z, square, fourth));
    let cosine = polynomial(isa, &C, z, square, fourth);
    [sine, cosine]
}

/// A point uniform on the circle: bits 0 to 51 place it in the half quadrant, bit 61 mirrors at the diagonal, bits 62
/// and 63 at the axes. No coordinate is ever zero.
#[inline(always)]
pub(super) fn point<I: Isa>(isa: I, word: I::U) -> [I::F; 2] {
    let [sine, cosine] = half_quadrant(isa, open_unit(isa, word));
    let (sine, cosine) = (isa.to_bits(sine), isa.to_bits(cosine));
    let sign = isa.splat_bits(SIGN_BIT);
    // all ones where bit 61 is set
    let mirror = isa.usub(isa.splat_bits(0), isa.shr::<63>(isa.shl::<2>(word)));
    let exchange = isa.and(isa.xor(sine, cosine), mirror);
    let (x, y) = (isa.xor(cosine, exchange), isa.xor(sine, exchange));
    [
        isa.from_bits(isa.or(x, isa.and(isa.shl::<1>(word), sign))),
        isa.from_bits(isa.or(y, isa.and(word, sign))),
    ]
}
