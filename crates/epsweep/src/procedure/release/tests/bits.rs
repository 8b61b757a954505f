//! The same bits, however the work is divided.

use super::*;
use crate::procedure::tiles::Teams;
use crate::study::release::{ReleaseCell, ReleaseQuery};

/// A tile of everything, with a second one to have more than one job.
fn plans(question: &Question<'_>, pairs: &[(usize, usize)]) -> Vec<Plan> {
    let members: Vec<(usize, bool)> = (0..question.cells.len()).map(|c| (c, false)).collect();
    vec![
        Plan::new(question, &members, pairs),
        Plan::new(question, &members[..2], &pairs[..1]),
    ]
}

const TRIALS: u64 = 100_000;
const CHUNKS: u64 = TRIALS.div_ceil(4096);

struct Grid {
    cells: Vec<ReleaseCell>,
    pairs: Vec<(usize, usize)>,
}

impl Grid {
    fn new() -> Grid {
        let (cells, pairs) = grid(&[0.01, 0.1, 1.0, 10.0]);
        Grid { cells, pairs }
    }

    fn plans(&self) -> Vec<Plan> {
        let question = Question {
            cells: &self.cells,
            measures: measure::USUAL,
            streams: Streams::Common,
            level: 0.95,
        };
        plans(&question, &self.pairs)
    }
}

fn schedule(threads: usize, span: u64) -> Schedule {
    Schedule {
        threads,
        span: Some(span),
        ..Schedule::new(42, level())
    }
}

fn jobs<'a>(
    plans: &'a [Plan],
    trials: u64,
    chunks: Range<u64>,
    start: Vec<Option<Tally>>,
) -> Vec<Job<'a>> {
    let job = |(plan, start): (&'a Plan, Option<Tally>)| Job {
        work: &plan.tile,
        trials,
        chunks: chunks.clone(),
        start,
    };
    plans.iter().zip(start).map(job).collect()
}

fn complete(
    plans: &[Plan],
    trials: u64,
    chunks: Range<u64>,
    start: Vec<Option<Tally>>,
    schedule: &Schedule,
) -> Vec<Tally> {
    let done: Mutex<Vec<Option<Tally>>> = Mutex::new(vec![None; plans.len()]);
    let finished = |job: usize, tally| {
        assert!(done.lock().unwrap()[job].replace(tally).is_none());
    };
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let rest = simulate(
        jobs(plans, trials, chunks, start),
        schedule,
        &progress,
        &stop,
        &finished,
    );
    assert!(rest.unwrap().is_empty());
    done.into_inner()
        .unwrap()
        .into_iter()
        .map(Option::unwrap)
        .collect()
}

fn none(plans: &[Plan]) -> Vec<Option<Tally>> {
    vec![None; plans.len()]
}

#[test]
fn threads_spans_and_sessions_do_not_change_a_bit() {
    let work = Grid::new();
    let plans = work.plans();
    let one = complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &schedule(1, 4));
    assert!(one[0].forest.covers(TRIALS / 4096) && one[0].tail.is_some());
    for (threads, span) in [(2, 4), (2, 1), (3, 7), (8, 1)] {
        let other = complete(
            &plans,
            TRIALS,
            0..CHUNKS,
            none(&plans),
            &schedule(threads, span),
        );
        assert_eq!(one, other, "{threads} threads, spans of {span}");
    }
    let short = Schedule {
        session_trials: 3 * 4096,
        ..schedule(2, 2)
    };
    assert_eq!(
        one,
        complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &short)
    );
    // and another seed does
    let seeded = Schedule { seed: 43, ..short };
    assert_ne!(
        one,
        complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &seeded)
    );
}

#[test]
fn instruction_sets_do_not_change_a_bit() {
    let work = Grid::new();
    let plans = work.plans();
    let best = complete(&plans, 10_000, 0..3, none(&plans), &schedule(1, 1));
    for level in Level::available() {
        let forced = Schedule {
            level,
            ..schedule(1, 1)
        };
        let other = complete(&plans, 10_000, 0..3, none(&plans), &forced);
        assert_eq!(best, other, "{}", level.name());
    }
}

#[test]
fn shards_in_any_order_are_the_whole() {
    let work = Grid::new();
    let plans = work.plans();
    let one = complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &schedule(1, 4));
    let cuts = [0, 3, 4, 8, 8, 13, CHUNKS - 1, CHUNKS];
    let shards: Vec<Vec<Tally>> = cuts
        .windows(2)
        .map(|c| complete(&plans, TRIALS, c[0]..c[1], none(&plans), &schedule(2, 2)))
        .collect();
    for (job, whole) in one.iter().enumerate() {
        let mut merged = Tally::new(&plans[job].tile.layout());
        for shard in [4, 0, 6, 2, 1, 5, 3] {
            merged.absorb(shards[shard][job].clone());
        }
        assert_eq!(&merged, whole);
    }
}

#[test]
fn extending_a_run_is_running_it_longer() {
    let work = Grid::new();
    let plans = work.plans();
    for first in [1, TRIALS / 3 + 1, 8 * 4096, TRIALS - 1, TRIALS] {
        let chunks = first.div_ceil(4096);
        let short = complete(&plans, first, 0..chunks, none(&plans), &schedule(2, 3));
        assert!(short.iter().all(|t| t.trials == first));
        let start = short.into_iter().map(Some).collect();
        let long = complete(&plans, TRIALS, 0..CHUNKS, start, &schedule(2, 3));
        let one = complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &schedule(1, 4));
        assert_eq!(one, long, "from {first}");
    }
}

/// Stops come from the run's own progress, so that each attempt gets a little further on any machine.
#[test]
fn stopping_and_going_on_does_not_change_a_bit() {
    let work = Grid::new();
    let plans = work.plans();
    let one = complete(&plans, TRIALS, 0..CHUNKS, none(&plans), &schedule(1, 4));
    // begins inside a chunk, so that a stop may come before the partial chunk is made whole
    let first = TRIALS / 5 + 1;
    let start = complete(
        &plans,
        first,
        0..first.div_ceil(4096),
        none(&plans),
        &schedule(1, 4),
    );
    let mut have: Vec<Option<Tally>> = start.into_iter().map(Some).collect();
    let done: Mutex<Vec<Option<Tally>>> = Mutex::new(vec![None; plans.len()]);
    let mut stops = 0;
    while done.lock().unwrap().iter().any(Option::is_none) {
        let open: Vec<usize> = (0..plans.len())
            .filter(|i| done.lock().unwrap()[*i].is_none())
            .collect();
        let jobs: Vec<Job<'_>> = open
            .iter()
            .map(|i| Job {
                work: &plans[*i].tile,
                trials: TRIALS,
                chunks: 0..CHUNKS,
                start: have[*i].take(),
            })
            .collect();
        let (progress, stop) = (Progress::default(), AtomicBool::new(stops == 0));
        let ended = AtomicBool::new(false);
        let rest = std::thread::scope(|scope| {
            scope.spawn(|| {
                while progress.done() < 5 * 4096 * 8 && !ended.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
                stop.store(true, Ordering::Relaxed);
            });
            let finished = |job: usize, tally| done.lock().unwrap()[open[job]] = Some(tally);
            let rest = simulate(jobs, &schedule(2, 1), &progress, &stop, &finished);
            ended.store(true, Ordering::Relaxed);
            rest.unwrap()
        });
        for unfinished in rest {
            have[open[unfinished.job]] = unfinished.tally;
        }
        stops += 1;
    }
    assert!(stops > 1);
    let done: Vec<Tally> = done
        .into_inner()
        .unwrap()
        .into_iter()
        .map(Option::unwrap)
        .collect();
    assert_eq!(one, done);
}

#[test]
fn a_cell_does_not_depend_on_its_company() {
    let (cells, pairs) = grid(&[0.1, 1.0, 10.0]);
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = request(&cells, &pairs, 6000);
        asked.streams = streams;
        let together = tallies(&asked);
        for (a, b) in &pairs {
            let alone = [cells[*a].clone(), cells[*b].clone()];
            let mut asked = request(&alone, &[(0, 1)], 6000);
            asked.streams = streams;
            let tallied = tallies(&asked);
            assert_eq!(tallied[0].digest(), together[*a].digest());
            assert_eq!(tallied[1].digest(), together[*b].digest());
        }
    }
    // a measure asked for alone is the same as among others
    let one: &[&'static dyn Measure] = &[measure::find("rmse").unwrap()];
    let mut asked = request(&cells, &pairs, 6000);
    asked.measures = one;
    let (few, all) = (tallies(&asked), tallies(&request(&cells, &pairs, 6000)));
    for (few, all) in few.iter().zip(&all) {
        assert_eq!(few.outcomes.len(), 1);
        let (x, y) = (&few.outcomes[0], outcome(all, "all", "rmse"));
        assert_eq!((x.moments, &x.histogram), (y.moments, &y.histogram));
    }
}

#[test]
fn a_query_in_front_moves_no_other_querys_noise() {
    let (cells, pairs) = article();
    let mut more = cells.clone();
    for cell in &mut more {
        cell.queries
            .insert(0, ReleaseQuery::laplace("new", 5.0, 0.5));
    }
    let (few, many) = (
        tallies(&request(&cells, &pairs, 6000)),
        tallies(&request(&more, &pairs, 6000)),
    );
    for (few, many) in few.iter().zip(&many) {
        for o in few.outcomes.iter().filter(|o| o.subject != "all") {
            let other = outcome(many, &o.subject, o.measure);
            assert_eq!((o.moments, &o.histogram), (other.moments, &other.histogram));
        }
    }
}

#[test]
fn tiles_do_not_change_a_bit_and_guests_are_not_counted() {
    let (cells, _) = grid(&[0.1, 0.3, 1.0, 3.0, 10.0]);
    // all against all
    let pairs: Vec<(usize, usize)> = (0..10).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
    for streams in [Streams::Common, Streams::Independent] {
        let question = Question {
            cells: &cells,
            measures: measure::USUAL,
            streams,
            level: 0.95,
        };
        let of = |members: &[(usize, bool)], pairs: &[(usize, usize)]| {
            let plan = [Plan::new(&question, members, pairs)];
            let tally = complete(&plan, 9000, 0..3, vec![None], &schedule(1, 1));
            Finished::new(&plan[0], &tally[0], Vec::new())
                .cells()
                .collect::<Vec<_>>()
        };
        let members: Vec<(usize, bool)> = (0..10).map(|c| (c, false)).collect();
        let whole = of(&members, &pairs);
        assert_eq!(whole.len(), 10);
        for (a, expected) in whole.iter().enumerate() {
            let own: Vec<(usize, usize)> = pairs.iter().copied().filter(|p| p.0 == a).collect();
            // before its partners, behind them, and in their midst
            for place in [0, a / 2, a] {
                let mut members: Vec<(usize, bool)> = (0..a).rev().map(|b| (b, true)).collect();
                members.insert(place, (a, false));
                let alone = of(&members, &own);
                assert_eq!(alone.len(), 1);
                assert_eq!(alone[0].digest(), expected.digest(), "{a} at {place}");
            }
        }
    }
}

#[test]
fn many_cells_are_divided_into_tiles_that_hold_each_once() {
    let (cells, mut pairs) = grid(&(1..150).map(f64::from).collect::<Vec<_>>());
    // some comparisons across the whole grid
    pairs.extend((4..cells.len()).step_by(2).map(|a| (a, 0)));
    let question = Question {
        cells: &cells,
        measures: measure::USUAL,
        streams: Streams::Common,
        level: 0.95,
    };
    let plans: Vec<Plan> = groups(&question, cells.len(), &pairs, Teams::None)
        .iter()
        .map(|g| question.plan(g))
        .collect();
    assert!(plans.len() > 2);
    let mut tallied: Vec<usize> = plans
        .iter()
        .flat_map(|p| p.cells.iter().map(|c| c.cell))
        .collect();
    tallied.sort();
    assert!(tallied.into_iter().eq(0..cells.len()));
    let asked = request(&cells, &pairs, 600);
    let cells = tallies(&asked);
    let got: usize = cells.iter().map(|c| c.pairs.len()).sum();
    assert_eq!(got, 22 * pairs.len());
}

#[test]
fn more_cells_than_are_laid_out_at_once() {
    let (cells, pairs) = grid(&(1..3000).map(f64::from).collect::<Vec<_>>());
    let one: &[&'static dyn Measure] = &[measure::find("max_abs_error").unwrap()];
    let mut asked = request(&cells, &pairs, 300);
    asked.measures = one;
    let many = tallies(&asked);
    let last = &cells[cells.len() - 2..];
    let mut asked = request(last, &[(1, 0)], 300);
    asked.measures = one;
    let alone = tallies(&asked);
    assert_eq!(many[cells.len() - 1].digest(), alone[1].digest());
    assert!(many.iter().all(|c| c.trials == 300));
}
