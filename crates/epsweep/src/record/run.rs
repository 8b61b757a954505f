//! A run, read back from its directory.

use super::tables::Table;
use super::{
    ClaimRow, ComparisonRow, HistogramRow, Identity, Manifest, RecordError, Resolved, SCHEMA,
    SummaryRow, names, tables,
};
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Everything that a run directory says. Figures and reports are made from this and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// the directory
    pub dir: PathBuf,
    /// the experiment file, verbatim
    pub experiment: String,
    /// every value after defaults
    pub resolved: Resolved,
    /// where the numbers come from
    pub manifest: Manifest,
    /// estimates
    pub summary: Vec<SummaryRow>,
    /// paired comparisons
    pub comparisons: Vec<ComparisonRow>,
    /// statements and verdicts
    pub claims: Vec<ClaimRow>,
    /// counts by value
    pub histograms: Vec<HistogramRow>,
    /// means after fewer trials; empty where no figure draws them
    pub convergence: Vec<SummaryRow>,
}

impl Run {
    /// The text of one of the run's files, such as `summary.csv`, as it stands in the directory.
    ///
    /// # Errors
    /// It cannot be read, or is not UTF-8.
    pub fn file(&self, name: &'static str) -> Result<String, RecordError> {
        text(&self.dir, name)
    }
}

/// Reads a finished run. A directory without a manifest, a file of another version, a file that is missing, damaged or was
/// changed after the run are errors that name the file and, where there is one, the line.
pub fn read(dir: &Path) -> Result<Run, RecordError> {
    let text = text(dir, names::MANIFEST)?;
    let path = dir.join(names::MANIFEST);
    check_schema(&path, &text)?;
    let manifest: Manifest = json(&path, &text)?;
    if Identity::from_parts(manifest.identity.clone()).digest() != manifest.experiment_digest {
        return Err(RecordError::Altered { path });
    }
    read_with(dir, manifest)
}

/// Reads the files of a run whose manifest is not written yet.
pub(super) fn read_with(dir: &Path, manifest: Manifest) -> Result<Run, RecordError> {
    let experiment = text(dir, names::EXPERIMENT)?;
    unaltered(dir, names::EXPERIMENT, &experiment, &manifest)?;

    let resolved_text = text(dir, names::RESOLVED)?;
    let resolved = parse_resolved(&dir.join(names::RESOLVED), &resolved_text)?;
    unaltered(dir, names::RESOLVED, &resolved_text, &manifest)?;

    let axes: Vec<String> = resolved.axes.iter().map(|a| a.name.clone()).collect();
    let run = Run {
        summary: table(dir, names::SUMMARY, &axes, &manifest)?,
        comparisons: table(dir, names::COMPARISONS, &axes, &manifest)?,
        claims: table(dir, names::CLAIMS, &axes, &manifest)?,
        histograms: table(dir, names::HISTOGRAMS, &axes, &manifest)?,
        // only runs with a figure of it have the file
        convergence: match dir.join(names::CONVERGENCE).exists() {
            true => table(dir, names::CONVERGENCE, &axes, &manifest)?,
            false => Vec::new(),
        },
        dir: dir.to_path_buf(),
        experiment,
        resolved,
        manifest,
    };
    Ok(run)
}

/// The resolved experiment in a text of `resolved.json`.
pub(super) fn parse_resolved(path: &Path, text: &str) -> Result<Resolved, RecordError> {
    check_schema(path, text)?;
    json(path, text)
}

/// A file as text.
pub(super) fn text(dir: &Path, name: &'static str) -> Result<String, RecordError> {
    let path = dir.join(name);
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(RecordError::Missing {
                path: dir.to_path_buf(),
                missing: name,
            });
        }
        Err(e) => return Err(RecordError::io("read", path)(e)),
    };
    String::from_utf8(bytes).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        RecordError::Corrupt {
            path,
            line: Some(1 + good.iter().filter(|b| **b == b'\n').count() as u64),
            what: "this is not UTF-8 text".into(),
        }
    })
}

fn table<R: Table>(
    dir: &Path,
    name: &'static str,
    axes: &[String],
    manifest: &Manifest,
) -> Result<Vec<R>, RecordError> {
    let text = text(dir, name)?;
    let rows = tables::parse(&dir.join(name), &text, axes)?;
    // after parsing: an error that names the line says more than one that names the file
    unaltered(dir, name, &text, manifest)?;
    Ok(rows)
}

/// A file with a digest in the manifest must have that digest; one without is not checked.
fn unaltered(
    dir: &Path,
    name: &'static str,
    text: &str,
    manifest: &Manifest,
) -> Result<(), RecordError> {
    match manifest.files.get(name) {
        Some(digest) if *digest != blake3::hash(text.as_bytes()).to_hex().as_str() => {
            Err(RecordError::Altered {
                path: dir.join(name),
            })
        }
        _ => Ok(()),
    }
}

/// The version is looked at before anything else: a file of another version is never half read.
fn check_schema(path: &Path, text: &str) -> Result<(), RecordError> {
    let value: serde_json::Value = json(path, text)?;
    match value.get("schema").and_then(serde_json::Value::as_u64) {
        Some(found) if found == u64::from(SCHEMA) => Ok(()),
        Some(found) => Err(RecordError::Version {
            path: path.to_path_buf(),
            found,
        }),
        None => Err(RecordError::Corrupt {
            path: path.to_path_buf(),
            line: None,
            what: "there is no number `schema`, so epsweep did not write this file".into(),
        }),
    }
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, RecordError> {
    serde_json::from_str(text).map_err(|e| RecordError::Corrupt {
        path: path.to_path_buf(),
        line: Some(e.line() as u64).filter(|l| *l > 0),
        what: e.to_string(),
    })
}
