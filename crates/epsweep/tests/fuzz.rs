//! Fuzzing: whatever a file holds, reading it ends, without a panic, in an error or in what is usable and right.
//!
//! Targets are functions of bytes that proptest draws. With `cargo test` each runs a fixed number of cases from fixed seeds, together about half a minute in a dev build; with
//! `EPSWEEP_FUZZ_SECONDS` set (`scripts/fuzz` does that), each runs for so long, from seeds of the clock or from `EPSWEEP_FUZZ_SEED`, and says
//! how many cases that were.

mod common;

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

/// Fields of a CSV file.
const FIELDS: &[&str] = &[
    "1",
    "2.5",
    "-3",
    "1e3",
    "1e400",
    "NA",
    "",
    " 7 ",
    "\"8\"",
    "\"9\"\"\"",
    "x",
    "nan",
    "inf",
    "1,5",
    "\"a\nb\"",
    "0x10",
    "+4",
    ".5",
    "5.",
    "1_000",
    "−1",
    "é",
    "\"",
    "1e-320",
];

/// Files that are accepted hold the numbers that another reader of CSV finds in them.
#[test]
fn csv_files() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("fuzzed.csv");
    let text = "name = \"csv\"\n[data]\ncsv = \"fuzzed.csv\"\nneighbours = \"substitute\"\nmissing = \"drop\"\n[data.columns]\n\
                age = { bounds = [-1e6, 1e6] }\n[[query]]\nname = \"sum\"\nsum = { column = \"age\" }\n[[query]]\nname = \"old\"\n\
                count = { where = \"age > 2\" }\n[budget]\nepsilon = 1\n";
    let row = prop::collection::vec(0..FIELDS.len(), 1..4);
    let strategy = (
        prop::collection::vec(row, 0..12),
        prop::sample::select(vec![
            "age",
            "age,name",
            "name,age",
            "\"age\",x",
            "age,age",
            "\u{feff}age",
        ]),
        prop::sample::select(vec!["\n", "\r\n"]),
        prop::option::weighted(0.3, edits(3)),
    );
    fuzz("csv files", 6000, strategy, |(rows, head, end, edits)| {
        let lines: Vec<String> = (rows.iter())
            .map(|row| {
                row.iter()
                    .map(|field| FIELDS[*field])
                    .collect::<Vec<_>>()
                    .join(",")
            })
            .collect();
        let mut csv = format!("{head}{end}{}", lines.join(end));
        if let Some(edits) = edits {
            csv = edited(&csv, &edits);
        }
        fs::write(&path, &csv).unwrap();
        let Ok(plan) = Plan::from_text("csv.toml", text, dir.path(), &Overrides::default()) else {
            return Ok(());
        };
        let (sum, old) = oracle(&csv)?;
        let queries = &plan.resolved().cells[0].queries;
        let found = queries[0].truth.unwrap_or(f64::NAN);
        prop_assert!(
            (found - sum).abs() <= 1e-9 * (1.0 + sum.abs()),
            "sum {found}, not {sum}, of {csv:?}"
        );
        prop_assert_eq!(queries[1].truth, Some(old), "{:?}", csv);
        Ok(())
    });
}

/// Sum of the ages, clipped, and how many are above 2, by the `csv` crate; what is no finite number is left out.
fn oracle(text: &str) -> Result<(f64, f64), TestCaseError> {
    let text = &without_blanks_before_quotes(text.trim_start_matches('\u{feff}'));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let fail = |error: csv::Error| TestCaseError::fail(format!("accepted, but {error}: {text:?}"));
    let heads = reader.headers().map_err(fail)?.clone();
    let place = heads.iter().position(|head| head == "age");
    let place =
        place.ok_or_else(|| TestCaseError::fail(format!("accepted without a column: {text:?}")))?;
    let (mut sum, mut old) = (0.0, 0.0);
    for record in reader.records() {
        let record = record.map_err(fail)?;
        let field = record.get(place).unwrap_or("");
        if let Some(age) = field.parse::<f64>().ok().filter(|age| age.is_finite()) {
            let age = age.clamp(-1e6, 1e6);
            sum += age;
            old += f64::from(u8::from(age > 2.0));
        }
    }
    Ok((sum, old))
}

/// Without the blanks between the start of a field and its quote, which the `csv` crate takes for a field that is not quoted.
fn without_blanks_before_quotes(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let (mut quoted, mut closed, mut starts) = (false, false, true);
    let mut blanks = String::new();
    for c in text.chars() {
        match c {
            ' ' | '\t' if starts && !quoted => {
                blanks.push(c);
                continue;
            }
            // a quote right after one that ended the field was the first of a doubled one
            '"' if starts || quoted || closed => {
                blanks.clear();
                quoted = !quoted;
                closed = !quoted;
            }
            _ => closed = false,
        }
        found.push_str(&blanks);
        blanks.clear();
        found.push(c);
        starts = matches!(c, ',' | '\n' | '\r') && !quoted;
    }
    found + &blanks
}

const PREDICATES: &[&str] = &[
    "age > 60 and not (genre = 'drama')",
    "age between 1 and 5 or age in [7, 8, 9]",
    "not not (3 <= age) and genre != \"it's\"",
    "`age` ≥ 1e1 or ((age < -2.5))",
];

/// Predicates that are read say the same when they are printed and read again, and a predicate and its negation divide the rows.
#[test]
fn predicates() {
    let ages: Vec<f64> = (-3..70).map(f64::from).collect();
    let genres = (0..ages.len()).map(|row| ["drama", "it's", ""][row % 3].to_owned());
    let rows = ages.len() as u64;
    let bounds = Bounds::new(-10.0, 100.0).unwrap();
    let table = Table::new(vec![
        Column::text("genre", genres.collect()),
        Column::number("age", ages, Some(bounds)).unwrap(),
    ])
    .unwrap();
    let strategy = (0..PREDICATES.len(), edits(6), 0usize..70);
    fuzz("predicates", 40_000, strategy, |(seed, edits, depth)| {
        let mut text = edited(PREDICATES[seed], &edits);
        // and as deep as anyone would nest it, and deeper
        if depth > 60 {
            text = format!("{}{text}{}", "(".repeat(depth), ")".repeat(depth));
        }
        let predicate = match Predicate::parse(&text) {
            Ok(predicate) => predicate,
            Err(error) => {
                let span = error.span.clone();
                prop_assert!(text.get(span.clone()).is_some(), "{span:?} of {text:?}");
                return Ok(());
            }
        };
        let printed = predicate.to_string();
        let again = Predicate::parse(&printed);
        prop_assert_eq!(again.as_ref(), Ok(&predicate), "{} as {}", text, printed);
        if let (Ok(holds), Ok(negated)) = (
            predicate.count(&table),
            Predicate::parse(&format!("not ({text})")),
        ) {
            prop_assert_eq!(negated.count(&table).unwrap(), rows - holds, "{}", text);
        }
        Ok(())
    });
}

const KEPT: &str = "name = \"kept\"\ntrials = 9_000\nmeasures = [\"abs_error\"]\n[data]\n\
    normal = { column = \"value\", mean = 40, sd = 15, rows = 50, seed = 1 }\nneighbours = \"substitute\"\n[data.columns]\n\
    value = { bounds = [0, 120] }\n[[query]]\nname = \"mean\"\nmean = { column = \"value\" }\n[budget]\nepsilon = 1\n[sweep]\n\
    epsilon = [0.5, 1]\n[compare]\nbaseline = { epsilon = 1 }\n";

fn kept_plan() -> Plan {
    Plan::from_text("kept.toml", KEPT, Path::new(""), &Overrides::default()).unwrap()
}

fn kept_header(plan: &Plan, shard: Shard) -> Header {
    Header::new(
        &pipeline::identity(plan).unwrap(),
        plan.pairs(),
        shard,
        plan.settings().trials,
    )
}

fn digest(plan: &Plan, kept: Kept<'_>) -> String {
    let go = AtomicBool::new(false);
    pipeline::simulate(plan, 1, kept, &Progress::default(), &go)
        .unwrap()
        .digest()
}

/// A damaged shard is refused, or it was not damaged where it matters: a merged run has the numbers of the run in one piece, or none.
#[test]
fn shard_files() {
    let plan = kept_plan();
    let whole = digest(&plan, Kept::default());
    let dir = tempfile::tempdir().unwrap();
    let mut shards = Vec::new();
    for index in 1..=2 {
        let shard = Shard { index, of: 2 };
        let place = dir.path().join(index.to_string());
        fs::create_dir(&place).unwrap();
        let header = kept_header(&plan, shard);
        let store = Store::open(
            &place,
            &header,
            plan.settings().trials,
            Duration::ZERO,
            false,
        )
        .unwrap();
        digest(
            &plan,
            Kept {
                shard,
                keep: Some(&store),
                ..Kept::default()
            },
        );
        shards.push(write_shard(&place, &header, &store).unwrap());
    }
    let bytes = fs::read(&shards[0]).unwrap();
    let damaged = dir.path().join("damaged.tallies");
    let header = kept_header(&plan, Shard::WHOLE);
    fuzz("shard files", 1500, flips(), |flips| {
        let changed = flipped(&bytes, &flips);
        fs::write(&damaged, &changed).unwrap();
        let opened = [&damaged, &shards[1]].map(|path| ShardFile::open(path));
        let Ok(opened) = opened.into_iter().collect::<Result<Vec<_>, _>>() else {
            return Ok(());
        };
        let Ok(merged) = Merged::new(&header, opened) else {
            return Ok(());
        };
        let kept = Kept {
            shard: Shard::WHOLE,
            keep: Some(&merged),
            ..Kept::default()
        };
        let found = digest(&plan, kept);
        prop_assert!(
            merged.error().is_some() || found == whole,
            "another digest, and no error"
        );
        Ok(())
    });
}

/// A run that goes on from a damaged checkpoint ends with the numbers of one that never stopped.
#[test]
fn checkpoint_files() {
    let plan = kept_plan();
    let whole = digest(&plan, Kept::default());
    let dir = tempfile::tempdir().unwrap();
    let header = kept_header(&plan, Shard::WHOLE);
    let open = || {
        Store::open(
            dir.path(),
            &header,
            plan.settings().trials,
            Duration::ZERO,
            true,
        )
    };
    let store = open().unwrap();
    digest(
        &plan,
        Kept {
            shard: Shard::WHOLE,
            keep: Some(&store),
            ..Kept::default()
        },
    );
    drop(store);
    let folder = dir.path().join(".tallies");
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_default();
    let originals: HashMap<&str, Vec<u8>> = ["identity.json", "finished", "open"]
        .map(|name| (name, read(name)))
        .into();
    assert!(!originals["finished"].is_empty());
    let strategy = (
        prop::sample::select(vec!["identity.json", "finished", "open"]),
        flips(),
    );
    fuzz("checkpoint files", 400, strategy, |(name, flips)| {
        fs::create_dir_all(&folder).unwrap();
        for (other, bytes) in &originals {
            // where there is no `open`, bytes of a finished tile are put there
            let bytes = match (*other, bytes.is_empty()) {
                ("open", true) => &originals["finished"],
                _ => bytes,
            };
            let bytes = if *other == name {
                flipped(bytes, &flips)
            } else {
                bytes.clone()
            };
            fs::write(folder.join(other), bytes).unwrap();
        }
        let without_force = Store::open(
            dir.path(),
            &header,
            plan.settings().trials,
            Duration::ZERO,
            false,
        );
        let Ok(store) = without_force else {
            return Ok(());
        };
        let found = digest(
            &plan,
            Kept {
                shard: Shard::WHOLE,
                keep: Some(&store),
                ..Kept::default()
            },
        );
        prop_assert!(
            store.error().is_some() || found == whole,
            "another digest, and no error"
        );
        Ok(())
    });
}

/// A damaged file of a finished run is refused, or reads as it was.
#[test]
fn run_directories() {
    let plan = kept_plan();
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("run");
    let go = AtomicBool::new(false);
    let simulated =
        pipeline::simulate(&plan, 1, Kept::default(), &Progress::default(), &go).unwrap();
    let rows = pipeline::rows(&plan, &simulated).unwrap();
    let identity: Identity = pipeline::identity(&plan).unwrap();
    let run_dir = match RunDir::open(&place, &identity, false).unwrap() {
        record::State::New(run_dir) => run_dir,
        other => panic!("{other:?}"),
    };
    pipeline::record(run_dir, &plan, simulated, rows, 1, None).unwrap();
    let whole = record::read(&place).unwrap();
    let names = [
        "manifest.json",
        "resolved.json",
        "summary.csv",
        "comparisons.csv",
        "claims.csv",
        "histograms.csv",
        "experiment.toml",
    ];
    let originals: HashMap<&str, Vec<u8>> = names
        .map(|name| (name, fs::read(place.join(name)).unwrap()))
        .into();
    let strategy = (prop::sample::select(names.to_vec()), flips());
    fuzz("run directories", 3000, strategy, |(name, flips)| {
        fs::write(place.join(name), flipped(&originals[name], &flips)).unwrap();
        let read = record::read(&place);
        fs::write(place.join(name), &originals[name]).unwrap();
        if let Ok(read) = read {
            prop_assert_eq!(read.summary, whole.summary.clone());
            prop_assert_eq!(read.comparisons, whole.comparisons.clone());
            prop_assert_eq!(read.resolved, whole.resolved.clone());
        }
        Ok(())
    });
}
