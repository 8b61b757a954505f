//! A trial that yields no number is named and ends the run, or is counted and told; it is never dropped in silence.

mod common;

use common::epsweep;
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

/// Two descents, of which the second leaves the range of doubles in every trial.
const DIVERGING: &str = r#"name = "diverging"
trials = 40
measures = ["distance", "steps"]
[procedure.train]
model = "linear"
generated = { records = 50, features = 2, seed = 3 }
steps = 4
clip = 1
[budget]
epsilon = 2
delta = 1e-5
[sweep]
"procedure.train.rate" = [0.1, 1e300]
"#;

/// The experiment in a folder, with keys at the top of the file.
fn file(folder: &Path, top: &str) -> std::path::PathBuf {
    let path = folder.join("diverging.toml");
    std::fs::write(&path, format!("{top}\n{DIVERGING}")).unwrap();
    path
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_failed_trial_ends_the_run_and_is_named_with_the_remedy() {
    let place = tempfile::tempdir().unwrap();
    let file = file(place.path(), "seed = 11");
    let out = place.path().join("out");
    for jobs in ["1", "2"] {
        epsweep()
            .args(["run", "-j", jobs, "-o"])
            .args([&out, &file])
            .assert()
            .code(3)
            .stdout("")
            .stderr(predicate::str::contains(
                "error: a trial failed: cell rate=1e300, chunk 0, trial 0, seed 11: distance of all is no number\n",
            ))
            .stderr(predicate::str::contains(
                "epsweep replay FILE 'rate=1e300' 0 --seed 11\n",
            ))
            .stderr(predicate::str::contains("on_error = \"record\""));
        assert!(!out.join("manifest.json").exists());
    }
    // the command that it names shows the trial
    epsweep()
        .arg("replay")
        .arg(&file)
        .args(["rate=1e300", "0", "--seed", "11"])
        .assert()
        .success()
        .stdout(predicate::str::contains(
            "the trial failed: distance of all is no number",
        ));
    epsweep()
        .arg("replay")
        .arg(&file)
        .args(["rate=0.1", "0"])
        .assert()
        .success()
        .stdout(predicate::str::contains("failed").not());
}

#[test]
fn recorded_it_is_counted_and_told_and_the_others_are_used() {
    let place = tempfile::tempdir().unwrap();
    let file = file(place.path(), "on_error = \"record\"");
    let run = |name: &str, more: &[&str]| {
        let out = place.path().join(name);
        let run = epsweep()
            .args(["run", "-o"])
            .args([&out, &file])
            .args(more)
            .assert();
        run.success().stderr(predicate::str::contains(
            "40 trials failed and are left out of what has no number in them: the first of cell rate=1e300 is trial 0 (chunk 0): distance of all is no number",
        ));
        out
    };
    let out = run("out", &[]);
    let manifest = json(&out.join("manifest.json"));
    let failed = manifest["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["cell"], "rate=1e300");
    assert_eq!(failed[0]["trials"], 40);
    assert_eq!(failed[0]["first"].as_array().unwrap().len(), 3);
    assert_eq!(failed[0]["first"][2]["trial"], 2);
    assert_eq!(json(&out.join("resolved.json"))["on_error"], "record");
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("40 trials failed"));
    let summary = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    let row = |start: &str| {
        summary
            .lines()
            .find(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(row("rate=0.1,0.1,all,distance,mean").contains(",40"));
    assert!(row("rate=1e300,1e300,all,distance,mean,,").contains(",0"));
    // the same by two shards, which know of their failed trials, and by a run that is extended
    let mut shards = Vec::new();
    for shard in ["1/2", "2/2"] {
        let folder = place.path().join(shard.replace('/', "-"));
        let run = epsweep()
            .args(["run", "--shard", shard, "-o"])
            .args([&folder, &file])
            .assert();
        run.success();
        shards.push(folder);
    }
    let merged = place.path().join("merged");
    let merge = epsweep()
        .arg("merge")
        .arg(&file)
        .args(&shards)
        .arg("-o")
        .arg(&merged)
        .assert();
    merge.success();
    let longer = place.path().join("longer");
    let short = epsweep()
        .args(["run", "--trials", "13", "-o"])
        .args([&longer, &file])
        .assert();
    short.success();
    run("longer", &[]);
    for other in [merged, longer] {
        let text = std::fs::read_to_string(other.join("summary.csv")).unwrap();
        assert_eq!(text, summary);
        assert_eq!(
            json(&other.join("manifest.json"))["failed"],
            manifest["failed"]
        );
    }
}

/// Whether failed trials are passed over decides no number: what was recorded can be looked at more strictly, and the other way round.
#[test]
fn what_was_recorded_ends_a_run_that_is_to_stop() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let start = |on_error: &str, trials: &str| {
        let file = file(place.path(), on_error);
        epsweep()
            .args(["run", "--trials", trials, "-o"])
            .args([&out, &file])
            .assert()
    };
    start("", "16").code(3);
    start("on_error = \"record\"", "16").success();
    start("", "24").code(3).stderr(predicate::str::contains(
        "cell rate=1e300, chunk 0, trial 0, seed 42",
    ));
    // with a target, and with exact quantiles, which take a second pass
    for top in ["quantiles = \"exact\"", "# histogram"] {
        let file = file(place.path(), top);
        let text = std::fs::read_to_string(&file).unwrap();
        let target = "trials = { precision = [{ measure = \"steps\", absolute = 1 }], at_least = 16, at_most = 40 }";
        for text in [text.clone(), text.replace("trials = 40", target)] {
            std::fs::write(&file, &text).unwrap();
            let out = place.path().join("other");
            let run = |text: &str| {
                std::fs::write(&file, text).unwrap();
                epsweep().args(["run", "-o"]).args([&out, &file]).assert()
            };
            run(&text)
                .code(3)
                .stderr(predicate::str::contains("a trial failed"));
            run(&format!("on_error = \"record\"\n{text}")).success();
            std::fs::remove_dir_all(&out).unwrap();
        }
    }
}

#[test]
fn another_way_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let file = file(place.path(), "on_error = \"ignore\"");
    epsweep()
        .arg("check")
        .arg(&file)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("stop").and(predicate::str::contains("record")));
}
