//! A trial that yields no number is named and ends the run, or is counted and told; it is never dropped in silence.

mod common;

use common::epsweep;
use epsweep::words::several;
use predicates::prelude::*;
use serde_json::Value;
use std::path::Path;

/// Two choices. The second is nearly uniform, and whoever loses 1e308 − (−1e308) has a loss that is no double.
const OVERFLOW: &str = r#"name = "overflow"
trials = 10000
measures = ["utility_loss", "hit"]
budget = { epsilon = 1 }
[procedure.select]
scores = [1e308, 0, -1e308]
names = ["high", "none", "low"]
[sweep]
noise = { path = "procedure.select.sensitivity", values = [1, 1e308] }
"#;

/// The experiment in a folder, with keys at the top of the file.
fn file(folder: &Path, top: &str) -> std::path::PathBuf {
    let path = folder.join("overflow.toml");
    std::fs::write(&path, format!("{top}\n{OVERFLOW}")).unwrap();
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
                "error: a trial failed: cell noise=1e308, chunk 0, trial 10, seed 11: utility_loss of all is no number\n",
            ))
            .stderr(predicate::str::contains(
                "epsweep replay FILE 'noise=1e308' 10 --seed 11\n",
            ))
            .stderr(predicate::str::contains("on_error = \"record\""));
        assert!(!out.join("manifest.json").exists());
    }
    // the command that it names shows the trial
    epsweep()
        .arg("replay")
        .arg(&file)
        .args(["noise=1e308", "10", "--seed", "11"])
        .assert()
        .success()
        .stdout(predicate::str::contains(
            "the trial failed: utility_loss of all is no number",
        ));
    epsweep()
        .arg("replay")
        .arg(&file)
        .args(["noise=1", "0"])
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
        run.success();
        out
    };
    let out = run("out", &[]);
    let manifest = json(&out.join("manifest.json"));
    let [failed] = &manifest["failed"].as_array().unwrap()[..] else {
        panic!("{}", manifest["failed"]);
    };
    assert_eq!(failed["cell"], "noise=1e308");
    // the worst candidate has weight 1/(1 + √e + e): 5 standard errors are a false alarm in 2 million
    let e = std::f64::consts::E;
    let (p, trials) = (
        1.0 / (1.0 + e.sqrt() + e),
        failed["trials"].as_u64().unwrap(),
    );
    let sd = (10_000.0 * p * (1.0 - p)).sqrt();
    assert!((trials as f64 - 10_000.0 * p).abs() < 5.0 * sd, "{trials}");
    assert_eq!(failed["first"].as_array().unwrap().len(), 3);
    assert_eq!(failed["first"][0]["trial"], 0);
    assert_eq!(json(&out.join("resolved.json"))["on_error"], "record");
    let count = several(trials, "trial");
    let said = format!(
        "{count} failed and are left out of what has no number in them: the first of cell noise=1e308 is trial 0 (chunk 0): utility_loss of all is no number"
    );
    let warnings = manifest["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|w| *w == *said), "{warnings:?}");
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains(&format!("{count} failed and are left out")));
    let summary = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    let trials_of = |start: &str| -> u64 {
        let row = summary.lines().find(|line| line.starts_with(start));
        let row = row.unwrap_or_else(|| panic!("{summary}"));
        let head: Vec<&str> = summary.lines().next().unwrap().split(',').collect();
        let column = head.iter().position(|name| *name == "trials").unwrap();
        row.split(',').nth(column).unwrap().parse().unwrap()
    };
    assert_eq!(
        trials_of("noise=1e308,1e308,all,utility_loss,mean"),
        10_000 - trials
    );
    assert_eq!(trials_of("noise=1e308,1e308,all,hit,mean"), 10_000);
    assert_eq!(trials_of("noise=1,1,all,utility_loss,mean"), 10_000);
    // the same by two shards, which bring their failed trials, and by a run that is made longer inside a chunk
    let mut shards = Vec::new();
    for shard in ["1/2", "2/2"] {
        shards.push(run(&shard.replace('/', "-"), &["--shard", shard]));
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
    run("longer", &["--trials", "5001"]);
    for other in [merged, run("longer", &[])] {
        let text = std::fs::read_to_string(other.join("summary.csv")).unwrap();
        assert_eq!(text, summary);
        let failed = &json(&other.join("manifest.json"))["failed"];
        assert_eq!(*failed, manifest["failed"]);
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
    start("", "5000").code(3);
    start("on_error = \"record\"", "5000").success();
    start("", "6000").code(3).stderr(predicate::str::contains(
        "cell noise=1e308, chunk 0, trial 0, seed 42",
    ));
    // with a target, and with exact quantiles, which take a second pass
    for top in ["quantiles = \"exact\"", "# histogram"] {
        let file = file(place.path(), top);
        let text = std::fs::read_to_string(&file).unwrap();
        let target = "trials = { precision = [{ measure = \"hit\", absolute = 0.1 }], at_least = 5000, at_most = 9000 }";
        for text in [text.clone(), text.replace("trials = 10000", target)] {
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

/// A rate that blows up in every trial: what is left has its numbers, and the code says that something is missing.
#[test]
fn a_cell_without_one_good_trial_leaves_the_others_and_another_code() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("rates.toml");
    let text = "name = \"rates\"\ntrials = 10\non_error = \"record\"\n[procedure.train]\nmodel = \"linear\"\n\
                generated = { records = 200, features = 3, test = 50, signal = 3, seed = 1 }\nsteps = 40\nclip = 1\nridge = 1\n\
                schedule = \"even\"\n[budget]\nepsilon = 1\ndelta = 1e-5\n\
                [sweep]\nrate = { path = \"procedure.train.rate\", values = [0.1, 1e12, 0.2] }\n";
    std::fs::write(&path, text).unwrap();
    let out = place.path().join("run");
    for _ in ["made", "found"] {
        epsweep()
            .arg("run")
            .arg(&path)
            .args(["--no-figures", "--out"])
            .arg(&out)
            .assert()
            .code(3)
            .stderr(predicate::str::contains("every trial of cell rate=1"));
    }
    let summary = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    let means = |rate: &str| {
        let line = format!("rate={rate},{rate},all,loss,mean,");
        summary.lines().any(|row| row.starts_with(&line))
    };
    assert!(means("0.1") && means("0.2"), "{summary}");
}
