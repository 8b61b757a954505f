//! Words to numbers strictly between 0 and 1.

use super::isa::Isa;

/// The exponent bits of doubles in [1, 2).
const ONE: u64 = 0x3FF0_0000_0000_0000;

/// 1 − 2⁻⁵³.
const BELOW_ONE: f64 = 1.0 - f64::EPSILON / 2.0;

/// The bits that choose the number.
const USED: u64 = 0x000F_FFFF_FFFF_FFFF;

/// (k + ½)·2⁻⁵², where k is the 52 low bits of the word: the middle of one of 2⁵² equal cells of (0, 1).
///
/// So it is never 0 nor 1, lies symmetrically about ½, and its mean is exactly ½. The twelve high bits of the
/// word are not used, and free for signs. The subtraction is exact: the result is an odd multiple of 2⁻⁵³.
#[inline(always)]
pub(super) fn open_unit<I: Isa>(isa: I, word: I::U) -> I::F {
    let one_to_two =
        isa.from_bits(isa.or(isa.and(word, isa.splat_bits(USED)), isa.splat_bits(ONE)));
    isa.sub(one_to_two, isa.splat(BELOW_ONE))
}
