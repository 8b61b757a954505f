//! Writing files, so that a name only ever shows a complete one, and what it shows has been read again.

use super::RecordError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Ending of a file that is being written.
pub(super) const PART: &str = ".part";

/// Writes `dir/name` through a temporary name in the same folder: the bytes reach the disk before the name appears, and the name
/// before this returns.
pub(crate) fn write_file(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
    write_files(dir, &[(name, bytes)]).map(drop)
}

/// As [`write_file`], of many files: the bytes of all reach the disk, and are read again and compared, before the first name appears. The hashes of
/// the files, by their names.
pub(crate) fn write_files(
    dir: &Path,
    files: &[(&str, &[u8])],
) -> Result<BTreeMap<String, String>, RecordError> {
    let mut batch = Batch::new(dir);
    for (name, bytes) in files {
        batch.put(name, bytes)?;
    }
    batch.appear(|| Ok(()))
}

/// As [`write_file`], of bytes that come bit by bit.
pub(crate) fn write_streamed(
    dir: &Path,
    name: &str,
    write: &mut dyn FnMut(&mut (dyn Write + Send)) -> std::io::Result<()>,
) -> Result<(), RecordError> {
    let mut batch = Batch::new(dir);
    batch.stream(name, write)?;
    batch.appear(|| Ok(())).map(drop)
}

/// Files that appear together, under temporary names until then. What does not come to that leaves nothing.
pub(super) struct Batch<'a> {
    dir: &'a Path,
    parts: Vec<Part>,
}

impl<'a> Batch<'a> {
    /// Of files of a directory.
    pub(super) fn new(dir: &'a Path) -> Batch<'a> {
        let parts = Vec::new();
        Batch { dir, parts }
    }

    /// Writes a file under its temporary name.
    pub(super) fn put(&mut self, name: &str, bytes: &[u8]) -> Result<(), RecordError> {
        self.stream(name, &mut |out| out.write_all(bytes))
    }

    /// As [`Batch::put`], of bytes that come bit by bit.
    pub(super) fn stream(
        &mut self,
        name: &str,
        write: &mut dyn FnMut(&mut (dyn Write + Send)) -> std::io::Result<()>,
    ) -> Result<(), RecordError> {
        // it is on the list before anything can fail
        self.parts.push(Part::new(self.dir, name)?);
        let part = self.parts.last_mut();
        part.map_or(Ok(()), |part| part.stream(write))
    }

    /// Waits until the bytes of all are on the disk, reads them again and compares, has room made by `clear`, and only then shows the names. The
    /// hashes of the files, by their names.
    pub(super) fn appear(
        mut self,
        clear: impl FnOnce() -> Result<(), RecordError>,
    ) -> Result<BTreeMap<String, String>, RecordError> {
        sync(&self.parts)?;
        self.parts.iter().try_for_each(Part::is_kept)?;
        clear()?;
        self.parts.iter().try_for_each(Part::rename)?;
        let parts = std::mem::take(&mut self.parts);
        let folders: BTreeSet<&Path> = parts.iter().map(|part| part.folder.as_path()).collect();
        folders.into_iter().for_each(flush_folder);
        let named = parts.into_iter().map(|part| (part.name, part.digest));
        Ok(named.collect())
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        self.parts.iter().for_each(Part::remove);
    }
}

/// Waits until the names of a folder are on the disk.
fn flush_folder(folder: &Path) {
    // only some systems can open a folder to flush it: the others keep the order of renames by themselves
    if let Ok(handle) = fs::File::open(folder) {
        let _ = handle.sync_all();
    }
}

/// A file under its temporary name.
struct Part {
    name: String,
    file: fs::File,
    /// the hash of what was written
    digest: String,
    part: PathBuf,
    path: PathBuf,
    folder: PathBuf,
}

impl Part {
    fn new(dir: &Path, name: &str) -> Result<Part, RecordError> {
        let sound = name.split('/').all(|part| {
            !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0'])
        });
        if !sound {
            return Err(RecordError::BadName { name: name.into() });
        }
        let path = dir.join(name);
        let folder = path.parent().unwrap_or(dir).to_path_buf();
        fs::create_dir_all(&folder).map_err(RecordError::io("create the directory", &folder))?;
        let file_name = name.rsplit('/').next().unwrap_or(name);
        let part = folder.join(format!(".{file_name}.{}{PART}", std::process::id()));
        let file = fs::File::create(&part).map_err(RecordError::io("write", &path))?;
        Ok(Part {
            name: name.to_owned(),
            file,
            digest: String::new(),
            part,
            path,
            folder,
        })
    }

    /// Writes bytes as they come, and takes their hash.
    fn stream(
        &mut self,
        write: &mut dyn FnMut(&mut (dyn Write + Send)) -> std::io::Result<()>,
    ) -> Result<(), RecordError> {
        let io = || RecordError::io("write", &self.path);
        let mut out = std::io::BufWriter::with_capacity(BUFFER, Hashed::new(&self.file));
        write(&mut out).map_err(io())?;
        let hashed = out.into_inner().map_err(|e| io()(e.into_error()))?;
        self.digest = hashed.hasher.finalize().to_hex().to_string();
        Ok(())
    }

    /// Sees that what was written is what can be read.
    fn is_kept(&self) -> Result<(), RecordError> {
        match hash_file(&self.part)? == self.digest {
            true => Ok(()),
            false => Err(RecordError::Unkept {
                path: self.path.clone(),
            }),
        }
    }

    fn remove(&self) {
        // the part is of no use to anyone; that it cannot be removed is not the error to report
        let _ = fs::remove_file(&self.part);
    }

    fn sync(&self) -> Result<(), RecordError> {
        (self.file.sync_all()).map_err(RecordError::io("write", &self.path))
    }

    fn rename(&self) -> Result<(), RecordError> {
        fs::rename(&self.part, &self.path).map_err(RecordError::io("write", &self.path))
    }
}

/// Bytes that are written or read at once.
const BUFFER: usize = 1 << 18;

/// Writes to a file, and takes the hash of what it writes.
struct Hashed<'a> {
    file: &'a fs::File,
    hasher: blake3::Hasher,
}

impl<'a> Hashed<'a> {
    fn new(file: &'a fs::File) -> Hashed<'a> {
        Hashed {
            file,
            hasher: blake3::Hasher::new(),
        }
    }
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut file = self.file;
        let written = file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let mut file = self.file;
        file.flush()
    }
}

/// The hash of a file, which is not held in memory.
pub(super) fn hash_file(path: &Path) -> Result<String, RecordError> {
    let io = || RecordError::io("read", path);
    let mut file = fs::File::open(path).map_err(io())?;
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; BUFFER]);
    loop {
        match std::io::Read::read(&mut file, &mut buffer) {
            Ok(0) => return Ok(hasher.finalize().to_hex().to_string()),
            Ok(read) => {
                hasher.update(&buffer[..read]);
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(io()(e)),
        }
    }
}

/// Files whose bytes are waited for at the same time.
const SYNCED_AT_ONCE: usize = 8;

/// Waits until the bytes of all parts are on the disk. Most of it is waiting, and a file system writes down together what is asked
/// for at the same time.
fn sync(parts: &[Part]) -> Result<(), RecordError> {
    for parts in parts.chunks(SYNCED_AT_ONCE) {
        let (first, others) = parts.split_at(1);
        std::thread::scope(|scope| {
            let started: Vec<_> = (others.iter())
                .map(|part| {
                    let thread = std::thread::Builder::new();
                    (part, thread.spawn_scoped(scope, || part.sync()))
                })
                .collect();
            let mut done = first.iter().try_for_each(Part::sync);
            for (part, thread) in started {
                // where there is no thread to be had, or it died, the file is synced here
                let synced = match thread.map(|t| t.join()) {
                    Ok(Ok(synced)) => synced,
                    _ => part.sync(),
                };
                done = done.and(synced);
            }
            done
        })?;
    }
    Ok(())
}
