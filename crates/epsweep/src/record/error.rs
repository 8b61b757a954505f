//! What can go wrong with a run directory.

use std::path::PathBuf;

/// Why a run directory could not be written or read. The message says what was found, which rule it breaks and what to do.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// the operating system refused
    #[error("cannot {action} {}: {source}{}", path.display(), remedy(action))]
    Io {
        /// what was tried, as a verb
        action: &'static str,
        /// on which file or directory
        path: PathBuf,
        /// the system's reason
        source: std::io::Error,
    },
    /// the experiment that a directory holds comes out otherwise than in its run
    #[error("the experiment of {} is not that of its run with the data in {place} ({cells} cells come out), whose data may have changed since: say where those of the run are with --data, and repeat what it was given with --set", path.display())]
    Unlike {
        /// the directory
        path: PathBuf,
        /// where data were looked for
        place: String,
        /// cells that it has then
        cells: usize,
    },
    /// what was written cannot be read again
    #[error("what is read from {} is not what was written: the disk or its file system is faulty; choose another directory with -o", path.display())]
    Unkept {
        /// the file
        path: PathBuf,
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
    /// the directory holds this run, with more trials or a stricter target
    #[error("{} holds this very run with more than is asked for ({differences}), which would be lost; ask for as much, choose another directory with -o, or replace that run with --force", path.display())]
    Less {
        /// the directory
        path: PathBuf,
        /// what is less, in words
        differences: String,
    },
    /// a file that is no shard
    #[error("{} is no shard: {reason}; give what `run --shard` has left, the file shard.tallies or its directory", path.display())]
    NoShard {
        /// the file
        path: PathBuf,
        /// what is wrong
        reason: String,
    },
    /// a shard that is not whole
    #[error("the shard {} is damaged: {what}; simulate that shard again", path.display())]
    BrokenShard {
        /// the file
        path: PathBuf,
        /// what is wrong
        what: String,
    },
    /// a shard of this experiment with another number of trials
    #[error("{} is a shard of a run of {there} trials, and this is one of {here}; give --trials {there} to merge it", path.display())]
    OtherTrials {
        /// the file
        path: PathBuf,
        /// the trials of its run
        there: u64,
        /// those that were asked for
        here: u64,
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
    /// a directory without shards
    #[error(
        "{} holds no shards: neither files *.tallies nor directories that `run --shard` left; name them, or the directory that they are in",
        path.display()
    )]
    NoShards {
        /// the directory
        path: PathBuf,
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

/// What helps against an error of the system, by what was tried: nothing that is read becomes readable by writing elsewhere.
fn remedy(action: &str) -> &'static str {
    match action.starts_with("read") {
        true => "",
        false => "; choose another directory with -o, or free this one",
    }
}

impl RecordError {
    /// Whether it is about what the user has given to be read, and not about where a record is.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            RecordError::NoShard { .. }
                | RecordError::NoShards { .. }
                | RecordError::Unlike { .. }
                | RecordError::BrokenShard { .. }
                | RecordError::OtherTrials { .. }
                | RecordError::ForeignShard { .. }
                | RecordError::MissingShard { .. }
                | RecordError::Overlap { .. }
        )
    }

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
