//! One run at a time in a directory.

use super::RecordError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Name of the file that is locked.
const LOCK: &str = ".lock";
/// How often a lock file is opened again that its last owner removed in between.
const ATTEMPTS: usize = 100;

/// A directory that no other run may write to. The operating system frees it when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Takes a directory that exists.
    ///
    /// # Errors
    /// Another run has it, or the file cannot be made.
    pub(super) fn take(directory: &Path) -> Result<Lock, RecordError> {
        let path = directory.join(LOCK);
        for _ in 0..ATTEMPTS {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(RecordError::io("write to", directory))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(error)) => {
                    return Err(RecordError::io("lock", &path)(error));
                }
            }
            // its last owner may have removed the file after it was opened: then the lock is on a file that nobody else sees
            if names(&path, &file) {
                return Ok(Lock { file, path });
            }
        }
        Err(RecordError::Busy {
            path: directory.to_path_buf(),
        })
    }
}

/// Whether a process writes to a directory at this moment.
pub(super) fn is_held(directory: &Path) -> bool {
    let file = File::open(directory.join(LOCK));
    // what is looked at is let go at once
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // a lock file that stays is no harm: nobody holds it
        let _ = std::fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Whether the path still names this file.
#[cfg(unix)]
fn names(path: &Path, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (std::fs::metadata(path), file.metadata()) {
        (Ok(named), Ok(held)) => (named.dev(), named.ino()) == (held.dev(), held.ino()),
        _ => false,
    }
}

/// Elsewhere a file that is open cannot be removed.
#[cfg(not(unix))]
fn names(_: &Path, _: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_taken_once_and_free_again_when_let_go() {
        let place = tempfile::tempdir().unwrap();
        let first = Lock::take(place.path()).unwrap();
        assert!(matches!(
            Lock::take(place.path()),
            Err(RecordError::Busy { .. })
        ));
        assert!(is_held(place.path()));
        drop(first);
        assert!(!is_held(place.path()));
        assert!(!place.path().join(LOCK).exists());
        // what a killed process leaves is a file that nobody holds
        std::fs::write(place.path().join(LOCK), "").unwrap();
        assert!(!is_held(place.path()));
        assert!(Lock::take(place.path()).is_ok());
    }
}
