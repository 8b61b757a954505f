//! Polynomials of degree 6.

use super::isa::Isa;

/// Σ `coefficients[k]`·xᵏ, given x² and x⁴.
///
/// By Estrin's scheme, for Horner's makes each step wait for the one before it: three steps deep instead of six.
#[inline(always)]
pub(super) fn polynomial<I: Isa>(
    isa: I,
    coefficients: &[f64; 7],
    x: I::F,
    x2: I::F,
    x4: I::F,
) -> I::F {
    let [c0, c1, c2, c3, c4, c5, c6] = *coefficients;
    let low = isa.add(isa.splat(c0), isa.mul(x, isa.splat(c1)));
    let middle = isa.add(isa.splat(c2), isa.mul(x, isa.splat(c3)));
    let high = isa.add(isa.splat(c4), isa.mul(x, isa.splat(c5)));
    let high = isa.add(high, isa.mul(x2, isa.splat(c6)));
    isa.add(isa.add(low, isa.mul(x2, middle)), isa.mul(x4, high))
}
