//! What the tests of the binary share.

#![allow(dead_code)] // each test binary uses its part

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A shipped experiment.
pub fn shipped(name: &str) -> PathBuf {
    root().join("experiments").join(name).with_extension("toml")
}

/// The binary, in a directory of its own choosing.
pub fn epsweep() -> Command {
    let mut command = Command::cargo_bin("epsweep").expect("the binary is built with the tests");
    command.env_remove("EPSWEEP_ISA");
    command
}

/// Runs an experiment without figures into `out` and gives its `summary.csv`.
pub fn summary(experiment: &Path, out: &Path, arguments: &[&str]) -> Vec<u8> {
    epsweep()
        .arg("run")
        .arg(experiment)
        .args(["--quiet", "--no-figures", "--format", "csv", "--out"])
        .arg(out)
        .args(arguments)
        .assert()
        .success();
    std::fs::read(out.join("summary.csv")).expect("a finished run has a summary")
}

/// Rows of a summary by (cell, subject, measure, statistic).
pub fn rows(summary: &[u8]) -> BTreeMap<[String; 4], BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(summary);
    let heads = reader.headers().expect("a header").clone();
    let mut rows = BTreeMap::new();
    for record in reader.records() {
        let record = record.expect("a record");
        let fields: BTreeMap<String, String> = heads
            .iter()
            .map(String::from)
            .zip(record.iter().map(String::from))
            .collect();
        let key = ["cell", "subject", "measure", "statistic"].map(|name| fields[name].clone());
        assert!(rows.insert(key, fields).is_none(), "a row is there twice");
    }
    rows
}

/// A number of a row.
pub fn number(row: &BTreeMap<String, String>, field: &str) -> f64 {
    row[field]
        .parse()
        .unwrap_or_else(|_| panic!("{field} of {row:?} is no number"))
}
