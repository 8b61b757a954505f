//! Inversion: G = −ln E with E exponential, that is −ln(−ln U).
//!
//! Finite at both ends: E is between 1.1·10⁻¹⁶ and 36.74, so G is between −3.61 and 36.74.

use super::{Variate, exponential};
use crate::random::isa::Isa;
use crate::random::log::minus_ln;
use crate::random::xoshiro::Words;

pub(in crate::random) struct Gumbel;

impl Variate for Gumbel {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let [first, second] = exponential::Exponential::sixteen(isa, words);
        [minus_ln(isa, first), minus_ln(isa, second)]
    }
}
