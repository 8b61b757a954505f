//! The whole way from cells to tallies: exact values, and the same bits however the work is divided.

mod bits;
mod exact;
mod noises;
mod values;

use super::finish::Finished;
use super::layout::{Plan, Question};
use super::run::groups;
use super::*;
use crate::engine::{Job, Kept, Progress, Schedule, Work, simulate};
use crate::measure::{self, Measure};
use crate::procedure::Quantiles;
use crate::study::release::{ReleaseCell, ReleaseQuery};
use crate::tally::{CellTally, OutcomeTally, PairTally, Tally};
use epsweep_core::random::{Level, StandardLaw, level};
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
        rows: 1000,
        ..ReleaseCell::default()
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
        measures: measure::USUAL,
        streams: Streams::Common,
        level: 0.95,
        quantiles: Quantiles::Histogram,
        until: None,
        kept: Kept::default(),
        on_error: Default::default(),
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
    cells
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
    assert_eq!(progress.total(), 2 * 100_000);
}
