//! What can go wrong with a run directory.

use std::path::{Path, PathBuf};

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
    /// tallies of which nobody knows what they are of
    #[error("{} holds tallies of an earlier run ({}), and {} {what}, so that nobody knows of which experiment they are; restore that file, choose another directory with -o, or begin again with --force, which discards these tallies", path.display(), crate::words::several(*bytes, "byte"), identity.display())]
    UnknownTallies {
        /// the directory
        path: PathBuf,
        /// the file that should say it
        identity: PathBuf,
        /// what is the matter with that file
        what: String,
        /// how much is there
        bytes: u64,
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
        "the shards do not cover the run: the part from {from} to {to} of its trials is missing; run it, too: {shards}"
    )]
    MissingShard {
        /// what runs it, as an option
        shards: String,
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
    /// there is nothing at the place of a run
    #[error("there is no {}; give the directory of a finished run, which `epsweep run` names at its end, such as results/NAME", path.display())]
    NoPlace {
        /// the place
        path: PathBuf,
    },
    /// a file was given in place of the directory of a run
    #[error("{} is a file, and a run is read from its directory; give {}", path.display(), directory.as_ref().map_or("the directory that manifest.json is in, such as results/NAME".to_owned(), |directory| directory.display().to_string()))]
    FileGiven {
        /// the file
        path: PathBuf,
        /// the directory of the run that the file is of, if it is of one
        directory: Option<PathBuf>,
    },
    /// another process makes the run at this moment
    #[error("{} holds a run that is in progress: another process writes to it, and manifest.json comes last; wait for its end", path.display())]
    InProgress {
        /// the directory
        path: PathBuf,
    },
    /// the run was interrupted, and can go on
    #[error("{} holds a run that was interrupted before its end: manifest.json, which comes last, is not there; the command that began it (`epsweep run FILE -o {}`, with the --trials and --set that it was given) goes on from what was kept", path.display(), path.display())]
    Interrupted {
        /// the directory
        path: PathBuf,
    },
    /// a shard, which is no run
    #[error("{} holds a shard, which is a part of a run; `epsweep merge FILE SHARD…` makes the run of all of them", path.display())]
    ShardOnly {
        /// the directory
        path: PathBuf,
    },
    /// a folder with runs in it
    #[error("{} is no run, but a folder that holds {runs}; give one of them", path.display())]
    FolderOfRuns {
        /// the folder
        path: PathBuf,
        /// some of the runs, in words
        runs: String,
    },
    /// nothing in the directory is of a run
    #[error("{} holds no run; give the directory of a finished run, which `epsweep run` names at its end, such as results/NAME", path.display())]
    NoRun {
        /// the directory
        path: PathBuf,
    },
    /// the directory holds no finished run
    #[error("{} holds no finished run: {missing} is missing; {}", path.display(), again(path))]
    Missing {
        /// the directory
        path: PathBuf,
        /// the file that is not there
        missing: &'static str,
    },
    /// a file of another version of the format
    #[error("{} has version {found} of the format{}, and this program, epsweep {}, reads version {} alone; use the program that wrote it, or with this one {}", path.display(), by.as_ref().map_or(String::new(), |by| format!(" (written by epsweep {by})")), env!("CARGO_PKG_VERSION"), super::SCHEMA, again_beside(path))]
    Version {
        /// the file
        path: PathBuf,
        /// its version
        found: u64,
        /// the version of the program that wrote it, where the file says so
        by: Option<String>,
    },
    /// a file of this version of the format that is not as that version is written
    #[error("{}{}: it has version {} of the format, the one that this program reads, and is not as that is written ({what}): it was changed, or something else wrote it; restore it, or {}", path.display(), at_line(line), super::SCHEMA, again_beside(path))]
    Malformed {
        /// the file
        path: PathBuf,
        /// 1-based line, where there is one
        line: Option<u64>,
        /// what is wrong
        what: String,
    },
    /// a directory that has the name of a file
    #[error("{} is a directory, where a run has a file; move it away, and {}", path.display(), again_beside(path))]
    NotAFile {
        /// the path
        path: PathBuf,
    },
    /// a file whose content cannot be what was written
    #[error("{}{}: {what}; restore it, or {}", path.display(), at_line(line), again_beside(path))]
    Corrupt {
        /// the file
        path: PathBuf,
        /// 1-based line, where there is one
        line: Option<u64>,
        /// what is wrong
        what: String,
    },
    /// a file that was changed after the run
    #[error("{} was changed after the run: it does not fit its digest in manifest.json; restore it, or {}", path.display(), again_beside(path))]
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

/// What makes a run again in its directory.
fn again(directory: &Path) -> String {
    format!(
        "run the experiment again: `epsweep run FILE -o {} --force`",
        directory.display()
    )
}

/// As [`again`], of a file in the directory or in its folder of tallies.
fn again_beside(file: &Path) -> String {
    let parent = file.parent();
    let tallies = parent.filter(|parent| parent.ends_with(super::tallies::FOLDER));
    again(match tallies.or(Some(file)).and_then(Path::parent) {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    })
}

fn at_line(line: &Option<u64>) -> String {
    line.map_or(String::new(), |line| format!(", line {line}"))
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
