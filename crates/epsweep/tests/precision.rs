//! Runs that stop when they are precise enough: the same bytes however they were cut, and intervals that cover.

mod common;

use common::epsweep;
use epsweep::engine::{Kept, Progress};
use epsweep::pipeline;
use epsweep::plan::{Overrides, Plan};
use predicates::str::contains;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The three queries of the article, by their sensitivities.
const ARTICLE: &str = r#"
name = "precise"
TRIALS
measures = ["abs_error", "max_abs_error"]

[data]
normal = { column = "value", mean = 40, sd = 15, rows = 1000, seed = 42 }
neighbours = "substitute"
[data.columns]
value = { bounds = [0, 120] }

[[query]]
name = "mean"
mean = { column = "value" }
[[query]]
name = "max"
max = { column = "value" }
[[query]]
name = "over 60"
count = { where = "value > 60" }

[budget]
epsilon = 1
composition = "basic"

[procedure.release]
noise = "laplace"
"#;

const SWEEP: &str = r#"
[sweep]
epsilon = [0.5, 1, 2]
allocation = ["even", "proportional", "sqrt-weighted"]
"#;

const COMPARED: &str = r#"
[compare]
baseline = { allocation = "proportional" }
"#;

fn text(trials: &str, more: &str) -> String {
    ARTICLE.replace("TRIALS", &format!("trials = {trials}")) + more
}

fn file(dir: &Path, trials: &str, more: &str) -> PathBuf {
    let path = dir.join("precise.toml");
    std::fs::write(&path, text(trials, more)).unwrap();
    path
}

fn run(file: &Path, out: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    epsweep()
        .arg("run")
        .arg(file)
        .args(["--quiet", "--no-figures", "--out"])
        .arg(out)
        .args(more)
        .assert()
}

fn numbers(dir: &Path) -> Vec<Vec<u8>> {
    (["summary.csv", "comparisons.csv", "histograms.csv"].iter())
        .map(|name| std::fs::read(dir.join(name)).unwrap())
        .collect()
}

/// Trials of the mean of `max_abs_error`, by cell.
fn trials(dir: &Path) -> Vec<(String, f64)> {
    let summary = std::fs::read(dir.join("summary.csv")).unwrap();
    let rows = common::rows(&summary).into_iter();
    rows.filter(|([_, _, measure, statistic], _)| measure == "max_abs_error" && statistic == "mean")
        .map(|([cell, ..], row)| (cell, common::number(&row, "trials")))
        .collect()
}

#[test]
fn cells_stop_by_themselves_when_their_own_numbers_are_precise_enough() {
    let place = tempfile::tempdir().unwrap();
    let goal = r#"{ precision = { relative = 0.01, measure = "max_abs_error" }, at_least = 5000 }"#;
    let alone = file(place.path(), goal, SWEEP);
    let (one, two) = (place.path().join("one"), place.path().join("two"));
    run(&alone, &one, &["-j1"]).success();
    run(&alone, &two, &["-j2"]).success();
    assert_eq!(numbers(&one), numbers(&two));
    // the spread of the largest error of an even split is 1.00 of its mean, that of a proportional one 0.64: half-widths of 1 % take
    // (1.96 · 1.00 / 0.01)² = 38 400 and 15 700 trials; the looks are at whole chunks that are a quarter apart
    for (cell, trials) in trials(&one) {
        let needed = if cell.contains("even") {
            38_400.0
        } else {
            15_700.0
        };
        assert!(
            (0.9..1.4).contains(&(trials / needed)) && trials % 4096.0 == 0.0,
            "{cell}: {trials}"
        );
    }
    // what is written is as precise as was asked for
    let summary = std::fs::read(one.join("summary.csv")).unwrap();
    for ([_, _, measure, statistic], row) in common::rows(&summary) {
        if measure == "max_abs_error" && statistic == "mean" {
            let half = (common::number(&row, "high") - common::number(&row, "low")) / 2.0;
            assert!(half <= 0.01 * common::number(&row, "value"));
        }
    }
    // cells that are compared get the same trials, those of the cell that needs most
    let compared = file(place.path(), goal, &(SWEEP.to_owned() + COMPARED));
    let together = place.path().join("together");
    run(&compared, &together, &[]).success();
    assert!(
        trials(&together)
            .iter()
            .all(|(_, n)| (34_000.0..53_000.0).contains(n))
    );
}

#[test]
#[cfg(unix)]
fn a_precise_run_that_is_killed_ends_with_the_same_bytes() {
    let place = tempfile::tempdir().unwrap();
    let goal =
        r#"{ precision = { relative = 0.001, measure = ["max_abs_error", "abs_error.q95"] } }"#;
    let file = file(place.path(), goal, SWEEP);
    let (straight, killed) = (place.path().join("straight"), place.path().join("killed"));
    run(&file, &straight, &[]).success();
    let mut left_behind = 0;
    for kill in 0..12_u64 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_epsweep"))
            .arg("run")
            .arg(&file)
            .args(["--quiet", "--no-figures", "--checkpoint", "0.01", "--out"])
            .arg(&killed)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + kill * 37 % 110));
        child.kill().unwrap();
        child.wait().unwrap();
        let kept = ["finished", "open"].map(|name| killed.join(".tallies").join(name));
        let kept = kept.iter().filter_map(|file| std::fs::metadata(file).ok());
        left_behind += u64::from(kept.map(|file| file.len()).sum::<u64>() > 0);
    }
    assert!(
        left_behind > 3,
        "checkpoints were found after {left_behind} kills"
    );
    run(&file, &killed, &["-j1"]).success();
    assert_eq!(numbers(&straight), numbers(&killed));
}

#[test]
fn a_stricter_target_goes_on_and_a_laxer_one_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let goal = |relative: &str, most: &str| {
        let goal = format!(
            r#"{{ precision = {{ relative = {relative}, measure = "max_abs_error" }}, at_most = {most} }}"#
        );
        file(place.path(), &goal, SWEEP)
    };
    let (straight, out) = (place.path().join("straight"), place.path().join("out"));
    run(&goal("0.005", "1e7"), &straight, &[]).success();
    // too few trials are allowed: there is a record, and it says that it is not what was asked for
    run(&goal("0.005", "30_001"), &out, &[])
        .code(3)
        .stdout(contains("9 of 9 goals of precision are not met"));
    assert!(trials(&out).iter().all(|(_, n)| *n == 30_001.0));
    run(&goal("0.005", "30_001"), &out, &[]).code(3);
    run(&goal("0.005", "1e7"), &out, &["--max-time", "0.001s"]).code(3);
    run(&goal("0.02", "1e7"), &out, &[])
        .code(5)
        .stderr(contains("less strict"));
    run(&goal("0.005", "1e7"), &out, &[]).success();
    assert_eq!(numbers(&straight), numbers(&out));
    let lax = place.path().join("lax");
    run(&goal("0.02", "1e7"), &lax, &[]).success();
    run(&goal("0.005", "1e7"), &lax, &[]).success();
    assert_eq!(numbers(&straight), numbers(&lax));
    // a fixed number of trials is another run
    run(&goal("0.005", "1e7"), &lax, &["--trials", "1e6"]).code(5);
}

#[test]
fn ties_are_a_result_and_have_an_absolute_margin() {
    let place = tempfile::tempdir().unwrap();
    let goal = r#"{ precision = { absolute = 2, measure = "max_abs_error", differences = true } }"#;
    let compared = SWEEP.replace("0.5, 1, 2", "1") + COMPARED;
    let file_of = |goal: &str, more: &str| file(place.path(), goal, more);
    let out = place.path().join("out");
    run(&file_of(goal, &compared), &out, &[]).success();
    let report = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(report.contains("\"half_width\""));
    epsweep().arg("report").arg(&out).assert().success();
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("told apart"), "{report}");
    // here both rules come to the same shares: a tie, whatever the trials
    assert!(
        report.contains("Statistically tied with the best"),
        "{report}"
    );

    let named = r#"{ precision = { absolute = 2, measure = "max_abs_error", differences = [
        { a = { epsilon = 1, allocation = "even" }, b = { epsilon = 2, allocation = "even" } } ] } }"#;
    run(&file_of(named, SWEEP), &place.path().join("named"), &[]).success();
    let found = trials(&place.path().join("named"));
    let of = |cell: &str| found.iter().find(|(id, _)| id.contains(cell)).unwrap().1;
    assert_eq!(
        of("epsilon=1 allocation=even"),
        of("epsilon=2 allocation=even")
    );
    assert!(of("epsilon=1 allocation=even") > of("epsilon=1 allocation=proportional"));
    // cells that no goal is about have the least
    assert_eq!(of("epsilon=1 allocation=proportional"), 12_288.0);

    for (goal, more, said) in [
        (goal, SWEEP, "differences of which cells"),
        (
            r#"{ precision = { relative = 0.1, measure = "max_abs_error", differences = true } }"#,
            &compared,
            "a relative precision of differences",
        ),
        (
            r#"{ precision = { absolute = 1, measure = "max_abs_error.q95", differences = true } }"#,
            &compared,
            "not compared by the q95",
        ),
        (
            r#"{ precision = { relative = 0, measure = "max_abs_error" } }"#,
            "",
            "never reached",
        ),
        (
            r#"{ precision = { relative = 0.1, measure = "max_abs_eror" } }"#,
            "",
            "did you mean `max_abs_error`",
        ),
        (
            r#"{ precision = { relative = 0.1, measure = "max_abs_error.max" } }"#,
            "",
            "no interval",
        ),
        (
            r#"{ precision = { relative = 0.1, absolute = 1, measure = "max_abs_error" } }"#,
            "",
            "both",
        ),
        (
            r#"{ precision = { measure = "max_abs_error" } }"#,
            "",
            "lacks how precise",
        ),
        (
            r#"{ precision = { relative = 0.1 } }"#,
            "",
            "lacks the key `measure`",
        ),
        (r#"{ at_most = 1000 }"#, "", "lacks the key `precision`"),
        (r#"{ precision = [] }"#, "", "empty"),
        (
            r#"{ precision = { relative = 0.1, measure = "max_abs_error" }, at_most = 1000 }"#,
            "",
            "at_least ≤ at_most",
        ),
        (
            r#"{ precision = { relative = 0.1, measure = "max_abs_error" }, max = 1000 }"#,
            "",
            "unknown key `max`",
        ),
    ] {
        epsweep()
            .arg("check")
            .arg(file_of(goal, more))
            .assert()
            .code(2)
            .stderr(contains(said));
    }
}

#[test]
fn plans_say_what_a_target_takes_and_shards_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let goal = r#"{ precision = { relative = 0.002, measure = "max_abs_error" }, at_most = 1e7 }"#;
    let file = file(place.path(), goal, "");
    for command in ["plan", "check"] {
        let said = epsweep().arg(command).arg(&file).assert().success();
        let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
        let said = said.replace('\u{202f}', "");
        assert!(
            said.contains("at least 10000, at most 10000000 a cell; about"),
            "{said}"
        );
        // (1.96 · 1.00 / 0.002)² = 960 000, from a pilot of 4096 that knows it within some 10 %
        let about = said.split("about ").nth(1).unwrap();
        let about: f64 = about.split(',').next().unwrap().parse().unwrap();
        assert!((0.75..1.3).contains(&(about / 960_000.0)), "{about}");
    }
    let shard = ["--shard", "1/2"];
    run(&file, &place.path().join("shard"), &shard)
        .code(2)
        .stderr(contains("all its trials together"));
    // with a number of trials it is as any other
    run(
        &file,
        &place.path().join("shard"),
        &["--shard", "1/2", "--trials", "1e5"],
    )
    .success();
}

/// Runs with the seeds 0, 1, …: in how many the interval of the mean covers the exact value, and the trials of all together.
fn covering(trials: &str, level: f64, repeats: u64) -> (u64, u64) {
    let text = text(trials, "[sweep]\nallocation = [\"even\"]\n")
        .replace("[\"abs_error\", \"max_abs_error\"]", "[\"max_abs_error\"]")
        .replace(
            "name = \"precise\"",
            &format!("name = \"precise\"\nlevel = {level}"),
        );
    let (mut covered, mut all) = (0, 0);
    for seed in 0..repeats {
        let overrides = Overrides::default().seed(seed);
        let plan = Plan::from_text("precise.toml", &text, Path::new(""), &overrides).unwrap();
        let never = AtomicBool::new(false);
        let progress = Progress::default();
        let run = pipeline::simulate(&plan, 0, Kept::default(), &progress, &never).unwrap();
        let rows = pipeline::rows(&plan, &run).unwrap().summary.rows;
        let row = rows
            .iter()
            .find(|row| row.statistic.as_str() == "mean")
            .unwrap();
        let (low, high) = (row.low.unwrap(), row.high.unwrap());
        covered += u64::from((low..=high).contains(&row.exact.unwrap()));
        all += row.trials;
    }
    (covered, all)
}

/// Of 200 intervals that cover with probability 0.95 each, 178 or fewer do so in 5 of 10 000 such tests (binomial law); the seeds are fixed.
#[test]
fn intervals_cover_as_often_as_they_say_when_they_decided_the_end() {
    let goal = r#"{ precision = { relative = 0.02, measure = "max_abs_error" }, at_least = 4000 }"#;
    let (covered, trials) = covering(goal, 0.95, 200);
    assert!(covered >= 179, "{covered} of 200 cover");
    // (1.96 · 1.00 / 0.02)² = 9600 trials: the second look or the third is the last
    assert!((8192 * 200..=12_288 * 200).contains(&trials), "{trials}");
    // the bound is one that intervals of a lower level, 0.80, do not pass: 160 are expected, and 179 or more come in 2 of 10 000 tests
    let (covered, _) = covering(goal, 0.8, 200);
    assert!(covered < 179, "{covered} of 200 cover");
}

/// The same with a precision of 0.2 % and the default minimum of 10 000 trials, a thousand times.
/// Of 1000 intervals that cover with probability 0.95 each, 927 or fewer do so in 1 of 1000 such tests.
#[test]
fn a_thousand_intervals_cover_as_often_as_they_say() {
    let goal =
        r#"{ precision = { relative = 0.002, measure = "max_abs_error" }, at_least = 10_000 }"#;
    let (covered, _) = covering(goal, 0.95, 1000);
    assert!(covered >= 928, "{covered} of 1000 cover");
}
