//! One draw from a million candidates by every path, and repeated draws from tables.
//!
//! `cargo bench -p epsweep-core --bench selection`. The columns of items per second are candidates per second for single draws,
//! draws per second for repeated ones.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use epsweep_core::random::{Draws, Level, Source, StandardLaw, TrialStream};
use epsweep_core::selection::sampler::{AliasTable, InverseCdf, NoisyMax, Race, Roulette};
use epsweep_core::selection::{Calibration, ChoiceLaw, Problem, Scores, mechanism};

const MILLION: usize = 1_000_000;

/// Repeated draws are made by rows.
const ROW: usize = 4096;

fn main() {
    divan::main();
}

fn levels() -> impl Iterator<Item = &'static str> {
    Level::available().into_iter().map(Level::name)
}

fn level(name: &str) -> Level {
    Level::by_name(name).expect("taken from the list of available levels")
}

/// Scores between 0 and 10 without a pattern, at ε = 1 and Δ = 1.
fn problem(candidates: usize) -> Problem {
    let draws = Draws::new(
        1,
        candidates,
        &[Source::new("scores", StandardLaw::Uniform, 1)],
    );
    let scores = draws.row(0, 0).iter().map(|u| 10.0 * u).collect();
    let scores = Scores::new(scores).expect("finite scores");
    Problem::new(
        scores,
        Calibration::general(1.0, 1.0).expect("a calibration"),
    )
    .expect("a problem")
}

fn law(problem: &Problem) -> ChoiceLaw {
    let mechanism = mechanism("exponential").expect("a mechanism of the registry");
    mechanism.law(problem).expect("a softmax has no limit")
}

fn stream(level: Level, law: StandardLaw) -> TrialStream {
    Draws::with_level(level, 2, 16, &[Source::new("bench", law, 1)]).trial(0, 0)
}

/// Scores are fresh: nothing is known but the best one.
#[divan::bench(args = levels())]
fn single_roulette(bencher: Bencher, name: &str) {
    let problem = problem(MILLION);
    let mut roulette = Roulette::with_level(level(name));
    let mut uniform = 0.0;
    bencher.counter(ItemsCount::new(MILLION)).bench_local(|| {
        uniform = (uniform + 0.618_033_988_75) % 1.0;
        roulette.choose(problem.scores(), problem.calibration(), uniform)
    });
}

/// Checking scores and finding the best one, which comes before every other path.
#[divan::bench]
fn single_validation(bencher: Bencher) {
    let problem = problem(MILLION);
    bencher
        .counter(ItemsCount::new(MILLION))
        .with_inputs(|| problem.scores().as_slice().to_vec())
        .bench_local_values(Scores::new);
}

/// The exponential race, its factors being known.
#[divan::bench(args = levels())]
fn single_race(bencher: Bencher, name: &str) {
    let mut race = Race::with_level(level(name), &problem(MILLION), 1.0);
    let mut exponentials = stream(level(name), StandardLaw::Exponential);
    bencher
        .counter(ItemsCount::new(MILLION))
        .bench_local(|| race.choose(&mut exponentials));
}

/// Report-noisy-max with Gumbel noise: two logarithms per candidate.
#[divan::bench(args = levels())]
fn single_gumbel(bencher: Bencher, name: &str) {
    let mut sampler = NoisyMax::with_level(level(name), &problem(MILLION));
    let mut gumbels = stream(level(name), StandardLaw::Gumbel);
    bencher
        .counter(ItemsCount::new(MILLION))
        .bench_local(|| sampler.choose(&mut gumbels));
}

/// Ten slots by one race.
#[divan::bench(args = levels())]
fn single_top_ten(bencher: Bencher, name: &str) {
    let mut race = Race::with_level(level(name), &problem(MILLION), 0.1);
    let mut exponentials = stream(level(name), StandardLaw::Exponential);
    bencher
        .counter(ItemsCount::new(MILLION))
        .bench_local(|| race.choose_several(10, &mut exponentials));
}

const SIZES: [usize; 3] = [100, 10_000, MILLION];

/// Building a table of a known law.
#[divan::bench(args = SIZES)]
fn build_alias(bencher: Bencher, candidates: usize) {
    let law = law(&problem(candidates));
    bencher
        .counter(ItemsCount::new(candidates))
        .bench_local(|| AliasTable::new(&law));
}

/// Draws from a table, their words included.
#[divan::bench(args = SIZES)]
fn repeated_alias(bencher: Bencher, candidates: usize) {
    let table = AliasTable::new(&law(&problem(candidates)));
    let mut draws = Draws::new(3, ROW, &[Source::new("alias", StandardLaw::Bits, 1)]);
    let mut chosen = vec![0; ROW];
    let mut chunk = 0;
    bencher.counter(ItemsCount::new(ROW)).bench_local(|| {
        chunk += 1;
        draws.go_to(chunk);
        table.draw_row(draws.row(0, 0), &mut chosen);
        black_box(chosen[0])
    });
}

/// Draws by the inverse distribution function, their variates included.
#[divan::bench(args = SIZES)]
fn repeated_inverse(bencher: Bencher, candidates: usize) {
    let problem = problem(candidates);
    let inverse = InverseCdf::new(&problem, &law(&problem));
    let mut draws = Draws::new(3, ROW, &[Source::new("inverse", StandardLaw::Uniform, 1)]);
    let mut chosen = vec![0; ROW];
    let mut chunk = 0;
    bencher.counter(ItemsCount::new(ROW)).bench_local(|| {
        chunk += 1;
        draws.go_to(chunk);
        inverse.draw_row(draws.row(0, 0), &mut chosen);
        black_box(chosen[0])
    });
}
