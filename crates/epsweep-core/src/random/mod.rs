//! Addressed randomness: standard variates that depend only on (seed, purpose, row, chunk, trial).
//!
//! A [`Source`] names what its noise is for (the *purpose*) and the [`StandardLaw`] of the variates. [`Draws`] holds
//! the noise of one chunk of trials: a row is drawn whole when it is first asked for, and shared by everything that
//! reads the same (source, row). Nothing is consumed in order, so adding a query, a cell or a trial moves no other
//! draw.
//!
//! ```
//! use epsweep_core::random::{Draws, Source, StandardLaw};
//!
//! let age = Source::new("laplace/mean age", StandardLaw::Laplace, 1);
//! let more = Source::new("laplace/over 60", StandardLaw::Laplace, 1);
//! let (mut alone, mut beside) = (Draws::new(42, 4096, &[age.clone()]), Draws::new(42, 4096, &[more, age]));
//! alone.go_to(3);
//! beside.go_to(3);
//! assert_eq!(alone.row(0, 0)[7], beside.row(1, 0)[7]); // trial 7 of chunk 3, whoever else draws
//! ```
//!
//! From the seed to a variate:
//!
//! 1. `key`: (seed, law, purpose) are hashed once to 256 bits (BLAKE3); `threefry` turns (row, chunk) under that key into
//!    the states of eight generators.
//! 2. `xoshiro`: eight lanes of xoshiro256++ give words.
//! 3. `law`: words become exponential, Laplace, normal, Gumbel or uniform variates with arithmetic of our own
//!    (`log`, `circle`), eight at a time.
//!
//! Steps 2 and 3 are written once, generically over [`isa::Isa`], compiled for several instruction sets, and
//! chosen at run time ([`level()`]). All of them give the same bits.
//!
//! # Resolution and accuracy
//!
//! Uniform variates are the middles of 2⁵² equal cells of (0, 1), so the other laws are finite for
//! every possible word (exponential, Laplace and normal variates are never zero either), and far tails are a
//! grid: the exponential (and Laplace magnitude) ends at 53·ln 2 = 36.7, and near E its possible values lie
//! 2⁻⁵²·e^E apart. Beside that grid the rounding of
//! the logarithm (below 2.5 units in the last place, and below 1.2·10⁻¹⁷ for results below 1/16) does not show.
//!
//! Changing anything that changes a draw is a breaking change: the tests hold the bits of each law.

mod buffer;
mod circle;
mod dispatch;
mod draws;
pub(crate) mod exp;
mod fill;
pub mod isa;
mod key;
mod law;
mod level;
pub(crate) mod log;
mod polynomial;
mod source;
mod threefry;
mod trial;
mod unit;
mod xoshiro;

#[cfg(test)]
mod tests;

/// How words are made, from the seed on: what a record of numbers names, beside the seed.
pub const GENERATOR: &str = "xoshiro256++, with states by Threefry-4x64 from (row, chunk) under a BLAKE3 key of (seed, law, purpose)";

pub use draws::Draws;
pub use fill::GROUP;
pub use law::StandardLaw;
pub use level::{ISA_VARIABLE, Level, LevelError, level};
pub use source::Source;
pub use trial::TrialStream;
