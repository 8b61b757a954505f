//! The standard laws, one file each.

use super::fill::{GROUP, fill_body};
use super::isa::Isa;
use super::level::Level;
use super::xoshiro::{Words, Xoshiro8};
use crate::dispatch;

/// How words become variates of a law.
pub(super) trait Variate {
    /// Sixteen variates, from as many words as they need. Every word, whatever its bits, must give a finite variate
    /// (but for [`StandardLaw::Bits`], where any bit pattern is right).
    fn sixteen<I: Isa, W: Words<I>>(isa: I, words: &mut W) -> [I::F; 2];
}

/// Declares the laws: the enum, the names, and a kernel for every law and instruction set.
macro_rules! laws {
    ($($(#[$doc:meta])* $law:ident in $name:ident;)+) => {
        $(mod $name;)+

        /// The standard variates that can be drawn. What a mechanism needs is a scaled and shifted one of these.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StandardLaw {
            $($(#[$doc])* $law,)+
        }

        impl StandardLaw {
            /// All laws.
            pub const ALL: &'static [StandardLaw] = &[$(StandardLaw::$law),+];

            /// The name, in lower case. It is part of the address of the draws.
            pub fn name(self) -> &'static str {
                match self {
                    $(StandardLaw::$law => stringify!($name),)+
                }
            }

            /// Fills whole groups with the next variates of the generators.
            pub(super) fn fill(self, level: Level, state: &mut Xoshiro8, groups: &mut [[f64; GROUP]]) {
                $(dispatch! {
                    fn $name(state: &mut Xoshiro8, groups: &mut [[f64; GROUP]]) = fill_body::<_, $name::$law>;
                })+
                match self {
                    $(StandardLaw::$law => $name(level, state, groups),)+
                }
            }

            /// What the law makes of one word, repeated.
            #[cfg(test)]
            pub(super) fn of_word(self, level: Level, word: u64) -> [f64; GROUP] {
                $(dispatch! {
                    fn $name(word: u64) -> [f64; GROUP] = super::fill::of_word_body::<_, $name::$law>;
                })+
                match self {
                    $(StandardLaw::$law => $name(level, word),)+
                }
            }
        }
    };
}

laws! {
    /// Exponential of mean 1: density e⁻ˣ on x > 0; from 1.1·10⁻¹⁶ to 53·ln 2 = 36.7, never 0.
    Exponential in exponential;
    /// Laplace of scale 1: density e^−|x|/2; a variance of 2; never ±0.
    Laplace in laplace;
    /// Normal of mean 0 and variance 1; |x| < 8.58, never ±0.
    Normal in normal;
    /// Gumbel (maximum), location 0 and scale 1: distribution function exp(−e⁻ˣ); from −3.61 to 36.8.
    Gumbel in gumbel;
    /// Uniform on (0, 1): odd multiples of 2⁻⁵³, never 0 nor 1.
    Uniform in uniform;
    /// 64 random bits: read them by [`f64::to_bits`]. As doubles they mean nothing (some are NaN).
    Bits in bits;
}
