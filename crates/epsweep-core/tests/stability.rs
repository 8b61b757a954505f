//! Value stability: the draws of fixed addresses, bit for bit, at every level that the processor has.
//!
//! If one of these tests fails, every recorded result of the project changes with it: that must be meant, said, and recorded again.
//! `cargo test -p epsweep-core --test stability -- --nocapture` prints the new values where they differ.

use epsweep_core::random::{Draws, Level, Source, StandardLaw};

const SEED: u64 = 42;
const PURPOSE: &str = "stability";
const ROW: usize = 3;
const CHUNK: u64 = 5;
const TRIAL: usize = 7;
const CHUNK_LEN: usize = 4096;

/// What a law gives at these addresses.
struct Recorded {
    law: StandardLaw,
    /// The bits of the first sixteen variates of the row.
    first: [u64; 16],
    /// BLAKE3 of the row (bits, little-endian).
    row: &'static str,
    /// BLAKE3 of the first 1000 variates of the trial's stream.
    trial: &'static str,
}

fn digest(values: &[f64]) -> String {
    let mut hasher = blake3::Hasher::new();
    for value in values {
        hasher.update(&value.to_bits().to_le_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

#[test]
fn every_law_is_recorded() {
    let laws: Vec<_> = RECORDED.iter().map(|recorded| recorded.law).collect();
    assert_eq!(laws, StandardLaw::ALL);
}

#[test]
fn draws_have_the_recorded_bits_at_every_level() {
    let mut same = true;
    for recorded in RECORDED {
        for level in Level::available() {
            let law = recorded.law;
            let mut draws = Draws::with_level(level, SEED, CHUNK_LEN, &[Source::new(PURPOSE, law, ROW + 1)]);
            draws.go_to(CHUNK);
            let row = draws.row(0, ROW);
            let first: [u64; 16] = core::array::from_fn(|i| row[i].to_bits());
            let mut stream = [0.0; 1000];
            draws.trial(0, TRIAL).fill(&mut stream);
            let (row, trial) = (digest(row), digest(&stream));
            if first != recorded.first || row != recorded.row || trial != recorded.trial {
                same = false;
                eprintln!("// {}", level.name());
                eprintln!("Recorded {{ law: StandardLaw::{law:?}, first: {first:#018x?}, row: \"{row}\", trial: \"{trial}\" }},");
            }
        }
    }
    assert!(same, "the draws have changed: see above");
}

const RECORDED: &[Recorded] = &[
//RECORDED
];
