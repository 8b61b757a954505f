//! An exponential magnitude and a sign.
//!
//! The sign is bit 63 of the word, which the magnitude does not use. The magnitude is positive (see
//! `exponential`), so the sign bit can be or-ed in, and there is no zero of either sign. |x| of a row is bit
//! for bit what the exponential law makes of the same words.

use super::{Variate, exponential};
use crate::random::isa::{Isa, SIGN_BIT};
use crate::random::xoshiro::Words;

pub(in crate::random) struct Laplace;

#[inline(always)]
fn of_word<I: Isa>(isa: I, word: I::U) -> I::F {
    let magnitude = exponential::of_word(isa, word);
    isa.from_bits(isa.or(isa.to_bits(magnitude), isa.and(word, isa.splat_bits(SIGN_BIT))))
}

impl Variate for Laplace {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let (first, second) = (words.next(isa), words.next(isa));
        [of_word(isa, first), of_word(isa, second)]
    }
}
