//! The middle of one of 2⁵² equal cells of (0, 1).

use super::Variate;
use crate::random::isa::Isa;
use crate::random::unit::open_unit;
use crate::random::xoshiro::Words;

pub(in crate::random) struct Uniform;

impl Variate for Uniform {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let (first, second) = (words.next(isa), words.next(isa));
        [open_unit(isa, first), open_unit(isa, second)]
    }
}
