//! Polynomials of degree 7.

use super::isa::Isa;

/// Σ `coefficients[k]`·xᵏ, given x² and x⁴.
///
/// By Estrin's scheme, three steps deep; Horner's, seven deep, would make each step wait for the one before it.
#[inline(always)]
pub(super) fn polynomial<I: Isa>(
    isa: I,
    coefficients: &[f64; 8],
    x: I::F,
    x2: I::F,
    x4: I::F,
) -> I::F {
    let [c0, c1, c2, c3, c4, c5, c6, c7] = *coefficients;
    let first = isa.add(isa.splat(c0), isa.mul(x, isa.splat(c1)));
    let second = isa.add(isa.splat(c2), isa.mul(x, isa.splat(c3)));
    let third = isa.add(isa.splat(c4), isa.mul(x, isa.splat(c5)));
    let fourth = isa.add(isa.splat(c6), isa.mul(x, isa.splat(c7)));
    let low = isa.add(first, isa.mul(x2, second));
    let high = isa.add(third, isa.mul(x2, fourth));
    isa.add(low, isa.mul(x4, high))
}
