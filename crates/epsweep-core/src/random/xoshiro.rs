//! Eight generators side by side.
//!
//! xoshiro256++ is of Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM Transactions on
//! Mathematical Software 47(4), 2021. The crate `rand_xoshiro` defines the numbers: lane l gives what one such
//! generator gives from the state `words[0][l], …, words[3][l]`.

use super::isa::{Isa, LANES};

/// The state of eight xoshiro256++ generators: word w of lane l at `words[w][l]`.
///
/// No lane may be all zero: such a generator stays at zero.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Xoshiro8 {
    /// The state words.
    pub words: [[u64; LANES]; 4],
}

/// Where kernels get their random words from.
pub trait Words<I: Isa> {
    /// The next word of every lane.
    fn next(&mut self, isa: I) -> I::U;
}

/// The state of the eight generators, in registers.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<I: Isa>([I::U; 4]);

impl<I: Isa> Lanes<I> {
    /// From memory.
    #[inline(always)]
    pub fn load(isa: I, state: &Xoshiro8) -> Self {
        let [a, b, c, d] = &state.words;
        Lanes([
            isa.load_bits(a),
            isa.load_bits(b),
            isa.load_bits(c),
            isa.load_bits(d),
        ])
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self, isa: I, state: &mut Xoshiro8) {
        let [a, b, c, d] = &mut state.words;
        isa.store_bits(a, self.0[0]);
        isa.store_bits(b, self.0[1]);
        isa.store_bits(c, self.0[2]);
        isa.store_bits(d, self.0[3]);
    }
}

impl<I: Isa> Words<I> for Lanes<I> {
    #[inline(always)]
    fn next(&mut self, isa: I) -> I::U {
        let [a, b, c, d] = self.0;
        let word = isa.uadd(isa.rotl::<23, 41>(isa.uadd(a, d)), a);
        let c = isa.xor(c, a);
        let d = isa.xor(d, b);
        self.0 = [
            isa.xor(a, d),
            isa.xor(b, c),
            isa.xor(c, isa.shl::<17>(b)),
            isa.rotl::<45, 19>(d),
        ];
        word
    }
}
