//! Moments of a row over a chunk, and the comparison of two rows. How a block of a row enters is told in the neighbouring
//! module `enter`.

use super::enter::{
    AsTheyAre, Uncounted, count_row_body, enter, enter_moments_body, enter_row_body,
};
use super::kind::RowKind;
use crate::tally::BLOCK;
use epsweep_core::dispatch;
use epsweep_core::random::isa::{Isa, LANES};
use epsweep_core::statistics::Moments;

/// Sums of powers of one row over one chunk, lane by lane, with the least and the largest value.
///
/// Powers are taken about a pivot, the chunk's first value: what varies little about a large number keeps its digits, and a
/// constant has variance zero exactly. The value of trial t goes to lane t mod 8 whatever the machine, so the bits are the
/// same on every instruction set. NaN values are left out (the lanes then go by the values that remain in the block).
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Lanes {
    pub(super) sums: [[f64; LANES]; 4],
    pub(super) min: [f64; LANES],
    pub(super) max: [f64; LANES],
    pub(super) pivot: f64,
    pub(super) n: u64,
}

/// How often the first of two values was lower, equal, higher. What is left of the trials is undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wins {
    /// trials with a < b
    pub win: u64,
    /// trials with a = b
    pub tie: u64,
    /// trials with a > b
    pub loss: u64,
}

impl Wins {
    /// Adds what was counted elsewhere.
    pub fn absorb(&mut self, other: &Wins) {
        self.win += other.win;
        self.tie += other.tie;
        self.loss += other.loss;
    }
}

dispatch! {
    /// Takes a block of at most [`BLOCK`] values into the moments, without NaN.
    pub fn add_moments(lanes: &mut Lanes, kind: RowKind, values: &[f64]) = enter_moments_body;

    /// Takes a block of at most [`BLOCK`] values into moments and bins, without NaN. `bins` are the kind's.
    pub fn add_row(lanes: &mut Lanes, kind: RowKind, values: &[f64], bins: &mut [u32]) = enter_row_body;

    /// Takes a block of at most [`BLOCK`] values into the bins alone, without NaN. `bins` are the kind's.
    pub fn count_row(kind: RowKind, values: &[f64], bins: &mut [u32]) = count_row_body;

    /// Takes the differences a − b of two blocks of equal length, at most [`BLOCK`], into the moments, without NaN.
    pub fn add_differences(lanes: &mut Lanes, a: &[f64], b: &[f64]) = add_differences_body;

    /// Counts in which of the trials of two blocks of equal length `a` is lower.
    pub fn count_wins(wins: &mut Wins, a: &[f64], b: &[f64]) = count_wins_body;
}

impl Lanes {
    /// Nothing yet.
    pub const EMPTY: Lanes = Lanes {
        sums: [[0.0; LANES]; 4],
        min: [f64::INFINITY; LANES],
        max: [f64::NEG_INFINITY; LANES],
        pivot: 0.0,
        n: 0,
    };

    /// Moments, least and largest value; ∞ and −∞ where there was none.
    pub fn finish(&self) -> (Moments, f64, f64) {
        let sums = self.sums.map(|lanes| {
            let [a, b, c, d, e, f, g, h] = lanes;
            ((a + b) + (c + d)) + ((e + f) + (g + h))
        });
        let lower = |a: f64, b: f64| if b < a { b } else { a };
        let higher = |a: f64, b: f64| if b > a { b } else { a };
        (
            Moments::from_power_sums(self.n, self.pivot, sums),
            self.min.into_iter().fold(f64::INFINITY, lower),
            self.max.into_iter().fold(f64::NEG_INFINITY, higher),
        )
    }
}

#[inline(always)]
fn add_differences_body<I: Isa>(isa: I, lanes: &mut Lanes, a: &[f64], b: &[f64]) {
    let mut room = [0.0; BLOCK];
    let differences = &mut room[..a.len()];
    for ((d, a), b) in differences.iter_mut().zip(a).zip(b) {
        *d = a - b;
    }
    enter(isa, lanes, AsTheyAre, Uncounted, differences);
}

#[inline(always)]
fn count_wins_body<I: Isa>(_: I, wins: &mut Wins, a: &[f64], b: &[f64]) {
    let (mut win, mut tie, mut loss) = (0u64, 0u64, 0u64);
    for (a, b) in a.iter().zip(b) {
        win += u64::from(a < b);
        tie += u64::from(a == b);
        loss += u64::from(a > b);
    }
    wins.absorb(&Wins { win, tie, loss });
}

#[cfg(test)]
mod tests {
    use super::*;
    use epsweep_core::random::Level;

    fn values(n: usize) -> Vec<f64> {
        (0..n)
            .map(|i| 20.0 + 3.0 * libm::tan(i as f64 * 0.37))
            .collect()
    }

    fn tally(level: Level, values: &[f64]) -> (Moments, f64, f64) {
        let mut lanes = Lanes::EMPTY;
        for block in values.chunks(BLOCK) {
            add_moments(level, &mut lanes, RowKind::signed(20.0), block);
        }
        lanes.finish()
    }

    #[test]
    fn moments_are_those_of_two_passes_on_every_level() {
        for n in [1, 7, 8, 9, 511, 512, 513, 4096] {
            let x = values(n);
            let expected = Moments::from_values(&x);
            let first = tally(Level::best(), &x);
            for level in Level::available() {
                let got = tally(level, &x);
                assert_eq!(got, first, "{} at {n}", level.name());
            }
            let (m, min, max) = first;
            assert_eq!(m.n, n as u64);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
            assert!(near(m.mean, expected.mean) && near(m.m2, expected.m2));
            assert!(near(m.m4, expected.m4), "{m:?} {expected:?}");
            assert_eq!(min, x.iter().copied().fold(f64::INFINITY, f64::min));
            assert_eq!(max, x.iter().copied().fold(f64::NEG_INFINITY, f64::max));
        }
    }

    #[test]
    fn a_constant_has_no_spread() {
        let (m, min, max) = tally(Level::best(), &[0.1; 1000]);
        assert_eq!(m, Moments::constant(1000, 0.1));
        assert_eq!((min, max), (0.1, 0.1));
    }

    #[test]
    fn nan_is_left_out_and_the_rest_is_kept() {
        for at in [vec![0], vec![3, 4, 5, 100], vec![511], (0..512).collect()] {
            let mut x = values(512);
            at.iter().for_each(|i| x[*i] = f64::NAN);
            let kept: Vec<f64> = x.iter().copied().filter(|v| !v.is_nan()).collect();
            for level in Level::available() {
                let kind = RowKind::signed(20.0);
                let (mut lanes, mut bins) = (Lanes::EMPTY, vec![0; kind.bins()]);
                add_row(level, &mut lanes, kind, &x, &mut bins);
                assert_eq!(lanes.finish(), tally(level, &kept));
                assert_eq!(bins.iter().sum::<u32>() as usize, kept.len());
            }
        }
    }

    #[test]
    fn bins_do_not_depend_on_the_level() {
        let x = values(500);
        for kind in [
            RowKind::real(20.0),
            RowKind::signed(20.0),
            RowKind::Flag,
            RowKind::Part { of: 7 },
        ] {
            let mut expected = vec![0u32; kind.bins()];
            for v in &x {
                let mut place = [0];
                kind.locate(&[*v], &mut place);
                expected[place[0] as usize] += 1;
            }
            for level in Level::available() {
                let mut bins = vec![0; kind.bins()];
                count_row(level, kind, &x, &mut bins);
                assert_eq!(bins, expected);
            }
        }
    }

    #[test]
    fn differences_and_wins() {
        let (a, mut b) = (values(300), values(300));
        b.reverse();
        b[7] = f64::NAN;
        b[9] = a[9];
        for level in Level::available() {
            let (mut lanes, mut wins) = (Lanes::EMPTY, Wins::default());
            add_differences(level, &mut lanes, &a, &b);
            count_wins(level, &mut wins, &a, &b);
            let d: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - b).collect();
            let d: Vec<f64> = d.into_iter().filter(|d| !d.is_nan()).collect();
            let expected = Moments::from_values(&d);
            let got = lanes.finish().0;
            assert_eq!(got.n, 299);
            assert!((got.mean - expected.mean).abs() < 1e-9);
            assert_eq!(wins.win + wins.tie + wins.loss, 299);
            assert_eq!(wins.win, d.iter().filter(|d| **d < 0.0).count() as u64);
            assert!(wins.tie >= 1);
        }
    }
}
