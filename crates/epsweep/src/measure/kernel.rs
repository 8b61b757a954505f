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
}

/// How errors are reduced to one number per trial. All methods are to be `#[inline(always)]`.
pub trait Reduction {
    /// Takes in the error of a query (relative to the unit), of this weight.
    fn take<I: Isa>(isa: I, sofar: I::F, error: I::F, weight: f64) -> I::F;
    /// The result, in the measure's units.
    fn read<I: Isa>(isa: I, sofar: I::F, errors: &Errors<'_>) -> I::F;
}

/// The loop. `out` has one value per trial, as has each row of noise.
#[inline(always)]
pub fn reduce<I: Isa, R: Reduction>(isa: I, errors: &Errors<'_>, out: &mut [f64]) {
    let (groups, rest) = out.as_chunks_mut::<LANES>();
    for (g, group) in groups.iter_mut().enumerate() {
        let first = g * LANES;
        let mut sofar = isa.splat(0.0);
        for ((row, scale), weight) in errors.noise.iter().zip(errors.scales).zip(errors.weights) {
            if let Some(noise) = row[first..].first_chunk::<LANES>() {
                let error = isa.mul(isa.splat(*scale), isa.load(noise));
                sofar = R::take(isa, sofar, error, *weight);
            }
        }
        let value = R::read(isa, sofar, errors);
        isa.store(group, value);
    }
    // a block shorter than a vector: the same operations, on lanes that are cut off afterwards
    if !rest.is_empty() {
        let first = groups.len() * LANES;
        let mut sofar = isa.splat(0.0);
        for ((row, scale), weight) in errors.noise.iter().zip(errors.scales).zip(errors.weights) {
            let mut noise = [0.0; LANES];
            noise[..rest.len()].copy_from_slice(&row[first..][..rest.len()]);
            let error = isa.mul(isa.splat(*scale), isa.load(&noise));
            sofar = R::take(isa, sofar, error, *weight);
        }
        let value = R::read(isa, sofar, errors);
        let values = isa.lanes(value);
        rest.copy_from_slice(&values[..rest.len()]);
    }
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
