//! `epsweep allocate`: the best division, the regrets, and what it refuses.

mod common;

use common::{epsweep, shipped};
use predicates::str::contains;

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = epsweep()
        .arg("allocate")
        .args(arguments)
        .args(["--format", "json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn the_article_finds_more_than_the_cube_root() {
    let file = shipped("adaptive-allocation");
    let found = json(&[file.to_str().unwrap(), "--objective", "expected-largest"]);
    let optimum = &found["objectives"][0]["optimum"];
    let value = optimum["value"].as_f64().unwrap();
    assert!((value - 130.878_049_708).abs() < 1e-6 && value < 131.0595);
    assert!(optimum["gap"].as_f64().unwrap() < 1e-12);
    let shares: f64 = (optimum["shares"].as_array().unwrap().iter())
        .map(|share| share.as_f64().unwrap())
        .sum();
    assert!((shares - 1.0).abs() < 1e-12);
    let strategies = found["objectives"][0]["strategies"].as_array().unwrap();
    for strategy in strategies {
        let regret = strategy["regret"].as_f64().unwrap();
        assert_eq!(
            regret == 0.0,
            strategy["name"] == "optimal-max",
            "{strategy}"
        );
    }
}

#[test]
fn root_weight_by_sensitivity_has_no_regret_with_gaussian_noise_alone() {
    let regret = |budget: &[&str]| {
        let lists = [
            "--sensitivities",
            "0.12,120,1",
            "--weights",
            "5,1,2",
            "--objective",
            "weighted-mse",
        ];
        let found = json(&[&lists, budget].concat());
        let strategies = found["objectives"][0]["strategies"]
            .as_array()
            .unwrap()
            .clone();
        let named = strategies
            .into_iter()
            .find(|strategy| strategy["name"] == "sqrt-weighted");
        named.unwrap()["regret"].as_f64().unwrap()
    };
    assert_eq!(regret(&["--rho", "0.5"]), 0.0);
    assert_eq!(regret(&["--rho", "0.5", "--noise", "laplace"]), 0.0);
    assert!(regret(&["--epsilon", "1"]) > 0.5);
}

#[test]
fn every_form_has_the_optimum() {
    let lists = [
        "allocate",
        "--sensitivities",
        "1,4",
        "--epsilon",
        "2",
        "--names",
        "a,b",
    ];
    let run = |format: &str| {
        epsweep()
            .args(lists)
            .args(["--format", format])
            .assert()
            .success()
    };
    // √Δ: a third and two thirds
    run("text")
        .stdout(contains("weighted-mae"))
        .stdout(contains("0.333333"));
    run("markdown")
        .stdout(contains("| optimum |"))
        .stdout(contains("## largest-mse"));
    run("csv")
        .stdout(contains("weighted-mae,optimum,b,4,1,0.66666666666666"))
        .stdout(contains("relative").count(0));
}

#[test]
fn floors_caps_and_magnitudes_count() {
    let found = json(&[
        "--sensitivities",
        "0.12,120,1",
        "--epsilon",
        "1",
        "--floors",
        "0.1",
        "--caps",
        "0.7,0.6,1",
        "--magnitudes",
        "40,100,200",
        "--objective",
        "relative",
        "--objective",
        "weighted-mse",
    ]);
    let objectives = found["objectives"].as_array().unwrap();
    assert_eq!(objectives.len(), 2);
    let shares = objectives[1]["optimum"]["shares"].as_array().unwrap();
    assert_eq!(shares[1].as_f64(), Some(0.6));
    let even = &objectives[1]["strategies"][0];
    assert_eq!(
        (even["name"].as_str(), even["within_bounds"].as_bool()),
        (Some("even"), Some(true))
    );
    assert_eq!(
        objectives[1]["strategies"][1]["within_bounds"].as_bool(),
        Some(false)
    );
}

#[test]
fn faults_are_refused_with_their_cause() {
    let lists = ["--sensitivities", "1,4"];
    for (arguments, message) in [
        (vec![], "required"),
        (vec!["--sensitivities", "1,4"], "no budget"),
        (
            [&lists[..], &["--epsilon", "0"]].concat(),
            "ε is 0.0, but must be finite and above 0",
        ),
        ([&lists[..], &["--rho", "NaN"]].concat(), "ρ is NaN"),
        (
            [&lists[..], &["--epsilon", "1", "--rho", "1"]].concat(),
            "cannot be used with",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--noise", "gaussian"]].concat(),
            "give --rho",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--weights", "1"]].concat(),
            "1 weights for 2 queries",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--names", "a"]].concat(),
            "1 names for 2",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--floors", "0.6"]].concat(),
            "floors of all shares sum to 1.2",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--caps", "0.1,0.2,0.3"]].concat(),
            "3 caps for 2 queries",
        ),
        (
            [&lists[..], &["--epsilon", "1", "--objective", "relative"]].concat(),
            "magnitude of every answer",
        ),
        (
            [
                &lists[..],
                &["--epsilon", "1", "--objective", "weighted-msee"],
            ]
            .concat(),
            "did you mean `weighted-mse`",
        ),
        (
            vec!["--sensitivities", "1,-4", "--epsilon", "1"],
            "query 2 is -4.0",
        ),
        (
            vec!["--sensitivities", "1,x", "--epsilon", "1"],
            "invalid value 'x'",
        ),
        (
            vec!["--sensitivities", "1,1e308", "--epsilon", "1"],
            "query 2: a sensitivity of 1e308 under a total of 1 is a noise scale of 1e308",
        ),
        (
            vec!["--sensitivities", "1,2", "--epsilon", "5e-324"],
            "scales lie between 1e-30 and 1e30",
        ),
        (
            vec!["--sensitivities", "1,2", "--rho", "1e-320"],
            "state the query in another unit",
        ),
        (vec!["nowhere.toml"], "nowhere.toml"),
    ] {
        epsweep()
            .arg("allocate")
            .args(&arguments)
            .assert()
            .code(2)
            .stderr(contains(message))
            .stdout("");
    }
}

const VECTOR: &str = r#"
name = "vector"
trials = 2000
[data]
uniform = { column = "age", low = 0, high = 100, rows = 200, seed = 3 }
neighbours = "add-remove"
[data.columns]
age = { bounds = [0, 100] }
[[query]]
name = "old"
count = { where = "age > 60" }
[[query]]
name = "ages"
histogram = { column = "age", edges = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100] }
[budget]
epsilon = 1
[sweep]
allocation = ["even", "proportional", "optimal-mse", "optimal-max", "optimal-q95-max", { name = "a third", shares = [0.33, 0.67] }]
[compare]
baseline = { allocation = "even" }
"#;

/// What `allocate` calls the least is the least of a run, and the same number, where a query has many numbers.
#[test]
fn the_optimum_is_that_of_the_run_also_with_vectors() {
    let place = tempfile::tempdir().unwrap();
    let (file, out) = (place.path().join("vector.toml"), place.path().join("out"));
    std::fs::write(&file, VECTOR).unwrap();
    let found = json(&[file.to_str().unwrap()]);
    assert_eq!(found["numbers"], serde_json::json!([1, 10]));
    let summary = common::rows(&common::summary(&file, &out, &[]));
    for (objective, allocation, statistic) in [
        ("expected-largest", "optimal-max", "mean"),
        ("q95-largest", "optimal-q95-max", "q95"),
    ] {
        let all = found["objectives"].as_array().unwrap();
        let solved = all.iter().find(|one| one["name"] == objective).unwrap();
        let optimum = solved["optimum"]["value"].as_f64().unwrap();
        let mut others = 0;
        for (key, row) in &summary {
            if key[1..] != ["all", "max_abs_error", statistic].map(str::to_owned) {
                continue;
            }
            let exact = common::number(row, "exact");
            if key[0] == format!("allocation={allocation}") {
                assert!((exact / optimum - 1.0).abs() < 1e-9, "{exact} {optimum}");
            } else {
                assert!(exact > optimum, "{key:?} {exact} {optimum}");
                others += 1;
            }
        }
        assert_eq!(others, 5);
    }
}
