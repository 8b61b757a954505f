//! A trial that is simulated again has the numbers that it had in its run.

mod common;

use common::{epsweep, shipped};
use epsweep::engine::{Kept, Progress};
use epsweep::pipeline;
use epsweep::plan::{Overrides, Plan};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

/// Sums over all trials, replayed one by one, are those of the run's tally: of every procedure, for every measure and subject. The trials
/// lie on both sides of the end of a block and of a chunk of the shorter ones.
#[test]
fn replayed_trials_add_up_to_the_tally_of_the_run() {
    const TRIALS: u64 = 70;
    for (name, cell) in [
        ("adaptive-allocation", 1),
        ("night-market", 3),
        ("sparse-vector", 0),
        ("online-policies", 2),
        ("private-training", 2),
        ("clip-then-sum", 4),
    ] {
        let overrides = Overrides::default().trials(TRIALS);
        let plan = Plan::load(&shipped(name), &overrides).unwrap();
        let never = AtomicBool::new(false);
        let progress = Progress::default();
        let run = pipeline::simulate(&plan, 0, Kept::default(), &progress, &never).unwrap();
        let mut sums: BTreeMap<(String, &str), (u64, f64, f64)> = BTreeMap::new();
        for trial in 0..TRIALS {
            let replayed = pipeline::replay(&plan, cell, trial).unwrap();
            assert!(!replayed.drawn.is_empty(), "{name}");
            for (subject, measure, value) in replayed.values {
                let sum = sums.entry((subject, measure)).or_default();
                if !value.is_nan() {
                    *sum = (sum.0 + 1, sum.1 + value, sum.2 + value.abs());
                }
            }
        }
        assert!(!run.cells[cell].outcomes.is_empty());
        for outcome in &run.cells[cell].outcomes {
            let key = (outcome.subject.clone(), outcome.measure);
            let (n, sum, size) = sums[&key];
            assert_eq!(n, outcome.moments.n, "{name} {key:?}");
            let tallied = outcome.moments.mean * n as f64;
            assert!(
                (sum - tallied).abs() <= 1e-10 * size,
                "{name} {key:?}: {sum}, {tallied}"
            );
        }
    }
}

#[test]
fn a_run_shows_its_trials_and_says_what_there_is_not() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    common::summary(&shipped("adaptive-allocation"), &out, &["--trials", "1000"]);
    let replay = |cell: &str, trial: &str| {
        let mut command = epsweep();
        command.arg("replay").arg(&out).args([cell, trial]);
        command
            .arg("--data")
            .arg(common::root().join("experiments"));
        command
    };
    let cell = "epsilon=1 allocation=even";
    let said = replay(cell, "7")
        .args(["--format", "json"])
        .assert()
        .success();
    let json: serde_json::Value = serde_json::from_slice(&said.get_output().stdout).unwrap();
    let value = |subject: &str, measure: &str| {
        let rows = json["values"].as_array().unwrap().iter();
        let mut found = rows.filter(|row| row["subject"] == subject && row["measure"] == measure);
        found.next().unwrap()["value"].as_f64().unwrap()
    };
    // what is released is the truth and its error, which is the draw times the scale
    for query in json["resolved"]["queries"].as_array().unwrap() {
        let name = query["name"].as_str().unwrap();
        let (truth, scale) = (
            query["truth"].as_f64().unwrap(),
            query["scale"].as_f64().unwrap(),
        );
        let draws = json["draws"].as_array().unwrap();
        let purpose = format!("laplace/{name}");
        let drawn = draws
            .iter()
            .find(|drawn| drawn["purpose"] == *purpose)
            .unwrap();
        let error = scale * drawn["values"][0].as_f64().unwrap();
        assert!((value(name, "error") - error).abs() <= 1e-12 * error.abs());
        let answer = value(name, "answer");
        assert!((answer - truth - error).abs() <= 1e-12 * (truth.abs() + error.abs()));
    }
    replay("1", "7")
        .assert()
        .success()
        .stdout(predicates::str::contains("trial 7, seed 42"));
    replay("epsilon=1 allocation=evn", "7")
        .assert()
        .code(2)
        .stderr(predicates::str::contains(
            "did you mean `epsilon=1 allocation=even`",
        ));
    // a number is a number however it is written, and axes come in any order
    for called in [
        "allocation=even epsilon=1.0",
        "epsilon=1e0 allocation=even",
        "allocation=even",
    ] {
        replay(called, "7")
            .assert()
            .success()
            .stdout(predicates::str::starts_with(format!(
                "cell {cell}, trial 7"
            )));
    }
    replay("epsilon=1.0", "7")
        .assert()
        .code(2)
        .stderr(predicates::str::contains(
            "is 7 cells: epsilon=1 allocation=even, ",
        ));
    replay("epsilon=2 allocation=even", "7")
        .assert()
        .code(2)
        .stderr(predicates::str::contains("unknown cell"));
    replay(cell, "1000")
        .assert()
        .code(2)
        .stderr(predicates::str::contains("0 to 999"));
}
