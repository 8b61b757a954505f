//! Signals and full disks: nothing is lost, nothing is corrupt, and the exit code says what was the matter.
#![cfg(unix)]

mod common;

use common::shipped;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Files of numbers.
const NUMBERS: [&str; 4] = [
    "summary.csv",
    "comparisons.csv",
    "claims.csv",
    "histograms.csv",
];

/// `epsweep run` of the article's experiment, which with 4e8 trials takes longer than these tests let it.
fn run(out: &Path, trials: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_epsweep"));
    command
        .arg("run")
        .arg(shipped("adaptive-allocation"))
        .args(["--quiet", "--no-figures", "--trials", trials, "--out"])
        .arg(out);
    command
}

fn numbers(dir: &Path) -> Vec<Vec<u8>> {
    (NUMBERS.iter())
        .map(|name| std::fs::read(dir.join(name)).unwrap())
        .collect()
}

fn signal(child: &Child, signal: i32) {
    // SAFETY: the child is ours and has not been waited for, so that its number is its own
    assert_eq!(unsafe { libc::kill(child.id() as i32, signal) }, 0);
}

/// Waits until a run simulates: it has a checkpoint then.
fn begun(out: &Path) {
    let end = Instant::now() + Duration::from_secs(60);
    let open = out.join(".tallies/open");
    while !std::fs::metadata(&open).is_ok_and(|file| file.len() > 0) {
        assert!(Instant::now() < end, "no checkpoint after a minute");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn long(out: &Path) -> Child {
    run(out, "4e9")
        .args(["--checkpoint", "0.05"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn signals_end_a_run_so_that_it_goes_on() {
    let place = tempfile::tempdir().unwrap();
    for (number, code) in [(libc::SIGINT, 130), (libc::SIGTERM, 143)] {
        let out = place.path().join(code.to_string());
        let mut child = long(&out);
        begun(&out);
        signal(&child, number);
        let ended = child.wait().unwrap();
        assert_eq!(ended.code(), Some(code));
        assert!(!out.join("manifest.json").exists());
        // it goes on, and not from nothing
        let again = run(&out, "4e9")
            .args(["--max-time", "0.05s"])
            .arg("-j1")
            .output()
            .unwrap();
        assert_eq!(again.status.code(), Some(3));
        assert!(std::fs::metadata(out.join(".tallies/open")).unwrap().len() > 0);
    }
}

#[test]
fn a_run_says_how_far_it_is_when_it_is_asked() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let mut child = long(&out);
    begun(&out);
    signal(&child, libc::SIGUSR1);
    let mut said = String::new();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    lines.read_line(&mut said).unwrap();
    assert!(said.starts_with("status: ") && said.contains('%'), "{said}");
    // it was not disturbed
    assert!(child.try_wait().unwrap().is_none());
    signal(&child, libc::SIGTERM);
    child.wait().unwrap();
    lines.read_to_string(&mut said).unwrap();
}

#[test]
fn whoever_closes_the_pipe_gets_the_record_all_the_same() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let mut child = run(&out, "1e5").stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(out.join("manifest.json").exists());
}

/// What must hold when the record could not be written: exit code 5, a reason, no finished run, and no file that is not whole.
fn refused(output: &Output, out: &Path, straight: &Path, reason: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains(reason), "{said}");
    assert!(!out.join("manifest.json").exists());
    for name in NUMBERS {
        if let Ok(bytes) = std::fs::read(out.join(name)) {
            assert_eq!(bytes, std::fs::read(straight.join(name)).unwrap(), "{name}");
        }
    }
}

/// The limit of a file's size stands for a disk that becomes full within a file: the signal that goes with it must not kill.
#[test]
fn a_file_that_may_not_grow_is_an_error_and_the_run_goes_on_when_it_may() {
    let place = tempfile::tempdir().unwrap();
    let (straight, out) = (place.path().join("straight"), place.path().join("out"));
    assert!(
        run(&straight, "1e6")
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    // in blocks of 512 bytes or of 1024, by the shell: below the tables in any case
    for blocks in ["8", "32"] {
        let limited = Command::new("sh")
            .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
            .arg(env!("CARGO_BIN_EXE_epsweep"))
            .args(run(&out, "1e6").get_args())
            .output()
            .unwrap();
        refused(&limited, &out, &straight, "File too large");
    }
    assert!(
        run(&out, "1e6")
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(numbers(&straight), numbers(&out));
}

/// Three hundred cells, whose rows are not held in memory.
const GRID: &str = r#"
name = "grid"
[data]
uniform = { column = "age", low = 0, high = 100, rows = 50, seed = 3 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 100] }
[[query]]
name = "mean age"
mean = { column = "age" }
[budget]
epsilon = 1
[sweep]
epsilon = { linear = [0.01, 3], points = 300 }
"#;

/// More trials of a finished run: until what replaces it is on the disk, its record stays, and the same command goes on.
#[test]
fn more_trials_for_which_there_is_no_room_leave_the_record_that_was_there() {
    let place = tempfile::tempdir().unwrap();
    let grid = place.path().join("grid.toml");
    std::fs::write(&grid, GRID).unwrap();
    for (file, few, more, limits) in [
        (
            shipped("adaptive-allocation"),
            "1e5",
            "2e5",
            ["8", "32", "64", "128"],
        ),
        (grid, "500", "1000", ["64", "512", "1024", "2048"]),
    ] {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let [straight, out] =
            ["straight", "out"].map(|end| place.path().join(format!("{name}-{end}")));
        let arguments = |out: &Path, trials: &str| {
            let mut all: Vec<std::ffi::OsString> = vec!["run".into(), file.clone().into()];
            all.extend(["--quiet", "--no-figures", "--trials", trials, "--out"].map(Into::into));
            all.push(out.into());
            all
        };
        let go = |out: &Path, trials: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_epsweep"));
            let output = command.args(arguments(out, trials)).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        go(&straight, more);
        go(&out, few);
        let before = numbers(&out);
        let mut kept = 0;
        for blocks in limits {
            let limited = Command::new("sh")
                .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
                .arg(env!("CARGO_BIN_EXE_epsweep"))
                .args(arguments(&out, more))
                .output()
                .unwrap();
            if limited.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&limited.stderr);
            assert_eq!(limited.status.code(), Some(5), "{said}");
            // what failed was in the tallies or the tables, which come before anything is replaced
            assert!(numbers(&out) == before, "{name} {blocks}: {said}");
            assert!(
                out.join("manifest.json").exists(),
                "{name} {blocks}: {said}"
            );
            kept += 1;
        }
        assert!(kept > 0, "{name}");
        go(&out, more);
        assert!(numbers(&straight) == numbers(&out), "{name}");
    }
}

/// A log that a queue wrote into the directory of a run is no reason to give the run up.
#[test]
fn an_interrupted_run_goes_on_beside_a_log() {
    let place = tempfile::tempdir().unwrap();
    let (straight, out) = (place.path().join("straight"), place.path().join("out"));
    let status = run(&straight, "3e5").stdout(Stdio::null()).status();
    assert!(status.unwrap().success());
    let mut cut = run(&out, "1e9");
    cut.args(["--max-time", "1"]).stdout(Stdio::null());
    assert_eq!(cut.status().unwrap().code(), Some(3));
    std::fs::write(out.join("slurm-17.out"), "a log").unwrap();
    let mut more = run(&out, "1e9");
    more.args(["--max-time", "1"]).stdout(Stdio::null());
    assert_eq!(more.status().unwrap().code(), Some(3));
    // without tallies it is anybody's directory
    std::fs::remove_dir_all(out.join(".tallies")).unwrap();
    for name in ["manifest.json", "resolved.json"] {
        let _ = std::fs::remove_file(out.join(name));
    }
    let other = run(&out, "3e5").output().unwrap();
    assert_eq!(other.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&other.stderr).contains("slurm-17.out"));
}

/// A small file system of its own, as long as it lives.
struct Small(PathBuf);

impl Small {
    /// `None` where it cannot be mounted, which takes the rights of root.
    fn new(place: &Path, size: &str) -> Option<Small> {
        let made = mount(place, &format!("size={size}"));
        made.then(|| Small(place.to_path_buf()))
    }
}

fn mount(place: &Path, options: &str) -> bool {
    let status = Command::new("mount")
        .args(["-t", "tmpfs", "-o", options, "tmpfs"])
        .arg(place)
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_an_error_and_the_run_goes_on_when_there_is_room() {
    let place = tempfile::tempdir().unwrap();
    let straight = place.path().join("straight");
    assert!(
        run(&straight, "1e6")
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    let disk = place.path().join("disk");
    std::fs::create_dir(&disk).unwrap();
    let Some(small) = Small::new(&disk, "48k") else {
        println!(
            "NOT TESTED: a file system of 48 kB cannot be mounted here, which takes root; the limit of a file's size is tested instead"
        );
        return;
    };
    let out = disk.join("out");
    for size in ["48k", "128k", "256k"] {
        assert!(mount(&disk, &format!("remount,size={size}")));
        let full = run(&out, "1e6").output().unwrap();
        refused(&full, &out, &straight, "No space left on device");
    }
    assert!(mount(&disk, "remount,size=64m"));
    assert!(
        run(&out, "1e6")
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(numbers(&straight), numbers(&out));
    drop(small);
}
