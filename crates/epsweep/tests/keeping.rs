//! Runs that are killed, stopped, extended and divided leave the bytes of a run in one piece.

mod common;

use common::{epsweep, root};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Files that are compared: all numbers of a run.
const NUMBERS: [&str; 4] = [
    "summary.csv",
    "comparisons.csv",
    "claims.csv",
    "histograms.csv",
];

fn experiment() -> PathBuf {
    root().join("experiments/adaptive-allocation.toml")
}

fn run(out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    epsweep()
        .arg("run")
        .arg(experiment())
        .args(["--quiet", "--no-figures", "--out"])
        .arg(out)
        .args(more)
        .assert()
}

fn numbers(dir: &Path) -> Vec<Vec<u8>> {
    (NUMBERS.iter())
        .map(|name| std::fs::read(dir.join(name)).unwrap())
        .collect()
}

/// Twenty times SIGKILL at moments from 10 to 120 ms after the start, and later where that was too soon for a checkpoint; the moments follow from a
/// fixed sequence, where in the run they fall does not.
#[test]
#[cfg(unix)]
fn a_run_that_is_killed_twenty_times_ends_with_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let (straight, killed) = (place.path().join("straight"), place.path().join("killed"));
    let trials = ["--trials", "2e7"];
    run(&straight, &trials).success();
    let (mut left_behind, mut too_soon) = (0, 0);
    for kill in 0..20_u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_epsweep"))
            .arg("run")
            .arg(experiment())
            .args(["--quiet", "--no-figures", "--checkpoint", "0.01", "--out"])
            .arg(&killed)
            .args(trials)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let later = 40 * too_soon;
        std::thread::sleep(Duration::from_millis(10 + later + kill * 37 % 110));
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = ["finished", "open"].map(|name| killed.join(".tallies").join(name));
        let kept = kept.iter().filter_map(|file| std::fs::metadata(file).ok());
        match kept.map(|file| file.len()).sum::<u64>() {
            0 => too_soon += 1,
            _ => left_behind += 1,
        }
        assert!(!killed.join("manifest.json").exists() || kill > 5);
    }
    assert!(
        left_behind > 5,
        "checkpoints were found after {left_behind} kills"
    );
    run(&killed, &trials).success();
    assert_eq!(numbers(&straight), numbers(&killed));
}

#[test]
fn a_run_that_is_out_of_time_goes_on_and_one_that_is_done_is_extended() {
    let place = tempfile::tempdir().unwrap();
    let (straight, stopped) = (place.path().join("straight"), place.path().join("stopped"));
    run(&straight, &["--trials", "5e6"]).success();
    run(&stopped, &["--trials", "3e6", "--max-time", "0.001s"]).code(3);
    assert!(!stopped.join("summary.csv").exists());
    let lost = predicates::str::contains("of 3000000 there, 1000 here");
    run(&stopped, &["--trials", "1000"]).code(5).stderr(lost);
    run(&stopped, &["--trials", "3e6"]).success();
    let before = numbers(&stopped);
    assert_ne!(before, numbers(&straight));
    run(&stopped, &["--trials", "5e6"]).success();
    assert_eq!(numbers(&straight), numbers(&stopped));
    // fewer trials would lose some
    run(&stopped, &["--trials", "3e6"])
        .code(5)
        .stderr(predicates::str::contains(
            "trials: 5000000 there, 3000000 here",
        ));
    assert_eq!(numbers(&straight), numbers(&stopped));
}

#[test]
fn shards_are_merged_to_the_same_bytes_and_wrong_ones_are_named() {
    let place = tempfile::tempdir().unwrap();
    let straight = place.path().join("straight");
    let trials = ["--trials", "1e6"];
    run(&straight, &trials).success();
    let shard = |part: &str| {
        let out = place.path().join(part.replace('/', "-of-"));
        run(&out, &[&trials[..], &["--shard", part]].concat()).success();
        out
    };
    let merge = |out: &str, shards: &[&Path]| {
        epsweep()
            .arg("merge")
            .arg(experiment())
            .args(shards)
            .args(trials)
            .args(["--quiet", "--no-figures", "--out"])
            .arg(place.path().join(out))
            .assert()
    };
    let thirds = ["3/3", "1/3", "2/3"].map(shard);
    let of_thirds: Vec<&Path> = thirds.iter().map(PathBuf::as_path).collect();
    merge("thirds", &of_thirds).success();
    assert_eq!(numbers(&straight), numbers(&place.path().join("thirds")));
    let mixed = ["1/2", "3/4", "4/4"].map(shard);
    let files = mixed.each_ref().map(|dir| dir.join("shard.tallies"));
    let of_mixed: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    merge("mixed", &of_mixed).success();
    assert_eq!(numbers(&straight), numbers(&place.path().join("mixed")));
    // all shards of a directory, whatever else is in it
    let all = place.path().join("all");
    std::fs::create_dir_all(&all).unwrap();
    for (from, to) in thirds.iter().zip(["a.tallies", "b.tallies", "c.tallies"]) {
        std::fs::copy(from.join("shard.tallies"), all.join(to)).unwrap();
    }
    std::fs::write(all.join("notes.txt"), "of no matter").unwrap();
    merge("of-directory", &[&all]).success();
    assert_eq!(
        numbers(&straight),
        numbers(&place.path().join("of-directory"))
    );
    let missing = predicates::str::contains("from 1/3 to 2/3");
    merge("missing", &[&thirds[0], &thirds[1]])
        .code(2)
        .stderr(missing);
    let twice = predicates::str::contains("cover the same trials");
    merge("twice", &[&thirds[0], &thirds[1], &thirds[2], &thirds[1]])
        .code(2)
        .stderr(twice);
    // what is no shard is said to be none, and a shard of more trials is told from one of another experiment
    let summary = straight.join("summary.csv");
    for (given, said) in [
        (&summary, "summary.csv is no shard"),
        (&straight, "straight holds no shards"),
    ] {
        let said = predicates::str::contains(said);
        merge("none", &[given]).code(2).stderr(said);
    }
    let more = place.path().join("more");
    run(&more, &["--trials", "2e6", "--shard", "2/2"]).success();
    merge("more", &[&mixed[0], &more])
        .code(2)
        .stderr(predicates::str::contains("give --trials 2000000"));
    // a shard that is there is left alone, another is not overwritten
    run(&thirds[0], &[&trials[..], &["--shard", "3/3"]].concat()).success();
    run(&thirds[0], &[&trials[..], &["--shard", "2/3"]].concat()).code(5);
    run(&place.path().join("none"), &["--shard", "4/3"]).code(2);
}
