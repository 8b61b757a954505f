//! Shards: parts of a run that are simulated apart and merged.

use super::frame::{self, Place};
use super::header::Header;
use super::store::Store;
use crate::engine::{Keep, Shard};
use crate::record::RecordError;
use crate::record::files::write_streamed;
use crate::tally::{Layout, Tally, WireError};
use crate::words::join;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The file of a finished shard.
pub(crate) const SHARD: &str = "shard.tallies";

/// Most bytes of the first line.
const LONGEST_HEADER: u64 = 1 << 20;

/// Writes a finished shard as one file in `dir`, and says where.
///
/// # Errors
/// A tally does not read back as it was written, or the file cannot be written.
pub fn write_shard(dir: &Path, header: &Header, store: &Store) -> Result<PathBuf, RecordError> {
    let first = header.json()?;
    write_streamed(dir, SHARD, &mut |out| {
        writeln!(out, "{first}")?;
        store.write_last(out)
    })?;
    Ok(dir.join(SHARD))
}

/// A shard's file: of what it is, and where its tallies lie.
#[derive(Debug)]
pub struct ShardFile {
    path: PathBuf,
    header: Header,
    places: HashMap<u64, Place>,
}

impl ShardFile {
    /// Of a file, or of the directory that holds one.
    ///
    /// # Errors
    /// It cannot be read, is no shard, or is cut off.
    pub fn open(path: &Path) -> Result<ShardFile, RecordError> {
        let path = match path.is_dir() {
            true => path.join(SHARD),
            false => path.to_path_buf(),
        };
        let none = |reason: String| RecordError::NoShard {
            path: path.clone(),
            reason,
        };
        let io = |error: std::io::Error| none(format!("it cannot be read ({error})"));
        let file = File::open(&path).map_err(io)?;
        let size = file.metadata().map_err(io)?.len();
        let mut file = BufReader::new(file);
        let mut first = Vec::new();
        (Read::by_ref(&mut file).take(LONGEST_HEADER))
            .read_until(b'\n', &mut first)
            .map_err(io)?;
        let json = (first.strip_suffix(b"\n"))
            .and_then(|line| std::str::from_utf8(line).ok())
            .ok_or_else(|| none("its first line does not say of what shard it is".into()))?;
        let header = Header::parse(&path, json).map_err(|error| match error {
            RecordError::Corrupt { .. } => {
                none("its first line does not say of what shard it is".into())
            }
            other => other,
        })?;
        let start = file.stream_position().map_err(io)?;
        let (places, end) = frame::places(&mut file, start, size).map_err(io)?;
        if end != size {
            return Err(RecordError::BrokenShard {
                path,
                what: "it is cut off".into(),
            });
        }
        Ok(ShardFile {
            path,
            header,
            places: places.into_iter().collect(),
        })
    }

    /// The shards at a place: a file, the directory of one, or a directory of such files (`*.tallies`) and directories; in the order of
    /// their names.
    ///
    /// # Errors
    /// A directory cannot be read, or holds no shard.
    pub fn at(place: &Path) -> Result<Vec<PathBuf>, RecordError> {
        if !place.is_dir() || place.join(SHARD).exists() {
            return Ok(vec![place.to_path_buf()]);
        }
        let io = || RecordError::io("read the directory", place);
        let mut found = Vec::new();
        for entry in std::fs::read_dir(place).map_err(io())? {
            let path = entry.map_err(io())?.path();
            let hidden = path
                .file_name()
                .is_none_or(|name| name.to_string_lossy().starts_with('.'));
            let shard = match path.is_dir() {
                true => path.join(SHARD).exists(),
                false => path.extension().is_some_and(|ending| ending == "tallies"),
            };
            if shard && !hidden {
                found.push(path);
            }
        }
        if found.is_empty() {
            return Err(RecordError::NoShards {
                path: place.to_path_buf(),
            });
        }
        found.sort();
        Ok(found)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Of what it is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Takes the shard's part of a tile in.
    fn add(&self, tile: u64, layout: &Layout, whole: &mut Tally) -> Result<(), RecordError> {
        let corrupt = |what: String| RecordError::BrokenShard {
            path: self.path.clone(),
            what,
        };
        let place = self.places.get(&tile);
        let place = place.ok_or_else(|| corrupt(format!("tile {tile} is missing")))?;
        let io = || RecordError::io("read", &self.path);
        let mut file = File::open(&self.path).map_err(io())?;
        let bytes = frame::read(&mut file, *place).map_err(io())?;
        let bytes = bytes.ok_or_else(|| corrupt(format!("tile {tile} is not what was written")))?;
        (whole.absorb_bytes(&bytes, layout)).map_err(|e| match e {
            WireError::Twice => corrupt(format!("tile {tile} has trials that another shard has")),
            WireError::Not(_) => corrupt(format!("tile {tile}: {e}")),
        })
    }
}

/// Missing shards that an error names one by one.
const NAMED: u128 = 8;

/// Says which part of a run is missing, and the shards that are it.
fn missing(from: (u64, u64), to: (u64, u64)) -> RecordError {
    let say = |(part, of): (u64, u64)| format!("{part}/{of}");
    let wide = |(part, of): (u64, u64)| (u128::from(part), u128::from(of));
    let ((a, n), (b, m)) = (wide(from), wide(to));
    // shards of the size of those that are there
    let of = n / common(n, m) * m;
    let (first, last) = (a * (of / n) + 1, b * (of / m));
    let mut shards: Vec<String> = (first..=last.min(first + NAMED - 1))
        .map(|index| format!("--shard {index}/{of}"))
        .collect();
    if last >= first + NAMED {
        shards.push(format!("so on up to --shard {last}/{of}"));
    }
    RecordError::MissingShard {
        shards: join(&shards, "and"),
        from: say(from),
        to: say(to),
    }
}

/// The greatest common divisor.
fn common(a: u128, b: u128) -> u128 {
    match b {
        0 => a,
        _ => common(b, a % b),
    }
}

/// Shards that together are a whole run.
#[derive(Debug)]
pub struct Merged {
    shards: Vec<ShardFile>,
    error: Mutex<Option<RecordError>>,
}

impl Merged {
    /// Shards of the run with this header (as of shard 1 of 2, say: only what is the same for all is compared), which together cover its
    /// trials once: all of one number of shards, or a mixture, in any order.
    ///
    /// # Errors
    /// A shard is of another run, or there, missing or overlapping another: said with its name.
    pub fn new(header: &Header, mut shards: Vec<ShardFile>) -> Result<Merged, RecordError> {
        for shard in &shards {
            let differences = header.differences_with_tiles(&shard.header);
            let (here, there) = (header.trials, shard.header.trials);
            if here != there && header.is_of_same_experiment(&shard.header) {
                return Err(RecordError::OtherTrials {
                    path: shard.path.clone(),
                    there,
                    here,
                });
            }
            if !differences.is_empty() {
                return Err(RecordError::ForeignShard {
                    path: shard.path.clone(),
                    differences,
                });
            }
        }
        let start = |shard: &ShardFile| {
            let Shard { index, of } = shard.header.shard();
            (index - 1, of)
        };
        // fractions, compared exactly
        let order = |(a, n): (u64, u64), (b, m): (u64, u64)| {
            (u128::from(a) * u128::from(m)).cmp(&(u128::from(b) * u128::from(n)))
        };
        shards.sort_by(|a, b| order(start(a), start(b)).then_with(|| a.path.cmp(&b.path)));
        let (mut end, mut last) = ((0, 1), None::<&ShardFile>);
        for shard in &shards {
            match order(start(shard), end) {
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => {
                    return Err(missing(end, start(shard)));
                }
                std::cmp::Ordering::Less => {
                    return Err(RecordError::Overlap {
                        path: shard.path.clone(),
                        with: last.map_or_else(PathBuf::new, |last| last.path.clone()),
                    });
                }
            }
            let Shard { index, of } = shard.header.shard();
            (end, last) = ((index, of), Some(shard));
        }
        if order(end, (1, 1)).is_ne() {
            return Err(missing(end, (1, 1)));
        }
        Ok(Merged {
            shards,
            error: Mutex::default(),
        })
    }

    /// Why the tallies could not be merged, if so.
    pub fn error(&self) -> Option<RecordError> {
        (self.error.lock().unwrap_or_else(PoisonError::into_inner)).take()
    }

    fn merge(&self, tile: u64, layout: &Layout) -> Result<Tally, RecordError> {
        let mut whole = Tally::new(layout);
        for shard in &self.shards {
            shard.add(tile, layout, &mut whole)?;
        }
        Ok(whole)
    }
}

impl Keep for Merged {
    fn known(&self, tile: usize, layout: &Layout) -> Option<Tally> {
        self.merge(tile as u64, layout)
            .map_err(|error| {
                let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                first.get_or_insert(error);
            })
            .ok()
    }

    /// All is known: nothing is simulated.
    fn finished(&self, _: usize, _: &Tally) -> bool {
        false
    }

    fn paused(&self, _: &[(usize, &Tally)]) -> bool {
        false
    }

    fn interval(&self) -> Duration {
        Duration::MAX
    }

    fn complete(&self) -> bool {
        true
    }
}
