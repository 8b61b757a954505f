//! Trials that fail, by a panic or by a number that is none: they are known, and nothing else changes by a bit.

use super::*;
use super::{At, Procedure, Rows};
use crate::tally::{Fault, RowKind, Tally, What};
use epsweep_core::random::{Draws, Level, Source, StandardLaw, level};
use epsweep_core::statistics::Moments;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// A variate times a scale, its square, and one that is undefined below zero. Which trials fail is part of a cell.
struct Fragile;

#[derive(Clone, Debug, Default)]
struct Cell {
    scale: f64,
    panics: Vec<u64>,
    none: Vec<u64>,
}

const CHUNK: u64 = 1024;
const TRIALS: u64 = 3000;
/// At the ends of blocks and chunks, in the partial last chunk, and two in one block.
const PANICS: [u64; 5] = [0, 511, 1500, 1501, 2999];
const NONE: [u64; 4] = [512, 1023, 1502, 2100];

impl Procedure for Fragile {
    type Cell = Cell;
    /// Whether a panic has left it in disorder.
    type Scratch = bool;
    const CHUNK: usize = CHUNK as usize;

    fn sources(&self) -> Vec<Source> {
        vec![Source::new("fragile", StandardLaw::Normal, 1)]
    }

    fn rows(&self, cell: &Cell) -> Vec<RowKind> {
        let scale = cell.scale;
        vec![
            RowKind::signed(scale),
            RowKind::real(scale * scale),
            RowKind::real(scale),
        ]
    }

    fn may_be_undefined(&self, _: &Cell, row: usize) -> bool {
        row == 2
    }

    fn scratch(&self) -> bool {
        false
    }

    fn cell(&self, cell: &Cell, draws: &Draws, at: At, disorder: &mut bool, rows: &mut Rows<'_>) {
        assert!(!*disorder, "what a panic left is used");
        *disorder = true;
        let noise = at.of(draws.row(0, 0));
        for (place, x) in noise.iter().enumerate() {
            let trial = draws.chunk() * CHUNK + (at.first + place) as u64;
            rows.row(0)[place] = cell.scale * x;
            assert!(!cell.panics.contains(&trial), "trial {trial} is beyond me");
            rows.row(1)[place] = match cell.none.contains(&trial) {
                true => f64::NAN,
                false => cell.scale * x * x,
            };
            rows.row(2)[place] = if *x < 0.0 { f64::NAN } else { *x };
        }
        *disorder = false;
    }
}

fn tile(cells: &[Cell]) -> Tile<Fragile> {
    let cells = cells.iter().map(|cell| TileCell {
        cell: cell.clone(),
        guest: false,
    });
    let cells: Vec<_> = cells.collect();
    Tile {
        procedure: Fragile,
        pairs: match cells.len() {
            1 => Vec::new(),
            _ => vec![Pair {
                a: 1,
                b: 0,
                rows: vec![(0, 0), (1, 1)],
            }],
        },
        cells,
    }
}

fn sound() -> Cell {
    Cell {
        scale: 2.0,
        ..Cell::default()
    }
}

fn faulty() -> Cell {
    Cell {
        panics: PANICS.to_vec(),
        none: NONE.to_vec(),
        ..sound()
    }
}

/// The tally, and whether it is complete.
fn simulated<P: Procedure>(
    tile: &Tile<P>,
    trials: u64,
    start: Option<Tally>,
    schedule: &Schedule,
) -> (Tally, bool) {
    let job = Job {
        work: tile,
        trials,
        chunks: 0..u64::MAX,
        start,
    };
    let done = Mutex::new(None);
    let finished = |_, tally| *done.lock().unwrap() = Some(tally);
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let mut rest = simulate(vec![job], schedule, &progress, &stop, &finished).unwrap();
    match done.into_inner().unwrap() {
        Some(tally) => (tally, true),
        None => (rest.remove(0).tally.unwrap(), false),
    }
}

/// The draws of all trials, times the scale, without those that these cells leave out.
fn expected(left_out: &[u64]) -> Vec<f64> {
    let mut draws = Draws::new(7, CHUNK as usize, &Fragile.sources());
    let mut values = Vec::new();
    for trial in 0..TRIALS {
        draws.go_to(trial / CHUNK);
        if !left_out.contains(&trial) {
            values.push(2.0 * draws.row(0, 0)[(trial % CHUNK) as usize]);
        }
    }
    values
}

#[test]
fn failed_trials_are_counted_told_and_left_out_and_the_others_stay() {
    let schedule = Schedule::new(7, level());
    let (tally, complete) = simulated(&tile(&[sound(), faulty()]), TRIALS, None, &schedule);
    assert!(complete);
    let faults: Vec<_> = tally.faults.cells().collect();
    let [(1, faults)] = faults[..] else {
        panic!("{faults:?}");
    };
    assert_eq!(faults.trials, (PANICS.len() + NONE.len()) as u64);
    let message = |fault: &Fault| match &fault.what {
        What::Panic(message) => message.clone(),
        What::NoNumber(row) => format!("row {row}"),
    };
    let told: Vec<(u64, u64)> = faults.first.iter().map(|f| (f.trial, f.chunk)).collect();
    assert_eq!(told, [(0, 0), (511, 0), (512, 0)]);
    assert!(message(&faults.first[0]).starts_with("trial 0 is beyond me (crates/epsweep/src/"));
    assert_eq!(message(&faults.first[2]), "row 1");
    // the sound cell is what it is alone
    let (alone, _) = simulated(&tile(&[sound()]), TRIALS, None, &schedule);
    assert!(alone.faults.is_empty());
    let (here, there) = (tally.moments().unwrap(), alone.moments().unwrap());
    assert_eq!(here[..3], there[..3]);
    assert_eq!(here[0].n, TRIALS);
    // of the other there is what is left: a panic takes every row, a number that is none its own
    let kinds = tile(&[sound(), faulty()]).layout();
    let both: Vec<u64> = PANICS.iter().chain(&NONE).copied().collect();
    for (row, left_out) in [(3, &PANICS[..]), (4, &both)] {
        let values = expected(left_out);
        assert_eq!(here[row].n, values.len() as u64);
        let bins = &tally.counts.bins[kinds.range(row)];
        assert_eq!(bins.iter().sum::<u64>(), values.len() as u64);
        if row == 3 {
            let moments = Moments::from_values(&values);
            assert!((here[row].mean - moments.mean).abs() < 1e-12);
            assert!((here[row].m2 / moments.m2 - 1.0).abs() < 1e-12);
        }
    }
    // and differences are of the trials that both have
    assert_eq!(here[6].n, TRIALS - PANICS.len() as u64);
    assert_eq!(tally.counts.wins[0].tie, TRIALS - PANICS.len() as u64);
    assert_eq!(here[7].n, TRIALS - both.len() as u64);
}

#[test]
fn what_is_left_and_what_is_told_do_not_depend_on_the_schedule() {
    let tile = tile(&[sound(), faulty()]);
    let (one, _) = simulated(&tile, TRIALS, None, &Schedule::new(7, level()));
    for level in Level::available() {
        for (threads, span) in [(1, 2), (2, 1), (3, 1)] {
            let schedule = Schedule {
                threads,
                span: Some(span),
                session_trials: 1500,
                ..Schedule::new(7, level)
            };
            assert_eq!(one, simulated(&tile, TRIALS, None, &schedule).0);
            // a partial chunk that is made longer tells its failed trials once
            for first in [1, 600, 1024, 2999] {
                let (part, _) = simulated(&tile, first, None, &schedule);
                assert_eq!(one, simulated(&tile, TRIALS, Some(part), &schedule).0);
            }
        }
    }
}

#[test]
fn a_failed_trial_stops_the_run_if_it_is_to() {
    let last = Cell {
        panics: vec![CHUNK + 1],
        ..sound()
    };
    let schedule = Schedule {
        threads: 1,
        span: Some(1),
        stop_at_fault: true,
        ..Schedule::new(7, level())
    };
    let (tally, complete) = simulated(&tile(std::slice::from_ref(&last)), TRIALS, None, &schedule);
    assert!(!complete);
    // the chunk in flight is finished, and no other begun
    assert_eq!(tally.trials, 2 * CHUNK);
    let (_, faults) = tally.faults.cells().next().unwrap();
    assert_eq!((faults.trials, faults.first[0].trial), (1, CHUNK + 1));
    assert!(simulated(&tile(&[sound()]), TRIALS, None, &schedule).1);
}

/// A panic of a block that no trial repeats makes all its trials suspect.
#[test]
fn what_fails_together_and_not_alone_is_not_used() {
    struct Together;
    impl Procedure for Together {
        type Cell = ();
        type Scratch = ();
        const CHUNK: usize = 64;
        fn sources(&self) -> Vec<Source> {
            Vec::new()
        }
        fn rows(&self, (): &()) -> Vec<RowKind> {
            vec![RowKind::real(1.0)]
        }
        fn scratch(&self) {}
        fn cell(&self, (): &(), draws: &Draws, at: At, (): &mut (), rows: &mut Rows<'_>) {
            assert!(at.len == 1 || draws.chunk() != 1, "too many");
            rows.row(0).fill(1.0);
        }
    }
    let tile = Tile {
        procedure: Together,
        cells: vec![TileCell {
            cell: (),
            guest: false,
        }],
        pairs: Vec::new(),
    };
    let mut session = tile.open(7, level(), &Default::default());
    for (chunk, n) in [(0, 64), (1, 0)] {
        assert_eq!(session.chunk(chunk, 0, 64)[0].n, n);
    }
    let faults = session.faults();
    let (_, faults) = faults.cells().next().unwrap();
    assert_eq!((faults.trials, faults.first[0].trial), (64, 64));
    let What::Panic(message) = &faults.first[0].what else {
        panic!("{faults:?}");
    };
    assert!(message.ends_with(", in its block and not alone"));
}

#[test]
fn the_second_pass_and_a_replay_see_the_same_trials() {
    let tile = tile(&[faulty()]);
    let schedule = Schedule::new(7, level());
    let mut seen = [Vec::new(), Vec::new(), Vec::new()];
    let mut again = tile.replay(7, level());
    for chunk in 0..3 {
        let to = CHUNK.min(TRIALS - chunk * CHUNK) as usize;
        again.chunk(chunk, to, &mut |row, values| {
            seen[row].extend_from_slice(values)
        });
    }
    for trial in (0..TRIALS).filter(|t| t % 97 == 0 || PANICS.contains(t) || NONE.contains(t)) {
        let place = (trial % CHUNK) as usize;
        let alone = tile.alone(schedule.seed, schedule.level, trial / CHUNK, place);
        for (row, seen) in seen.iter().enumerate() {
            let (here, there) = (alone.values[row], seen[trial as usize]);
            assert!(here.to_bits() == there.to_bits() || here.is_nan() && there.is_nan());
        }
        let failed = PANICS.contains(&trial) || NONE.contains(&trial);
        assert_eq!(!alone.faults.is_empty(), failed, "{trial}");
    }
}

/// A row that the cells share, which panics in the second block of chunk 1, and one of each cell.
struct Sharing;

impl Procedure for Sharing {
    type Cell = f64;
    type Scratch = ();
    const CHUNK: usize = CHUNK as usize;

    fn sources(&self) -> Vec<Source> {
        Fragile.sources()
    }

    fn shared_rows(&self) -> Vec<RowKind> {
        vec![RowKind::real(1.0)]
    }

    fn rows(&self, scale: &f64) -> Vec<RowKind> {
        vec![RowKind::real(*scale)]
    }

    fn scratch(&self) {}

    fn shared<'a>(&self, _: usize, draws: &'a Draws, at: At, room: &'a mut [f64]) -> &'a [f64] {
        let beyond = draws.chunk() == 1 && at.first >= BLOCK;
        assert!(!beyond, "the noise is beyond me");
        room.copy_from_slice(at.of(draws.row(0, 0)));
        room
    }

    fn cell(&self, scale: &f64, draws: &Draws, at: At, _: &mut (), rows: &mut Rows<'_>) {
        for (value, x) in rows.row(0).iter_mut().zip(at.of(draws.row(0, 0))) {
            *value = scale * x;
        }
    }
}

/// The trials whose shared row panicked are failed trials of every cell: the run goes on, and what is each cell's own stays.
#[test]
fn a_panic_in_a_shared_row_fails_its_trials_in_every_cell() {
    let cell = |cell| TileCell { cell, guest: false };
    let tile = Tile {
        procedure: Sharing,
        pairs: Vec::new(),
        cells: vec![cell(1.0), cell(2.0)],
    };
    let failed = CHUNK - BLOCK as u64;
    let schedule = Schedule::new(7, level());
    let (tally, complete) = simulated(&tile, TRIALS, None, &schedule);
    assert!(complete);
    let faults: Vec<_> = tally.faults.cells().collect();
    assert_eq!(faults.len(), 2);
    for (cell, faults) in faults {
        assert_eq!(faults.trials, failed, "cell {cell}");
        let first = &faults.first[0];
        assert_eq!((first.trial, first.chunk), (CHUNK + BLOCK as u64, 1));
        let What::Panic(said) = &first.what else {
            panic!("{first:?}");
        };
        assert!(
            said.starts_with("the noise is beyond me (crates/"),
            "{said}"
        );
        assert!(said.ends_with("in a row that the cells share"), "{said}");
    }
    let rows: Vec<u64> = tally.moments().unwrap().iter().map(|row| row.n).collect();
    assert_eq!(rows, [TRIALS - failed, TRIALS, TRIALS]);
    // shown alone such a trial says the same, and the others are sound
    for (place, failed) in [(BLOCK, true), (BLOCK - 1, false)] {
        let alone = tile.alone(7, level(), 1, place);
        assert_eq!(alone.faults.is_empty(), !failed);
        assert_eq!(alone.values[0].is_nan(), failed);
    }
}
