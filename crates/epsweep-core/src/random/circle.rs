//! Uniform points on the unit circle, vectorised, with the same bits on every machine.
//!
//! A word gives an angle in the first half quadrant and, from bits that the angle does not use, one of its eight
//! mirror images. sin(πa/4) = a·S(a²) and cos(πa/4) = 1 + a²·C(a²) for a in (0, 1); S and C interpolate at the seven Chebyshev nodes
//! (1 + cos((2i + 1)π/14))/2 of a² in [0, 1], in decimal arithmetic of 80 digits. What is left is below 3.1·10⁻¹⁷; with
//! rounding, both are good to 2 units in the last place (tested).

use super::isa::{Isa, SIGN_BIT};
use super::polynomial::polynomial;
use super::unit::open_unit;

/// S, constant term first.
const S: [f64; 7] = [
    0.7853981633974483,
    -0.08074551218828054,
    0.002490394570188844,
    -3.657620415891387e-05,
    3.133616225433416e-07,
    -1.7571500746983935e-09,
    6.877360573166326e-12,
];

/// C, constant term first.
const C: [f64; 7] = [
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
    let cosine = isa.add(
        isa.splat(1.0),
        isa.mul(z, polynomial(isa, &C, z, square, fourth)),
    );
    [sine, cosine]
}

/// A point uniform on the circle: bits 12 to 63 place it in the half quadrant, bit 0 mirrors at the diagonal, bits 1
/// and 2 at the axes. No coordinate is ever zero.
#[inline(always)]
pub(super) fn point<I: Isa>(isa: I, word: I::U) -> [I::F; 2] {
    let [sine, cosine] = half_quadrant(isa, open_unit(isa, word));
    let (sine, cosine) = (isa.to_bits(sine), isa.to_bits(cosine));
    let mirror = isa.usub(isa.splat_bits(0), isa.and(word, isa.splat_bits(1)));
    let exchange = isa.and(isa.xor(sine, cosine), mirror);
    let sign_x = isa.and(isa.shl::<62>(word), isa.splat_bits(SIGN_BIT));
    let sign_y = isa.and(isa.shl::<61>(word), isa.splat_bits(SIGN_BIT));
    [
        isa.from_bits(isa.xor(isa.xor(cosine, exchange), sign_x)),
        isa.from_bits(isa.xor(isa.xor(sine, exchange), sign_y)),
    ]
}
