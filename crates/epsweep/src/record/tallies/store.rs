//! The tallies of a run in its directory, written while it runs.

use super::frame::{self, Place};
use super::header::Header;
use crate::engine::Keep;
use crate::record::RecordError;
use crate::record::files::{write_file, write_streamed};
use crate::tally::{Layout, Tally};
use crate::words::several;
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The folder in a run directory.
pub(in crate::record) const FOLDER: &str = ".tallies";
/// Of what the tallies are.
const IDENTITY: &str = "identity.json";
/// Tallies of finished tiles.
const FINISHED: &str = "finished";
/// Tallies of unfinished tiles at the last checkpoint.
const OPEN: &str = "open";

/// What is done with tallies that are not of this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Others {
    /// they are left, and the run is not begun: so it is with those of which nobody knows what they are of
    Refuse,
    /// as [`Others::Refuse`], in the directory of a run that is known to be of this experiment: what its tallies are of need not be known,
    /// since it is kept elsewhere
    Recognised,
    /// they are removed
    Discard,
}

/// The tallies of a run in its directory.
#[derive(Debug)]
pub struct Store {
    folder: PathBuf,
    /// trials that are wanted of each cell
    trials: u64,
    interval: Duration,
    /// tallies of earlier runs, by tile
    known: HashMap<u64, Vec<(PathBuf, Place)>>,
    finished: Mutex<File>,
    /// what could not be kept
    error: Mutex<Option<RecordError>>,
    /// tallies were found to go on from
    resumed: bool,
    /// what was found and could not be used
    unusable: Mutex<Vec<String>>,
}

impl Store {
    /// The tallies in `dir`, to be added to; `interval` is the time between checkpoints.
    ///
    /// # Errors
    /// They are of another experiment or of nobody knows which, and may not be removed; or the folder cannot be read or written.
    pub fn open(
        dir: &Path,
        header: &Header,
        trials: u64,
        interval: Duration,
        others: Others,
    ) -> Result<Store, RecordError> {
        let folder = dir.join(FOLDER);
        let identity = folder.join(IDENTITY);
        let found = match (&others, read_identity(&identity)) {
            // what is there is removed, whatever it is
            (Others::Discard, found) => found.ok().flatten().map(Ok),
            // never replaced unasked: it is not for this program to say what it holds
            (_, Err(error @ (RecordError::NotAFile { .. } | RecordError::Version { .. }))) => {
                return Err(error);
            }
            (_, found) => found.transpose(),
        };
        let force = others == Others::Discard;
        let (mut unusable, mut extended) = (Vec::new(), false);
        // a checkpoint without open tallies leaves no file
        let open = folder.join(OPEN);
        if !force && fs::metadata(&open).is_ok_and(|file| file.len() == 0) {
            unusable.push(format!(
                "{} is empty: of what was under way at the last checkpoint nothing was kept",
                open.display()
            ));
        }
        // what holds nothing is nobody's loss
        let held: u64 = ([FINISHED, OPEN].iter())
            .map(|name| fs::metadata(folder.join(name)).map_or(0, |file| file.len()))
            .sum();
        let holds = held > 0;
        let same = match found {
            Some(Ok(found)) if holds => {
                let reached = (header.trials < found.trials).then(|| reached(&folder));
                let differences = header.differences_at(&found, reached);
                if !differences.is_empty() && !force {
                    let path = dir.to_path_buf();
                    return Err(match header.is_but_for_amount(&found) {
                        true => RecordError::Less { path, differences },
                        false => RecordError::Another { path, differences },
                    });
                }
                extended = found != *header;
                let same = !force && differences.is_empty() && found.shard() == header.shard();
                let tiles = header.has_tiles_of(&found);
                if same && !tiles {
                    unusable.push(format!(
                        "{} has tallies of cells that go together otherwise than now: [compare] or the claims about wins ask for other pairs, or an older epsweep made it",
                        folder.display()
                    ));
                }
                same && tiles
            }
            unknown => {
                let what = match unknown {
                    Some(Ok(_)) => None,
                    Some(Err(RecordError::Corrupt { what, .. })) => {
                        Some(format!("is damaged ({what})"))
                    }
                    Some(Err(other)) => Some(format!("cannot be read ({other})")),
                    None if holds && !identity.exists() => Some("is missing".to_owned()),
                    None => None,
                };
                if let Some(what) = what.filter(|_| holds) {
                    if others == Others::Refuse {
                        return Err(RecordError::UnknownTallies {
                            path: dir.to_path_buf(),
                            identity,
                            what,
                            bytes: held,
                        });
                    }
                    unusable.push(format!(
                        "{} {what}, and without it nobody knows of what the tallies beside it are",
                        identity.display()
                    ));
                }
                false
            }
        };
        if !same {
            remove(&folder)?;
        }
        fs::create_dir_all(&folder).map_err(RecordError::io("create the directory", &folder))?;
        if !same || extended {
            write_file(&folder, IDENTITY, header.json()?.as_bytes())?;
        }
        let mut known: HashMap<u64, Vec<(PathBuf, Place)>> = HashMap::new();
        let mut end = 0;
        for name in [FINISHED, OPEN] {
            let path = folder.join(name);
            let Ok(mut file) = File::open(&path) else {
                continue; // no checkpoint yet
            };
            let io = || RecordError::io("read", &path);
            let size = file.metadata().map(|meta| meta.len()).unwrap_or(0);
            let (places, whole) = frame::places(&mut file, 0, size).map_err(io())?;
            let (sound, damaged) = frame::sound(&mut file, &places).map_err(io())?;
            unusable.extend(damaged.iter().map(|place| {
                format!(
                    "the tally at byte {} of {} is damaged",
                    place.at,
                    path.display()
                )
            }));
            if whole < size {
                unusable.push(format!(
                    "{} is damaged or cut off at byte {whole} of {size}: {} before it can be read, and what follows cannot",
                    path.display(),
                    several(sound.len() as u64, "tally"),
                ));
            }
            // what is no tally is dropped, so that it is not found again; new ones follow the last whole one
            let rewritten = name == FINISHED && !damaged.is_empty();
            let mut at = 0;
            for (tile, place) in &sound {
                let now = Place {
                    at: if rewritten { at } else { place.at },
                    ..*place
                };
                at += place.frame_len();
                known.entry(*tile).or_default().push((path.clone(), now));
            }
            if rewritten {
                write_streamed(&folder, FINISHED, &mut |out| {
                    for (_, place) in &sound {
                        frame::copy(&mut file, *place, &mut *out)?;
                    }
                    Ok(())
                })?;
            }
            if name == FINISHED {
                end = if rewritten { at } else { whole };
            }
        }
        let path = folder.join(FINISHED);
        let mut finished = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(RecordError::io("write", &path))?;
        finished
            .set_len(end)
            .map_err(RecordError::io("write", &path))?;
        std::io::Seek::seek(&mut finished, std::io::SeekFrom::End(0))
            .map_err(RecordError::io("write", &path))?;
        Ok(Store {
            folder,
            trials,
            interval,
            resumed: !known.is_empty(),
            known,
            finished: Mutex::new(finished),
            error: Mutex::default(),
            unusable: Mutex::new(unusable),
        })
    }

    /// What of earlier runs was found and could not be used, in words: it is simulated again.
    pub fn unusable(&self) -> Vec<String> {
        let mut found = self.unusable.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut found)
    }

    /// Whether there are tallies of an earlier run to go on from.
    pub fn resumed(&self) -> bool {
        self.resumed
    }

    /// Why tallies could not be kept, if so.
    pub fn error(&self) -> Option<RecordError> {
        (self.error.lock().unwrap_or_else(PoisonError::into_inner)).take()
    }

    /// Writes the frames of all tiles of a finished run, the last of each, in the order of the tiles.
    ///
    /// # Errors
    /// The file cannot be read, does not hold what was written, or `out` fails.
    pub(super) fn write_last(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let path = self.folder.join(FINISHED);
        let mut file = File::open(&path)?;
        let size = file.metadata()?.len();
        let (places, _) = frame::places(&mut file, 0, size)?;
        let last: std::collections::BTreeMap<u64, Place> = places.into_iter().collect();
        for (tile, place) in last {
            let Some(tally) = frame::read(&mut file, place)? else {
                return Err(std::io::Error::other(RecordError::Altered { path }));
            };
            out.write_all(&frame::frame(tile, &tally))?;
        }
        Ok(())
    }

    /// After the last tile: what the checkpoints and earlier, shorter runs left is removed.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn tidy(&self) -> Result<(), RecordError> {
        remove_file(&self.folder.join(OPEN))?;
        let superseded = (self.known.values().flatten()).any(|(path, _)| path.ends_with(FINISHED));
        if superseded {
            write_streamed(&self.folder, FINISHED, &mut |out| self.write_last(out))?;
        }
        Ok(())
    }

    /// Removes all of it: what it holds is elsewhere by now.
    ///
    /// # Errors
    /// The folder cannot be removed.
    pub fn remove(self) -> Result<(), RecordError> {
        remove(&self.folder)
    }

    fn keep(&self, result: Result<(), RecordError>) -> bool {
        match result {
            Ok(()) => true,
            Err(error) => {
                let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(error);
                false
            }
        }
    }

    fn append(&self, frame: &[u8]) -> Result<(), RecordError> {
        let mut file = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        (file.write_all(frame)).map_err(RecordError::io("write", self.folder.join(FINISHED)))
    }
}

impl Keep for Store {
    /// The longest that was kept, of no more trials than are wanted.
    fn known(&self, tile: usize, layout: &Layout) -> Option<Tally> {
        let places = self.known.get(&(tile as u64))?;
        (places.iter())
            .filter_map(|(path, place)| {
                let mut file = File::open(path).ok()?;
                let bytes = frame::read(&mut file, *place).ok()?;
                let tally = bytes.and_then(|bytes| Tally::decode(&bytes, layout).ok());
                if tally.is_none() {
                    let mut unusable = self.unusable.lock().unwrap_or_else(PoisonError::into_inner);
                    unusable.push(format!(
                        "the tally at byte {} of {} is damaged",
                        place.at,
                        path.display()
                    ));
                }
                tally
            })
            .filter(|tally| tally.trials <= self.trials)
            .max_by_key(|tally| tally.trials)
    }

    fn finished(&self, tile: usize, tally: &Tally) -> bool {
        let frame = frame::frame(tile as u64, &tally.encode());
        self.keep(self.append(&frame))
    }

    fn paused(&self, open: &[(usize, &Tally)]) -> bool {
        let frames: Vec<u8> = (open.iter())
            .flat_map(|(tile, tally)| frame::frame(*tile as u64, &tally.encode()))
            .collect();
        let file = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let synced = file.sync_data();
        drop(file);
        let synced = synced.map_err(RecordError::io("write", self.folder.join(FINISHED)));
        self.keep(synced.and_then(|()| match frames.is_empty() {
            // an empty file would be taken for a damaged one
            true => remove_file(&self.folder.join(OPEN)),
            false => write_file(&self.folder, OPEN, &frames),
        }))
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

/// What the file beside tallies says; `None` where there is none.
fn read_identity(path: &Path) -> Result<Option<Header>, RecordError> {
    if path.is_dir() {
        let path = path.to_path_buf();
        return Err(RecordError::NotAFile { path });
    }
    let json = match fs::read(path) {
        Ok(json) => json,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(RecordError::io("read", path)(e)),
    };
    if json.is_empty() {
        return Err(corrupt(path, "it is empty".into()));
    }
    let json = std::str::from_utf8(&json).map_err(|e| corrupt(path, e.to_string()))?;
    Header::parse(path, json).map(Some)
}

/// Trials of the tile that has most.
fn reached(folder: &Path) -> u64 {
    let of_file = |name: &&str| -> std::io::Result<u64> {
        let mut file = File::open(folder.join(name))?;
        let size = file.metadata()?.len();
        let (places, _) = frame::places(&mut file, 0, size)?;
        let mut most = 0;
        for (_, place) in places {
            let bytes = frame::read(&mut file, place)?;
            most = most.max(
                bytes
                    .and_then(|bytes| Tally::trials_of(&bytes))
                    .unwrap_or(0),
            );
        }
        Ok(most)
    };
    let most = [FINISHED, OPEN]
        .iter()
        .filter_map(|name| of_file(name).ok());
    most.max().unwrap_or(0)
}

fn corrupt(path: &Path, what: String) -> RecordError {
    RecordError::Corrupt {
        path: path.to_path_buf(),
        line: None,
        what,
    }
}

/// Whether a directory holds tallies of a run that has begun.
pub(in crate::record) fn holds_tallies(dir: &Path) -> bool {
    dir.join(FOLDER).is_dir()
}

fn remove_file(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::io("replace", path)(e))
        }
        _ => Ok(()),
    }
}

fn remove(folder: &Path) -> Result<(), RecordError> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(RecordError::io("replace", folder)(e))
        }
        _ => Ok(()),
    }
}
