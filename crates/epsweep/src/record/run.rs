//! A run, read back from its directory.

use super::files::hash_file;
use super::tables::Table;
use super::version::known_schema;
use super::{
    AuditRow, ClaimRow, ComparisonRow, HistogramRow, Identity, Manifest, RecordError, Resolved,
    ResolvedCell, SummaryRow, names, place, tables,
};
use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, IgnoredAny, SeqAccess, Visitor};
use std::collections::HashMap;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Cells of a run up to which it is read whole: that takes about 70 kB each.
pub const MOST_CELLS: usize = 2000;
/// Cells that are read of a larger one.
const FIRST_CELLS: usize = 24;

/// Everything that a run directory says, or of a run of more than 2000 cells what it says of the first. Figures and reports are made from this and nothing else.
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
    /// audits of its mechanisms, where some were put beside it
    pub audits: Vec<AuditRow>,
}

impl Run {
    /// Cells that were not read, since they are too many: of the others there are estimates, and nothing is compared.
    pub fn left_out(&self) -> u64 {
        let lengths = self
            .resolved
            .axes
            .iter()
            .map(|axis| axis.labels.len() as u64);
        (lengths.product::<u64>()).saturating_sub(self.resolved.cells.len() as u64)
    }

    /// Trials of its cells, least and most: the same where they were not decided by precision.
    pub fn trials(&self) -> RangeInclusive<u64> {
        if self.resolved.target.is_none() {
            return self.resolved.trials..=self.resolved.trials;
        }
        // a row has fewer where some are undefined
        let mut cells: HashMap<&str, u64> = HashMap::new();
        for row in &self.summary {
            let most = cells.entry(&row.cell).or_default();
            *most = row.trials.max(*most);
        }
        let least = cells.values().copied().min().unwrap_or(0);
        least..=cells.values().copied().max().unwrap_or(0)
    }

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
///
/// # Errors
/// [`RecordError`] if a file is missing, or is none of this format
pub fn read(dir: &Path) -> Result<Run, RecordError> {
    read_with(dir, read_manifest(dir)?)
}

/// The manifest of a finished run.
fn read_manifest(dir: &Path) -> Result<Manifest, RecordError> {
    let text = text(dir, names::MANIFEST)?;
    let path = dir.join(names::MANIFEST);
    check_schema(&path, &text)?;
    let manifest: Manifest = json(&path, &text)?;
    if Identity::from_parts(manifest.identity.clone()).digest() != manifest.experiment_digest {
        return Err(RecordError::Altered { path });
    }
    Ok(manifest)
}

/// Reads the files of a run whose manifest is not written yet.
pub(super) fn read_with(dir: &Path, manifest: Manifest) -> Result<Run, RecordError> {
    let experiment = text(dir, names::EXPERIMENT)?;
    unaltered(dir, names::EXPERIMENT, &experiment, &manifest)?;

    let resolved = read_resolved(dir, &manifest)?;
    let all = resolved.cells.all;
    let head = resolved.with_cells(());
    let resolved = head.with_cells(resolved.cells.cells);
    if !all {
        return read_first(dir, experiment, resolved, manifest);
    }

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
        audits: audits(dir)?,
        dir: dir.to_path_buf(),
        experiment,
        resolved,
        manifest,
    };
    Ok(run)
}

/// What a run found, without where and when: what is committed of a run suffices.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// every value after defaults
    pub resolved: Resolved,
    /// estimates
    pub summary: Vec<SummaryRow>,
    /// statements and verdicts
    pub claims: Vec<ClaimRow>,
}

/// Reads the numbers of a finished run. Where there is a manifest, it is held to as in [`read`]; without one, as in results that are
/// kept under version control, the files are taken as they are.
///
/// # Errors
/// [`RecordError`] if a file is missing, or is none of this format
pub fn read_numbers(dir: &Path) -> Result<Numbers, RecordError> {
    let manifest = match dir.join(names::MANIFEST).exists() {
        true => Some(read_manifest(dir)?),
        false => None,
    };
    let unaltered = |name, text: &str| match &manifest {
        Some(manifest) => unaltered(dir, name, text, manifest),
        None => Ok(()),
    };
    let resolved_text = text(dir, names::RESOLVED)?;
    let resolved = parse_resolved(&dir.join(names::RESOLVED), &resolved_text)?;
    unaltered(names::RESOLVED, &resolved_text)?;
    let axes: Vec<String> = resolved.axes.iter().map(|a| a.name.clone()).collect();
    let summary_text = text(dir, names::SUMMARY)?;
    let summary = tables::parse(&dir.join(names::SUMMARY), &summary_text, &axes)?;
    unaltered(names::SUMMARY, &summary_text)?;
    let claims_text = text(dir, names::CLAIMS)?;
    let claims = tables::parse(&dir.join(names::CLAIMS), &claims_text, &axes)?;
    unaltered(names::CLAIMS, &claims_text)?;
    Ok(Numbers {
        resolved,
        summary,
        claims,
    })
}

/// A file of a run, to be read as it stands.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path) -> Result<std::fs::File, RecordError> {
    std::fs::File::open(path).map_err(RecordError::io("read", path))
}

/// Of a run with more cells than a reader can look at: these first cells with their estimates. The rest is seen to be unaltered.
fn read_first(
    dir: &Path,
    experiment: String,
    resolved: Resolved,
    manifest: Manifest,
) -> Result<Run, RecordError> {
    let axes: Vec<String> = resolved.axes.iter().map(|a| a.name.clone()).collect();
    for name in [names::SUMMARY, names::COMPARISONS, names::HISTOGRAMS] {
        let path = dir.join(name);
        if !path.exists() {
            return Err(RecordError::Missing {
                path: dir.to_path_buf(),
                missing: name,
            });
        }
        if let Some(digest) = manifest.files.get(name)
            && *digest != hash_file(&path)?
        {
            return Err(RecordError::Altered { path });
        }
    }
    let path = dir.join(names::SUMMARY);
    let file = open(&path)?;
    // rows are in the order of the cells
    let shown = |row: &SummaryRow| resolved.cells.iter().any(|cell| *cell.id == *row.cell);
    let summary = tables::parse_while(&path, BufReader::new(file), &axes, shown)?;
    Ok(Run {
        summary,
        comparisons: Vec::new(),
        claims: table(dir, names::CLAIMS, &axes, &manifest)?,
        histograms: Vec::new(),
        convergence: Vec::new(),
        audits: audits(dir)?,
        dir: dir.to_path_buf(),
        experiment,
        resolved,
        manifest,
    })
}

/// Bytes of `resolved.json` up to which its text is held while it is read.
const HELD: u64 = 1 << 22;

/// The resolved experiment of a run, with as many of its cells as are looked at. The text of many cells is larger than they are, and is
/// not held.
fn read_resolved(dir: &Path, manifest: &Manifest) -> Result<Resolved<Few>, RecordError> {
    let path = dir.join(names::RESOLVED);
    if !std::fs::metadata(&path).is_ok_and(|file| file.len() > HELD) {
        let text = text(dir, names::RESOLVED)?;
        check_schema(&path, &text)?;
        let resolved = json(&path, &text)?;
        unaltered(dir, names::RESOLVED, &text, manifest)?;
        return Ok(resolved);
    }
    let reader = || Ok(BufReader::with_capacity(1 << 16, open(&path)?));
    known_schema(
        &path,
        &corrupt_json(&path, serde_json::from_reader(reader()?))?,
    )?;
    let resolved = corrupt_json(&path, serde_json::from_reader(reader()?))?;
    match manifest.files.get(names::RESOLVED) {
        Some(digest) if *digest != hash_file(&path)? => Err(RecordError::Altered { path }),
        _ => Ok(resolved),
    }
}

/// The cells of a run, all of them or, where they are too many to be looked at, the first.
struct Few {
    cells: Vec<ResolvedCell>,
    all: bool,
}

impl<'de> Deserialize<'de> for Few {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Few, D::Error> {
        deserializer.deserialize_seq(FewVisitor)
    }
}

struct FewVisitor;

impl<'de> Visitor<'de> for FewVisitor {
    type Value = Few;

    fn expecting(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("a list of cells")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Few, A::Error> {
        let mut cells = Vec::new();
        while let Some(cell) = list.next_element()? {
            cells.push(cell);
            if cells.len() > MOST_CELLS {
                cells.truncate(FIRST_CELLS);
                cells.shrink_to_fit();
                while list.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Few { cells, all: false });
            }
        }
        Ok(Few { cells, all: true })
    }
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
        Err(e) => return Err(place::unread(dir, name, e)),
    };
    if bytes.is_empty() && name.ends_with(".json") {
        return Err(RecordError::Corrupt {
            path,
            line: None,
            what: "it is empty, so that nothing is known of the run".into(),
        });
    }
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
    let path = dir.join(name);
    let opened = std::fs::File::open(&path);
    let file = match path.is_dir() {
        true => Err(RecordError::NotAFile { path: path.clone() }),
        false => opened.map_err(|error| place::unread(dir, name, error)),
    }?;
    let size = file.metadata().map_or(0, |file| file.len());
    let (rows, found) = tables::parse_hashed(&path, file, size, axes)?;
    // after parsing: an error that names the line says more than one that names the file
    match manifest.files.get(name) {
        Some(digest) if *digest != found => Err(RecordError::Altered { path }),
        _ => Ok(rows),
    }
}

/// The audits beside a run; most have none.
fn audits(dir: &Path) -> Result<Vec<AuditRow>, RecordError> {
    if !dir.join(names::AUDITS).exists() {
        return Ok(Vec::new());
    }
    let text = text(dir, names::AUDITS)?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Result<Vec<AuditRow>, csv::Error> = reader.deserialize().collect();
    rows.map_err(|error| RecordError::Corrupt {
        path: dir.join(names::AUDITS),
        line: error.position().map(csv::Position::line),
        what: error.to_string(),
    })
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
    known_schema(path, &json(path, text)?)
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, RecordError> {
    corrupt_json(path, serde_json::from_str(text))
}

fn corrupt_json<T>(path: &Path, read: serde_json::Result<T>) -> Result<T, RecordError> {
    read.map_err(|error| {
        let (path, line) = (
            path.to_path_buf(),
            Some(error.line() as u64).filter(|l| *l > 0),
        );
        let what = error.to_string();
        match error.classify() {
            // the version was read before: what follows is what it does not keep to
            serde_json::error::Category::Data => RecordError::Malformed { path, line, what },
            _ => RecordError::Corrupt { path, line, what },
        }
    })
}
