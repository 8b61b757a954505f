//! The words are those of `rand_xoshiro`, and the variates have the same bits at every level.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::fill::GROUP;
use super::super::isa::LANES;
use super::super::key::Key;
use super::super::xoshiro::Xoshiro8;
use crate::random::{Level, StandardLaw};

fn state() -> Xoshiro8 {
    Key::new(42, StandardLaw::Bits, "levels").row(Level::best(), 1, 2)
}

#[test]
fn the_eight_lanes_are_eight_generators_of_rand_xoshiro() {
    let start = state();
    for level in Level::available() {
        let mut generators: Vec<Xoshiro256PlusPlus> = (0..LANES)
            .map(|lane| {
                let mut seed = [0; 32];
                for (bytes, word) in seed.as_chunks_mut::<8>().0.iter_mut().zip(&start.words) {
                    *bytes = word[lane].to_le_bytes();
                }
                Xoshiro256PlusPlus::from_seed(seed)
            })
            .collect();
        let mut state = start.clone();
        let mut groups = [[0.0; GROUP]; 100];
        // in two calls: the state must be kept between them
        let (first, second) = groups.split_at_mut(37);
        StandardLaw::Bits.fill(level, &mut state, first);
        StandardLaw::Bits.fill(level, &mut state, second);
        for words in groups.as_flattened().as_chunks::<LANES>().0 {
            for (word, generator) in words.iter().zip(&mut generators) {
                assert_eq!(word.to_bits(), generator.next_u64(), "{}", level.name());
            }
        }
    }
}

#[test]
fn every_level_gives_the_same_bits() {
    for law in StandardLaw::ALL {
        let mut bits = Vec::new();
        for level in Level::available() {
            let mut state = state();
            let mut groups = vec![[0.0; GROUP]; 1 << 14];
            law.fill(level, &mut state, &mut groups);
            let drawn: Vec<u64> = groups.as_flattened().iter().map(|x| x.to_bits()).collect();
            bits.push((level, drawn, state));
        }
        let (_, expected, end) = bits.pop().expect("the portable level is always there");
        for (level, drawn, state) in bits {
            assert!(drawn == expected, "{} at {}", law.name(), level.name());
            assert_eq!(state, end);
        }
    }
}

#[test]
fn a_laplace_variate_is_a_signed_exponential_one() {
    let (mut magnitudes, mut signed) = ([[0.0; GROUP]; 8], [[0.0; GROUP]; 8]);
    StandardLaw::Exponential.fill(Level::best(), &mut state(), &mut magnitudes);
    StandardLaw::Laplace.fill(Level::best(), &mut state(), &mut signed);
    assert_eq!(signed.map(|group| group.map(f64::abs)), magnitudes);
    let negative = signed.as_flattened().iter().filter(|x| **x < 0.0).count();
    assert!((32..96).contains(&negative), "{negative} of 128");
}
