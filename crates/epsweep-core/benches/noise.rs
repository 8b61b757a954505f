//! Errors per second of every kind of noise, the drawing of its rows included, and of the exact samplers.
//!
//! `cargo bench -p epsweep-core --bench noise`.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use epsweep_core::budget::{Budget, Delta, Epsilon};
use epsweep_core::noise::exact::{ExactDiscreteGaussian, ExactDiscreteLaplace};
use epsweep_core::noise::{self, Noise};
use epsweep_core::random::{Draws, Source, StandardLaw};
use epsweep_core::sensitivity::Sensitivity;

/// Trials of a chunk, and of a block within it.
const CHUNK: usize = 4096;
const BLOCK: usize = 512;

fn main() {
    divan::main();
}

/// The kind at Δ = `delta` and ε = 1 (δ = 1e-6 where it needs one).
fn calibrated(name: &str, delta: f64) -> Box<dyn Noise> {
    let epsilon = Epsilon::new(1.0).expect("an ε");
    let budgets = [
        Budget::Pure(epsilon),
        Budget::Approximate(epsilon, Delta::new(1e-6).expect("a δ")),
    ];
    let kind = noise::kind(name).expect("a noise of the registry");
    let sensitivity = Sensitivity::scalar(delta).expect("a sensitivity");
    (budgets.into_iter())
        .find_map(|budget| kind.calibrate(sensitivity, Some(budget)).ok())
        .expect("a budget that the kind takes")
}

fn names() -> impl Iterator<Item = &'static str> {
    noise::kinds()
        .map(|kind| kind.about().name)
        .filter(|name| !name.starts_with("gaussian-classic"))
}

/// Errors of a chunk, block by block, where the scale is small.
#[divan::bench(args = names(), sample_count = 100, sample_size = 20)]
fn small_scale(bencher: Bencher, name: &str) {
    chunk(bencher, &*calibrated(name, 1.0));
}

/// The same where integer errors need a second row.
#[divan::bench(args = names(), sample_count = 100, sample_size = 20)]
fn large_scale(bencher: Bencher, name: &str) {
    chunk(bencher, &*calibrated(name, 1000.0));
}

fn chunk(bencher: Bencher, noise: &dyn Noise) {
    let laws = match noise.transform() {
        Some(transform) => transform.sources().to_vec(),
        None => vec![noise.standard()],
    };
    let sources: Vec<Source> = (laws.iter().enumerate())
        .map(|(i, law)| Source::new(&format!("row {i}"), *law, 1))
        .collect();
    let mut draws = Draws::new(1, CHUNK, &sources);
    let mut errors = vec![0.0; BLOCK];
    let mut at = 0;
    bencher.counter(ItemsCount::new(CHUNK)).bench_local(|| {
        at += 1;
        draws.go_to(at);
        for from in (0..CHUNK).step_by(BLOCK) {
            let row = |source: usize| &draws.row(source, 0)[from..from + BLOCK];
            match noise.transform() {
                Some(transform) if sources.len() == 2 => {
                    transform.apply(&[row(0), row(1)], &mut errors);
                }
                Some(transform) => transform.apply(&[row(0)], &mut errors),
                None => {
                    for (error, variate) in errors.iter_mut().zip(row(0)) {
                        *error = noise.scale() * variate;
                    }
                }
            }
            black_box(&mut errors);
        }
    });
}

/// Draws of the exact samplers from our own bits.
#[divan::bench(args = [1_u64, 1000], sample_count = 100, sample_size = 1)]
fn exact_discrete_laplace(bencher: Bencher, delta: u64) {
    let sampler = ExactDiscreteLaplace::new(1.0, delta).expect("a sampler");
    exact(bencher, |bits| sampler.sample(bits));
}

/// The same, by σ².
#[divan::bench(args = [1.0, 1e6], sample_count = 100, sample_size = 1)]
fn exact_discrete_gaussian(bencher: Bencher, variance: f64) {
    let sampler = ExactDiscreteGaussian::new(variance).expect("a sampler");
    exact(bencher, |bits| sampler.sample(bits));
}

fn exact(bencher: Bencher, sample: impl Fn(&mut epsweep_core::random::TrialStream) -> i128) {
    let draws = Draws::new(1, 1, &[Source::new("exact", StandardLaw::Bits, 0)]);
    let mut bits = draws.trial(0, 0);
    let count = 1000_usize;
    bencher
        .counter(ItemsCount::new(count))
        .bench_local(|| (0..count).map(|_| sample(&mut bits)).sum::<i128>());
}
