//! The command line as scripts see it: exit codes, which stream says what, and that nothing is half written.

mod common;
#[path = "cli/drawn.rs"]
mod drawn;
#[path = "cli/interrupted.rs"]
mod interrupted;
#[path = "cli/mistaken.rs"]
mod mistaken;

use common::{epsweep, shipped};
use predicates::prelude::*;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const FILE: &str = r#"
name = "small"
question = "Is it better to split evenly?"
trials = 2000

[data]
uniform = { column = "age", low = 0, high = 100, rows = 50, seed = 3 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 100] }

[[query]]
name = "mean age"
mean = { column = "age" }
[[query]]
name = "old & <wise>"
count = { where = "age > 60" }

[budget]
epsilon = 1

[sweep]
allocation = ["even", "proportional"]

[compare]
baseline = { allocation = "even" }
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, text: &str) -> PathBuf {
        let path = self.path("small.toml");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn run(&self, text: &str) -> assert_cmd::Command {
        let mut command = epsweep();
        command
            .arg("run")
            .arg(self.file(text))
            .arg("--out")
            .arg(self.path("out"));
        command
    }
}

fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .map(|entries| {
            entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        })
        .unwrap_or_default();
    names.sort();
    names
}

#[test]
fn a_run_leaves_its_record_and_says_where() {
    let place = Place::new();
    let assert = place.run(FILE).assert().code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    for part in [
        "report.html",
        "figures",
        "summary.csv",
        "digest",
        "paired trials",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let expected = [
        ".tallies",
        "claims.csv",
        "comparisons.csv",
        "experiment.toml",
        "figures",
        "histograms.csv",
        "manifest.json",
        "report.html",
        "report.md",
        "resolved.json",
        "summary.csv",
    ];
    assert_eq!(listing(&place.path("out")), expected);
    assert_eq!(
        std::fs::read_to_string(place.path("out/experiment.toml")).unwrap(),
        FILE
    );
    for ending in ["svg", "png", "pdf", "csv"] {
        assert!(
            listing(&place.path("out/figures"))
                .iter()
                .any(|name| name.ends_with(ending)),
            "{ending}"
        );
    }
}

#[test]
fn only_the_result_is_on_stdout() {
    let place = Place::new();
    let assert = place.run(FILE).args(["--format", "csv"]).assert().code(0);
    let output = assert.get_output();
    assert_eq!(
        output.stdout,
        std::fs::read(place.path("out/summary.csv")).unwrap()
    );
    assert!(!output.stderr.is_empty());
    // the same run again, as JSON
    let assert = place
        .run(FILE)
        .args(["--format", "json"])
        .assert()
        .code(0)
        .stderr(predicate::str::contains("left alone"));
    let json: serde_json::Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
    assert_eq!(json["resolved"]["name"], "small");
    assert!(json["summary"].as_array().unwrap().len() > 100);
    let assert = place
        .run(FILE)
        .args(["--format", "markdown", "--quiet"])
        .assert()
        .code(0)
        .stderr("");
    assert!(assert.get_output().stdout.starts_with(b"| allocation |"));
}

#[test]
fn another_run_is_not_overwritten_without_force() {
    let place = Place::new();
    place
        .run(FILE)
        .args(["--quiet", "--no-figures"])
        .assert()
        .code(0);
    let before = std::fs::read(place.path("out/summary.csv")).unwrap();
    (place.run(FILE).args(["--quiet", "--seed", "7"]).assert())
        .code(5)
        .stdout("")
        .stderr(
            predicate::str::contains("seed: 42 there, 7 here")
                .and(predicate::str::contains("--force")),
        );
    assert_eq!(
        std::fs::read(place.path("out/summary.csv")).unwrap(),
        before
    );
    place
        .run(FILE)
        .args(["--quiet", "--seed", "7", "--force"])
        .assert()
        .code(0);
    assert_ne!(
        std::fs::read(place.path("out/summary.csv")).unwrap(),
        before
    );
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_run() {
    let place = Place::new();
    std::fs::write(place.path("out"), "a file").unwrap();
    place
        .run(FILE)
        .args(["--trials", "1e12"])
        .assert()
        .code(5)
        .stdout("")
        .stderr(predicate::str::contains("out"));
    std::fs::remove_file(place.path("out")).unwrap();
    std::fs::create_dir(place.path("out")).unwrap();
    std::fs::write(place.path("out/thesis.tex"), "mine").unwrap();
    place
        .run(FILE)
        .args(["--trials", "1e12", "--force"])
        .assert()
        .code(5)
        .stderr(predicate::str::contains("thesis.tex"));
    assert_eq!(listing(&place.path("out")), ["thesis.tex"]);
}

#[test]
fn every_fault_of_a_file_is_said_at_once_and_nothing_is_written() {
    let place = Place::new();
    let broken = FILE
        .replace("epsilon = 1", "epsilon = -1")
        .replace("trials = 2000", "trails = 2000")
        .replace("\"proportional\"", "\"proportionl\"");
    (place.run(&broken).assert())
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("`trails`").and(predicate::str::contains("trials")))
        .stderr(predicate::str::contains("-1").and(predicate::str::contains("proportional")))
        .stderr(
            predicate::str::contains("small.toml:4:").and(predicate::str::contains("3 errors")),
        );
    assert!(!place.path("out").exists());
    epsweep()
        .arg("check")
        .arg(place.file(&broken))
        .assert()
        .code(2);
    epsweep()
        .arg("check")
        .arg(place.file(FILE))
        .assert()
        .code(0)
        .stdout(predicate::str::contains("2 cells"));
}

#[test]
fn bad_command_lines_are_code_2_and_help_is_code_0() {
    for arguments in [
        &["run"][..],
        &["rum"],
        &["run", "x.toml", "--trials", "59.94"],
        &["run", "x.toml", "--set", "epsilon"],
        &["list", "colours"],
    ] {
        epsweep().args(arguments).assert().code(2).stdout("");
    }
    epsweep()
        .args(["run", "no/such/file.toml"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no/such/file.toml"));
    epsweep()
        .arg("--help")
        .assert()
        .code(0)
        .stdout(predicate::str::contains("Exit codes"));
    epsweep().arg("--version").assert().code(0);
}

/// A value below zero is a wrong value and no unknown option.
#[test]
fn negative_values_are_judged_as_values() {
    for (arguments, words) in [
        (
            &["run", "x.toml", "--checkpoint", "-5"][..],
            "`-5` is not a time above 0",
        ),
        (
            &["run", "x.toml", "--max-time", "-5s"],
            "`-5s` is not a time above 0",
        ),
        (
            &["run", "x.toml", "--seed", "-1"],
            "`-1` is not a whole number from 0 to 18446744073709551615",
        ),
        (
            &["run", "x.toml", "-j", "-2"],
            "`-2` is not a number of threads",
        ),
        (
            &["calibrate", "x.toml", "--repeats", "-5"],
            "`-5` is not a whole number from 0 on",
        ),
        (
            &["replay", "results/x", "1", "-5"],
            "`-5` is not a whole number from 0 on",
        ),
        (
            &["verify", "x.toml", "--level", "-0.1"],
            "level -0.1 is not between 0 and 1",
        ),
        (&["run", "x.toml", "-5"], "unexpected argument"),
    ] {
        (epsweep().args(arguments).assert())
            .code(2)
            .stderr(predicate::str::contains(words));
    }
}

/// A shard says how many trials it has simulated, not how many the run has.
#[test]
fn a_shard_says_its_own_number_of_trials() {
    let place = Place::new();
    let file = place.file(FILE);
    for (shard, trials) in [("1/3", "4096 trials"), ("3/3", "1808 trials")] {
        epsweep()
            .arg("run")
            .arg(&file)
            .args(["--trials", "10000", "--shard", shard, "--out"])
            .arg(place.path(&shard.replace('/', "-")))
            .assert()
            .code(0)
            .stderr(predicate::str::contains(format!("2 cells of {trials} in")));
    }
}

/// Every column of p values has its meaning beside it.
#[test]
fn p_values_are_explained() {
    let place = Place::new();
    let file = place.file(FILE);
    for seeds in [&[][..], &["--seeds", "2"]] {
        (epsweep().arg("verify").arg(&file).args(seeds))
            .args(["--trials", "1000"])
            .assert()
            .code(0)
            .stdout(predicate::str::contains("p_adjusted: the same for"));
    }
}

#[test]
fn a_wrong_instruction_set_is_refused_not_passed_over() {
    let place = Place::new();
    place
        .run(FILE)
        .env("EPSWEEP_ISA", "mmx")
        .assert()
        .code(2)
        .stderr(predicate::str::contains("mmx"));
}

#[test]
fn instruction_sets_change_no_byte() {
    let place = Place::new();
    let summary = |isa: Option<&str>| {
        let mut command = place.run(FILE);
        command.args(["--quiet", "--no-figures", "--force", "--format", "csv"]);
        if let Some(isa) = isa {
            command.env("EPSWEEP_ISA", isa);
        }
        command.assert().code(0).get_output().stdout.clone()
    };
    let best = summary(None);
    for level in epsweep_core::random::Level::available() {
        assert!(best == summary(Some(level.name())), "{}", level.name());
    }
}

#[test]
fn plans_show_the_grid_and_simulate_nothing() {
    let place = Place::new();
    let file = place.file(FILE);
    (epsweep().arg("plan").arg(&file).assert()).code(0).stdout(
        predicate::str::contains("2 cells")
            .and(predicate::str::contains("expected on"))
            .and(predicate::str::contains("old & <wise>")),
    );
    let assert = epsweep()
        .arg("plan")
        .arg(&file)
        .args(["--format", "csv"])
        .assert()
        .code(0);
    let rows = csv::Reader::from_reader(assert.get_output().stdout.as_slice())
        .records()
        .count();
    assert_eq!(rows, 4);
    // a grid that no machine could hold is refused at once
    let huge = FILE.replace("allocation = [\"even\", \"proportional\"]", "epsilon = { log = [0.01, 10], points = 1000000 }\nlevel = { linear = [0.5, 0.9], points = 1000000 }");
    epsweep()
        .arg("plan")
        .arg(place.file(&huge.replace("baseline = { allocation = \"even\" }", "")))
        .assert()
        .code(2);
}

#[test]
fn reports_can_be_made_again_from_the_files_alone() {
    let place = Place::new();
    place.run(FILE).arg("--quiet").assert().code(0);
    let out = place.path("out");
    let (html, svg) = (out.join("report.html"), out.join("figures"));
    let before = std::fs::read(&html).unwrap();
    std::fs::remove_file(&html).unwrap();
    std::fs::remove_dir_all(&svg).unwrap();
    std::fs::remove_file(place.path("small.toml")).unwrap();
    epsweep().arg("report").arg(&out).assert().code(0);
    assert_eq!(std::fs::read(&html).unwrap(), before);
    // a changed table is noticed
    let summary = out.join("summary.csv");
    let text = std::fs::read_to_string(&summary).unwrap();
    std::fs::write(&summary, text.replacen('1', "2", 1)).unwrap();
    epsweep()
        .arg("report")
        .arg(&out)
        .assert()
        .code(5)
        .stderr(predicate::str::contains("summary.csv"));
    epsweep()
        .arg("report")
        .arg(place.path("nothing"))
        .assert()
        .code(5);
}

#[test]
fn lists_come_from_the_registries() {
    let assert = epsweep()
        .args(["list", "allocations", "--long"])
        .assert()
        .code(0);
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    for allocation in epsweep_core::allocation::REGISTRY {
        let about = allocation.about();
        assert!(
            text.contains(about.name) && text.contains(about.source),
            "{}",
            about.name
        );
    }
    epsweep()
        .args(["list", "--format", "json"])
        .assert()
        .code(0)
        .stdout(predicate::str::contains("max_abs_error"));
}

#[test]
fn shipped_experiments_pass_the_check() {
    for name in [
        "adaptive-allocation",
        "epsilon-sweep",
        "sensitivities",
        "weighted-allocation",
    ] {
        epsweep()
            .arg("check")
            .arg(shipped(name))
            .assert()
            .code(0)
            .stderr(predicate::str::contains("error:").not());
    }
}
