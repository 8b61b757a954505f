//! Writing a run directory, so that a final name only ever shows a complete file and no other run is lost.

use super::files::{Batch, PART, write_file, write_files};
use super::lock::Lock;
use super::place::{CONTRACT, exported};
use super::run::{parse_resolved, read_with, text};
use super::tallies::holds_tallies;
use super::{
    ClaimRow, ComparisonRow, HistogramRow, Identity, Manifest, RecordError, Resolved, Run, Spools,
    SummaryRow, names, tables,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What a run says, to be written.
#[derive(Clone, Copy, Debug)]
pub struct Contents<'a> {
    /// the experiment file, verbatim
    pub experiment: &'a str,
    /// every value after defaults
    pub resolved: &'a Resolved,
    /// estimates
    pub summary: &'a [SummaryRow],
    /// paired comparisons
    pub comparisons: &'a [ComparisonRow],
    /// statements and verdicts
    pub claims: &'a [ClaimRow],
    /// counts by value
    pub histograms: &'a [HistogramRow],
    /// means after fewer trials; the file is left out if there are none
    pub convergence: &'a [SummaryRow],
}

/// What was found at the place of a run.
#[derive(Debug)]
pub enum State {
    /// nothing: the run is to be made
    New(RunDir),
    /// a run with the same numbers that is not finished, has fewer trials, or whose claims, figures or texts are others, or one that is to be
    /// replaced: it is to be made again
    Renew(RunDir),
    /// the same run, finished: nothing is to be done
    Finished,
}

/// A directory that a run may be written to.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    digests: BTreeMap<String, String>,
    /// figures of the run that is made again
    earlier: BTreeSet<String>,
    /// held until the run is finished or given up
    _lock: Lock,
}

impl RunDir {
    /// Looks at the place of a run before it is made: creates the directory, sees that files can be written there, and that no other
    /// run is lost. `force` allows replacing another run, but never a directory that is not a run directory.
    ///
    /// # Errors
    /// The place is no directory, cannot be created or written, holds files of something else, or holds another run (the message
    /// says what differs) and `force` is not set.
    pub fn open(path: &Path, identity: &Identity, force: bool) -> Result<State, RecordError> {
        Self::refuse_others(path)?;
        fs::create_dir_all(path).map_err(RecordError::io("create the directory", path))?;
        let lock = Lock::take(path)?;
        let renew = match Self::found(path)? {
            Found::Nothing => false,
            Found::Finished(found) if !force && found == *identity => return Ok(State::Finished),
            Found::Finished(found) | Found::Unfinished(found) => {
                let differences = identity.differences(&found);
                if !force && !differences.is_empty() && !identity.extends(&found) {
                    let path = path.to_path_buf();
                    return Err(match identity.is_but_for_amount(&found) {
                        true => RecordError::Less { path, differences },
                        false => RecordError::Another { path, differences },
                    });
                }
                true
            }
            Found::Unreadable(reason) if !force => {
                return Err(RecordError::Damaged {
                    path: path.to_path_buf(),
                    reason: Box::new(reason),
                });
            }
            Found::Unreadable(_) => true,
        };
        probe(path)?;
        let dir = RunDir {
            path: path.to_path_buf(),
            digests: BTreeMap::new(),
            earlier: BTreeSet::new(),
            _lock: lock,
        };
        Ok(if renew {
            State::Renew(dir)
        } else {
            State::New(dir)
        })
    }

    /// Whether there is a run; a place that is not for runs is an error.
    fn refuse_others(path: &Path) -> Result<bool, RecordError> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
            Err(_) if path.exists() && !path.is_dir() => {
                return Err(RecordError::NotADirectory {
                    path: path.to_path_buf(),
                });
            }
            Err(e) => return Err(RecordError::io("use the directory", path)(e)),
        };
        let mut others = Vec::new();
        let mut is_run = false;
        for entry in entries {
            let entry = entry.map_err(RecordError::io("read the directory", path))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            match name.as_str() {
                names::MANIFEST | names::RESOLVED => is_run = true,
                _ if name.starts_with('.') => {}
                _ => others.push(name),
            }
        }
        if !is_run {
            // a run that was interrupted before, or while, it wrote its record is known by its tallies, whatever has joined them
            if others.is_empty() || holds_tallies(path) {
                return Ok(false);
            }
            others.sort();
            let more = others.len().saturating_sub(3);
            others.truncate(3);
            let mut found = others.join(", ");
            if more > 0 {
                found += &format!(" and {more} more");
            }
            return Err(RecordError::Foreign {
                path: path.to_path_buf(),
                found,
            });
        }
        Ok(true)
    }

    fn found(path: &Path) -> Result<Found, RecordError> {
        if !Self::refuse_others(path)? {
            return Ok(Found::Nothing);
        }
        if path.join(names::MANIFEST).exists() {
            return Ok(match super::read(path) {
                Ok(run) => Found::Finished(
                    Identity::from_parts(run.manifest.identity).described_by(&run.resolved),
                ),
                Err(error) => Found::Unreadable(error),
            });
        }
        let resolved = text(path, names::RESOLVED)
            .and_then(|text| parse_resolved(&path.join(names::RESOLVED), &text))
            .and_then(|resolved| Identity::of_resolved(&resolved));
        Ok(match resolved {
            Ok(identity) => Found::Unfinished(identity),
            Err(error) => Found::Unreadable(error),
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all but figures, reports and the manifest. What an earlier run left is removed when all of that is on the disk, its manifest
    /// before all else, so that no moment shows a finished run with a mixture of files, and a full disk costs nothing.
    ///
    /// # Errors
    /// [`RecordError`] if a file cannot be written, or reads back as another
    pub fn write(&mut self, contents: &Contents) -> Result<(), RecordError> {
        let axes: Vec<String> = (contents.resolved.axes.iter())
            .map(|a| a.name.clone())
            .collect();
        let resolved = json("the resolved experiment", contents.resolved)?;
        let tables = [
            (names::SUMMARY, csv(contents.summary, &axes)?),
            (names::COMPARISONS, csv(contents.comparisons, &axes)?),
            (names::CLAIMS, csv(contents.claims, &axes)?),
            (names::HISTOGRAMS, csv(contents.histograms, &axes)?),
            (names::CONVERGENCE, csv(contents.convergence, &axes)?),
        ];
        // first what makes the directory one of a run: whatever comes after may fail
        let mut files: Vec<(&str, &[u8])> = vec![
            (names::RESOLVED, &resolved),
            (names::EXPERIMENT, contents.experiment.as_bytes()),
        ];
        files.extend(
            (tables.iter())
                .filter(|(name, _)| *name != names::CONVERGENCE || !contents.convergence.is_empty())
                .map(|(name, bytes)| (*name, bytes.as_slice())),
        );
        let mut batch = Batch::new(&self.path);
        for (name, bytes) in files {
            batch.put(name, bytes)?;
        }
        self.digests = batch.appear(|| self.clear())?;
        Ok(())
    }

    /// Where the rows of a run of many cells are written while they are made; see [`RunDir::write_spooled`].
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn spools(
        &self,
        axes: Vec<String>,
        shown: Vec<usize>,
        cells: usize,
    ) -> Result<Spools, RecordError> {
        Spools::new(&self.path, axes, shown, cells)
    }

    /// As [`RunDir::write`], of rows that were not kept in memory. What is written is read again and compared.
    ///
    /// # Errors
    /// A file cannot be written, or is not what was written.
    pub fn write_spooled<C: Serialize>(
        &mut self,
        experiment: &str,
        resolved: &Resolved<C>,
        claims: &[ClaimRow],
        spools: &mut Spools,
    ) -> Result<(), RecordError> {
        let axes: Vec<String> = resolved.axes.iter().map(|a| a.name.clone()).collect();
        let mut batch = Batch::new(&self.path);
        // first what makes the directory one of a run: whatever comes after may fail
        batch.stream(names::RESOLVED, &mut |out| {
            serde_json::to_writer_pretty(&mut *out, resolved)?;
            out.write_all(b"\n")
        })?;
        batch.put(names::EXPERIMENT, experiment.as_bytes())?;
        batch.put(names::CLAIMS, &csv(claims, &axes)?)?;
        batch.stream(names::SUMMARY, &mut |out| spools.write_summary(out))?;
        batch.stream(names::COMPARISONS, &mut |out| spools.write_comparisons(out))?;
        batch.stream(names::HISTOGRAMS, &mut |out| spools.write_histograms(out))?;
        self.digests = batch.appear(|| self.clear())?;
        Ok(())
    }

    /// Writes one more file of the run, such as `report.md` or `figures/panel.svg`.
    ///
    /// # Errors
    /// [`RecordError`] if the file cannot be written, or reads back as another
    pub fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        self.put_all(&[(name, bytes)])
    }

    /// As [`RunDir::put`], of many files: that they reach the disk is waited for once, not file by file.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn put_all(&mut self, files: &[(&str, &[u8])]) -> Result<(), RecordError> {
        self.digests.extend(write_files(&self.path, files)?);
        Ok(())
    }

    /// What was written, read back: the input of figures and report.
    ///
    /// # Errors
    /// [`RecordError`] if a file is missing, or is none of this format
    pub fn read_back(&self, manifest: &Manifest) -> Result<Run, RecordError> {
        read_with(&self.path, self.complete(manifest))
    }

    /// Writes the manifest, which marks the run as finished. It lists what was written; figures of the run that was made again, and are none any
    /// more, are removed.
    ///
    /// # Errors
    /// [`RecordError`] if the manifest cannot be written
    pub fn finish(self, manifest: &Manifest) -> Result<Manifest, RecordError> {
        let manifest = self.complete(manifest);
        for name in &self.earlier {
            if !manifest.files.contains_key(name) {
                remove(&self.path.join(name))?;
            }
        }
        let bytes = json("the manifest", &manifest)?;
        write_file(&self.path, names::MANIFEST, &bytes)?;
        Ok(manifest)
    }

    /// A finished run whose figures and reports are to be made again; [`RunDir::finish`] then lists the new ones.
    ///
    /// # Errors
    /// The directory cannot be written.
    pub fn reopen(run: &Run) -> Result<RunDir, RecordError> {
        let lock = Lock::take(&run.dir)?;
        probe(&run.dir)?;
        let mut digests = run.manifest.files.clone();
        digests.retain(|name, _| !is_figure(name) && !name.starts_with("report."));
        Ok(RunDir {
            path: run.dir.clone(),
            digests,
            earlier: figures_of(&run.manifest),
            _lock: lock,
        })
    }

    fn complete(&self, manifest: &Manifest) -> Manifest {
        let mut manifest = manifest.clone();
        manifest.files = self.digests.clone();
        manifest
    }

    /// Removes what earlier runs wrote: the files of the contract, figures that the manifest lists, and parts of files that nobody writes any
    /// more. Nothing else is touched.
    fn clear(&self) -> Result<(), RecordError> {
        // of a run that never finished, figures are written over
        let figures = (fs::read(self.path.join(names::MANIFEST)).ok())
            .and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok())
            .map_or_else(BTreeSet::new, |manifest| figures_of(&manifest));
        for name in CONTRACT {
            remove(&self.path.join(name))?;
            // what was exported of a table speaks of the run that was here
            if let Some(exported) = exported(name) {
                remove(&self.path.join(exported))?;
            }
        }
        remove(&self.path.join(names::TRIALS))?;
        for name in figures {
            remove(&self.path.join(name))?;
        }
        let own = format!(".{}{PART}", std::process::id());
        for folder in [&self.path, &self.path.join(names::FIGURES)] {
            let Ok(entries) = fs::read_dir(folder) else {
                continue; // no figures
            };
            for entry in entries {
                let entry = entry.map_err(RecordError::io("read the directory", folder))?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with('.') && name.ends_with(PART) && !name.ends_with(&own) {
                    remove(&entry.path())?;
                }
            }
        }
        Ok(())
    }
}

/// What is at the place of a run.
enum Found {
    Nothing,
    Finished(Identity),
    Unfinished(Identity),
    Unreadable(RecordError),
}

/// Sees that files can be written to a directory.
fn probe(path: &Path) -> Result<(), RecordError> {
    let probe = path.join(format!(".probe.{}{PART}", std::process::id()));
    fs::write(&probe, b"probe").map_err(RecordError::io("write to", path))?;
    fs::remove_file(&probe).map_err(RecordError::io("write to", path))
}

/// Whether a file of a run is one of a figure, by the name that its manifest has for it.
fn is_figure(name: &str) -> bool {
    name.strip_prefix(names::FIGURES)
        .and_then(|rest| rest.strip_prefix('/'))
        .is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '\\']) && rest != "..")
}

/// The files of a run's figures.
fn figures_of(manifest: &Manifest) -> BTreeSet<String> {
    (manifest.files.keys().filter(|name| is_figure(name)))
        .cloned()
        .collect()
}

fn remove(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::io("replace", path)(e))
        }
        _ => Ok(()),
    }
}

fn json(what: &'static str, value: &impl serde::Serialize) -> Result<Vec<u8>, RecordError> {
    let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| RecordError::Unwritable {
        what,
        reason: e.to_string(),
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}

fn csv<R: tables::Table>(rows: &[R], axes: &[String]) -> Result<Vec<u8>, RecordError> {
    tables::write(rows, axes).map_err(|e| RecordError::Unwritable {
        what: "a table",
        reason: e.to_string(),
    })
}
