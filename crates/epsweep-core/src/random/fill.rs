//! The one loop of the samplers.

use super::isa::{Isa, LANES};
use super::law::Variate;
use super::xoshiro::{Lanes, Xoshiro8};

/// Variates are made sixteen at a time: two vectors. Streams advance by whole groups.
pub const GROUP: usize = 2 * LANES;

#[inline(always)]
fn store<I: Isa>(isa: I, group: &mut [f64; GROUP], values: [I::F; 2]) {
    let (halves, _) = group.as_chunks_mut::<LANES>();
    isa.store(&mut halves[0], values[0]);
    isa.store(&mut halves[1], values[1]);
}

/// Fills the groups with the next variates of the generators.
#[inline(always)]
pub(super) fn fill_body<I: Isa, V: Variate>(
    isa: I,
    state: &mut Xoshiro8,
    groups: &mut [[f64; GROUP]],
) {
    let mut lanes = Lanes::load(isa, state);
    for group in groups {
        store(isa, group, V::sixteen(isa, &mut lanes));
    }
    lanes.store(isa, state);
}

/// The same word again and again, through the same code.
#[cfg(test)]
struct Repeated(u64);

#[cfg(test)]
impl<I: Isa> super::xoshiro::Words<I> for Repeated {
    fn next(&mut self, isa: I) -> I::U {
        isa.splat_bits(self.0)
    }
}

#[cfg(test)]
pub(super) fn of_word_body<I: Isa, V: Variate>(isa: I, word: u64) -> [f64; GROUP] {
    let mut group = [0.0; GROUP];
    store(isa, &mut group, V::sixteen(isa, &mut Repeated(word)));
    group
}
