//! However a run is interrupted, extended or divided: the tallies are those of a run in one piece.

use super::*;
use crate::engine::{Keep, Kept, Progress, Shard};
use crate::pipeline;
use crate::plan::{Batch, Overrides, Plan};
use crate::record::RecordError;
use crate::tally::{CellTally, Layout, RunDigest, Tally};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

const EXPERIMENT: &str = r#"
name = "kept"
trials = 30_000
[data]
normal = { column = "value", mean = 40, sd = 15, rows = 100, seed = 1 }
neighbours = "substitute"
[data.columns]
value = { bounds = [0, 120] }
[[query]]
name = "mean"
mean = { column = "value" }
[[query]]
name = "largest"
max = { column = "value" }
[budget]
epsilon = 1
composition = "basic"
[sweep]
epsilon = [0.5, 1, 2]
allocation = ["even", "proportional", "optimal-mse"]
[compare]
baseline = { allocation = "even" }
"#;

fn plan(trials: u64) -> Plan {
    plan_in(None, trials)
}

/// The plan, with more cells than those of a batch not held.
fn plan_in(batch: Option<usize>, trials: u64) -> Plan {
    let overrides = Overrides::default().trials(trials);
    Plan::from_text_with(
        ("kept.toml", EXPERIMENT),
        Path::new(""),
        &overrides,
        (batch, &Default::default()),
    )
    .unwrap_or_else(|errors| panic!("{errors}"))
}

fn header(plan: &Plan, shard: Shard) -> Header {
    Header::new(
        &pipeline::identity(plan).unwrap(),
        plan.pairs(),
        shard,
        plan.settings().trials,
    )
    .in_batches(plan.batch_size())
}

fn store(dir: &Path, plan: &Plan, shard: Shard) -> Store {
    let header = header(plan, shard);
    Store::open(
        dir,
        &header,
        plan.settings().trials,
        Duration::ZERO,
        Others::Refuse,
    )
    .unwrap()
}

/// What came of a simulation.
struct Ran {
    stopped: bool,
    /// of all cells that came out
    digest: String,
    /// how many did
    cells: usize,
}

impl Ran {
    fn digest(&self) -> String {
        self.digest.clone()
    }
}

fn simulated(
    plan: &Plan,
    jobs: usize,
    shard: Shard,
    keep: Option<&dyn Keep>,
    stop: &AtomicBool,
) -> Ran {
    let kept = Kept {
        shard,
        keep,
        ..Kept::default()
    };
    let taken = Mutex::new((RunDigest::default(), 0));
    let take = |batch: &Batch<'_>, cell: CellTally| {
        let mut taken = taken.lock().unwrap();
        (taken.0).insert_hash(batch.number(cell.cell), cell.digest());
        taken.1 += 1;
    };
    let progress = Progress::default();
    let ran = pipeline::simulate_each(plan, jobs, kept, &progress, stop, &take).unwrap();
    let (digest, cells) = taken.into_inner().unwrap();
    Ran {
        stopped: ran.stopped,
        digest: digest.finish(),
        cells,
    }
}

fn go() -> AtomicBool {
    AtomicBool::new(false)
}

/// The digest of a run in one piece.
fn straight(plan: &Plan) -> String {
    simulated(plan, 1, Shard::WHOLE, None, &go()).digest()
}

/// Keeps as another does, and stops the run at its n-th pause or after n tiles, as a kill would: nothing is written from then on.
#[derive(Debug)]
struct Killed<'a> {
    store: &'a Store,
    left: AtomicUsize,
}

impl Killed<'_> {
    fn alive(&self) -> bool {
        let before = |left: usize| Some(left.saturating_sub(1));
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, before)
            > Ok(0)
    }
}

impl Keep for Killed<'_> {
    fn known(&self, tile: usize, layout: &Layout) -> Option<Tally> {
        self.store.known(tile, layout)
    }
    fn finished(&self, tile: usize, tally: &Tally) -> bool {
        self.alive() && self.store.finished(tile, tally)
    }
    fn paused(&self, open: &[(usize, &Tally)]) -> bool {
        self.alive() && self.store.paused(open)
    }
    fn interval(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_bits() {
    let whole = straight(&plan(300_000));
    for batch in [None, Some(4)] {
        killed_again_and_again(&plan_in(batch, 300_000), &whole);
    }
}

fn killed_again_and_again(plan: &Plan, whole: &str) {
    let dir = tempfile::tempdir().unwrap();
    let mut kills = 0;
    let digest = loop {
        let store = store(dir.path(), plan, Shard::WHOLE);
        let left = AtomicUsize::new(kills);
        let killed = Killed {
            store: &store,
            left,
        };
        let run = simulated(plan, 1 + kills % 2, Shard::WHOLE, Some(&killed), &go());
        assert!(store.error().is_none());
        if !run.stopped {
            break run.digest();
        }
        kills += 1;
        assert!(kills < 100);
    };
    assert_eq!(digest, whole);
    assert!(kills > 2, "it was never killed: {kills}");
    // all is known now
    let again = store(dir.path(), plan, Shard::WHOLE);
    let run = simulated(plan, 1, Shard::WHOLE, Some(&again), &AtomicBool::new(false));
    assert_eq!(run.digest(), whole);
}

#[test]
fn files_that_are_cut_or_changed_cost_time_and_nothing_else() {
    let plan = plan(150_000);
    let whole = straight(&plan);
    let dir = tempfile::tempdir().unwrap();
    {
        let store = store(dir.path(), &plan, Shard::WHOLE);
        let killed = Killed {
            store: &store,
            left: AtomicUsize::new(1),
        };
        assert!(simulated(&plan, 1, Shard::WHOLE, Some(&killed), &go()).stopped);
    }
    let folder = dir.path().join(".tallies");
    let complete = tempfile::tempdir().unwrap();
    simulated(
        &plan,
        1,
        Shard::WHOLE,
        Some(&store(complete.path(), &plan, Shard::WHOLE)),
        &go(),
    );
    let kept: Vec<(&str, Vec<u8>)> = vec![
        ("open", fs::read(folder.join("open")).unwrap()),
        (
            "finished",
            fs::read(complete.path().join(".tallies/finished")).unwrap(),
        ),
        (
            "identity.json",
            fs::read(folder.join("identity.json")).unwrap(),
        ),
    ];
    for (name, bytes) in &kept {
        for part in 0..3 {
            for changed in [false, true] {
                let damaged = tempfile::tempdir().unwrap();
                let folder = damaged.path().join(".tallies");
                fs::create_dir(&folder).unwrap();
                for (other, bytes) in &kept {
                    fs::write(folder.join(other), bytes).unwrap();
                }
                let place = part * bytes.len() / 3;
                let mut bytes = bytes.clone();
                match changed {
                    true => bytes[place] ^= 0x10,
                    false => bytes.truncate(place),
                }
                fs::write(folder.join(name), bytes).unwrap();
                let header = header(&plan, Shard::WHOLE);
                match Store::open(
                    damaged.path(),
                    &header,
                    150_000,
                    Duration::ZERO,
                    Others::Refuse,
                ) {
                    Ok(store) => {
                        let run = simulated(&plan, 2, Shard::WHOLE, Some(&store), &go());
                        assert_eq!(run.digest(), whole, "{name} {place} {changed}");
                        // a cut between two tallies is no damage that could be noticed
                        assert!(!changed || !store.unusable().is_empty(), "{name} {place}");
                    }
                    // an identity that was changed is that of another run
                    Err(RecordError::Another { .. } | RecordError::Less { .. }) => {
                        assert!(*name == "identity.json" && changed)
                    }
                    // and nobody knows of what one that cannot be read was
                    Err(RecordError::UnknownTallies { .. }) => assert_eq!(*name, "identity.json"),
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
}

#[test]
fn a_finished_run_is_extended_without_repeating_a_chunk() {
    let dir = tempfile::tempdir().unwrap();
    for trials in [5_000, 8_192, 8_193, 30_000] {
        let plan = plan(trials);
        let store = store(dir.path(), &plan, Shard::WHOLE);
        let run = simulated(&plan, 2, Shard::WHOLE, Some(&store), &go());
        assert_eq!(run.digest(), straight(&plan), "{trials}");
        let size = || {
            fs::metadata(dir.path().join(".tallies/finished"))
                .unwrap()
                .len()
        };
        let before = size();
        store.tidy().unwrap();
        assert_eq!(
            size() < before,
            trials > 5_000,
            "shorter tallies are removed"
        );
    }
    // fewer trials would lose some: they are refused, unless that is meant
    let fewer = plan(5_000);
    let header = header(&fewer, Shard::WHOLE);
    let open = |others| Store::open(dir.path(), &header, 5_000, Duration::ZERO, others);
    let said = open(Others::Refuse).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("trials: 30000 there, 5000 here"), "{said}");
    let store = open(Others::Discard).unwrap();
    let run = simulated(&fewer, 1, Shard::WHOLE, Some(&store), &go());
    assert_eq!(run.digest(), straight(&fewer));
}

/// The plan of a run with one more comparison, which a claim asks for.
fn plan_with_claim(trials: u64, a: [&str; 2], b: [&str; 2]) -> Plan {
    let cell = |[epsilon, allocation]: [&str; 2]| {
        format!("{{ epsilon = {epsilon}, allocation = \"{allocation}\" }}")
    };
    let text = format!(
        "{EXPERIMENT}[[claim]]\nid = \"wins\"\ntext = \"it wins\"\nverdict = \"holds\"\n[claim.probability]\nof = \"win\"\n\
         measure = \"rmse\"\nsubject = \"all\"\na = {}\nb = {}\nat_least = 0\n",
        cell(a),
        cell(b)
    );
    let overrides = Overrides::default().trials(trials);
    Plan::from_text("kept.toml", &text, Path::new(""), &overrides)
        .unwrap_or_else(|errors| panic!("{errors}"))
}

/// A claim is no part of what a run is, but its tiles follow from it: those of other pairs look the same and hold other numbers.
#[test]
fn tallies_of_other_pairs_are_not_taken_for_these() {
    let (low, high, other) = (["0.5", "even"], ["2", "even"], ["1", "optimal-mse"]);
    let dir = tempfile::tempdir().unwrap();
    let plans = [
        plan_with_claim(10_000, high, low),
        plan_with_claim(20_000, low, high),
        plan_with_claim(30_000, other, low),
        plan(40_000),
    ];
    for (number, plan) in plans.iter().enumerate() {
        let store = store(dir.path(), plan, Shard::WHOLE);
        let run = simulated(plan, 1, Shard::WHOLE, Some(&store), &go());
        assert_eq!(run.digest(), straight(plan), "{number}");
        let said = store.unusable().join(", ");
        assert_eq!(said.contains("other pairs"), number > 0, "{said}");
        assert!(said.is_empty() || !said.contains("damaged"), "{said}");
        store.tidy().unwrap();
    }
    // shards of a run with another claim are not parts of this one
    let of = |plan: &Plan, index| shard(dir.path(), plan, index, 2);
    let [here, there] = [[high, low], [other, low]].map(|[a, b]| plan_with_claim(9_000, a, b));
    let said = merged(&here, vec![of(&here, 1), of(&there, 2)]).unwrap_err();
    assert!(said.to_string().contains("other pairs"), "{said}");
    let all = merged(&here, vec![of(&here, 1), of(&here, 2)]).unwrap();
    assert_eq!(all, straight(&here));
}

/// The file of a shard.
fn shard(dir: &Path, plan: &Plan, index: u64, of: u64) -> ShardFile {
    let shard = Shard { index, of };
    let place = dir.join(format!("{index}-of-{of}"));
    fs::create_dir_all(&place).unwrap();
    let store = store(&place, plan, shard);
    let run = simulated(plan, 1, shard, Some(&store), &go());
    assert!(!run.stopped && run.cells == 0);
    ShardFile::open(&write_shard(&place, &header(plan, shard), &store).unwrap()).unwrap()
}

fn merged(plan: &Plan, shards: Vec<ShardFile>) -> Result<String, RecordError> {
    let merged = Merged::new(&header(plan, Shard { index: 1, of: 2 }), shards)?;
    let run = simulated(plan, 1, Shard::WHOLE, Some(&merged), &go());
    match merged.error() {
        Some(error) => Err(error),
        None => {
            assert!(!run.stopped);
            Ok(run.digest())
        }
    }
}

#[test]
fn shards_in_any_order_and_of_mixed_numbers_are_the_whole() {
    let plan = plan(30_000);
    let whole = straight(&plan);
    let dir = tempfile::tempdir().unwrap();
    let shards = |parts: &[(u64, u64)]| -> Vec<ShardFile> {
        parts
            .iter()
            .map(|(i, n)| shard(dir.path(), &plan, *i, *n))
            .collect()
    };
    assert_eq!(
        merged(
            &plan,
            shards(&[(3, 7), (1, 7), (7, 7), (2, 7), (6, 7), (4, 7), (5, 7)])
        )
        .unwrap(),
        whole
    );
    assert_eq!(
        merged(&plan, shards(&[(3, 4), (1, 2), (4, 4)])).unwrap(),
        whole
    );
    // more shards than chunks: some hold nothing
    let many: Vec<(u64, u64)> = (1..=12).map(|i| (i, 12)).collect();
    assert_eq!(merged(&plan, shards(&many)).unwrap(), whole);
    let said = |parts: &[(u64, u64)]| merged(&plan, shards(parts)).unwrap_err().to_string();
    assert!(
        said(&[(1, 2), (4, 4)]).contains("from 1/2 to 3/4"),
        "{}",
        said(&[(1, 2), (4, 4)])
    );
    assert!(said(&[(2, 2)]).contains("from 0/1 to 1/2"));
    assert!(said(&[(1, 7), (2, 7)]).contains("from 2/7 to 1/1"));
    for (parts, shards) in [
        (&[(1, 2)][..], "too: --shard 2/2"),
        (&[(1, 2), (4, 4)], "too: --shard 3/4"),
        (&[(1, 4), (2, 4)], "too: --shard 3/4 and --shard 4/4"),
        (&[(3, 3)], "too: --shard 1/3 and --shard 2/3"),
        (&[(1, 12)], "--shard 9/12 and so on up to --shard 12/12"),
    ] {
        assert!(said(parts).ends_with(shards), "{}", said(parts));
    }
    let overlap = said(&[(1, 2), (2, 4), (2, 2)]);
    assert!(
        overlap.contains("2-of-4") && overlap.contains("1-of-2"),
        "{overlap}"
    );
    assert!(said(&[(1, 2), (1, 2), (2, 2)]).contains("the same trials"));
}

/// Tiles end with a batch: tallies of a plan in one piece look like those of another part of one in batches.
#[test]
fn batches_have_shards_and_tallies_of_their_own() {
    let (whole, batched) = (plan(9_000), plan_in(Some(4), 9_000));
    let dir = tempfile::tempdir().unwrap();
    let of = |plan: &Plan, index| shard(dir.path(), plan, index, 3);
    let shards = |plan: &Plan| vec![of(plan, 3), of(plan, 1), of(plan, 2)];
    assert_eq!(
        merged(&batched, shards(&batched)).unwrap(),
        straight(&whole)
    );
    let said = merged(&batched, shards(&whole)).unwrap_err().to_string();
    assert!(said.contains("divided its cells otherwise"), "{said}");
    for (number, plan) in [&whole, &batched, &whole].into_iter().enumerate() {
        let store = store(dir.path(), plan, Shard::WHOLE);
        let run = simulated(plan, 1, Shard::WHOLE, Some(&store), &go());
        assert_eq!(run.digest(), straight(&whole), "{number}");
        let said = store.unusable().join(", ");
        assert_eq!(said.contains("go together otherwise"), number > 0, "{said}");
    }
}

#[test]
fn foreign_and_damaged_shards_are_refused_by_name() {
    let (plan, other) = (plan(30_000), plan(20_000));
    let dir = tempfile::tempdir().unwrap();
    let (a, b) = (
        shard(dir.path(), &plan, 1, 2),
        shard(dir.path(), &plan, 2, 2),
    );
    let elsewhere = tempfile::tempdir().unwrap();
    let foreign = shard(elsewhere.path(), &other, 2, 2);
    let said = merged(&plan, vec![a, foreign]).unwrap_err().to_string();
    assert!(
        said.contains("2-of-2") && said.contains("a run of 20000 trials, and this is one of 30000"),
        "{said}"
    );
    let bytes = fs::read(b.path()).unwrap();
    for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        fs::write(b.path(), &bytes[..cut]).unwrap();
        let said = ShardFile::open(b.path())
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(said.contains("2-of-2"), "{said}");
    }
    let mut changed = bytes.clone();
    let last = changed.len() - 1;
    changed[last] ^= 1;
    fs::write(b.path(), &changed).unwrap();
    let shards = vec![
        shard(dir.path(), &plan, 1, 2),
        ShardFile::open(b.path()).unwrap(),
    ];
    let said = merged(&plan, shards).unwrap_err().to_string();
    assert!(
        said.contains("2-of-2") && said.contains("not what was written"),
        "{said}"
    );
}
