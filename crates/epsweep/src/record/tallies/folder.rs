//! The directory of a shard.

use super::header::Header;
use super::shard::{SHARD, ShardFile};
use crate::record::RecordError;
use crate::record::lock::Lock;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory that a shard may be written to.
#[derive(Debug)]
pub struct ShardDir {
    path: PathBuf,
    /// held until the shard is finished or given up
    _lock: Lock,
}

impl ShardDir {
    /// Looks at the place of a shard before it is made; `None` if this very shard is there, finished. `force` allows replacing another.
    ///
    /// # Errors
    /// The place holds something else, another shard, or cannot be written.
    pub fn open(
        path: &Path,
        header: &Header,
        force: bool,
    ) -> Result<Option<ShardDir>, RecordError> {
        fs::create_dir_all(path).map_err(RecordError::io("create the directory", path))?;
        let io = || RecordError::io("read the directory", path);
        for entry in fs::read_dir(path).map_err(io())? {
            let found = entry
                .map_err(io())?
                .file_name()
                .to_string_lossy()
                .into_owned();
            if found != SHARD && !found.starts_with('.') {
                return Err(RecordError::Foreign {
                    path: path.to_path_buf(),
                    found,
                });
            }
        }
        let lock = Lock::take(path)?;
        if path.join(SHARD).exists() && !force {
            let found = ShardFile::open(path)?;
            let mut differences = header.differences_with_tiles(found.header());
            let (here, there) = (header.shard(), found.header().shard());
            if differences.is_empty() && here == there {
                return Ok(None);
            }
            if differences.is_empty() {
                differences = format!(
                    "shard {}/{} there, {}/{} here",
                    there.index, there.of, here.index, here.of
                );
            }
            return Err(RecordError::Another {
                path: path.to_path_buf(),
                differences,
            });
        }
        Ok(Some(ShardDir {
            path: path.to_path_buf(),
            _lock: lock,
        }))
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
