//! Reading a file that somebody named.

use crate::words::grouped;
use std::fs;
use std::io;
use std::path::Path;

/// Most bytes of a file that is read as settings, and parsed as a whole.
pub const MOST_SETTINGS: u64 = 64 << 20;
/// Most bytes of a file of data, which is held in memory.
pub const MOST_DATA: u64 = 8 << 30;

/// The bytes of a regular file of at most so many bytes. What is none, a pipe or a device, may have no end, or nobody who writes to it.
///
/// # Errors
/// Says in words why it is not read.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let of_system = |error: io::Error| error.to_string();
    let facts = fs::metadata(path).map_err(of_system)?;
    if facts.is_dir() {
        return Err("it is a directory, not a file".to_owned());
    }
    if !facts.is_file() {
        return Err(
            "it is a pipe or a device, not a file: write what it gives to a file first".to_owned(),
        );
    }
    if facts.len() > most {
        return Err(format!(
            "it has {} bytes, and at most {} are read",
            grouped(facts.len()),
            grouped(most)
        ));
    }
    fs::read(path).map_err(of_system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_or_too_large_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        fs::write(&path, b"twelve bytes").unwrap();
        assert_eq!(read(&path, 12).unwrap(), b"twelve bytes");
        assert!(read(&path, 11).unwrap_err().contains("at most 11"));
        assert!(read(dir.path(), 100).unwrap_err().contains("a directory"));
        assert!(
            read(&dir.path().join("b"), 100)
                .unwrap_err()
                .contains("No such file")
        );
        #[cfg(unix)]
        assert!(
            read(Path::new("/dev/zero"), 100)
                .unwrap_err()
                .contains("a device")
        );
    }
}
