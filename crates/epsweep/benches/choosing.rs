//! One candidate of many by the exponential mechanism, every way: prints one line per figure, to be read by `scripts/bench-choosing`.
//! `cargo bench -p epsweep --bench choosing`.
//!
//! ```text
//! choose <TAB> NAME <TAB> n=CANDIDATES <TAB> ms <TAB> X        one draw from fresh scores
//! draw <TAB> NAME <TAB> n=CANDIDATES <TAB> ns <TAB> X          one of many draws on the same scores
//! ```
//!
//! Scores lie between 0 and 10 without a pattern, ε = Δ = 1. Roulette has the scores checked and their best one found within the time of a
//! draw; noisy maxima are given their gaps beforehand, which flatters them. Medians of CPU time.

mod clock;

use clock::{cpu, median};
use epsweep_core::random::{Draws, Source, StandardLaw, TrialStream, level};
use epsweep_core::selection::sampler::{AliasTable, InverseCdf, NoisyMax, Race, Roulette};
use epsweep_core::selection::{Calibration, ChoiceLaw, Problem, Scores, mechanism};
use std::hint::black_box;

/// Numbers of candidates.
const SIZES: [usize; 3] = [1000, 100_000, 1_000_000];

/// Draws that are made at once on the same scores.
const ROW: usize = 4096;

fn values(candidates: usize) -> Vec<f64> {
    let source = Source::new("scores", StandardLaw::Uniform, 1);
    let draws = Draws::new(1, candidates, &[source]);
    draws.row(0, 0).iter().map(|u| 10.0 * u).collect()
}

fn calibration() -> Calibration {
    Calibration::general(1.0, 1.0).expect("a calibration")
}

fn problem(values: Vec<f64>) -> Problem {
    let scores = Scores::new(values).expect("finite scores");
    Problem::new(scores, calibration()).expect("a problem")
}

fn stream(law: StandardLaw) -> TrialStream {
    Draws::new(2, 16, &[Source::new("bench", law, 1)]).trial(0, 0)
}

fn line(kind: &str, name: &str, candidates: usize, unit: &str, value: f64) {
    let level = level().name();
    println!("{kind}\tepsweep {name} [{level}]\tn={candidates}\t{unit}\t{value:.5}");
}

/// Times a draw that takes the scores and gives them back.
fn single(name: &str, candidates: usize, mut draw: impl FnMut(Vec<f64>) -> Vec<f64>) {
    let mut scores = values(candidates);
    let calls = (20_000_000 / candidates).clamp(11, 2001);
    let seconds = median(cpu, calls, || scores = draw(std::mem::take(&mut scores)));
    line("choose", name, candidates, "ms", seconds * 1e3);
}

/// Times a row of draws.
fn repeated(name: &str, candidates: usize, mut row: impl FnMut()) {
    let rows = 256;
    let seconds = median(cpu, 15, || (0..rows).for_each(|_| row()));
    let draws = (rows * ROW) as f64;
    line("draw", name, candidates, "ns", seconds / draws * 1e9);
}

fn main() {
    for candidates in SIZES {
        let mut roulette = Roulette::default();
        let mut uniform = 0.5;
        single("roulette", candidates, |values| {
            uniform = (uniform + 0.618_033_988_75) % 1.0;
            let scores = Scores::new(values).expect("finite scores");
            black_box(roulette.choose(&scores, &calibration(), uniform));
            scores.into_vec()
        });
        // these are given all that can be known beforehand: one variate and one comparison for each candidate are left
        let known = problem(values(candidates));
        let mut gumbels = stream(StandardLaw::Gumbel);
        let mut noisy_max = NoisyMax::new(&known);
        single("report-noisy-max", candidates, |values| {
            black_box(noisy_max.choose(&mut gumbels));
            values
        });
        let mut exponentials = stream(StandardLaw::Exponential);
        let mut race = Race::new(&known);
        single("exponential race", candidates, |values| {
            black_box(race.choose(&mut exponentials));
            values
        });
        let law: ChoiceLaw = (mechanism("exponential").expect("a mechanism of the registry"))
            .law(&known)
            .expect("a softmax has no limit");
        let table = AliasTable::new(&law);
        let mut chosen = vec![0; ROW];
        let mut words = Draws::new(3, ROW, &[Source::new("alias", StandardLaw::Bits, 1)]);
        let mut chunk = 0;
        repeated("alias table", candidates, || {
            chunk += 1;
            words.go_to(chunk);
            table.draw_row(words.row(0, 0), &mut chosen);
            black_box(chosen[0]);
        });
        let inverse = InverseCdf::new(&known, &law);
        let mut uniforms = Draws::new(3, ROW, &[Source::new("inverse", StandardLaw::Uniform, 1)]);
        repeated("inverse distribution function", candidates, || {
            chunk += 1;
            uniforms.go_to(chunk);
            inverse.draw_row(uniforms.row(0, 0), &mut chosen);
            black_box(chosen[0]);
        });
    }
}
