//! Fuzzing: whatever a file holds, reading it ends, without a panic, in an error or in what is usable and right.
//!
//! Targets are functions of bytes that proptest draws. With `cargo test` each runs a fixed number of cases from fixed seeds, together about half a minute in a dev build; with
//! `EPSWEEP_FUZZ_SECONDS` set (`scripts/fuzz` does that), each runs for so long, from seeds of the clock or from `EPSWEEP_FUZZ_SEED`, and says
//! how many cases that were.

mod common;
#[path = "fuzz/data.rs"]
mod data;
#[path = "fuzz/records.rs"]
mod records;

use common::root;
use epsweep::audit::Audit;
use epsweep::engine::{Kept, Progress, Shard};
use epsweep::pipeline;
use epsweep::plan::{Overrides, Plan};
use epsweep::record::{self, Header, Identity, Merged, RunDir, ShardFile, Store, write_shard};
use epsweep::summary;
use epsweep_core::data::{Bounds, Column, Predicate, Table};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Fixed seeds that every target is run from: half a minute's worth of processor time, all targets together.
const SEEDS: u64 = 2;

/// A case that keeps the processors busy for longer hangs.
const HANG: Duration = Duration::from_secs(60);

/// How long the processors have worked for this program: what waits for its turn on a loaded machine does not hang.
fn busy() -> Duration {
    #[cfg(unix)]
    {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the call writes to the structure that it is given, which outlives it
        let done = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
        assert_eq!(done, 0);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    }
    #[cfg(not(unix))]
    std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
}

/// Runs a target: `cases` cases from a fixed seed, or as long as the environment says from others.
fn fuzz<S: Strategy>(
    name: &str,
    cases: u32,
    strategy: S,
    target: impl Fn(S::Value) -> Result<(), TestCaseError>,
) where
    S::Value: std::fmt::Debug,
{
    let round = |seed: [u8; 32], cases: u32| {
        let config = Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let timed = |input: S::Value| {
            let start = busy();
            target(input)?;
            let took = busy().saturating_sub(start);
            prop_assert!(took < HANG, "took {took:?}");
            Ok(())
        };
        match runner.run(&strategy, timed) {
            Ok(()) => {}
            Err(TestError::Fail(why, input)) => {
                panic!("{name}: {why}\n{input:#?}\nseed {seed:?}")
            }
            Err(error) => panic!("{name}: {error}"),
        }
    };
    let Some(seconds) = number("EPSWEEP_FUZZ_SECONDS") else {
        (0..SEEDS).for_each(|seed| round(keyed(name, seed), cases));
        return;
    };
    let first = number("EPSWEEP_FUZZ_SEED").unwrap_or_else(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |now| now.as_nanos() as u64)
    });
    let (start, mut rounds) = (Instant::now(), 0);
    const ROUND: u32 = 32;
    while start.elapsed() < Duration::from_secs(seconds) {
        round(keyed(name, first.wrapping_add(1 + rounds)), ROUND);
        rounds += 1;
    }
    println!(
        "fuzzed {name}: {} executions from seed {first}",
        rounds * u64::from(ROUND)
    );
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// A seed for a target.
fn keyed(name: &str, seed: u64) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    for (place, byte) in name.bytes().enumerate() {
        key[8 + place % 24] ^= byte.rotate_left(place as u32 / 24);
    }
    key
}

/// Pieces that readers may stumble over.
const PIECES: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "0",
    "-1",
    "1",
    "1e400",
    "1e-400",
    "1e18",
    "0.5",
    "99999999999999999999999999",
    "''",
    "\"",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "[[query]]",
    "[sweep]",
    "[compare]",
    "\n",
    "=",
    ",",
    ".",
    "#",
    "true",
    "1979-05-27",
    "é",
    "\u{feff}",
    "\u{0}",
    "\r",
    "\u{202e}",
    "'age >'",
    "{ log = [1, 2], points = 2 }",
    "[[1]]",
    "epsilon = []",
    "\"even\"",
    "\"\"\"",
    "1e5",
    "name = 1",
    "data = 1",
    "trials = 7",
    "[budget]",
    "rho = 0.1",
    "delta = 1e-6",
    "noise = \"gaussian\"",
    "and",
    "or",
    "not",
    "between",
    "in",
    "(",
    ")",
    "<",
    ">=",
    "≤",
    "`",
    "age",
    "NA",
    "1,234",
    ";",
    "\t",
];

/// An edit: where, how much goes, what comes, and whether a piece of the text itself comes instead, from where.
type Edit = (Index, usize, Option<usize>, Option<(Index, usize)>);

fn edits(most: usize) -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec(
        (
            any::<Index>(),
            0usize..24,
            prop::option::weighted(0.6, 0..PIECES.len()),
            prop::option::weighted(0.3, (any::<Index>(), 1usize..40)),
        ),
        1..most,
    )
}

fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (at, remove, piece, copy) in edits {
        let mut new: Vec<char> = piece.map_or(Vec::new(), |piece| PIECES[piece].chars().collect());
        if let Some((from, length)) = copy {
            let from = from.index(text.len() + 1);
            new.extend_from_slice(&text[from..(from + length).min(text.len())]);
        }
        let at = at.index(text.len() + 1);
        text.splice(at..(at + remove).min(text.len()), new);
    }
    text.into_iter().collect()
}

/// Edits of bytes: place, and what is written there; `None` cuts the rest off.
fn flips() -> impl Strategy<Value = Vec<(Index, Option<u8>)>> {
    prop::collection::vec(
        (any::<Index>(), prop::option::weighted(0.9, any::<u8>())),
        1..4,
    )
}

fn flipped(bytes: &[u8], flips: &[(Index, Option<u8>)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, with) in flips {
        if bytes.is_empty() {
            break;
        }
        let at = at.index(bytes.len());
        match with {
            Some(with) => bytes[at] = *with,
            None => bytes.truncate(at),
        }
    }
    bytes
}

/// Experiments whose plan takes seconds in a dev build: an optimum without privacy, a large grid, a numerical accountant.
const SLOW: [&str; 8] = [
    "private-training",
    "training-schedules",
    "recommender",
    "composition",
    "equal-guarantee-census",
    "census-workload",
    "range-queries",
    "scale-shape-domain",
];

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .filter(|path| !SLOW.contains(&path.file_stem().unwrap().to_str().unwrap()))
        .collect();
    paths.sort();
    (paths.into_iter())
        .map(|path| (path.clone(), fs::read_to_string(path).unwrap()))
        .collect()
}

fn plan(text: &str) -> Result<Plan, epsweep::config::Diagnostics> {
    let overrides = Overrides::default().trials(40);
    Plan::from_text("fuzzed.toml", text, &root().join("experiments"), &overrides)
}

/// Every cell of an accepted file has sound numbers, and a short run of it sound estimates.
fn sound(plan: &Plan) -> Result<(), TestCaseError> {
    let resolved = plan.resolved();
    prop_assert_eq!(plan.study().len(), resolved.cells.len());
    for cell in &resolved.cells {
        for query in &cell.queries {
            prop_assert!(query.truth.is_none_or(f64::is_finite), "{:?}", query);
            prop_assert!(
                query
                    .scale
                    .is_none_or(|scale| scale >= 0.0 && scale.is_finite()),
                "{:?}",
                query
            );
            prop_assert!(
                query.budget >= 0.0 && query.budget.is_finite(),
                "{:?}",
                query
            );
        }
        if !cell.queries.is_empty() {
            let shares: f64 = cell.queries.iter().map(|query| query.share).sum();
            prop_assert!((shares - 1.0).abs() < 1e-9, "shares sum to {shares}");
        }
    }
    for (a, b) in plan.pairs() {
        prop_assert!(a != b && (*a).max(*b) < plan.study().len());
    }
    if plan.study().len() > 8 {
        return Ok(());
    }
    let go = AtomicBool::new(false);
    // a trial may be refused (it would overspend), but what is reported is sound
    let Ok(simulated) = pipeline::simulate(plan, 1, Kept::default(), &Progress::default(), &go)
    else {
        return Ok(());
    };
    let found = summary::summarise(&simulated.cells, resolved);
    let found = found.map_err(|error| TestCaseError::fail(error.to_string()))?;
    for row in &found.rows {
        prop_assert!(
            !row.value.is_nan() || &*row.method == "undefined",
            "{row:?}"
        );
        if let (Some(low), Some(high)) = (row.low, row.high) {
            prop_assert!(
                low <= row.value && row.value <= high || &*row.statistic != "mean",
                "{row:?}"
            );
        }
        prop_assert!(row.exact.is_none_or(|exact| !exact.is_nan()), "{row:?}");
    }
    Ok(())
}

/// A text is refused with its reasons, or it is an experiment with sound numbers.
fn read(text: &str) -> Result<(), TestCaseError> {
    match plan(text) {
        Ok(plan) => sound(&plan),
        Err(errors) => {
            let all = errors.to_string();
            prop_assert!(!errors.list().is_empty());
            prop_assert!(!all.contains("no reason was found"), "{all}\n{text}");
            Ok(())
        }
    }
}

#[test]
fn experiment_files() {
    let seeds = files("experiments");
    assert!(seeds.len() > 20);
    let strategy = (0..seeds.len(), edits(5));
    fuzz("experiment files", 260, strategy, |(seed, edits)| {
        read(&edited(&seeds[seed].1, &edits))
    });
}

/// Lines in another order.
#[test]
fn experiment_lines() {
    let seeds = files("experiments");
    let moves = prop::collection::vec((any::<Index>(), any::<Index>()), 1..5);
    let strategy = (0..seeds.len(), moves);
    fuzz("experiment lines", 300, strategy, |(seed, moves)| {
        let mut lines: Vec<&str> = seeds[seed].1.lines().collect();
        for (from, to) in moves {
            let line = lines.remove(from.index(lines.len()));
            lines.insert(to.index(lines.len() + 1), line);
        }
        read(&lines.join("\n"))
    });
}

/// Any value of a file in place of which something of another kind stands.
#[test]
fn experiment_values() {
    let seeds = files("experiments");
    let strategy = (0..seeds.len(), any::<Index>(), 0..PIECES.len());
    fuzz(
        "experiment values",
        300,
        strategy,
        |(seed, place, piece)| {
            let text = &seeds[seed].1;
            let starts: Vec<usize> = text.match_indices("= ").map(|(at, _)| at + 2).collect();
            let start = starts[place.index(starts.len())];
            let rest = &text[start..];
            let end = start + rest.find(['\n', ',', '}']).unwrap_or(rest.len());
            read(&format!(
                "{}{}{}",
                &text[..start],
                PIECES[piece],
                &text[end..]
            ))
        },
    );
}

#[test]
fn audit_files() {
    let seeds = files("experiments/audits");
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("fuzzed.toml");
    let strategy = (0..seeds.len(), edits(5));
    fuzz("audit files", 1200, strategy, |(seed, edits)| {
        fs::write(&path, edited(&seeds[seed].1, &edits)).unwrap();
        if let Err(errors) = Audit::load(&path, &Overrides::default()) {
            prop_assert!(!errors.list().is_empty());
        }
        Ok(())
    });
}
