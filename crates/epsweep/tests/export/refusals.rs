//! What is refused, and what is not left behind.

use super::*;

#[test]
fn what_cannot_be_exported_is_said() {
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "2000"]);
    let data = root().join("experiments");
    let data = data.to_str().unwrap();
    for (arguments, wanted) in [
        (vec!["--format", "parqet"], "'parquet'"),
        (
            vec!["--format", "csv", "--measure", "abs_eror"],
            "unknown measure `abs_eror`: did you mean `abs_error`?",
        ),
        (
            vec!["--format", "csv", "--where", "alocation=even"],
            "unknown axis `alocation`: did you mean `allocation`?",
        ),
        (
            vec!["--format", "csv", "--where", "allocation=evn"],
            "unknown value of allocation `evn`: did you mean `even`?",
        ),
        (
            vec![
                "--format",
                "csv",
                "--subject",
                "all",
                "--measure",
                "abs_error",
            ],
            "each of --measure and --subject is known, but not together",
        ),
        (
            vec!["--format", "latex", "--table", "histograms"],
            "a table `histograms` is not set in latex",
        ),
        (
            vec!["--format", "csv", "--table", "claims", "--measure", "rmse"],
            "has no column `measure` to choose by: leave --measure away",
        ),
        (
            vec!["--format", "csv", "--trials", "5"],
            "--trials is about single trials: give it with --table trials",
        ),
        (
            vec!["--format", "csv", "--table", "summary", "--table", "claims"],
            "holds one table, and 2 are named",
        ),
        (
            vec!["--format", "latex", "--out", "/"],
            "is not the name of a file",
        ),
        (
            vec![
                "--format",
                "csv",
                "--table",
                "trials",
                "--data",
                data,
                "--measure",
                "chosen",
            ],
            "unknown measure `chosen`",
        ),
        (
            vec!["--format", "csv", "--table", "trials", "--data", "/nowhere"],
            "ages.csv",
        ),
    ] {
        let said = ran.export(&arguments).code(2).stdout("");
        said.stderr(predicate::str::contains(wanted));
    }
    // more than a file should hold, told before anything is simulated
    let text = r#"
name = "many"
trials = 100_000
[data]
normal = { column = "value", mean = 0, sd = 1, rows = 10, seed = 1 }
neighbours = "substitute"
[data.columns]
value = { bounds = [-1, 1] }
[[query]]
name = "sum"
sum = { column = "value" }
[sweep]
epsilon = { log = [0.1, 10], points = 200 }
"#;
    let many = Ran::of(text, &[]);
    let out = many.folder.path().join("x.parquet");
    let out_named = out.to_str().unwrap();
    many.export(&[
        "--format", "parquet", "--table", "trials", "--out", out_named,
    ])
    .code(2)
    .stderr(predicate::str::contains(
        "are more than the 100\u{202f}000\u{202f}000 that are written",
    ));
    assert!(!out.exists());
    let exact = Ran::new(&shipped("composition"), &[]);
    exact
        .export(&["--format", "csv", "--table", "trials"])
        .code(2)
        .stderr(predicate::str::contains("its values are exact"));
    epsweep()
        .args(["export", "nowhere", "--format", "csv"])
        .assert()
        .code(5)
        .stderr(predicate::str::contains("there is no nowhere"));
}

/// A file that was exported into the directory of a run speaks of that run: another run takes it away.
#[test]
fn a_longer_run_leaves_no_export_of_a_shorter_one() {
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "1000"]);
    ran.text(&["--format", "parquet"]);
    assert!(ran.dir().join("summary.parquet").exists());
    common::summary(
        &shipped("adaptive-allocation"),
        &ran.dir(),
        &["--trials", "1000"],
    );
    assert!(ran.dir().join("summary.parquet").exists());
    common::summary(
        &shipped("adaptive-allocation"),
        &ran.dir(),
        &["--trials", "2000"],
    );
    assert!(!ran.dir().join("summary.parquet").exists());
}

/// A file that is there is nobody's to lose.
#[test]
fn a_file_that_is_there_is_replaced_only_with_force() {
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "1000"]);
    let mine = ran.folder.path().join("mine");
    std::fs::write(&mine, "my notes").unwrap();
    let named = mine.to_str().unwrap();
    for format in ["csv", "latex", "parquet"] {
        let arguments = ["--format", format, "--out", named];
        let refused = ran.export(&arguments).code(2);
        refused.stderr(
            predicate::str::contains("is there already").and(predicate::str::contains("--force")),
        );
        assert_eq!(std::fs::read_to_string(&mine).unwrap(), "my notes");
    }
    // of several tables none is written where one is there
    std::fs::write(ran.dir().join("histograms.parquet"), "").unwrap();
    let both = [
        "--format",
        "parquet",
        "--table",
        "summary",
        "--table",
        "histograms",
    ];
    ran.export(&both).code(2);
    assert!(!ran.dir().join("summary.parquet").exists());
    ran.export(&[&both[..], &["--force"]].concat()).code(0);
    ran.export(&["--format", "csv", "--out", named, "--force"])
        .code(0);
    assert!(std::fs::read_to_string(&mine).unwrap().starts_with("cell,"));
}

/// What is there and is no file, as a pipe or a device, is written into: to put a file in its place would take it from everyone
/// (`--out /dev/null`, as root). A link keeps leading where it led.
#[cfg(unix)]
#[test]
fn a_pipe_is_written_into_and_a_link_followed() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "1000"]);
    let place = ran.folder.path();
    let pipe = place.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for format in ["csv", "latex", "parquet"] {
        // without --force: nothing that could be lost is there
        for force in [&[][..], &["--force"]] {
            let from = pipe.clone();
            let reader = std::thread::spawn(move || std::fs::read(from).unwrap());
            let arguments = ["--format", format, "--out", pipe.to_str().unwrap()];
            ran.export(&[&arguments[..], force].concat()).code(0);
            let kind = std::fs::metadata(&pipe).unwrap().file_type();
            assert!(kind.is_fifo(), "{format}");
            let whole = place.join(format!("whole-{format}"));
            let arguments = ["--format", format, "--out", whole.to_str().unwrap()];
            ran.export(&[&arguments[..], &["--force"]].concat()).code(0);
            assert_eq!(reader.join().unwrap(), std::fs::read(whole).unwrap());
        }
    }
    let (link, target) = (place.join("link"), place.join("deep/target.csv"));
    std::fs::create_dir(place.join("deep")).unwrap();
    symlink(&target, &link).unwrap();
    let arguments = ["--format", "csv", "--out", link.to_str().unwrap()];
    let refused = ran.export(&arguments).code(2);
    refused.stderr(predicate::str::contains("is a link that leads nowhere"));
    std::fs::write(&target, "my notes").unwrap();
    let refused = ran.export(&arguments).code(2);
    refused.stderr(predicate::str::contains("is there already"));
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "my notes");
    ran.export(&[&arguments[..], &["--force"]].concat()).code(0);
    assert!(link.is_symlink());
    let text = std::fs::read_to_string(&target).unwrap();
    assert!(text.starts_with("cell,"), "{text}");
}
