//! Trouble that people who do this job have met with other tools, seen from the command line: one test for a kind, with inputs of our own.
//! `README.md` beside this file says which kind is tested where.

mod common;

use common::epsweep;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::PathBuf;

const FILE: &str = r#"name = "trouble"
trials = 500
[data]
uniform = { column = "age", low = 0, high = 100, rows = 50, seed = 3 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 100] }
[[query]]
name = "n"
count = { where = "age > 60" }
[[query]]
name = "sum"
sum = { column = "age" }
[budget]
epsilon = 1
"#;

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command on a text, which runs leave in `out`.
    fn on(&self, command: &str, text: &str) -> assert_cmd::Command {
        let path = self.path("e.toml");
        std::fs::write(&path, text).unwrap();
        let mut run = epsweep();
        run.arg(command).arg(path);
        if command == "run" {
            run.arg("--out").arg(self.path("out"));
        }
        run
    }
}

/// Other bounds and a single trial take away numbers that claims speak of: the run is recorded, and says which claims are open.
#[test]
fn claims_that_a_changed_experiment_cannot_answer_do_not_end_it() {
    let claims = "[[claim]]\nid = \"A\"\ntext = \"t\"\nverdict = \"holds\"\nvalue = { of = \"rmse.mean.mcse\", at_least = 0 }\n\
        [[claim]]\nid = \"B\"\ntext = \"t\"\nverdict = \"holds\"\nvalue = { of = \"relative_error.mean\", subject = \"n\", at_least = 0 }\n";
    let place = Place::new();
    let text = FILE.replace("age > 60", "age > 1000") + claims;
    (place
        .on("run", &text)
        .args(["--trials", "1", "--no-figures"])
        .assert())
    .code(0)
    .stdout(contains("A      undecided").and(contains("B      undecided")));
    let rows = std::fs::read_to_string(place.path("out/claims.csv")).unwrap();
    assert_eq!(rows.matches("the run has no ").count(), 2, "{rows}");
    assert!(place.path("out/manifest.json").exists());
}

/// Warnings are no progress: they are said with `--quiet`, and each once.
#[test]
fn quiet_runs_warn() {
    let text = FILE.replace("bounds = [0, 100]", "bounds = [20, 80]");
    let place = Place::new();
    let assert = (place
        .on("run", &text)
        .args(["--quiet", "--no-figures"])
        .assert())
    .code(0);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(said.matches("were clipped").count(), 1, "{said}");
    assert!(
        said.lines().all(|line| line.starts_with("warning: ")),
        "{said}"
    );
}

/// Characters that no font has are named once, however many figures have them.
#[test]
fn characters_without_a_font_are_named_once() {
    // private use: no font has it
    let figure = |kind: &str| format!("[[figure]]\nkind = \"{kind}\"\nmeasure = \"abs_error\"\n");
    let text = FILE.replace("name = \"sum\"", "name = \"sum \u{10fffd}\"")
        + &["box", "histogram", "bars"].map(figure).concat();
    let place = Place::new();
    let assert = place.on("run", &text).assert().code(0);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(
        said.matches("no font of this system has").count(),
        1,
        "{said}"
    );
}

/// A number of trials in any of its forms is taken as it is, or refused with what is right.
#[test]
fn numbers_of_trials_are_whole_and_within_their_range() {
    let place = Place::new();
    for (given, words) in [
        ("1e18", "a whole number from 1 to 1000000000000"),
        ("0", "a whole number from 1 to"),
        ("59.94", "is not a whole number"),
        ("-1", "is not a whole number from 0 on"),
        ("nan", "is not a whole number"),
    ] {
        (place.on("run", FILE).args(["--trials", given]).assert())
            .code(2)
            .stderr(contains(words));
    }
    assert!(!place.path("out").exists());
    (place
        .on("run", FILE)
        .args(["--trials", "1e3", "--no-figures"])
        .assert())
    .code(0);
}

/// `check` and `plan` count what there is, in words that fit the number.
#[test]
fn what_is_counted_is_what_there_is() {
    let train = "name = \"t\"\ntrials = 8\n[procedure.train]\nmodel = \"logistic\"\ngenerated = { records = 60, features = 3, seed = 3 }\nsteps = 20\nrate = 5\nclip = 0.5\n[budget]\nepsilon = 1\ndelta = 1e-5\n";
    let staged = FILE
        .split("[[query]]")
        .next()
        .unwrap()
        .replace("substitute", "add-remove")
        + "[procedure.clip-then-sum]\ncolumn = \"age\"\nbound = 60\nshares = [0, 0.5, 0.5]\n[budget]\nepsilon = 1\n";
    let composed = "name = \"c\"\n[budget]\nepsilon = 1\ndelta = 1e-6\n[procedure.compose]\naccountant = \"basic\"\nrelease = { laplace = 0.1 }\nk = 100\n";
    let place = Place::new();
    for (text, words) in [
        (FILE, "1 cell, 2 queries a cell"),
        (train, "1 cell, 20 steps a cell"),
        (&staged, "1 cell, 3 answers a cell"),
        (composed, "1 cell, 100 releases a cell"),
    ] {
        place
            .on("check", text)
            .assert()
            .code(0)
            .stdout(contains(words));
    }
    (place.on("plan", FILE).arg("--jobs").arg("1").assert())
        .code(0)
        .stdout(contains("1 cell × 500 trials, 0 compared pairs").and(contains("on 1 thread:")));
    (place
        .on("run", FILE)
        .args(["--trials", "1", "--no-figures"])
        .assert())
    .code(0)
    .stdout(contains("means of 1 trial with"));
}

/// What the shares divide is said in the order of the grid, not of the alphabet.
#[test]
fn plans_keep_the_order_of_the_grid() {
    let text = FILE.replace("epsilon = 1\n", "rho = 1\n")
        + "[procedure.release]\nnoise = \"gaussian\"\n[sweep]\nrho = [0.5, 10, 2]\n";
    let place = Place::new();
    let assert = place.on("plan", &text).assert().code(0);
    let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let divided: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("shares divide "))
        .collect();
    assert_eq!(divided, ["ρ = 0.5", "ρ = 10", "ρ = 2"], "{said}");
}

/// Everything that is equal, a single record, zeros on a log axis: a picture of each, soon.
#[test]
fn columns_without_a_spread_have_their_pictures() {
    let place = Place::new();
    for (values, bounds) in [
        ("7\n".repeat(35), "[0, 10]"),
        ("7\n".into(), "[0, 10]"),
        ("0\n0\n1\n10\n".into(), "[0, 10]"),
        ("7\n7\n".into(), "[7, 7]"),
    ] {
        std::fs::write(place.path("d.csv"), format!("age\n{values}")).unwrap();
        let text = FILE
            .replace(
                "uniform = { column = \"age\", low = 0, high = 100, rows = 50, seed = 3 }",
                "csv = \"d.csv\"",
            )
            .replace("[0, 100]", bounds)
            + "[[figure]]\nkind = \"box\"\nscale = \"log\"\n[[figure]]\nkind = \"histogram\"\n[[figure]]\nkind = \"bars\"\nscale = \"log\"\n";
        place.on("run", &text).arg("--force").assert().code(0);
        for name in ["box", "histogram", "bars"] {
            assert!(
                place.path(&format!("out/figures/{name}.png")).exists(),
                "{name} {values:?}"
            );
        }
    }
}

/// A cell that cannot be run is known before any is.
#[test]
fn a_cell_that_must_fail_is_refused_up_front() {
    let text = "name = \"k\"\n[budget]\nepsilon = 1\n[procedure.select]\nmechanism = \"peeling\"\nscores = [3, 1, 2]\nsensitivity = 1\nk = 1\n[sweep]\nk = [1, 2, 3, 4, 2.5]\n";
    let place = Place::new();
    (place.on("run", text).assert())
        .code(2)
        .stderr(contains("4 slots are to be filled from 3 candidates").and(contains("2 errors")));
    assert!(!place.path("out").exists());
}

/// The page beside this file names files and tests as they are.
#[test]
fn the_table_of_trouble_names_tests_that_exist() {
    let here = common::root().join("crates/epsweep");
    let page = std::fs::read_to_string(here.join("tests/README.md")).unwrap();
    let mut named = 0;
    for row in page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(".rs`"))
    {
        let mut file = String::new();
        let tests = row.trim_end_matches('|').rsplit_once('|').unwrap().1;
        for (i, word) in tests.split('`').enumerate().filter(|(i, _)| i % 2 == 1) {
            if word.ends_with(".rs") {
                let path = match word.starts_with("epsweep-core/") {
                    true => here.join("..").join(word),
                    false => here.join(word),
                };
                file = std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{i}: {word}"));
            } else {
                assert!(file.contains(&format!("fn {word}(")), "{word}: {row}");
                named += 1;
            }
        }
    }
    assert!(named > 60, "{named}");
}

/// Whichever query comes first, and whatever is measured: an answer is about all queries, and ranks by nothing of which lower is not better.
#[test]
fn an_answer_depends_neither_on_the_order_of_queries_nor_on_what_cannot_be_ranked() {
    let place = Place::new();
    let sweep = "[sweep]\nallocation = [\"even\", \"proportional\"]\n[compare]\nbaseline = { allocation = \"even\" }\n";
    let (before, first) = FILE.split_once("[[query]]").unwrap();
    let (first, second) = first.split_once("[[query]]").unwrap();
    let (second, budget) = second.split_once("[budget]").unwrap();
    let text = |measure: &str, queries: [&str; 2]| {
        let [one, two] = queries;
        format!(
            "measures = [\"{measure}\"]\n{before}[[query]]{one}[[query]]{two}[budget]{budget}{sweep}"
        )
    };
    let said = |measure: &str, queries| {
        let text = text(measure, queries);
        let command = |place: &Place| {
            let mut command = place.on("run", &text);
            command.args(["--quiet", "--no-figures", "--force"]);
            command.assert().code(0)
        };
        String::from_utf8(command(&place).get_output().stdout.clone()).unwrap()
    };
    let [one, other] = [[first, second], [second, first]].map(|queries| said("abs_error", queries));
    for said in [&one, &other] {
        assert!(
            said.contains("Query by query, it is lowest with")
                && said.contains("with even for n")
                && said.contains("with proportional for sum"),
            "{said}"
        );
    }
    for measure in ["answer", "error", "covered"] {
        let said = said(measure, [first, second]);
        assert!(!said.contains("lowest"), "{said}");
    }
}

/// A key outside of its section, and one without a value.
#[test]
fn slips_at_the_top_of_a_file_are_told_with_their_remedy() {
    let place = Place::new();
    let outside = format!(
        "epsilon = 1\n{}",
        FILE.replace("[budget]\nepsilon = 1\n", "")
    );
    (place.on("check", &outside).assert())
        .code(2)
        .stderr(contains("e.toml:1:1").and(contains("`epsilon` belongs into [budget]")));
    let empty = FILE.replace("trials = 500", "trials =   # later");
    (place.on("check", &empty).assert())
        .code(2)
        .stderr(contains("there is no value behind `trials =`").and(contains("e.toml:2:")));
}

/// The mean and the sum of a column say the same where the number of records is public.
#[test]
fn a_question_that_is_asked_twice_is_noted() {
    let place = Place::new();
    let both = format!("{FILE}[[query]]\nname = \"m\"\nmean = {{ column = \"age\" }}\n");
    for command in ["check", "plan"] {
        (place.on(command, &both).assert()).code(0).stderr(contains(
            "note: queries `m` and `sum` are the mean and the sum of one column",
        ));
    }
    let private = (both.replace("\"substitute\"", "\"add-remove\"")).replace(
        "mean = { column = \"age\" }",
        "mean = { column = \"age\", at_least = 10 }",
    );
    for text in [FILE, &private] {
        let assert = place.on("check", text).assert().code(0);
        assert.stderr(contains("the mean and the sum").not());
    }
}

/// More shards than there is to divide.
#[test]
fn a_shard_without_a_trial_says_so() {
    let place = Place::new();
    let mut run = place.on("run", FILE);
    (run.args(["--shard", "1/1000000000000"]).assert())
        .code(0)
        .stderr(contains(
            "no trial is in this shard: 500 trials are divided by chunks",
        ));
    // one that has some says how many
    let other = Place::new();
    let mut run = other.on("run", FILE);
    run.args(["--shard", "1/1"])
        .assert()
        .code(0)
        .stderr(contains("1 cell of 500 trials"));
}

/// A report repeats the command with the file that was run, whatever the experiment is called.
#[test]
fn a_report_names_the_file_that_was_run() {
    let place = Place::new();
    place.on("run", FILE).arg("--quiet").assert().code(0);
    let report = std::fs::read_to_string(place.path("out/report.md")).unwrap();
    assert!(report.contains("epsweep run e.toml --seed"), "{report}");
    // and so it does when it is made again
    epsweep()
        .arg("report")
        .arg(place.path("out"))
        .assert()
        .code(0);
    let again = std::fs::read_to_string(place.path("out/report.md")).unwrap();
    assert!(again.contains("epsweep run e.toml --seed"), "{again}");
}
