//! What a finished run tells at the terminal and in its report: which setting is best, of what, and what could not be told.

mod common;

use common::epsweep;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::path::Path;

/// A file of a record a line, most of them small and a few beyond all bounds.
fn place(name: &str, text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..200)
        .map(|i| format!("{}\n", if i % 10 == 0 { 900 } else { i % 50 }))
        .collect();
    std::fs::write(folder.path().join("d.csv"), format!("x\n{rows}")).unwrap();
    std::fs::write(folder.path().join(name), text).unwrap();
    folder
}

fn at(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = epsweep();
    command.current_dir(folder).args(arguments).assert().code(0)
}

const BOUNDS: &str = r#"
name = "bounds"
trials = 500
[data]
csv = "d.csv"
neighbours = "substitute"
[data.columns]
x = { bounds = [0, 100] }
[[query]]
name = "mean x"
mean = { column = "x" }
[budget]
epsilon = 1
[sweep]
epsilon = [0.5, 1]
bounds = { path = "data.columns.x.bounds", values = [[0, 100], [0, 1000]] }
"#;

/// The mean of 20 values of 900 and 180 others is 112.5, that of the clipped ones 32.5: no error says so, the answer does first.
#[test]
fn narrow_bounds_do_not_win_by_errors_that_leave_out_what_they_clip() {
    let folder = place("bounds.toml", BOUNDS);
    let said = at(
        folder.path(),
        &["run", "bounds.toml", "--no-figures", "--quiet"],
    );
    let said = said.stderr(
        contains("20 of 200 values lie outside [0, 100]")
            .and(contains("query `mean x`: clipping moves the answer from 112.5 to 32.5, by −80, 71 % of it and "))
            .and(contains(
                " times the noise's scale; what is called true is the answer after clipping",
            )),
    );
    said.stdout(
        contains("\nThe true answers differ along bounds, so that the lowest error is not the best setting: that of `mean x` is ")
            .and(contains("80 (")).and(contains(" at [0, 100] and "))
            .and(contains("By these errors alone, [0, 100] has the lowest mean largest error at every value of epsilon (2 settings)")),
    );
}

/// One query that tells one number has one error: the tables have it once, the files under all its names.
#[test]
fn the_same_numbers_are_not_shown_again() {
    let folder = place("bounds.toml", BOUNDS);
    let said = at(folder.path(), &["run", "bounds.toml", "--quiet"]);
    let text = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    assert!(
        text.contains("rmse and mean_abs_error have the numbers of max_abs_error: left out here"),
        "{text}"
    );
    let rows = |name: &str| text.lines().filter(|line| line.contains(name)).count();
    // the rows of four cells, and the sentence
    assert_eq!((rows("max_abs_error"), rows("rmse")), (5, 1), "{text}");
    let file = |name: &str| {
        std::fs::read_to_string(folder.path().join("results/bounds").join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    assert!(file("summary.csv").contains(",rmse,mean,"));
    let report = file("report.md");
    assert!(report.contains("left out here"), "{report}");
    assert!(
        !report.contains("mean absolute error over answers |"),
        "{report}"
    );
    // two queries have different errors
    let two = format!("{BOUNDS}\n[[query]]\nname = \"n\"\ncount = {{}}\n");
    std::fs::write(folder.path().join("two.toml"), two).unwrap();
    let said = at(
        folder.path(),
        &["run", "two.toml", "--no-figures", "--quiet", "-o", "two"],
    );
    said.stdout(contains(" rmse ").and(contains("left out here").not()));
}

/// What the answer is about is in the table below it.
#[test]
fn the_table_has_the_numbers_that_the_answer_speaks_of() {
    let folder = tempfile::tempdir().unwrap();
    at(folder.path(), &["new", "clip", "--from", "clip"]);
    let run = [
        "run",
        "clip.toml",
        "--trials",
        "200",
        "--no-figures",
        "--quiet",
    ];
    let said = at(folder.path(), &run);
    let text = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    assert!(text.contains("mean abs error of sum"), "{text}");
    let row = |subject: &str, measure: &str| {
        text.lines()
            .any(|line| line.contains(&format!(" {subject} ")) && line.contains(measure))
    };
    assert!(row("sum", "abs_error") && row("all", "bound"), "{text}");
}

/// That nothing was found where nothing could be looked at is no praise.
#[test]
fn a_run_that_cannot_be_judged_is_not_said_to_agree() {
    let median = (BOUNDS.replace(
        "trials = 500",
        "trials = 500\nmeasures = [\"max_abs_error\"]",
    ))
    .replace("mean = {", "median = {")
    .replace(
        "[sweep]",
        "[procedure.release]\nnoise = \"exponential-quantile\"\n[sweep]",
    );
    let folder = place("median.toml", &median);
    let verify = ["verify", "median.toml", "--quiet"];
    at(folder.path(), &verify).stdout(
        contains("median.toml: nothing could be judged\n").and(contains("contradicts").not()),
    );
    at(folder.path(), &[&verify[..], &["--seeds", "2"]].concat())
        .stdout(contains("median.toml: nothing could be judged\n"));
}

/// Answers that lie close together beside their size have a density all the same: they are no values that many trials share.
#[test]
fn answers_with_little_noise_are_no_atoms() {
    let file = BOUNDS.replace("bounds = { path", "unused = { path");
    let file = file
        .split("[sweep]")
        .next()
        .unwrap()
        .replace("trials = 500", "trials = 20000\nmeasures = [\"answer\"]");
    let shared = "some quantiles sit where many trials have the same value";
    // 100/200/50: a hundredth of what is told
    let narrow = file.replace("epsilon = 1", "epsilon = 50");
    let folder = place("narrow.toml", &narrow);
    let run = ["run", "narrow.toml", "--no-figures", "--quiet"];
    at(folder.path(), &run).stderr(contains(shared).not());
    // of whole numbers it is said
    let whole = file.replace(
        "mean = { column = \"x\" }",
        "count = { where = \"x > 10\" }",
    );
    let whole = format!("{whole}[procedure.release]\nnoise = \"discrete-laplace\"\n");
    let folder = place("narrow.toml", &whole);
    at(folder.path(), &run).stderr(contains(shared));
}
