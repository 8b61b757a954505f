//! Many choices, fast.
//!
//! | sampler | law | one draw costs |
//! |---|---|---|
//! | [`AliasTable`] | any exact law | one random word, two reads |
//! | [`InverseCdf`] | any exact law | one uniform variate, a binary search; pairs choices under common random numbers |
//! | [`Successive`] | top-k, by any shares | one uniform variate for each slot, a binary search; pairs choices likewise |
//! | [`Race`] | exponential mechanism, top-k | one exponential variate per candidate |
//! | [`NoisyMax`] | the report-noisy-max mechanisms | one variate of the noise per candidate |
//! | [`Roulette`] | exponential mechanism | one uniform variate, one exponential function per candidate, and nothing to build |
//!
//! [`Race`], [`NoisyMax`] and [`Roulette`] are vectorised, with the same bits on every instruction set.

mod alias;
mod inverse;
mod noisy_max;
mod race;
mod roulette;
mod successive;

pub use alias::AliasTable;
pub use inverse::InverseCdf;
pub use noisy_max::NoisyMax;
pub use race::Race;
pub use roulette::Roulette;
pub use successive::Successive;

/// Candidates that are treated at once: their variates stay in the first-level cache.
pub(super) const BLOCK: usize = 1024;
