//! Runs in the formats of other programs: the same numbers, the right types, names without harm.

mod common;
#[path = "export/papers.rs"]
mod papers;
#[path = "export/refusals.rs"]
mod refusals;

use common::{epsweep, root, shipped};
use parquet::basic::Type as Physical;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use predicates::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A run in a folder that goes away.
struct Ran {
    folder: tempfile::TempDir,
}

impl Ran {
    fn new(experiment: &Path, arguments: &[&str]) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        common::summary(experiment, &folder.path().join("run"), arguments);
        Ran { folder }
    }

    fn of(text: &str, arguments: &[&str]) -> Ran {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file.toml");
        std::fs::write(&file, text).unwrap();
        common::summary(&file, &folder.path().join("run"), arguments);
        Ran { folder }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("run")
    }

    fn export(&self, arguments: &[&str]) -> assert_cmd::assert::Assert {
        let mut command = epsweep();
        command.arg("export").arg(self.dir()).args(arguments);
        command.assert()
    }

    /// What a successful export says.
    fn text(&self, arguments: &[&str]) -> String {
        let said = self.export(arguments).success();
        String::from_utf8(said.get_output().stdout.clone()).unwrap()
    }
}

/// A row of a Parquet file by the names of its columns.
type Row = BTreeMap<String, Field>;

fn rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns().into_iter().collect())
        .collect()
}

fn facts(path: &Path) -> BTreeMap<String, String> {
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let facts = reader.metadata().file_metadata().key_value_metadata();
    let facts = facts.unwrap().iter();
    facts
        .map(|fact| (fact.key.clone(), fact.value.clone().unwrap_or_default()))
        .collect()
}

fn csv_rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn word(row: &Row, column: &str) -> String {
    match &row[column] {
        Field::Str(text) => text.clone(),
        other => panic!("{column} is {other:?}"),
    }
}

fn real(row: &Row, column: &str) -> Option<f64> {
    match &row[column] {
        Field::Double(number) => Some(*number),
        Field::Null => None,
        other => panic!("{column} is {other:?}"),
    }
}

fn count(row: &Row, column: &str) -> i64 {
    match &row[column] {
        Field::Long(number) => *number,
        other => panic!("{column} is {other:?}"),
    }
}

/// Every field of every table, bit for bit; and what the file says of itself.
#[test]
fn parquet_holds_the_files_of_the_run_with_their_types() {
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "3000"]);
    let tables = ["summary", "comparisons", "claims", "histograms"];
    let mut arguments = vec!["--format", "parquet"];
    for table in tables {
        arguments.extend(["--table", table]);
    }
    let said = ran.text(&arguments);
    assert_eq!(said.lines().count(), tables.len());
    let manifest: serde_json::Value =
        serde_json::from_slice(&std::fs::read(ran.dir().join("manifest.json")).unwrap()).unwrap();
    for table in tables {
        let path = ran.dir().join(table).with_extension("parquet");
        let (found, wanted) = (
            rows(&path),
            csv_rows(&ran.dir().join(table).with_extension("csv")),
        );
        assert_eq!(found.len(), wanted.len(), "{table}");
        assert!(!found.is_empty(), "{table}");
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found.len(), wanted.len());
            for (column, text) in wanted {
                let same = match &found[column] {
                    Field::Null => text.is_empty() || text == "NaN",
                    Field::Str(found) => found == text,
                    Field::Long(found) => found.to_string() == *text,
                    Field::Double(found) => {
                        let number: f64 = text.parse().unwrap();
                        found.to_bits() == number.to_bits()
                    }
                    other => panic!("{other:?}"),
                };
                assert!(same, "{table}: {column} is {:?}, not {text}", found[column]);
            }
        }
        let facts = facts(&path);
        let fact = |name: &str| facts[&format!("epsweep.{name}")].as_str();
        assert_eq!(fact("schema"), "1");
        assert_eq!(fact("table"), table);
        assert_eq!(fact("experiment"), "adaptive-allocation");
        assert_eq!(fact("trials"), "3000");
        assert_eq!(fact("level"), "0.95");
        assert_eq!(fact("seed"), "42");
        assert_eq!(fact("version"), env!("CARGO_PKG_VERSION"));
        assert_eq!(fact("digest"), manifest["digest"]);
        assert_eq!(fact("experiment_digest"), manifest["experiment_digest"]);
        let columns: serde_json::Value = serde_json::from_str(fact("columns")).unwrap();
        let columns = columns.as_array().unwrap();
        assert_eq!(columns.len(), found[0].len());
        for column in columns {
            assert!(found[0].contains_key(column["name"].as_str().unwrap()));
            assert!(!column["about"].as_str().unwrap().is_empty(), "{column}");
        }
        let measures: serde_json::Value = serde_json::from_str(fact("measures")).unwrap();
        assert!(measures["abs_error"]["unit"].is_string(), "{measures}");
        // once more: the same bytes
        let bytes = std::fs::read(&path).unwrap();
        let again = ran.folder.path().join("again.parquet");
        let again_named = again.to_str().unwrap();
        ran.text(&[
            "--format",
            "parquet",
            "--table",
            table,
            "--force",
            "--out",
            again_named,
        ]);
        assert_eq!(bytes, std::fs::read(&again).unwrap(), "{table}");
    }
    // types are those of the columns, not of what happens to be in them
    let file = std::fs::File::open(ran.dir().join("summary.parquet")).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let kind = |name: &str| {
        let mut columns = schema.columns().iter();
        let column = columns.find(|column| column.name() == name).unwrap();
        (column.physical_type(), column.max_def_level())
    };
    assert_eq!(kind("epsilon"), (Physical::DOUBLE, 1));
    assert_eq!(kind("allocation"), (Physical::BYTE_ARRAY, 1));
    assert_eq!(kind("exact"), (Physical::DOUBLE, 1));
    assert_eq!(kind("trials"), (Physical::INT64, 0));
}

/// Means over exported trials are those of the run, of every procedure; a single trial is the one that `replay` shows.
#[test]
fn trials_are_those_of_the_run() {
    for (name, trials, only) in [
        // on both sides of the end of a chunk
        (
            "adaptive-allocation",
            4200,
            &["--where", "allocation=even"][..],
        ),
        ("night-market", 60, &[]),
        ("symptoms", 60, &[]),
        ("select-mechanisms", 20, &[]),
        ("sparse-vector", 40, &[]),
        ("online-policies", 70, &[]),
        ("private-training", 9, &[]),
        ("clip-then-sum", 70, &[]),
    ] {
        let number = trials.to_string();
        let ran = Ran::new(&shipped(name), &["--trials", &number]);
        let data = root().join("experiments");
        let data = data.to_str().unwrap();
        let export = ["--format", "parquet", "--table", "trials", "--data", data];
        ran.text(&[&export[..], only].concat());
        let listed = rows(&ran.dir().join("trials.parquet"));
        let mut sums: BTreeMap<[String; 3], (u64, f64, f64)> = BTreeMap::new();
        let mut seen = 0;
        for row in &listed {
            let key = ["cell", "subject", "measure"].map(|column| word(row, column));
            assert!((0..trials).contains(&count(row, "trial")));
            let sum = sums.entry(key).or_default();
            if let Some(value) = real(row, "value") {
                *sum = (sum.0 + 1, sum.1 + value, sum.2 + value.abs());
            }
            seen += 1;
        }
        assert_eq!(seen, sums.len() as i64 * trials, "{name}");
        let mut checked = 0;
        for row in csv_rows(&ran.dir().join("summary.csv")) {
            let chosen = only.is_empty() || row["allocation"] == "even";
            if row["statistic"] != "mean" || !chosen {
                continue;
            }
            let key = ["cell", "subject", "measure"].map(|column| row[column].clone());
            let (n, sum, size) = sums[&key];
            assert_eq!(n.to_string(), row["trials"], "{name} {key:?}");
            let mean: f64 = row["value"].parse().unwrap();
            let tallied = mean * n as f64;
            assert!(
                n == 0 || (sum - tallied).abs() <= 1e-10 * size,
                "{name} {key:?}: {sum}, {tallied}"
            );
            checked += 1;
        }
        assert!(checked > 0, "{name}");
        // one of them, alone
        let (cell, trial) = (sums.keys().next().unwrap()[0].clone(), trials / 2);
        let said = epsweep()
            .arg("replay")
            .arg(ran.dir())
            .args([
                &cell,
                &trial.to_string(),
                "--data",
                data,
                "--format",
                "json",
            ])
            .assert()
            .success();
        let alone: serde_json::Value = serde_json::from_slice(&said.get_output().stdout).unwrap();
        let mut found: Vec<(String, String, Option<f64>)> = (listed.iter())
            .filter(|row| word(row, "cell") == cell && count(row, "trial") == trial)
            .map(|row| {
                (
                    word(row, "subject"),
                    word(row, "measure"),
                    real(row, "value"),
                )
            })
            .collect();
        let mut wanted: Vec<(String, String, Option<f64>)> = (alone["values"].as_array().unwrap())
            .iter()
            .map(|value| {
                let word = |key: &str| value[key].as_str().unwrap().to_owned();
                (word("subject"), word("measure"), value["value"].as_f64())
            })
            .collect();
        found.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        wanted.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn rows_are_chosen_by_what_they_are_of() {
    let ran = Ran::new(&shipped("adaptive-allocation"), &["--trials", "2000"]);
    let csv = |arguments: &[&str]| -> Vec<BTreeMap<String, String>> {
        let mut all = vec!["--format", "csv"];
        all.extend(arguments);
        let text = ran.text(&all);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.deserialize().map(Result::unwrap).collect()
    };
    // without a choice, the file as it stands
    let whole = std::fs::read_to_string(ran.dir().join("summary.csv")).unwrap();
    assert_eq!(ran.text(&["--format", "csv"]), whole);
    let chosen = csv(&[
        "--measure",
        "abs_error",
        "--statistic",
        "mean",
        "--statistic",
        "sd",
        "--where",
        "allocation=even",
        "--where",
        "allocation=minimax",
    ]);
    assert_eq!(chosen.len(), 3 * 2 * 2);
    for row in &chosen {
        assert!(["even", "minimax"].contains(&row["allocation"].as_str()));
        assert!(["mean", "sd"].contains(&row["statistic"].as_str()));
    }
    // a number is a number however it is written
    assert_eq!(
        csv(&["--where", "epsilon=1.0"]),
        csv(&["--where", "epsilon=1"])
    );
    // along the compared axis, either of the two
    let compared = csv(&["--table", "comparisons", "--where", "allocation=minimax"]);
    assert!(!compared.is_empty());
    assert!(
        compared
            .iter()
            .all(|row| row["a"] == "minimax" || row["b"] == "minimax")
    );
    let data = root().join("experiments");
    let data = data.to_str().unwrap();
    let trials = csv(&[
        "--table",
        "trials",
        "--data",
        data,
        "--trials",
        "7",
        "--where",
        "allocation=even",
        "--subject",
        "max age",
        "--measure",
        "error",
    ]);
    assert_eq!(trials.len(), 7);
    let numbers: Vec<&str> = trials.iter().map(|row| row["trial"].as_str()).collect();
    assert_eq!(numbers, ["0", "1", "2", "3", "4", "5", "6"]);
}
