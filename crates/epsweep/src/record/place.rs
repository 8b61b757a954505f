//! What is at a place where a finished run was to be read and none is.

use super::lock;
use super::tallies::{SHARD, holds_tallies};
use super::{RecordError, names};
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

/// The runs in a folder, in words, and what else there is in it.
fn runs_in(dir: &Path) -> Option<String> {
    let entries = fs::read_dir(dir).ok()?;
    let (mut runs, mut others) = (Vec::new(), Vec::new());
    for entry in entries.flatten() {
        let path = entry.path();
        if path.join(names::MANIFEST).is_file() {
            runs.push(path.display().to_string());
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        others.push(match state(&path) {
            Some(state) => format!("{name}, {state}"),
            None => name,
        });
    }
    if runs.is_empty() {
        return None;
    }
    let few = |mut all: Vec<String>, between: &str| {
        all.sort();
        let more = all.len().saturating_sub(NAMED);
        all.truncate(NAMED);
        let words = all.join(between);
        match more {
            0 => words,
            _ => format!("{words} and {more} more"),
        }
    };
    let mut words = format!("the runs {}", few(runs, ", "));
    if !others.is_empty() {
        words += &format!(" (besides: {})", few(others, "; "));
    }
    Some(words)
}

/// What a directory is in which a run is not finished; `None` of all else.
fn state(dir: &Path) -> Option<&'static str> {
    if lock::is_held(dir) {
        return Some("a run under way");
    }
    if dir.join(SHARD).exists() {
        return Some("a shard");
    }
    let unfinished = holds_tallies(dir) || dir.join(names::RESOLVED).exists();
    unfinished.then_some("an interrupted run")
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
