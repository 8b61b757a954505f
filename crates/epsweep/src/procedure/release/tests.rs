//! The whole way from cells to tallies: exact values, and the same bits however the work is divided.

use super::finish::Finished;
use super::layout::{Plan, Question};
use super::tiles::divide;
use super::*;
use crate::engine::{Job, Progress, Request, Schedule, Work, run, simulate};
use crate::measure::{self, Measure};
use crate::tally::{CellTally, OutcomeTally, PairTally, RunDigest, Tally};
use epsweep_core::random::{Level, level};
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const SENSITIVITIES: [f64; 3] = [0.12, 120.0, 1.0];
const TRUTHS: [f64; 3] = [40.299053147080045, 97.79097235982081, 98.0];
const NAMES: [&str; 3] = ["mean age", "max age", "over 60"];

fn cell(id: &str, scales: [f64; 3]) -> ReleaseCell {
    let query = |i: usize| ReleaseQuery::laplace(NAMES[i], TRUTHS[i], scales[i]);
    ReleaseCell {
        id: String::from(id),
        queries: vec![query(0), query(1), query(2)],
    }
}

/// For each ε the even split, its baseline, and the sensitivity-proportional one.
fn grid(epsilons: &[f64]) -> (Vec<ReleaseCell>, Vec<(usize, usize)>) {
    let total: f64 = SENSITIVITIES.iter().sum();
    let mut cells = Vec::new();
    let mut pairs = Vec::new();
    for epsilon in epsilons {
        pairs.push((cells.len() + 1, cells.len()));
        let even = SENSITIVITIES.map(|d| 3.0 * d / epsilon);
        cells.push(cell(&format!("epsilon={epsilon} allocation=even"), even));
        let proportional = [total / epsilon; 3];
        cells.push(cell(
            &format!("epsilon={epsilon} allocation=proportional"),
            proportional,
        ));
    }
    (cells, pairs)
}

fn article() -> (Vec<ReleaseCell>, Vec<(usize, usize)>) {
    grid(&[1.0])
}

fn request<'a>(cells: &'a [ReleaseCell], pairs: &'a [(usize, usize)], trials: u64) -> Request<'a> {
    Request {
        seed: 42,
        trials,
        jobs: 0,
        cells,
        pairs,
        measures: measure::REGISTRY,
        streams: Streams::Common,
        level: 0.95,
    }
}

fn tallies(request: &Request<'_>) -> Vec<CellTally> {
    let cells = Mutex::new(Vec::new());
    let stop = AtomicBool::new(false);
    let progress = Progress::default();
    let sink = |cell| cells.lock().unwrap().push(cell);
    let outcome = run(request, &progress, &stop, &sink).unwrap();
    assert!(!outcome.stopped);
    let mut cells = cells.into_inner().unwrap();
    cells.sort_by_key(|c: &CellTally| c.cell);
    assert_eq!(cells.len(), request.cells.len());
    assert_eq!(outcome.finished, cells.len());
    assert_eq!(outcome.digest, digest(&cells));
    cells
}

fn digest(cells: &[CellTally]) -> String {
    let mut digest = RunDigest::default();
    cells.iter().for_each(|c| digest.insert(c));
    digest.finish()
}

fn outcome<'a>(cell: &'a CellTally, subject: &str, measure: &str) -> &'a OutcomeTally {
    let mut found = (cell.outcomes.iter()).filter(|o| o.subject == subject && o.measure == measure);
    let first = found.next().unwrap();
    assert!(found.next().is_none());
    first
}

fn pair<'a>(cell: &'a CellTally, subject: &str, measure: &str) -> &'a PairTally {
    (cell.pairs.iter())
        .find(|p| p.subject == subject && p.measure == measure)
        .unwrap()
}

/// (value − exact)/MCSE of a mean
fn z(outcome: &OutcomeTally, exact: f64) -> f64 {
    (outcome.moments.mean - exact) / outcome.moments.mcse_mean()
}

// ------------------------------------------------------------------------------------------------ values

/// At a fixed seed each of 8 means passes |z| < 4 with probability 1 − 6.3e-5, so a sound program fails with
/// probability 5e-4 at a seed chosen blindly. A mean that is wrong by 1 % is 5 to 10 standard errors off.
#[test]
fn the_means_of_the_article_are_the_exact_ones() {
    let (mut cells, pairs) = article();
    cells.push(cell("mse", [12.613237, 126.132370, 25.572086]));
    cells.push(cell("mae", [4.2611, 134.7492, 12.3009]));
    let tallied = tallies(&request(&cells, &pairs, 400_000));
    let exact = [
        (360.0249, 207.9121),
        (222.0533, 147.2087),
        (131.0595, 78.8145),
        (135.8362, 79.4468),
    ];
    for (cell, (largest, rmse)) in tallied.iter().zip(exact) {
        let largest_error = outcome(cell, "all", "max_abs_error");
        assert!(
            z(largest_error, largest).abs() < 4.0,
            "{}",
            z(largest_error, largest)
        );
        let rmse_error = outcome(cell, "all", "rmse");
        assert!(z(rmse_error, rmse).abs() < 4.0, "{}", z(rmse_error, rmse));
        // the power of the test: one per cent more is rejected
        assert!(z(largest_error, 1.01 * largest).abs() > 4.0);
        assert!(z(rmse_error, 1.01 * rmse).abs() > 4.0);
    }
    // proportional beats even in 64.05 % of paired trials
    let wins = pair(&tallied[1], "all", "max_abs_error");
    let n = 400_000.0;
    let share = wins.win as f64 / n;
    assert!((share - 0.640507).abs() < 4.0 * (0.64 * 0.36 / n as f64).sqrt());
    assert_eq!(wins.win + wins.tie + wins.loss, 400_000);
}

/// Every mean, standard deviation and quantile against its law: the laws know 2·(3·7 + 4) outcomes, of which many share their
/// evidence. For some 400 numbers, |z| < 5 fails with probability 400·5.7e-7 = 2.3e-4.
#[test]
fn every_estimate_agrees_with_its_law() {
    let (cells, pairs) = article();
    let trials = 200_000;
    let tallied = tallies(&request(&cells, &pairs, trials));
    let (mut checked, mut quantiles) = (0, 0);
    for outcome in tallied.iter().flat_map(|c| &c.outcomes) {
        let law = outcome.law.as_ref().unwrap();
        let what = format!("{} of {}", outcome.measure, outcome.subject);
        let m = &outcome.moments;
        assert_eq!(
            (m.n, outcome.undefined, outcome.histogram.total()),
            (trials, 0, trials)
        );
        let within = |value: f64, exact: f64, mcse: f64| {
            let slack = 1e-9 * exact.abs();
            assert!(
                (value - exact).abs() <= 5.0 * mcse + slack,
                "{what}: {value} {exact}"
            );
        };
        if let Some(mean) = law.mean() {
            within(m.mean, mean, m.mcse_mean());
            checked += 1;
        }
        if let Some(sd) = law.sd() {
            within(m.sd(), sd, m.mcse_sd());
            checked += 1;
        }
        if outcome.measure == "covered" {
            continue;
        }
        for p in [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] {
            if let Some(exact) = law.quantile(p) {
                let density = outcome.histogram.density(exact);
                let mcse = (p * (1.0 - p) / trials as f64).sqrt() / density;
                within(outcome.histogram.quantile(p), exact, mcse);
                quantiles += 1;
            }
        }
        assert!(outcome.min <= outcome.histogram.quantile(0.01));
        assert!(outcome.max >= outcome.histogram.quantile(0.99));
    }
    assert!(checked >= 90 && quantiles >= 250, "{checked} {quantiles}");
}

/// Four numbers at |z| < 4: false alarm 2.5e-4.
#[test]
fn coverage_is_the_level_and_independent_streams_win_less() {
    let (cells, pairs) = article();
    let trials = 200_000;
    let mut asked = request(&cells, &pairs, trials);
    asked.streams = Streams::Independent;
    let tallied = tallies(&asked);
    for name in NAMES {
        assert!(z(outcome(&tallied[0], name, "covered"), 0.95).abs() < 4.0);
    }
    let wins = pair(&tallied[1], "all", "max_abs_error");
    let share = wins.win as f64 / trials as f64;
    assert!((share - 0.575920).abs() < 4.0 * (0.576 * 0.424 / trials as f64).sqrt());
    assert!(share < 0.63, "the share under common noise is rejected");
    // single queries are compared trial by trial: scales 0.36 and 121.12, P(a < b) = b_b/(b_a + b_b)
    let single = pair(&tallied[1], "mean age", "abs_error");
    assert_eq!(single.moments.n, trials);
    let exact = 121.12 - 0.36;
    assert!((single.moments.mean - exact).abs() < 4.0 * single.moments.mcse_mean());
    let share = single.win as f64 / trials as f64;
    let exact: f64 = 0.36 / 121.48;
    assert!((share - exact).abs() < 4.0 * (exact * (1.0 - exact) / trials as f64).sqrt());
}

/// Independent streams draw per cell what common streams draw once: each row must agree with what is computed from the
/// draws themselves, trial by trial.
#[test]
fn tallies_are_those_of_the_trials_computed_one_by_one() {
    let (cells, pairs) = article();
    let trials = 5000usize;
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = request(&cells, &pairs, trials as u64);
        asked.streams = streams;
        let tallied = tallies(&asked);
        let errors = |c: usize| -> Vec<[f64; 3]> {
            let sources: Vec<Source> = (cells[c].queries.iter())
                .map(|q| {
                    let purpose = match streams {
                        Streams::Common => format!("laplace/{}", q.name),
                        Streams::Independent => format!("laplace/{}\u{1f}{}", q.name, cells[c].id),
                    };
                    Source::new(&purpose, q.noise.standard(), 1)
                })
                .collect();
            let mut draws = Draws::new(42, 4096, &sources);
            (0..trials)
                .map(|t| {
                    draws.go_to((t / 4096) as u64);
                    [0, 1, 2].map(|q| cells[c].queries[q].noise.scale() * draws.row(q, 0)[t % 4096])
                })
                .collect()
        };
        let all = [errors(0), errors(1)];
        let value = |measure: &str, e: &[f64; 3], q: usize| match measure {
            "answer" => TRUTHS[q] + e[q],
            "error" => e[q],
            "abs_error" => e[q].abs(),
            "squared_error" => e[q] * e[q],
            "relative_error" => e[q].abs() / TRUTHS[q],
            "max_abs_error" => e.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
            "mean_abs_error" => e.iter().map(|x| x.abs()).sum::<f64>() / 3.0,
            "rmse" => (e.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt(),
            "weighted_mse" => e.iter().map(|x| x * x).sum::<f64>() / 3.0,
            other => panic!("{other}"),
        };
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        for (c, tallied) in tallied.iter().enumerate() {
            for o in &tallied.outcomes {
                if ["covered", "interval_width"].contains(&o.measure) {
                    continue;
                }
                let q = NAMES.iter().position(|n| *n == o.subject).unwrap_or(0);
                let x: Vec<f64> = all[c].iter().map(|e| value(o.measure, e, q)).collect();
                let m = epsweep_core::statistics::Moments::from_values(&x);
                let spread = m.sd() * 1e-9;
                assert!(
                    (o.moments.mean - m.mean).abs() < spread,
                    "{} of {}",
                    o.measure,
                    o.subject
                );
                assert!(close(o.moments.m2, m.m2) && close(o.moments.m4, m.m4));
                assert!(close(
                    o.min,
                    x.iter().copied().fold(f64::INFINITY, f64::min)
                ));
                assert!(close(
                    o.max,
                    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
                ));
                let half = x.iter().filter(|v| **v <= m.mean).count() as f64 / trials as f64;
                assert!((o.histogram.cdf(m.mean) - half).abs() < 2e-2);
            }
        }
        for p in &tallied[1].pairs {
            if ["covered", "interval_width"].contains(&p.measure) {
                continue;
            }
            let q = NAMES.iter().position(|n| *n == p.subject).unwrap_or(0);
            let of = |c: usize, t: usize| value(p.measure, &all[c][t], q);
            let d: Vec<f64> = (0..trials).map(|t| of(1, t) - of(0, t)).collect();
            let m = epsweep_core::statistics::Moments::from_values(&d);
            assert!(
                (p.moments.mean - m.mean).abs() < m.sd() * 1e-9,
                "{} of {}",
                p.measure,
                p.subject
            );
            assert!(close(p.moments.m2, m.m2));
            let wins = d.iter().filter(|d| **d < 0.0).count() as u64;
            let ties = d.iter().filter(|d| **d == 0.0).count() as u64;
            assert_eq!(
                (p.win, p.tie, p.loss),
                (wins, ties, trials as u64 - wins - ties)
            );
        }
        assert!(tallied[1].pairs.iter().all(|p| p.measure != "answer"));
        // 6 compared measures of each query, 4 of all
        assert_eq!((tallied[0].pairs.len(), tallied[1].pairs.len()), (0, 22));
    }
}

#[test]
fn what_is_undefined_is_reported_and_never_dropped() {
    let mut cells = vec![
        cell("a", [0.0, 1.0, 2.0]),
        cell("b", [f64::INFINITY, 1.0, 2.0]),
        cell("c", [0.0, 0.0, 0.0]),
        cell("d", [3.0, 1.0, 2.0]),
    ];
    cells[0].queries[1].truth = 0.0;
    cells[3].queries.iter_mut().for_each(|q| q.weight = 0.0);
    let pairs = [(0, 1), (0, 2), (3, 2), (2, 3), (3, 0)];
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = request(&cells, &pairs, 1000);
        asked.streams = streams;
        let tallied = tallies(&asked);
        let undefined = |c: usize, subject: &str, measure: &str| {
            let o = outcome(&tallied[c], subject, measure);
            assert_eq!(o.moments.n + o.undefined, 1000);
            assert_eq!(o.histogram.total(), o.moments.n);
            assert_eq!(o.min.is_nan(), o.undefined == 1000);
            o.undefined
        };
        // a truth of zero; an infinite scale; no weights
        assert_eq!(undefined(0, NAMES[1], "relative_error"), 1000);
        for measure in [
            "answer",
            "error",
            "abs_error",
            "squared_error",
            "covered",
            "interval_width",
        ] {
            assert_eq!(undefined(1, NAMES[0], measure), 1000, "{measure}");
            assert_eq!(undefined(1, NAMES[1], measure), 0);
        }
        assert_eq!(undefined(1, "all", "max_abs_error"), 1000);
        assert_eq!(undefined(3, "all", "weighted_mse"), 1000);
        assert_eq!(undefined(0, "all", "rmse"), 0);
        // no noise: the answer is the truth, and the interval of width zero holds it
        let free = outcome(&tallied[0], NAMES[0], "answer");
        assert_eq!(
            (free.min, free.max, free.moments.sd()),
            (TRUTHS[0], TRUTHS[0], 0.0)
        );
        assert_eq!(outcome(&tallied[0], NAMES[0], "covered").moments.mean, 1.0);
        assert_eq!(outcome(&tallied[2], "all", "rmse").max, 0.0);
        // comparisons: without what is undefined on either side; with cells that are without noise
        let compared = |a: usize, b: usize, subject: &str, measure: &str| {
            (tallied[a].pairs.iter())
                .find(|p| p.against == b && p.subject == subject && p.measure == measure)
        };
        assert!(compared(0, 1, "all", "rmse").is_none());
        assert!(compared(0, 1, NAMES[0], "abs_error").is_none());
        assert!(compared(0, 1, NAMES[1], "abs_error").is_some());
        assert!(compared(3, 2, "all", "weighted_mse").is_none());
        for (a, b, sign) in [(3, 2, 1.0), (2, 3, -1.0)] {
            for (subject, measure) in [
                ("all", "rmse"),
                (NAMES[0], "abs_error"),
                (NAMES[2], "squared_error"),
            ] {
                let p = compared(a, b, subject, measure).unwrap();
                let alone = outcome(&tallied[3], subject, measure);
                let mean = sign * alone.moments.mean;
                assert!(
                    (p.moments.mean - mean).abs() < 1e-12 * mean.abs(),
                    "{subject} {measure}"
                );
                assert_eq!(if sign > 0.0 { p.loss } else { p.win }, 1000);
            }
            let p = compared(a, b, NAMES[0], "covered").unwrap();
            assert_eq!(
                p.tie as f64,
                1000.0 * outcome(&tallied[3], NAMES[0], "covered").moments.mean
            );
        }
        let same = compared(3, 0, NAMES[1], "error").unwrap();
        if streams == Streams::Common {
            assert_eq!(
                (same.tie, same.moments.mean, same.moments.sd()),
                (1000, 0.0, 0.0)
            );
        }
    }
}

#[test]
fn scales_of_any_size_work() {
    let queries = (0..50).map(|i| {
        let scale = libm::pow(10.0, f64::from(i) * 24.0 / 49.0 - 12.0);
        ReleaseQuery::laplace(&format!("q{i}"), 1.0, scale)
    });
    let mut cells = vec![ReleaseCell {
        id: String::from("wide"),
        queries: queries.collect(),
    }];
    // squares of these leave the floats
    cells.push(cell("huge", [1e200, 1e190, 1e180]));
    cells.push(cell("tiny", [1e-200, 1e-190, 1e-180]));
    let tallied = tallies(&request(&cells, &[(1, 2)], 20_000));
    let largest = outcome(&tallied[0], "all", "max_abs_error");
    let exact = largest.law.as_ref().and_then(|law| law.mean()).unwrap();
    // one number at |z| < 4: false alarm 6e-5
    assert!(z(largest, exact).abs() < 4.0);
    for cell in &tallied[1..] {
        let rmse = outcome(cell, "all", "rmse");
        let median = rmse.histogram.quantile(0.5);
        let scale = if cell.cell == 1 { 1e200 } else { 1e-180 };
        assert!((0.2..1.0).contains(&(median / scale)), "{median}");
        let first = outcome(cell, NAMES[0], "abs_error");
        assert!(
            (first.moments.mean / cells[cell.cell].queries[0].noise.scale() - 1.0).abs() < 0.03
        );
    }
}

#[test]
fn evidence_is_shared_where_the_noise_is() {
    let (cells, pairs) = grid(&[0.1, 1.0]);
    let tallied = tallies(&request(&cells, &pairs, 100));
    let of = |c: usize, s: &str, m: &str| outcome(&tallied[c], s, m).evidence.clone();
    assert_eq!(of(0, NAMES[0], "abs_error"), of(3, NAMES[0], "abs_error"));
    assert_ne!(of(0, NAMES[0], "abs_error"), of(0, NAMES[1], "abs_error"));
    assert_ne!(
        of(0, NAMES[0], "abs_error"),
        of(0, NAMES[0], "squared_error")
    );
    // the same split at another ε is the same noise, rescaled; another split is not
    assert_eq!(of(0, "all", "rmse"), of(2, "all", "rmse"));
    assert_ne!(of(0, "all", "rmse"), of(1, "all", "rmse"));
    let mut asked = request(&cells, &pairs, 100);
    asked.streams = Streams::Independent;
    let alone = tallies(&asked);
    let of = |c: usize| outcome(&alone[c], NAMES[0], "abs_error").evidence.clone();
    assert_ne!(of(0), of(3));
}

// -------------------------------------------------------------------------------------------------- bits

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

struct Work13 {
    cells: Vec<ReleaseCell>,
    pairs: Vec<(usize, usize)>,
}

impl Work13 {
    fn new() -> Work13 {
        let (cells, pairs) = grid(&[0.01, 0.1, 1.0, 10.0]);
        Work13 { cells, pairs }
    }

    fn plans(&self) -> Vec<Plan> {
        let question = Question {
            cells: &self.cells,
            measures: measure::REGISTRY,
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
    let work = Work13::new();
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
    let work = Work13::new();
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
    let work = Work13::new();
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
    let work = Work13::new();
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
    let work = Work13::new();
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
            measures: measure::REGISTRY,
            streams,
            level: 0.95,
        };
        let of = |members: &[(usize, bool)], pairs: &[(usize, usize)]| {
            let plan = [Plan::new(&question, members, pairs)];
            let tally = complete(&plan, 9000, 0..3, vec![None], &schedule(1, 1));
            Finished::new(&plan[0], &tally[0])
                .cells()
                .collect::<Vec<_>>()
        };
        let members: Vec<(usize, bool)> = (0..10).map(|c| (c, false)).collect();
        let whole = of(&members, &pairs);
        assert_eq!(whole.len(), 10);
        for a in 0..10 {
            let own: Vec<(usize, usize)> = pairs.iter().copied().filter(|p| p.0 == a).collect();
            // before its partners, behind them, and in their midst
            for place in [0, a / 2, a] {
                let mut members: Vec<(usize, bool)> = (0..a).rev().map(|b| (b, true)).collect();
                members.insert(place, (a, false));
                let alone = of(&members, &own);
                assert_eq!(alone.len(), 1);
                assert_eq!(alone[0].digest(), whole[a].digest(), "{a} at {place}");
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
        measures: measure::REGISTRY,
        streams: Streams::Common,
        level: 0.95,
    };
    let plans: Vec<Plan> = divide(&question, &pairs)
        .iter()
        .map(|g| g.plan(&question))
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
fn requests_that_contradict_themselves_are_refused() {
    let (cells, pairs) = article();
    let sink = |_| panic!("nothing is to be simulated");
    let refused = |asked: &Request<'_>| {
        run(asked, &Progress::default(), &AtomicBool::new(false), &sink)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&request(&cells, &pairs, 0)).contains("at least 1"));
    for level in [0.0, 1.0, f64::NAN] {
        let mut asked = request(&cells, &pairs, 10);
        asked.level = level;
        assert!(refused(&asked).contains("between 0 and 1"));
    }
    for bad in [[(0, 0)], [(0, 2)], [(7, 1)]] {
        assert!(refused(&request(&cells, &bad, 10)).contains("0 to 1"));
    }
    assert!(refused(&request(&cells, &[(1, 0), (1, 0)], 10)).contains("twice"));
    let mut twins = cells.clone();
    twins[1].queries[2].name = String::from(NAMES[0]);
    assert!(refused(&request(&twins, &pairs, 10)).contains("mean age"));
}

#[test]
fn a_stopped_run_says_so() {
    let (cells, pairs) = article();
    let progress = Progress::default();
    let outcome = run(
        &request(&cells, &pairs, 100_000),
        &progress,
        &AtomicBool::new(true),
        &|_| (),
    );
    let outcome = outcome.unwrap();
    assert!(outcome.stopped && outcome.finished == 0);
    assert_eq!(progress.done(), 0);
    assert!(progress.total() >= 200_000);
}
