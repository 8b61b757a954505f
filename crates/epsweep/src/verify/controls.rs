//! Negative controls: outcomes with a known fault, which must be found, and the same without it, which must pass.
//!
//! Each is judged as a run is: estimates of the outcomes, their exact values, Holm's rule. A fault is small where it can be, and the trials are as many as it takes
//! to see it: that a real fault of this kind and size would be found by a run of so many trials is what the table of them shows.

use super::{LEVEL, Verification, verify};
use crate::summary;
use crate::tally::OutcomeTally;
use epsweep_core::random::{Draws, Level, Source, StandardLaw};
use epsweep_core::statistics::StatisticsError;
use epsweep_core::theory::{Answer, Bernoulli, Exponential, Laplace, Law, Maximum, Normal};
use std::sync::Arc;

/// Seed of all controls.
const SEED: u64 = 1;

/// Level of the intervals of their estimates.
const INTERVALS: f64 = 0.95;

/// Outcomes and what is said of them.
type Outcomes = (Vec<f64>, Arc<dyn Law>);

/// A control.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// its name
    pub name: &'static str,
    /// what is wrong; for a control without fault, what it is
    pub what: &'static str,
    /// number of trials
    pub trials: usize,
    /// whether there is a fault, which must be found
    pub faulty: bool,
    outcomes: fn(usize) -> Outcomes,
}

impl Control {
    /// Judges it as a run is judged.
    ///
    /// # Errors
    /// None that the controls below could have.
    pub fn judge(&self) -> Result<Verification, StatisticsError> {
        let (values, law) = (self.outcomes)(self.trials);
        let outcome = OutcomeTally::of_values(&values, Some(law));
        let rows = summary::of_outcome(&outcome, INTERVALS)?;
        Ok(verify(&rows, &[], LEVEL))
    }
}

/// Standard Laplace variates of a seed; purposes tell streams apart.
pub(super) fn noise(seed: u64, purpose: &str, n: usize) -> Vec<f64> {
    const CHUNK: usize = 4096;
    let source = Source::new(purpose, StandardLaw::Laplace, 1);
    let mut draws = Draws::with_level(Level::best(), seed, CHUNK, &[source]);
    let mut values = Vec::with_capacity(n + CHUNK);
    for chunk in 0..n.div_ceil(CHUNK) as u64 {
        draws.go_to(chunk);
        values.extend_from_slice(draws.row(0, 0));
    }
    values.truncate(n);
    values
}

fn laplace(n: usize, map: impl Fn(f64) -> f64) -> Vec<f64> {
    noise(SEED, "laplace", n).into_iter().map(map).collect()
}

fn standard() -> Arc<dyn Law> {
    Arc::new(Laplace::new(1.0, 0.0))
}

/// The larger of two errors.
fn larger(n: usize, other: &str) -> Outcomes {
    let (a, b) = (noise(SEED, "laplace/a", n), noise(SEED, other, n));
    let values = a.iter().zip(&b).map(|(a, b)| a.abs().max(b.abs()));
    (values.collect(), Arc::new(Maximum::new(&[1.0, 1.0])))
}

/// Whether noise is positive, said to be so with probability 1/2 and so many standard errors.
fn positive(n: usize, off: f64) -> Outcomes {
    let probability = 0.5 + off * 0.5 / (n as f64).sqrt();
    let values = laplace(n, |x| f64::from(u8::from(x > 0.0)));
    (values, Arc::new(Bernoulli::new(probability)))
}

/// Normal noise of the variance that Laplace noise has.
fn normal(n: usize) -> Outcomes {
    let law: Arc<dyn Law> = match Normal::new(std::f64::consts::SQRT_2) {
        Some(law) => Arc::new(Answer::new(Arc::new(law), 0.0)),
        // a positive deviation is never refused
        None => standard(),
    };
    (laplace(n, |x| x), law)
}

/// All controls: faults first.
pub const CONTROLS: &[Control] = &[
    Control {
        name: "scale-too-small",
        what: "Laplace noise whose scale is 0.5 % too small",
        trials: 2_000_000,
        faulty: true,
        outcomes: |n| (laplace(n, |x| 0.995 * x), standard()),
    },
    Control {
        name: "scale-too-large",
        what: "Laplace noise whose scale is 0.5 % too large",
        trials: 2_000_000,
        faulty: true,
        outcomes: |n| (laplace(n, |x| 1.005 * x), standard()),
    },
    Control {
        name: "size-too-small",
        what: "sizes of Laplace noise whose scale is 0.5 % too small",
        trials: 2_000_000,
        faulty: true,
        outcomes: |n| {
            (
                laplace(n, |x| 0.995 * x.abs()),
                Arc::new(Exponential::new(1.0)),
            )
        },
    },
    Control {
        name: "sign-dropped",
        what: "Laplace noise without its sign",
        trials: 1_000,
        faulty: true,
        outcomes: |n| (laplace(n, f64::abs), standard()),
    },
    Control {
        name: "tail-truncated",
        what: "Laplace noise that never exceeds 7 scales, which happens once in 1100 draws",
        trials: 4_000_000,
        faulty: true,
        outcomes: |n| (laplace(n, |x| x.clamp(-7.0, 7.0)), standard()),
    },
    Control {
        name: "streams-shared",
        what: "the larger of two errors that read the same draws and are said to be independent",
        trials: 10_000,
        faulty: true,
        outcomes: |n| larger(n, "laplace/a"),
    },
    Control {
        name: "law-of-another-noise",
        what: "Laplace noise beside the exact values of normal noise of the same variance",
        trials: 200_000,
        faulty: true,
        outcomes: normal,
    },
    Control {
        name: "law-shifted",
        what: "Laplace noise beside exact values that are off by 0.02 scales",
        trials: 200_000,
        faulty: true,
        outcomes: |n| (laplace(n, |x| x), Arc::new(Laplace::new(1.0, 0.02))),
    },
    Control {
        name: "frequency-off",
        what: "a frequency beside a probability that is 5 standard errors off",
        trials: 200_000,
        faulty: true,
        outcomes: |n| positive(n, 5.0),
    },
    Control {
        name: "laplace",
        what: "Laplace noise as it should be",
        trials: 4_000_000,
        faulty: false,
        outcomes: |n| (laplace(n, |x| x), standard()),
    },
    Control {
        name: "streams-apart",
        what: "the larger of two errors with draws of their own",
        trials: 10_000,
        faulty: false,
        outcomes: |n| larger(n, "laplace/b"),
    },
    Control {
        name: "frequency",
        what: "a frequency beside its probability",
        trials: 200_000,
        faulty: false,
        outcomes: |n| positive(n, 0.0),
    },
];
