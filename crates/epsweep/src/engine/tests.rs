//! The engine under a procedure that has nothing to do with a release: short chunks, trials that use different amounts of noise,
//! indices, flags, signed numbers, and outcomes that are undefined in some trials.

use super::*;
use super::{At, Procedure, Rows};
use crate::tally::{Histogram, RowKind, Tally};
use epsweep_core::random::{Draws, Level, Source, StandardLaw, level};
use epsweep_core::statistics::Moments;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A walk that ends when it leaves [−barrier, barrier] or after ten steps. Rows: steps, whether it left, and where it was when
/// it left, which is undefined if it did not.
struct Walk;

const STEPS: usize = 10;
const TRIALS: u64 = 1000;

impl Walk {
    fn trial(barrier: f64, draws: &Draws, trial: usize) -> [f64; 3] {
        let mut stream = draws.trial(0, trial);
        let mut noise = [0.0; 16];
        let mut left = noise.len();
        let mut at = 0.0;
        for step in 0..STEPS {
            if left == noise.len() {
                stream.fill(&mut noise);
                left = 0;
            }
            at += noise[left];
            left += 1;
            if f64::abs(at) > barrier {
                return [step as f64, 1.0, at];
            }
        }
        [STEPS as f64, 0.0, f64::NAN]
    }
}

impl Procedure for Walk {
    type Cell = f64;
    type Scratch = ();
    const CHUNK: usize = 64;

    fn sources(&self) -> Vec<Source> {
        vec![Source::new("walk/step", StandardLaw::Normal, 0)]
    }

    fn rows(&self, barrier: &f64) -> Vec<RowKind> {
        vec![
            RowKind::Index { n: STEPS + 1 },
            RowKind::Flag,
            RowKind::signed(*barrier),
        ]
    }

    fn may_be_undefined(&self, _: &f64, row: usize) -> bool {
        row == 2
    }

    fn scratch(&self) {}

    fn cell(&self, barrier: &f64, draws: &Draws, at: At, _: &mut (), rows: &mut Rows<'_>) {
        for trial in 0..at.len {
            let outcomes = Walk::trial(*barrier, draws, at.first + trial);
            for (row, outcome) in outcomes.into_iter().enumerate() {
                rows.row(row)[trial] = outcome;
            }
        }
    }
}

fn tile() -> Tile<Walk> {
    let cell = |barrier: f64| TileCell {
        cell: barrier,
        guest: false,
    };
    let rows = vec![(0, 0), (2, 2)];
    Tile {
        procedure: Walk,
        cells: vec![cell(1.0), cell(4.0)],
        pairs: vec![Pair { a: 1, b: 0, rows }],
    }
}

fn simulated(trials: u64, start: Option<Tally>, schedule: &Schedule) -> Tally {
    let tile = tile();
    let job = Job {
        work: &tile,
        trials,
        chunks: 0..u64::MAX,
        start,
    };
    let done = Mutex::new(None);
    let finished = |_, tally| *done.lock().unwrap() = Some(tally);
    let progress = Progress::default();
    let stop = AtomicBool::new(false);
    let rest = simulate(vec![job], schedule, &progress, &stop, &finished).unwrap();
    assert!(rest.is_empty());
    done.into_inner().unwrap().unwrap()
}

fn outcomes(barrier: f64) -> Vec<[f64; 3]> {
    let mut draws = Draws::new(7, Walk::CHUNK, &Walk.sources());
    (0..TRIALS as usize)
        .map(|t| {
            draws.go_to((t / Walk::CHUNK) as u64);
            Walk::trial(barrier, &draws, t % Walk::CHUNK)
        })
        .collect()
}

#[test]
fn tallies_are_those_of_the_trials_and_undefined_ones_are_left_out_and_known() {
    let schedule = Schedule::new(7, level());
    let tally = simulated(TRIALS, None, &schedule);
    let layout = tile().layout();
    let moments = tally.moments().unwrap();
    let both = [outcomes(1.0), outcomes(4.0)];
    for (cell, outcomes) in both.iter().enumerate() {
        for of in 0..3 {
            let row = 3 * cell + of;
            let x: Vec<f64> = outcomes.iter().map(|o| o[of]).collect();
            let x: Vec<f64> = x.into_iter().filter(|v| !v.is_nan()).collect();
            let expected = Moments::from_values(&x);
            assert_eq!(moments[row].n, expected.n);
            assert!((moments[row].mean - expected.mean).abs() < 1e-12);
            assert!((moments[row].m4 / expected.m4 - 1.0).abs() < 1e-10);
            let kind = layout.kinds()[row];
            let bins = &tally.counts.bins[layout.range(row)];
            assert_eq!(bins.iter().sum::<u64>(), expected.n);
            let (min, max) = (tally.counts.min[row], tally.counts.max[row]);
            let histogram = Histogram::from_counts(kind, bins, min, max);
            if of < 2 {
                let two = x.iter().filter(|v| **v <= 2.0).count();
                assert_eq!(histogram.cdf(2.0), two as f64 / TRIALS as f64);
            }
        }
    }
    // the wide barrier holds many walks: that is what makes the third row worth having
    let undefined = TRIALS - moments[5].n;
    assert!((100..900).contains(&undefined), "{undefined}");
    let differences: Vec<f64> = (both[1].iter().zip(&both[0]))
        .map(|(a, b)| a[2] - b[2])
        .filter(|d| !d.is_nan())
        .collect();
    let wins = tally.counts.wins[1];
    assert_eq!(moments[7].n, differences.len() as u64);
    assert_eq!(wins.win + wins.tie + wins.loss, moments[7].n);
    let lower = differences.iter().filter(|d| **d < 0.0).count();
    assert_eq!(wins.win, lower as u64);
    // the same walk never ends sooner behind the wider barrier
    assert_eq!(tally.counts.wins[0].win, 0);
}

#[test]
fn short_chunks_keep_their_bits_too() {
    let one = simulated(TRIALS, None, &Schedule::new(7, level()));
    for level in Level::available() {
        for (threads, span) in [(1, 3), (2, 1), (3, 2)] {
            let schedule = Schedule {
                threads,
                span: Some(span),
                session_trials: 200,
                ..Schedule::new(7, level)
            };
            assert_eq!(one, simulated(TRIALS, None, &schedule));
            let part = simulated(321, None, &schedule);
            assert_eq!(part.trials, 321);
            assert_eq!(one, simulated(TRIALS, Some(part), &schedule));
        }
    }
    // what is complete stays what it is
    let again = simulated(960, None, &Schedule::new(7, level()));
    let schedule = Schedule::new(7, level());
    assert_eq!(again, simulated(960, Some(again.clone()), &schedule));
}
