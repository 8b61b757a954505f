//! Nanoseconds per variate: every law at every level of this machine, beside the samplers of `rand_distr`.
//!
//! `cargo bench -p epsweep-core --bench random`. The columns of items per second are variates per second.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use epsweep_core::random::{Draws, Level, Source, StandardLaw};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Trials of a chunk.
const CHUNK: usize = 4096;

fn main() {
    divan::main();
}

/// A law and a level, by their names.
struct Case(StandardLaw, Level);

impl std::fmt::Display for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:<11} {}", self.0.name(), self.1.name())
    }
}

fn cases() -> impl Iterator<Item = Case> {
    let levels = Level::available();
    StandardLaw::ALL.iter().flat_map(move |law| {
        levels
            .clone()
            .into_iter()
            .map(move |level| Case(*law, level))
    })
}

/// A row of a chunk, seeding included.
#[divan::bench(args = cases(), sample_count = 200, sample_size = 50)]
fn row(bencher: Bencher, case: &Case) {
    let Case(law, level) = *case;
    let mut draws = Draws::with_level(level, 1, CHUNK, &[Source::new("bench", law, 1)]);
    let mut chunk = 0;
    bencher.counter(ItemsCount::new(CHUNK)).bench_local(|| {
        chunk += 1;
        draws.go_to(chunk);
        black_box(draws.row(0, 0)).len()
    });
}

/// Opening the stream of a trial: one seeding of eight lanes.
#[divan::bench(args = Level::available().into_iter().map(Level::name), sample_count = 200, sample_size = 500)]
fn trial_stream(bencher: Bencher, level: &str) {
    let level = Level::by_name(level).expect("taken from the list of available levels");
    let draws = Draws::with_level(
        level,
        1,
        CHUNK,
        &[Source::new("bench", StandardLaw::Laplace, 1)],
    );
    let mut trial = 0;
    bencher.bench_local(|| {
        trial += 1;
        draws.trial(0, black_box(trial))
    });
}

/// `rand_distr` on the same generator, one at a time.
#[divan::bench_group(sample_count = 100, sample_size = 20)]
mod rand_distr_peers {
    use super::*;

    fn fill(bencher: Bencher, mut draw: impl FnMut(&mut Xoshiro256PlusPlus) -> f64) {
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut out = vec![0.0; CHUNK];
        bencher.counter(ItemsCount::new(CHUNK)).bench_local(|| {
            for x in &mut out {
                *x = draw(&mut generator);
            }
            black_box(&mut out).len()
        });
    }

    #[divan::bench]
    fn exp1(bencher: Bencher) {
        fill(bencher, |generator| Exp1.sample(generator));
    }

    #[divan::bench]
    fn exp1_with_sign(bencher: Bencher) {
        fill(bencher, |generator| {
            let magnitude: f64 = Exp1.sample(generator);
            f64::from_bits(magnitude.to_bits() ^ (generator.next_u64() << 63))
        });
    }

    #[divan::bench]
    fn standard_normal(bencher: Bencher) {
        fill(bencher, |generator| StandardNormal.sample(generator));
    }
}
