//! Grids of many cells: refused before they are made, or recorded while they are simulated.

mod common;

use common::epsweep;
use std::path::Path;

const HEAD: &str = r#"
name = "grid"
question = "How does the error fall with the budget?"
trials = 16
measures = ["rmse"]
[data]
normal = { column = "value", mean = 40, sd = 15, rows = 10, seed = 1 }
neighbours = "substitute"
[data.columns]
value = { bounds = [0, 120] }
[[query]]
name = "mean"
mean = { column = "value" }
[[query]]
name = "sum"
sum = { column = "value" }
[budget]
epsilon = 1
composition = "basic"
"#;

fn experiment(dir: &Path, rest: &str) -> std::path::PathBuf {
    let path = dir.join("grid.toml");
    std::fs::write(&path, format!("{HEAD}{rest}")).unwrap();
    path
}

/// 10^24 cells, of four axes of a million values each: within 300 MB of addresses, which those values alone would not fit into.
#[test]
#[cfg(unix)]
fn a_grid_beyond_all_measure_is_refused_before_it_is_made() {
    let place = tempfile::tempdir().unwrap();
    let axes = [
        "epsilon",
        "data.normal.sd",
        "data.normal.mean",
        "query.mean.weight",
    ]
    .map(|axis| format!("{axis} = {{ linear = [1, 2], points = 1000000 }}\n"));
    let file = experiment(place.path(), &format!("[sweep]\n{}", axes.concat()));
    assert_cmd::Command::new("sh")
        .args(["-c", "ulimit -v 300000; exec \"$0\" check \"$1\""])
        .arg(env!("CARGO_BIN_EXE_epsweep"))
        .arg(&file)
        .assert()
        .code(2)
        .stderr(predicates::str::contains(
            "the sweep has 1000000000000000000000000 cells",
        ));
}

#[test]
fn a_large_grid_is_recorded_cell_by_cell() {
    let place = tempfile::tempdir().unwrap();
    let sweep = "[sweep]\nepsilon = { log = [0.01, 10], points = 1050 }\nallocation = [\"even\", \"proportional\"]\n\
                 [compare]\nbaseline = { allocation = \"even\" }\n";
    let file = experiment(place.path(), sweep);
    let out = place.path().join("run");
    let run = |more: &[&str]| {
        epsweep()
            .arg("run")
            .arg(&file)
            .args(["--quiet", "--out"])
            .arg(&out)
            .args(more)
            .assert()
    };
    run(&[]).success();
    let text = |name: &str| std::fs::read_to_string(out.join(name)).unwrap();
    let summary = text("summary.csv");
    let cells: Vec<&str> = (summary.lines().skip(1))
        .filter(|line| line.contains(",mean,"))
        .map(|line| line.split(',').next().unwrap())
        .collect();
    assert_eq!(cells.len(), 2100);
    assert_eq!(cells[0], "epsilon=0.01 allocation=even");
    assert_eq!(cells[2099], "epsilon=10 allocation=proportional");
    assert_eq!(text("comparisons.csv").lines().count(), 1 + 1050);
    assert!(text("report.md").contains("The run has 2100 cells"));
    assert!(!out.join("figures").exists());
    // finished: it is left alone, and its table is had from the file
    run(&["--format", "csv"]).success().stdout(summary);
    // what is changed afterwards is noticed without reading all of it
    let changed = text("comparisons.csv").replacen(",0.", ",1.", 1);
    std::fs::write(out.join("comparisons.csv"), changed).unwrap();
    let altered = predicates::str::contains("comparisons.csv");
    run(&[]).code(5).stderr(altered);
}

/// More cells than are held at once, compared across all of them: in one piece, with pauses, as shards, and one trial of the last cell.
#[test]
fn a_grid_in_batches_is_one_run() {
    let place = tempfile::tempdir().unwrap();
    let sweep = "[sweep]\nepsilon = { log = [0.01, 10], points = 2050 }\nallocation = [\"even\", \"proportional\"]\n\
                 [compare]\nbaseline = { epsilon = 0.01 }\n";
    let file = experiment(place.path(), sweep);
    let dir = |name: &str| place.path().join(name);
    let run = |out: &str, more: &[&str]| {
        epsweep()
            .arg("run")
            .arg(&file)
            .arg("--out")
            .arg(dir(out))
            .args(more)
            .assert()
    };
    let said = predicates::str::contains("4100 cells of 16 trials in");
    run("whole", &[]).success().stderr(said);
    // every time something new is done, also when taking up what was done takes longer than the limit
    let mut times = 1;
    while run("paused", &["--max-time", "0.2", "-j1"])
        .get_output()
        .status
        .code()
        != Some(0)
    {
        times += 1;
        assert!(times < 1000);
    }
    for part in ["1/2", "2/2"] {
        let out = format!("shards/{}", &part[..1]);
        run(&out, &["--shard", part]).success();
    }
    epsweep()
        .arg("merge")
        .arg(&file)
        .arg(dir("shards"))
        .args(["--quiet", "--out"])
        .arg(dir("merged"))
        .assert()
        .success();
    for name in ["summary.csv", "comparisons.csv", "resolved.json"] {
        let bytes = |of: &str| std::fs::read(dir(of).join(name)).unwrap();
        assert!(bytes("whole") == bytes("paused"), "{name} of {times} runs");
        assert!(bytes("whole") == bytes("merged"), "{name} of shards");
    }
    let compared = std::fs::read_to_string(dir("whole").join("comparisons.csv")).unwrap();
    assert_eq!(compared.lines().count(), 1 + 2 * 2049);
    epsweep()
        .arg("replay")
        .arg(dir("whole"))
        .args(["epsilon=10 allocation=proportional", "3"])
        .assert()
        .success()
        .stdout(predicates::str::contains("rmse"));
}
