//! From (seed, law, purpose) to a key.

use super::law::StandardLaw;
use super::level::Level;
use super::threefry::{Kind, seeded};
use super::xoshiro::Xoshiro8;

/// Sets our hashes apart from any other use of BLAKE3; a change of it changes every draw.
const CONTEXT: &str = "epsweep 2026-11 noise streams v1";

/// The key of a source: 256 bits from BLAKE3 (in its key derivation mode) of the seed, the name of the law and
/// the purpose.
///
/// The law takes part so that sources of different laws are independent even where the purpose is the same: laws use
/// their words differently, and the same words would correlate one trial's noise with another's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 4]);

impl Key {
    pub(super) fn new(seed: u64, law: StandardLaw, purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(&seed.to_le_bytes());
        hasher.update(law.name().as_bytes());
        // no name of a law holds a zero byte, so (law, purpose) can be read back: no two pairs hash the same text
        hasher.update(&[0]);
        hasher.update(purpose.as_bytes());
        let hash = *hasher.finalize().as_bytes();
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(hash.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        Key(words)
    }

    /// The generators of a row of a chunk.
    pub(super) fn row(&self, level: Level, row: u64, chunk: u64) -> Xoshiro8 {
        seeded(level, &self.0, Kind::Row, row, chunk)
    }

    /// The generators of one trial of a chunk.
    pub(super) fn trial(&self, level: Level, trial: u64, chunk: u64) -> Xoshiro8 {
        seeded(level, &self.0, Kind::Trial, trial, chunk)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_law_and_purpose_all_matter() {
        let key = Key::new(42, StandardLaw::Laplace, "laplace/mean age");
        assert_eq!(key, Key::new(42, StandardLaw::Laplace, "laplace/mean age"));
        assert_ne!(key, Key::new(43, StandardLaw::Laplace, "laplace/mean age"));
        assert_ne!(
            key,
            Key::new(42, StandardLaw::Exponential, "laplace/mean age")
        );
        assert_ne!(key, Key::new(42, StandardLaw::Laplace, "laplace/max age"));
    }
}
