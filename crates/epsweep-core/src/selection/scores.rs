//! Scores of the candidates.

use super::SelectionError;
use crate::dispatch;
use crate::random::isa::{Isa, LANES};
use crate::random::level;
use std::sync::OnceLock;

/// One score per candidate, in the units of the utility; higher is better. At least one is finite, −∞ means that the candidate is
/// never chosen (which must not depend on private data), and there is no NaN and no +∞.
#[derive(Clone, Debug, PartialEq)]
pub struct Scores {
    values: Vec<f64>,
    best: f64,
    /// |R| and |OPT|, when they are first asked for: a single draw needs neither
    counts: OnceLock<(usize, usize)>,
}

impl Scores {
    /// # Errors
    /// [`SelectionError`] if there is no score, if one is NaN or +∞ (by its index), or if all are −∞
    pub fn new(values: Vec<f64>) -> Result<Scores, SelectionError> {
        if values.is_empty() {
            return Err(SelectionError::NoCandidates);
        }
        let (best, all_below_infinity) = best_of(level(), &values);
        if !all_below_infinity {
            refuse(&values)?;
        }
        if best == f64::NEG_INFINITY {
            return Err(SelectionError::AllNever {
                count: values.len(),
            });
        }
        Ok(Scores {
            values,
            best,
            counts: OnceLock::new(),
        })
    }

    /// The scores, in the order of the candidates.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The scores, as they were given.
    pub fn into_vec(self) -> Vec<f64> {
        self.values
    }

    /// How many candidates there are, those that are never chosen included; at least 1.
    #[allow(clippy::len_without_is_empty)] // never empty
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// The largest score.
    pub fn best(&self) -> f64 {
        self.best
    }

    /// |R|: how many candidates may be chosen.
    pub fn permitted(&self) -> usize {
        self.counts().0
    }

    /// |OPT|: how many candidates have the largest score.
    pub fn optimal(&self) -> usize {
        self.counts().1
    }

    fn counts(&self) -> (usize, usize) {
        *(self.counts).get_or_init(|| count_of(level(), &self.values, self.best))
    }

    /// The utility lost by choosing this candidate: best − score; +∞ for "never", or beyond the range of `f64`.
    ///
    /// # Panics
    /// If there is no such candidate.
    pub fn loss(&self, index: usize) -> f64 {
        self.best - self.values[index]
    }

    /// Half the loss, which does not overflow for finite scores.
    pub(super) fn half_loss(&self, index: usize) -> f64 {
        0.5 * self.best - 0.5 * self.values[index]
    }
}

/// Refuses the first value that is NaN or +∞.
fn refuse(values: &[f64]) -> Result<(), SelectionError> {
    for (index, &value) in values.iter().enumerate() {
        if value.is_nan() {
            return Err(SelectionError::NotANumber { index });
        }
        if value == f64::INFINITY {
            return Err(SelectionError::Infinite { index });
        }
    }
    Ok(())
}

/// The largest of the values that are not NaN, and whether all are below +∞ (and none is NaN).
#[inline(always)]
fn best_of_body<I: Isa>(isa: I, values: &[f64]) -> (f64, bool) {
    let (groups, rest) = values.as_chunks::<LANES>();
    let infinity = isa.splat(f64::INFINITY);
    // two maxima and two counts, so that one need not wait for the other
    let mut best = [isa.splat(f64::NEG_INFINITY); 2];
    let mut below = [isa.splat_bits(0); 2];
    let (pairs, last) = groups.as_chunks::<2>();
    for pair in pairs {
        for (place, group) in pair.iter().enumerate() {
            let group = isa.load(group);
            best[place] = isa.max(group, best[place]);
            below[place] = isa.count(below[place], isa.less(group, infinity));
        }
    }
    if let [group] = last {
        let group = isa.load(group);
        best[0] = isa.max(group, best[0]);
        below[0] = isa.count(below[0], isa.less(group, infinity));
    }
    let total = |words: [u64; LANES]| words.iter().sum::<u64>() as usize;
    let mut below = total(isa.words(below[0])) + total(isa.words(below[1]));
    let lanes = isa.lanes(isa.max(best[0], best[1]));
    let mut best = f64::NEG_INFINITY;
    for &value in lanes.iter().chain(rest) {
        best = best.max(value);
    }
    for &value in rest {
        below += usize::from(value < f64::INFINITY);
    }
    (best, below == values.len())
}

/// How many values are above −∞, and how many are not below the best.
#[inline(always)]
fn count_of_body<I: Isa>(isa: I, values: &[f64], best: f64) -> (usize, usize) {
    let (groups, rest) = values.as_chunks::<LANES>();
    let zero = isa.splat_bits(0);
    let mut permitted = zero;
    let mut worse = zero;
    for group in groups {
        let group = isa.load(group);
        permitted = isa.count(permitted, isa.less(isa.splat(f64::NEG_INFINITY), group));
        worse = isa.count(worse, isa.less(group, isa.splat(best)));
    }
    let total = |words: [u64; LANES]| words.iter().sum::<u64>() as usize;
    let mut permitted = total(isa.words(permitted));
    let mut worse = total(isa.words(worse));
    for &value in rest {
        permitted += usize::from(value > f64::NEG_INFINITY);
        worse += usize::from(value < best);
    }
    (permitted, values.len() - worse)
}

dispatch! {
    fn best_of(values: &[f64]) -> (f64, bool) = best_of_body;
    fn count_of(values: &[f64], best: f64) -> (usize, usize) = count_of_body;
}

#[cfg(test)]
mod tests {
    use super::super::sampler::BLOCK;
    use super::*;

    #[test]
    fn scores_that_are_no_numbers_are_refused_by_their_index() {
        let refused = |values: &[f64]| Scores::new(values.to_vec()).unwrap_err();
        assert_eq!(refused(&[]), SelectionError::NoCandidates);
        assert_eq!(
            refused(&[1.0, f64::NAN]),
            SelectionError::NotANumber { index: 1 }
        );
        let text = refused(&[1.0, 2.0, f64::NAN]).to_string();
        assert!(text.contains("candidate 3 is NaN"), "{text}");
        assert_eq!(
            refused(&[f64::INFINITY]),
            SelectionError::Infinite { index: 0 }
        );
        assert_eq!(
            refused(&[f64::NEG_INFINITY; 2]),
            SelectionError::AllNever { count: 2 }
        );
    }

    #[test]
    fn the_best_and_its_equals_are_counted() {
        let scores = Scores::new(vec![1.0, f64::NEG_INFINITY, 3.0, -1e308, 3.0]).unwrap();
        assert_eq!(
            (scores.best(), scores.optimal(), scores.permitted()),
            (3.0, 2, 4)
        );
        assert_eq!(scores.loss(0), 2.0);
        assert_eq!(scores.loss(1), f64::INFINITY);
        // places within and behind whole vectors
        for length in [1, 7, 8, 9, 16, 31] {
            for place in 0..length {
                let mut values = vec![1.0; length];
                values[place] = 2.0;
                let scores = Scores::new(values.clone()).unwrap();
                assert_eq!(
                    (scores.best(), scores.optimal(), scores.permitted()),
                    (2.0, 1, length)
                );
                values[place] = f64::NAN;
                assert_eq!(
                    Scores::new(values.clone()).unwrap_err(),
                    SelectionError::NotANumber { index: place }
                );
                values[place] = f64::INFINITY;
                assert_eq!(
                    Scores::new(values.clone()).unwrap_err(),
                    SelectionError::Infinite { index: place }
                );
            }
        }
        // and across blocks: the best are counted in all of them, whichever comes first
        for places in [
            [0, 1, 2 * BLOCK],
            [5, BLOCK, 3 * BLOCK],
            [BLOCK - 1, 2 * BLOCK, 3 * BLOCK + 1],
        ] {
            let mut values = vec![1.0; 3 * BLOCK + 5];
            for place in places {
                values[place] = 2.0;
            }
            values[2 * BLOCK + 7] = f64::NEG_INFINITY;
            let scores = Scores::new(values.clone()).unwrap();
            assert_eq!(
                (scores.best(), scores.optimal(), scores.permitted()),
                (2.0, 3, 3 * BLOCK + 4)
            );
            values[3 * BLOCK + 2] = f64::NAN;
            assert_eq!(
                Scores::new(values).unwrap_err(),
                SelectionError::NotANumber {
                    index: 3 * BLOCK + 2
                }
            );
        }
        // zeros of both signs are equal
        assert_eq!(Scores::new(vec![0.0, -0.0]).unwrap().optimal(), 2);
    }
}
