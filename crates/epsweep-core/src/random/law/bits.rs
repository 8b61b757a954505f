//! The words themselves, in the bits of doubles.

use super::Variate;
use crate::random::isa::Isa;
use crate::random::xoshiro::Words;

pub(in crate::random) struct Bits;

impl Variate for Bits {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let (first, second) = (words.next(isa), words.next(isa));
        [isa.from_bits(first), isa.from_bits(second)]
    }
}
