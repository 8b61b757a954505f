//! What runs leave: shards, checkpoints and run directories.

use super::*;
use epsweep::record::Others;

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
            Others::Refuse,
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
            Others::Discard,
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
            Others::Refuse,
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
