//! Noise that is no scaled standard variate: how rows of standard variates become errors.

use crate::random::StandardLaw;
use std::fmt::Debug;

/// An increasing map of standard variates to errors, trial by trial: what a procedure does with its rows of noise where scaling
/// does not do. Since the map of the first source is increasing (and odd, where the law is symmetric), trials under common random numbers
/// stay paired with those of the noise whose standard variate it is.
pub trait Transform: Debug + Send + Sync {
    /// The standard variates that each error needs, one row each, in this order. The first is the law that the error follows
    /// in shape; further ones refine it.
    fn sources(&self) -> &'static [StandardLaw];

    /// The errors of as many trials as `out` has places and each row has variates: `standard[s][t]` is the variate of source s
    /// in trial t. A block of a row may be given, since every trial depends on its own variates alone; the same bits on every
    /// machine. Without as many rows as there are sources nothing is written.
    fn apply(&self, standard: &[&[f64]], out: &mut [f64]);
}

/// Relative width over which a second, uniform row u stretches a magnitude: by 1 + SPREAD·(u − ½).
///
/// An integer-valued error of a large scale has so many values that the rounding of one double variate shows in their
/// probabilities. Where the magnitude is stretched in units of the steps, before it is rounded to an integer, that averages out. It widens
/// the law by a relative SPREAD²/12 of its variance, which is below 1e−16.
const SPREAD: f64 = 1.0 / 67_108_864.0;

/// The scale above which integer-valued errors need the second row: below it, the rounding of all thresholds together is
/// less than 1e−12 in probability.
pub(super) const FINE: f64 = 256.0;

/// Applies `map` to the variates of one row and a stretch of 1, or to those of a row and the stretch of a second, uniform one.
pub(super) fn each(
    sources: usize,
    standard: &[&[f64]],
    out: &mut [f64],
    map: impl Fn(f64, f64) -> f64,
) {
    match (sources, standard) {
        (1, [row, ..]) => {
            for (error, &variate) in out.iter_mut().zip(*row) {
                *error = map(variate, 1.0);
            }
        }
        (2, [row, fine, ..]) => {
            for ((error, &variate), &uniform) in out.iter_mut().zip(*row).zip(*fine) {
                *error = map(variate, 1.0 + SPREAD * (uniform - 0.5));
            }
        }
        _ => {}
    }
}
