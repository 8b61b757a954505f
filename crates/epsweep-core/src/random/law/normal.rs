//! Box and Muller ("A note on the generation of random normal deviates", Annals of Mathematical Statistics 29,
//! 1958): a radius √(2E) with E exponential, times a uniform point of the circle.
//!
//! One word gives the radius, the next the point; its two coordinates go to trials t and t + 8 of a group of sixteen.
//! They are independent. The radius is below √(2·36.74) = 8.573, which an exact one exceeds with probability 2⁻⁵³.

use super::{Variate, exponential};
use crate::random::circle::point;
use crate::random::isa::Isa;
use crate::random::xoshiro::Words;

pub(in crate::random) struct Normal;

impl Variate for Normal {
    #[inline(always)]
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2] {
        let (first, second) = (words.next(isa), words.next(isa));
        let half_square = exponential::of_word(isa, first);
        let radius = isa.sqrt(isa.add(half_square, half_square));
        let [x, y] = point(isa, second);
        [isa.mul(radius, x), isa.mul(radius, y)]
    }
}
