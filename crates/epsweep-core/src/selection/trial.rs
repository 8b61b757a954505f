//! Trials for the tests: seeded streams and the chi-square test.

use super::{Calibration, Problem, Scores};
use crate::random::{Draws, Level, Source, StandardLaw, TrialStream, level};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// A test rejects below this: the false-alarm rate of one comparison. Some 60 of them are made in all, with fixed seeds, so that the
/// whole raises a false alarm with a probability of about 6e-5 under a change of seeds.
pub const FALSE_ALARM: f64 = 1e-6;

pub fn problem(scores: &[f64], epsilon: f64, sensitivity: f64) -> Problem {
    let scores = Scores::new(scores.to_vec()).unwrap();
    Problem::new(scores, Calibration::general(epsilon, sensitivity).unwrap()).unwrap()
}

pub fn stream(purpose: &str, law: StandardLaw) -> TrialStream {
    stream_with(level(), purpose, law)
}

pub fn stream_with(level: Level, purpose: &str, law: StandardLaw) -> TrialStream {
    Draws::with_level(level, 20_260_611, 16, &[Source::new(purpose, law, 1)]).trial(0, 0)
}

/// P(χ² ≥ observed) of counts under probabilities; cells expected below 8 are pooled. What has probability 0 must not occur.
pub fn chi_square(counts: &[f64], probabilities: &[f64]) -> f64 {
    assert_eq!(counts.len(), probabilities.len());
    let total: f64 = counts.iter().sum();
    let mut cells: Vec<(f64, f64)> = Vec::new();
    let mut pool = (0.0, 0.0);
    for (&count, &p) in counts.iter().zip(probabilities) {
        if p == 0.0 && count > 0.0 {
            return 0.0;
        }
        if p * total < 8.0 {
            pool = (pool.0 + count, pool.1 + p * total);
        } else {
            cells.push((count, p * total));
        }
    }
    if pool.1 > 8.0 {
        cells.push(pool);
    } else if let Some(first) = cells.first_mut() {
        *first = (first.0 + pool.0, first.1 + pool.1);
    }
    if cells.len() < 2 {
        return 1.0;
    }
    let statistic: f64 = cells.iter().map(|(o, e)| (o - e) * (o - e) / e).sum();
    ChiSquared::new((cells.len() - 1) as f64)
        .unwrap()
        .sf(statistic)
}

/// Counts of what `draw` gives.
pub fn count(candidates: usize, trials: usize, mut draw: impl FnMut() -> usize) -> Vec<f64> {
    let mut counts = vec![0.0; candidates];
    for _ in 0..trials {
        counts[draw()] += 1.0;
    }
    counts
}

/// The counts agree with the law, and not with another one.
pub fn agree(what: &str, counts: &[f64], law: &[f64], wrong: &[f64]) {
    let p = chi_square(counts, law);
    assert!(
        p > FALSE_ALARM,
        "{what}: p = {p:e}, counts {counts:?}, law {law:?}"
    );
    let p = chi_square(counts, wrong);
    assert!(p < FALSE_ALARM, "{what}: a wrong law passes with p = {p:e}");
}
