//! What can go wrong with a run directory.

use std::path::PathBuf;

/// Why a run directory could not be written or read. The message says what was found, which rule it breaks and what to do.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// the operating system refused
    #[error("cannot {action} {}: {source}; choose another directory with -o, or free this one", path.display())]
    Io {
        /// what was tried, as a verb
        action: &'static str,
        /// on which file or directory
        path: PathBuf,
        /// the system's reason
        source: std::io::Error,
    },
    /// something that is not a directory has the name
    #[error("{} is not a directory; a run needs one of its own: choose another with -o", path.display())]
    NotADirectory {
        /// the path
        path: PathBuf,
    },
    /// the directory holds files and is not a run directory
    #[error("{} holds {found} and is not a run directory; a run is written to an empty or new directory: choose another with -o", path.display())]
    Foreign {
        /// the directory
        path: PathBuf,
        /// some of the names found
        found: String,
    },
    /// another process writes to the directory
    #[error("{} is in use by another run; wait for it, or choose another directory with -o", path.display())]
    Busy {
        /// the directory
        path: PathBuf,
    },
    /// the directory holds another run
    #[error("{} holds another run ({differences}); choose another directory with -o, or replace that run with --force", path.display())]
    Another {
        /// the directory
        path: PathBuf,
        /// what differs, in words
        differences: String,
    },
    /// a shard of another run
    #[error("{} is a shard of another run ({differences}); merge shards of one experiment, seed and number of trials", path.display())]
    ForeignShard {
        /// the file
        path: PathBuf,
        /// what differs, in words
        differences: String,
    },
    /// shards do not cover all trials
    #[error(
        "the shards do not cover the run: the part from {from} to {to} of its trials is missing; run that shard, too"
    )]
    MissingShard {
        /// where the gap begins, as a fraction
        from: String,
        /// where it ends
        to: String,
    },
    /// shards cover the same trials
    #[error("{} and {} cover the same trials: leave one out", path.display(), with.display())]
    Overlap {
        /// a file
        path: PathBuf,
        /// another
        with: PathBuf,
    },
    /// the directory holds a run that cannot be read
    #[error("{} holds a run that cannot be read ({reason}); replace it with --force, or choose another directory with -o", path.display())]
    Damaged {
        /// the directory
        path: PathBuf,
        /// why it cannot be read
        reason: Box<RecordError>,
    },
    /// the directory holds no finished run
    #[error("{} holds no finished run: {missing} is missing; run the experiment again", path.display())]
    Missing {
        /// the directory
        path: PathBuf,
        /// the file that is not there
        missing: &'static str,
    },
    /// a file of another version of the format
    #[error("{} has version {found} of the format and this program reads version {}; use the program that wrote it, or run the experiment again", path.display(), super::SCHEMA)]
    Version {
        /// the file
        path: PathBuf,
        /// its version
        found: u64,
    },
    /// a file whose content cannot be what was written
    #[error("{}{}: {what}; run the experiment again", path.display(), line.map_or(String::new(), |l| format!(", line {l}")))]
    Corrupt {
        /// the file
        path: PathBuf,
        /// 1-based line, where there is one
        line: Option<u64>,
        /// what is wrong
        what: String,
    },
    /// a file that was changed after the run
    #[error("{} was changed after the run: it does not fit its digest in manifest.json; restore it, or run the experiment again", path.display())]
    Altered {
        /// the file
        path: PathBuf,
    },
    /// a file name that would leave the run directory
    #[error(
        "`{name}` is not a file name inside a run directory; use letters, digits, `-`, `_` and `.`"
    )]
    BadName {
        /// the name
        name: String,
    },
    /// a value that no file can hold
    #[error("{what} cannot be written as JSON: {reason}")]
    Unwritable {
        /// what was to be written
        what: &'static str,
        /// why not
        reason: String,
    },
}

impl RecordError {
    /// An error of the operating system.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| RecordError::Io {
            action,
            path,
            source,
        }
    }
}
