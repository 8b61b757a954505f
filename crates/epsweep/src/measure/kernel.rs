//! Measures of all queries together: one pass over the queries' noise, eight trials at a time.
//!
//! A measure says how one error is taken in and how the result is read off ([`Reduction`]); the loop is written once and
//! compiled for every instruction set. Errors enter relative to a power of two near the largest scale, so that squares of
//! errors of any size stay inside the floats; the power of two itself changes no bit of the result.

use epsweep_core::random::Level;
use epsweep_core::random::isa::{Isa, LANES};

/// Computes a block of a measure: one value per trial.
pub type Kernel = fn(Level, &Errors<'_>, &mut [f64]);

/// The errors of all queries in a block of trials: query q errs by `unit`·`scales[q]`·`noise[q][t]` in trial t.
#[derive(Clone, Copy, Debug)]
pub struct Errors<'a> {
    /// standard variates, one row per query
    pub noise: &'a [&'a [f64]],
    /// scales relative to `unit`
    pub scales: &'a [f64],
    /// weights that sum to 1
    pub weights: &'a [f64],
    /// 1 over the number of queries
    pub share: f64,
    /// a power of two
    pub unit: f64,
    /// 1 over the number of records
    pub per_record: f64,
}

/// How errors are reduced to one number per trial. All methods are to be `#[inline(always)]`.
pub trait Reduction {
    /// Takes in the error of a query (relative to the unit), of this weight.
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, weight: f64) -> I::F;
    /// The result, in the measure's units.
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F;
}

/// Trials per turn of the loop: two vectors, so that what a query costs besides arithmetic is paid half as often.
const TURN: usize = 2 * LANES;

/// The loop. `out` has one value per trial, as has each row of noise.
#[inline(always)]
pub fn reduce<I: Isa, R: Reduction>(isa: I, errors: &Errors<'_>, out: &mut [f64]) {
    let (turns, rest) = out.as_chunks_mut::<TURN>();
    for (turn, values) in turns.iter_mut().enumerate() {
        let first = turn * TURN;
        let mut sofar = [isa.splat(0.0); 2];
        for ((row, scale), weight) in errors.noise.iter().zip(errors.scales).zip(errors.weights) {
            if let Some(noise) = row[first..].first_chunk::<TURN>() {
                sofar = take::<I, R>(isa, sofar, noise, *scale, *weight);
            }
        }
        read::<I, R>(isa, sofar, errors, values);
    }
    // the end of a block that is no multiple of a turn: the same operations, on lanes that are cut off afterwards
    if !rest.is_empty() {
        let first = turns.len() * TURN;
        let mut sofar = [isa.splat(0.0); 2];
        for ((row, scale), weight) in errors.noise.iter().zip(errors.scales).zip(errors.weights) {
            let mut noise = [0.0; TURN];
            noise[..rest.len()].copy_from_slice(&row[first..][..rest.len()]);
            sofar = take::<I, R>(isa, sofar, &noise, *scale, *weight);
        }
        let mut values = [0.0; TURN];
        read::<I, R>(isa, sofar, errors, &mut values);
        rest.copy_from_slice(&values[..rest.len()]);
    }
}

#[inline(always)]
fn take<I: Isa, R: Reduction>(
    isa: I,
    sofar: [I::F; 2],
    noise: &[f64; TURN],
    scale: f64,
    weight: f64,
) -> [I::F; 2] {
    let (halves, _) = noise.as_chunks::<LANES>();
    let scale = isa.splat(scale);
    let low = isa.mul(scale, isa.load(&halves[0]));
    let high = isa.mul(scale, isa.load(&halves[1]));
    [
        R::take(isa, sofar[0], low, weight),
        R::take(isa, sofar[1], high, weight),
    ]
}

#[inline(always)]
fn read<I: Isa, R: Reduction>(
    isa: I,
    sofar: [I::F; 2],
    errors: &Errors<'_>,
    values: &mut [f64; TURN],
) {
    let (halves, _) = values.as_chunks_mut::<LANES>();
    isa.store(&mut halves[0], R::read(isa, sofar[0], errors));
    isa.store(&mut halves[1], R::read(isa, sofar[1], errors));
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Runs a kernel on noise of irregular length at every level, and compares with `expected` of one trial's errors.
    pub fn check(kernel: Kernel, expected: impl Fn(&[f64], &[f64]) -> f64) {
        let scales = [0.5, 0.001953125, 1.0];
        let weights = [0.25, 0.5, 0.25];
        let noise: Vec<Vec<f64>> = (0..3)
            .map(|q| {
                (0..61)
                    .map(|t| libm::tan(f64::from(q * 61 + t) * 0.7))
                    .collect()
            })
            .collect();
        let rows: Vec<&[f64]> = noise.iter().map(Vec::as_slice).collect();
        for unit in [1.0, 128.0] {
            let errors = Errors {
                noise: &rows,
                scales: &scales,
                weights: &weights,
                share: 1.0 / 3.0,
                unit,
                per_record: 0.001,
            };
            let mut first: Option<Vec<f64>> = None;
            for level in Level::available() {
                let mut out = vec![f64::NAN; 61];
                kernel(level, &errors, &mut out);
                for (t, got) in out.iter().enumerate() {
                    let e: Vec<f64> = (0..3).map(|q| unit * scales[q] * noise[q][t]).collect();
                    let want = expected(&e, &weights);
                    assert!((got - want).abs() <= 1e-14 * want.abs(), "{got} {want}");
                }
                let same = first.get_or_insert_with(|| out.clone());
                assert_eq!(same, &out, "{}", level.name());
            }
        }
    }
}
