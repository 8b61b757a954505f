//! What is at a place where a finished run was to be read and none is.

use super::lock;
use super::tallies::{SHARD, holds_tallies};
use super::{RecordError, names};
use crate::words::several;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Runs of a folder that an error names.
const NAMED: usize = 5;

/// The files of a run, other than figures: all that stands at the top of its directory.
pub(super) const CONTRACT: [&str; 10] = [
    names::MANIFEST,
    names::EXPERIMENT,
    names::RESOLVED,
    names::SUMMARY,
    names::COMPARISONS,
    names::CLAIMS,
    names::HISTOGRAMS,
    names::CONVERGENCE,
    names::REPORT_HTML,
    names::REPORT_MD,
];

/// The file that a table is exported to.
pub(super) fn exported(name: &str) -> Option<String> {
    name.strip_suffix(".csv")
        .map(|table| format!("{table}.parquet"))
}

/// Why a file of a run could not be read.
pub(super) fn unread(dir: &Path, name: &'static str, error: std::io::Error) -> RecordError {
    let path = dir.join(name);
    if path.is_dir() {
        return RecordError::NotAFile { path };
    }
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => missing(dir, name),
        _ => RecordError::io("read", path)(error),
    }
}

/// What is at the place of a run that lacks a file.
fn missing(dir: &Path, name: &'static str) -> RecordError {
    let path = dir.to_path_buf();
    if dir.is_file() {
        let directory = run_of(dir);
        return RecordError::FileGiven { path, directory };
    }
    if !dir.exists() {
        return RecordError::NoPlace { path };
    }
    if dir.join(names::MANIFEST).exists() {
        return RecordError::Missing {
            path,
            missing: name,
        };
    }
    if lock::is_held(dir) {
        return RecordError::InProgress { path };
    }
    if dir.join(SHARD).exists() {
        return RecordError::ShardOnly { path };
    }
    if holds_tallies(dir) {
        return RecordError::Interrupted { path };
    }
    if let Some(runs) = runs_in(dir) {
        return RecordError::FolderOfRuns { path, runs };
    }
    let parts = [names::EXPERIMENT, names::RESOLVED];
    match parts.iter().any(|part| dir.join(part).exists()) {
        true => RecordError::Missing {
            path,
            missing: name,
        },
        false => RecordError::NoRun { path },
    }
}

/// The directory of the run that a file is of.
pub fn run_of(file: &Path) -> Option<PathBuf> {
    let parent = file.parent()?;
    // figures lie one deeper
    let known = |dir: &Path| dir.join(names::MANIFEST).is_file();
    let dir = [Some(parent), parent.parent()].into_iter().flatten();
    dir.map(|dir| match dir.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => dir.to_path_buf(),
    })
    .find(|dir| known(dir))
}

/// The runs in a folder, in words, and how much else there is in it.
fn runs_in(dir: &Path) -> Option<String> {
    let entries = fs::read_dir(dir).ok()?;
    let (mut runs, mut others) = (Vec::new(), 0_u64);
    for entry in entries.flatten() {
        match entry.path().join(names::MANIFEST).is_file() {
            true => runs.push(entry.path().display().to_string()),
            false => others += 1,
        }
    }
    if runs.is_empty() {
        return None;
    }
    runs.sort();
    let more = runs.len().saturating_sub(NAMED) as u64;
    runs.truncate(NAMED);
    let mut words = format!("the runs {}", runs.join(", "));
    if more > 0 {
        words += &format!(" and {more} more");
    }
    if others > 0 {
        words += &format!(" (and {} that are none)", several(others, "other name"));
    }
    Some(words)
}

/// What lies in the directory of a run and is no part of it.
pub fn strangers(dir: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let known = |name: &str| {
        let table = |file: &&str| exported(file).is_some_and(|exported| exported == name);
        CONTRACT.contains(&name)
            || CONTRACT.iter().any(table)
            || [names::FIGURES, names::AUDITS, names::TRIALS].contains(&name)
            || name.starts_with('.')
    };
    let mut found: Vec<String> = (entries.flatten())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !known(name))
        .collect();
    found.sort();
    found
}
