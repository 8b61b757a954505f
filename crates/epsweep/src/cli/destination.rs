//! Where an export goes: to stdout, into a file that appears whole, or into what is there already and is no file, such as a pipe.

use super::Failure;
use crate::export::ExportError;
use crate::record;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Where bytes go.
#[derive(Debug)]
pub(super) enum Destination {
    /// stdout, by any of its names
    Stdout,
    /// a file of this folder, whose name only ever shows a complete one
    File {
        /// the name as it was given
        named: PathBuf,
        /// its folder, links followed
        folder: PathBuf,
        /// its name there
        name: String,
    },
    /// a device, a pipe or a socket: it is written into, and never replaced
    Stream(PathBuf),
}

/// Names by which systems call stdout.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Destination {
    /// What a path names. A file that is there is kept unless `force` is given.
    pub(super) fn new(path: &Path, force: bool) -> Result<Destination, Failure> {
        if STDOUT.iter().any(|name| path == Path::new(name)) {
            return Ok(Destination::Stdout);
        }
        let refused = |why: &str| Failure::Argument(format!("{} {why}", path.display()));
        // a link stands for what it leads to: to replace the link would leave that as it was
        let target = match (fs::metadata(path), fs::symlink_metadata(path)) {
            (Ok(found), _) if found.is_dir() => return Err(not_a_file(path)),
            (Ok(found), _) if !found.is_file() => return Ok(Destination::Stream(path.to_owned())),
            (Ok(_), _) if !force => {
                return Err(refused(
                    "is there already, and is left as it is: name another file with --out, or replace it with --force",
                ));
            }
            (Ok(_), _) => fs::canonicalize(path).map_err(|error| Failure::file(path, error))?,
            (Err(_), Ok(_)) => {
                return Err(refused(
                    "is a link that leads nowhere: name another file with --out",
                ));
            }
            (Err(_), Err(_)) => path.to_owned(),
        };
        let folder = target.parent().filter(|dir| !dir.as_os_str().is_empty());
        match target.file_name().and_then(|name| name.to_str()) {
            Some(name) => Ok(Destination::File {
                named: path.to_owned(),
                folder: folder.unwrap_or(Path::new(".")).to_owned(),
                name: name.to_owned(),
            }),
            None => Err(not_a_file(path)),
        }
    }

    /// Sends there what `write` writes. Where `write` fails, no file is left.
    pub(super) fn send(
        &self,
        mut write: impl FnMut(&mut (dyn Write + Send)) -> Result<(), ExportError>,
    ) -> Result<(), Failure> {
        match self {
            Destination::Stdout => into(&mut io::stdout(), write, Failure::Output),
            Destination::Stream(path) => {
                let failed = |error| Failure::file(path, error);
                let stream = fs::OpenOptions::new().write(true).open(path);
                let mut stream = BufWriter::new(stream.map_err(failed)?);
                into(&mut stream, write, failed)
            }
            Destination::File { folder, name, .. } => {
                let mut failure = None;
                let written = record::write_streamed(folder, name, &mut |out| match write(out) {
                    Ok(()) => Ok(()),
                    Err(ExportError::Io(error)) => Err(error),
                    // what went wrong is not about the file
                    Err(error) => {
                        failure = Some(error);
                        Err(io::Error::other("the rows could not be made"))
                    }
                });
                match failure {
                    Some(failure) => Err(failure.into()),
                    None => Ok(written?),
                }
            }
        }
    }

    /// The name that whoever asked for it finds the result by, unless it is in front of them.
    pub(super) fn named(&self) -> Option<&Path> {
        match self {
            Destination::Stdout => None,
            Destination::File { named, .. } | Destination::Stream(named) => Some(named),
        }
    }
}

/// Writes into what cannot be taken back.
fn into(
    out: &mut (dyn Write + Send),
    mut write: impl FnMut(&mut (dyn Write + Send)) -> Result<(), ExportError>,
    failed: impl FnOnce(io::Error) -> Failure,
) -> Result<(), Failure> {
    let written = write(out).and_then(|()| Ok(out.flush()?));
    written.map_err(|error| match error {
        ExportError::Io(error) => failed(error),
        error => error.into(),
    })
}

fn not_a_file(path: &Path) -> Failure {
    Failure::Argument(format!(
        "`{}` is not the name of a file: --out takes the file to write, such as tables/summary.tex",
        path.display()
    ))
}
