//! What is said of a place that was to be read as a run and is none, of several of which some are, and of tallies that cannot be used.

mod common;
#[path = "reading/tallies.rs"]
mod tallies;

use common::epsweep;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::{Path, PathBuf};

const FILE: &str = r#"
name = "small"
trials = 4000
[data]
uniform = { column = "age", low = 0, high = 100, rows = 50, seed = 3 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 100] }
[[query]]
name = "mean"
mean = { column = "age" }
[[query]]
name = "old"
count = { where = "age > 60" }
[sweep]
budget.epsilon = [0.5, 1]
allocation = ["even", "proportional"]
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        std::fs::write(place.path("small.toml"), FILE).unwrap();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, out: &str, arguments: &[&str]) -> assert_cmd::Command {
        let mut command =
            self.command(&["run", "small.toml", "--quiet", "--no-figures", "-o", out]);
        command.args(arguments);
        command
    }

    fn command(&self, arguments: &[&str]) -> assert_cmd::Command {
        let mut command = epsweep();
        command.current_dir(self.0.path()).args(arguments);
        command
    }
}

fn version(manifest: &Path, version: &str) {
    let text = std::fs::read_to_string(manifest).unwrap();
    std::fs::write(manifest, text.replacen("\"schema\": 1", version, 1)).unwrap();
}

#[test]
fn one_that_cannot_be_read_keeps_no_other_from_being_judged() {
    let place = Place::new();
    for out in ["a", "b", "c"] {
        place.run(out, &[]).assert().code(0);
    }
    version(&place.path("b/manifest.json"), "\"schema\": 2");
    (place.command(&["verify", "a", "b", "none", "c"]).assert())
        .code(5)
        .stdout(contains("a: nothing contradicts").and(contains("c: nothing contradicts")))
        .stderr(contains("b/manifest.json has version 2").and(contains("there is no none")))
        .stderr(contains("2 of 4 could not be judged: b and none"));
    // the code is that of the first that could not be judged
    place
        .command(&["verify", "none", "b", "a"])
        .assert()
        .code(2);
    (place
        .command(&["verify", "a", "b", "--format", "json"])
        .assert())
    .code(5)
    .stdout(contains("\"unread\"").and(contains("b/manifest.json")));
    // by seeds, likewise
    let seeds = ["verify", "a", "small.toml", "--seeds", "2", "--quiet"];
    (place.command(&seeds).assert())
        .code(2)
        .stdout(contains("small.toml: "))
        .stderr(contains("1 of 2 could not be judged: a"));
}

#[test]
fn whoever_reads_what_is_no_run_hears_what_it_is_and_what_to_give() {
    let place = Place::new();
    place.run("folder/a", &[]).assert().code(0);
    std::fs::create_dir(place.path("folder/a/manifest.json.d")).unwrap();
    std::fs::create_dir(place.path("empty")).unwrap();
    for (arguments, code, part) in [
        (&["report", "none"][..], 5, "there is no none"),
        (
            &["verify", "none"],
            2,
            "there is no none; give the directory of a finished run",
        ),
        (&["replay", "none", "1", "0"], 2, "or an experiment file"),
        (&["report", "folder/a/summary.csv"], 5, "give folder/a"),
        (
            &["export", "folder/a/summary.csv", "--format", "csv"],
            5,
            "give folder/a",
        ),
        (
            &["compare", "folder/a", "folder/a/summary.csv"],
            5,
            "give folder/a",
        ),
        (
            &["replay", "folder/a/summary.csv", "1", "0"],
            2,
            "give folder/a",
        ),
        (&["verify", "folder/a/summary.csv"], 2, "give folder/a"),
        (
            &["compare", "folder/a", "empty"],
            5,
            "empty holds no run; give the directory",
        ),
        (
            &["report", "small.toml"],
            5,
            "is a file, and a run is read from its directory",
        ),
        (
            &["report", "folder"],
            5,
            "holds the runs folder/a; give one of them",
        ),
    ] {
        let assert = place.command(arguments).assert().code(code).stdout("");
        assert.stderr(contains(part).and(contains("os error").not()));
    }
    (place.command(&["report", "folder/a"]).assert())
        .code(0)
        .stderr(contains(
            "left out, since they are no files of a run: manifest.json.d",
        ));
}

#[test]
fn a_run_under_way_is_no_missing_file() {
    let place = Place::new();
    (place
        .run(
            "out",
            &["--trials", "1e11", "--max-time", "1", "--checkpoint", "0.2"],
        )
        .assert())
    .code(3);
    for command in ["report", "verify"] {
        (place.command(&[command, "out"]).assert()).code(5).stderr(
            contains("was interrupted before its end").and(contains("epsweep run FILE -o out")),
        );
    }
    let lock = std::fs::File::create(place.path("out/.lock")).unwrap();
    lock.lock().unwrap();
    (place.command(&["report", "out"]).assert())
        .code(5)
        .stderr(contains("a run that is in progress"));
}
