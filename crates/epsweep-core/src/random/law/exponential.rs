//! Inversion: E = −ln U.
//!
//! U = (k + ½)·2⁻⁵² is never 0 nor 1, so E is finite and positive: between −ln(1 − 2⁻⁵³) ≈ 1.1·10⁻¹⁶ and 53·ln
//! 2 ≈ 36.74, which an exact variate exceeds with probability 2⁻⁵³. The grid of U shows in the far tail: near E
//! the possible values lie 2⁻⁵²·e^E apart, 3·10⁻⁷ at the largest of 10⁹ draws (E ≈ 21).

use super::Variate;
use crate::random::isa::Isa;
use crate::random::log::minus_ln;
use crate::random::unit::open_unit;
use crate::random::xoshiro::Words;

pub(in crate::random) struct Exponential;

/// One variate per lane of the word's 52 low bits.
#[inline(always)]
pub(super) fn of_word<I: Isa>(isa: I, word: I::U) -> I::F {
    minus_ln(isa, open_unit(isa, word))
}

impl Variate for Exponential {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let (first, second) = (words.next(isa), words.next(isa));
        [of_word(isa, first), of_word(isa, second)]
    }
}
