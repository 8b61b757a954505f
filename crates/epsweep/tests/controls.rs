//! Every shipped audit is judged rightly, also at fewer runs than it is shipped with, and the table of them is complete.

mod common;

use common::{epsweep, root};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Enough runs for every verdict but those below.
const TRIALS: &str = "200000";
/// A claim of ε = 10 needs events of a probability of e⁻¹⁰ to be counted.
const MORE: [(&str, &str); 2] = [("gaussian-classic", "6e6"), ("svt-alg4", "1e6")];

fn files() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(root().join("experiments/audits")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn name(file: &std::path::Path) -> &str {
    file.file_stem().unwrap().to_str().unwrap()
}

/// The rows of a CSV on stdout, by the name of the audit.
fn audited(files: &[PathBuf], trials: &str, jobs: &str) -> BTreeMap<String, Vec<String>> {
    let output = epsweep()
        .args([
            "audit", "--quiet", "--format", "csv", "--trials", trials, "-j", jobs,
        ])
        .args(files)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!([Some(0), Some(4)].contains(&output.status.code()), "{said}");
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    (reader.records())
        .map(|row| {
            let fields: Vec<String> = row.unwrap().iter().map(String::from).collect();
            (fields[0].clone(), fields)
        })
        .collect()
}

#[test]
fn every_control_is_judged_as_expected_and_repeats() {
    let files = files();
    let special = |file: &PathBuf| MORE.iter().find(|(known, _)| *known == name(file));
    let (more, few): (Vec<PathBuf>, Vec<PathBuf>) =
        (files.into_iter()).partition(|file| special(file).is_some());
    let mut rows = audited(&few, TRIALS, "2");
    for file in &more {
        let trials = special(file).map_or(TRIALS, |(_, trials)| trials);
        rows.extend(audited(std::slice::from_ref(file), trials, "2"));
    }
    assert_eq!(rows.len(), few.len() + more.len());
    let (mut violated, mut consistent) = (0, 0);
    for (name, row) in &rows {
        let [.., expected, verdict] = row.as_slice() else {
            panic!("{row:?}");
        };
        assert_eq!(verdict, expected, "{name}: {row:?}");
        match verdict.as_str() {
            "violated" => violated += 1,
            "consistent" => consistent += 1,
            other => panic!("{name} is {other}: a control must have power"),
        }
    }
    assert!(
        violated >= 14 && consistent >= 10,
        "{violated} {consistent}"
    );
    // the same bytes on one thread
    let some: Vec<PathBuf> = few.into_iter().take(5).collect();
    for (name, row) in audited(&some, TRIALS, "1") {
        assert_eq!(row, rows[&name]);
    }
}

#[test]
fn the_committed_table_has_every_control_as_expected() {
    let table = std::fs::read_to_string(root().join("results/controls/README.md")).unwrap();
    let (audits, verified) = table.split_once("## Negative controls").unwrap();
    let faults: Vec<Vec<&str>> = (verified.lines())
        .filter(|line| line.starts_with("| ") && !line.contains("---"))
        .skip(1)
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect();
    assert_eq!(faults.len(), epsweep::verify::controls::CONTROLS.len());
    for (row, control) in faults.iter().zip(epsweep::verify::controls::CONTROLS) {
        let word = if control.faulty { "fails" } else { "passes" };
        assert_eq!(
            (row[0], row[2]),
            (control.name, &*control.trials.to_string())
        );
        assert_eq!((row[6], row[7]), (word, word), "{row:?}");
    }
    let rows: BTreeMap<&str, Vec<&str>> = (audits.lines())
        .filter(|line| line.starts_with("| "))
        .map(|line| {
            line.trim_matches(['|', ' '])
                .split(" | ")
                .collect::<Vec<_>>()
        })
        .map(|fields| (fields[0], fields))
        .collect();
    for file in files() {
        let row = &rows[name(&file)];
        assert_eq!(row[row.len() - 2], row[row.len() - 1], "{row:?}");
    }
    let certified = |name: &str| rows[name][6].parse::<f64>().unwrap();
    // more than nine tenths of what theory allows
    assert!(certified("laplace") >= 0.99);
    for name in [
        "exponential",
        "permute-and-flip",
        "discrete-laplace",
        "gaussian",
    ] {
        assert!(certified(name) > 0.9 && certified(name) <= 1.0, "{name}");
    }
    // (1 + 6c)/4 at c = 1 is the truth
    assert!(certified("svt-alg4") > 1.5 && certified("svt-alg4") < 1.75);
    // grows with the stream
    assert!(certified("svt-alg6-4") < certified("svt-alg6-8"));
    assert!(certified("svt-alg6-8") < certified("svt-alg6-16"));
}

/// The committed calibration is of this program's statistics, and nothing in it is short without a warning.
#[test]
fn the_committed_calibration_is_complete_and_has_no_fault() {
    let read = |path: PathBuf| -> BTreeMap<[String; 4], BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let heads = reader.headers().unwrap().clone();
        (reader.records())
            .map(|row| {
                let row = row.unwrap();
                let fields: BTreeMap<String, String> = (heads.iter().zip(row.iter()))
                    .map(|(head, field)| (head.to_owned(), field.to_owned()))
                    .collect();
                let key = ["cell", "subject", "measure", "statistic"].map(|of| fields[of].clone());
                (key, fields)
            })
            .collect()
    };
    let committed = read(root().join("results/calibration/calibration.csv"));
    let dir = tempfile::tempdir().unwrap();
    epsweep()
        .arg("calibrate")
        .arg(root().join("experiments/calibration/intervals.toml"))
        .args(["--repeats", "40", "--reference", "2000", "--quiet", "--out"])
        .arg(dir.path())
        .assert()
        // so few repeats, and so short a run for what theory does not know, decide nothing
        .code(predicates::prelude::predicate::in_iter([0, 4]));
    let few = read(dir.path().join("calibration.csv"));
    assert_eq!(
        few.keys().collect::<Vec<_>>(),
        committed.keys().collect::<Vec<_>>()
    );
    let mut judged: BTreeMap<&str, u32> = BTreeMap::new();
    for (key, row) in &committed {
        if row["source"] == "exact" {
            assert_eq!(row["truth"], few[key]["truth"], "{key:?}");
        }
        let whole = |field: &str| row[field].parse::<u64>().unwrap();
        assert_eq!(whole("repeats") + whole("without"), 20_000, "{key:?}");
        *judged.entry(row["judgement"].as_str()).or_default() += 1;
    }
    assert_eq!(judged.get("short"), None, "{judged:?}");
    assert!(
        judged["nominal"] > 400 && judged["warned"] > 100,
        "{judged:?}"
    );
    let families =
        std::fs::read_to_string(root().join("results/calibration/families.csv")).unwrap();
    assert!(families.lines().count() > 9 && !families.contains("too many"));
}
