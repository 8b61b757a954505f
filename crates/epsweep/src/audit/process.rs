//! One process: started, fed, listened to, and ended where it does not end by itself.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Bytes of output beyond which a process is taken for a runaway.
const MOST: u64 = 1 << 28;
/// Pause between looks at whether a process that has closed its output has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// Why a process gave no output.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// it could not be started
    #[error("cannot start `{program}`: {source}{}", remedy(source))]
    Start {
        /// its name
        program: String,
        /// why
        source: std::io::Error,
    },
    /// it ended badly
    #[error("`{program}` ended with {status}{}", said(stderr))]
    Status {
        /// its name
        program: String,
        /// how it ended
        status: ExitStatus,
        /// the last line that it wrote to stderr
        stderr: String,
    },
    /// it did not end
    #[error(
        "`{program}` did not end within {} s: it was killed. Give it longer with timeout, in seconds, or look whether it waits for input",
        limit.as_secs_f64()
    )]
    Timeout {
        /// its name
        program: String,
        /// how long it was given
        limit: Duration,
    },
    /// it wrote too much
    #[error("`{program}` wrote more than {MOST} bytes: one line for each run is expected")]
    TooLong {
        /// its name
        program: String,
    },
    /// its output could not be read
    #[error("cannot read the output of `{program}`: {source}")]
    Read {
        /// its name
        program: String,
        /// why
        source: std::io::Error,
    },
}

fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            ". It is looked for in PATH, or from the folder of the audit file where its name has a /"
        }
        std::io::ErrorKind::PermissionDenied => ". Is it executable?",
        _ => "",
    }
}

fn said(stderr: &str) -> String {
    match stderr {
        "" => String::new(),
        line => format!(", saying: {line}"),
    }
}

/// What a process writes to stdout, with `input` on its stdin.
///
/// # Errors
/// [`ProcessError`] if it cannot be started, does not end within the limit, ends with a code other than 0 or writes without end
pub(super) fn output(
    program: &[String],
    folder: &Path,
    input: Option<&[u8]>,
    limit: Duration,
) -> Result<Vec<u8>, ProcessError> {
    let end = Instant::now() + limit;
    let name = &program[0];
    let start = |source| ProcessError::Start {
        program: name.clone(),
        source,
    };
    let mut command = Command::new(name);
    // what the program starts is ended with it
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .args(&program[1..])
        .current_dir(folder)
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    let _listed = Listed::new(child.id());
    // each pipe has a thread, so that none of them can block another
    if let (Some(mut pipe), Some(input)) = (child.stdin.take(), input) {
        let input = input.to_vec();
        std::thread::spawn(move || {
            // a program need not read its input to the end
            let _ = pipe.write_all(&input);
        });
    }
    let stdout = child.stdout.take().map(listen);
    let stderr = child.stderr.take().map(listen);
    let heard = stdout.map_or_else(|| Ok(Ok(Vec::new())), |pipe| pipe.recv_timeout(until(end)));
    let timeout = || ProcessError::Timeout {
        program: name.clone(),
        limit,
    };
    let read = match heard {
        Ok(read) => read,
        Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
            stop(&mut child);
            return Err(timeout());
        }
    };
    let read = read.map_err(|source| {
        stop(&mut child);
        ProcessError::Read {
            program: name.clone(),
            source,
        }
    })?;
    if read.len() as u64 > MOST {
        stop(&mut child);
        return Err(ProcessError::TooLong {
            program: name.clone(),
        });
    }
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < end => std::thread::sleep(PAUSE),
            Ok(None) => {
                stop(&mut child);
                return Err(timeout());
            }
            Err(source) => return Err(start(source)),
        }
    };
    if status.success() {
        return Ok(read);
    }
    let said = stderr.and_then(|pipe| pipe.recv_timeout(until(end)).ok());
    let said = String::from_utf8_lossy(&said.and_then(Result::ok).unwrap_or_default()).into_owned();
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    Err(ProcessError::Status {
        program: name.clone(),
        status,
        stderr: last.unwrap_or_default().trim().to_owned(),
    })
}

fn until(end: Instant) -> Duration {
    end.saturating_duration_since(Instant::now())
}

/// Ends a program and, where there are process groups, all that it has started.
fn stop(child: &mut Child) {
    end_group(child.id());
    let _ = child.kill();
    let _ = child.wait();
}

/// Programs that run, by their process groups.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A program on the list of those that run.
struct Listed(u32);

impl Listed {
    fn new(group: u32) -> Listed {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.insert(group);
        Listed(group)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        running.remove(&self.0);
    }
}

/// Ends every program that runs, for whoever ends this one: a signal from the terminal does not reach them.
pub(crate) fn end_all() {
    let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    running.iter().for_each(|group| end_group(*group));
}

#[cfg(unix)]
fn end_group(group: u32) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(group) = i32::try_from(group) {
        // one that has ended by itself is no fault
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// Reads a pipe to its end on a thread of its own.
fn listen(pipe: impl Read + Send + 'static) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = pipe.take(MOST + 1).read_to_end(&mut bytes);
        let _ = sender.send(read.map(|_| bytes));
    });
    receiver
}
