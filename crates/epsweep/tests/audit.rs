//! `epsweep audit`: exit codes, forms of the result, and programs as black boxes.

mod common;

use common::{epsweep, root};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use std::path::{Path, PathBuf};

fn shipped(name: &str) -> PathBuf {
    let file = root().join("experiments/audits").join(name);
    file.with_extension("toml")
}

/// What is said of the first file.
fn json(arguments: &[&str]) -> serde_json::Value {
    all(arguments)[0].clone()
}

fn all(arguments: &[&str]) -> serde_json::Value {
    let output = epsweep()
        .args(["audit", "--quiet", "--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let found: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"));
    found["audits"].clone()
}

#[test]
fn a_violation_exits_4_and_says_what_was_found() {
    epsweep()
        .arg("audit")
        .arg(shipped("sensitivity-halved"))
        .args(["--trials", "1e5"])
        .assert()
        .code(4)
        .stdout(
            contains("verdict    violated, as expected")
                .and(contains("certified  ε ≥ 1.9"))
                .and(contains("claimed    ε = 1"))
                .and(contains("inputs     [0] and [1]"))
                .and(contains("event      the number ")),
        );
    epsweep()
        .arg("audit")
        .arg(shipped("laplace"))
        .args(["--trials", "1e5"])
        .assert()
        .code(0)
        .stdout(contains("consistent, as expected"));
    epsweep()
        .arg("audit")
        .arg(shipped("laplace"))
        .args(["--set", "mechanism.noise.kind=laplcae"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(contains("did you mean `laplace`?"));
    epsweep().args(["audit", "no-such.toml"]).assert().code(2);
}

#[test]
fn several_files_make_one_document() {
    let (halved, laplace) = (shipped("sensitivity-halved"), shipped("laplace"));
    let (halved, laplace) = (halved.to_str().unwrap(), laplace.to_str().unwrap());
    let several = all(&[halved, laplace, "--trials", "5e4"]);
    assert_eq!(several[0]["verdict"], "violated");
    assert_eq!(several[1]["name"], "laplace");
    let one = json(&[laplace, "--trials", "5e4"]);
    assert_eq!(one, several[1]);
    assert_eq!(one["pair"]["chosen_from"], 1);
    assert_eq!(one["event"]["runs"], 25_000);
    for (format, wanted) in [
        ("csv", "laplace,Laplace noise at ε = 1,noise,ε = 1,ε,1,"),
        (
            "markdown",
            "| laplace | Laplace noise at ε = 1 | noise | ε = 1 | ε | 1 |",
        ),
    ] {
        epsweep()
            .args([
                "audit", "--quiet", laplace, halved, "--trials", "5e4", "--format", format,
            ])
            .assert()
            .code(4)
            .stdout(contains(wanted));
    }
}

#[cfg(unix)]
mod black_box {
    use super::*;

    /// Files of a temporary folder, and the path of its audit.
    struct Folder(tempfile::TempDir);

    impl Folder {
        /// An audit of a program on the data sets 0 and 1.
        fn new(run: &str, rest: &str) -> Folder {
            let folder = Folder(tempfile::tempdir().unwrap());
            folder.put("zero", "0\n");
            folder.put("one", "1\n");
            folder.put(
                "a.toml",
                &format!(
                    "name = \"box\"\ntrials = 16\n[mechanism.command]\nrun = {run}\n{rest}\n[pair]\na = \"zero\"\nb = \"one\"\n[claim]\nepsilon = 1\n"
                ),
            );
            folder
        }

        fn put(&self, name: &str, text: &str) {
            std::fs::write(self.0.path().join(name), text).unwrap();
        }

        fn audit(&self) -> PathBuf {
            self.0.path().join("a.toml")
        }
    }

    fn path(path: &Path) -> &str {
        path.to_str().unwrap()
    }

    /// Randomised response with e^ε = 4: tells the truth in 4 of 5 runs. The generator is Park and Miller's.
    const RESPONSE: &str = "BEGIN { x = (seed % 2147483645) + 1; for (i = 0; i < 20; i++) x = (x * 16807) % 2147483647 } \
         { for (i = 0; i < runs; i++) { x = (x * 16807) % 2147483647; print (x / 2147483647 < 0.8) ? $1 : 1 - $1 } }";

    fn awk(input: &str) -> String {
        let arguments = ["awk", "-v", "seed={seed}", "-v", "runs={runs}", RESPONSE];
        let quoted: Vec<String> = arguments.map(|word| format!("'{word}'")).to_vec();
        format!("[{}{input}]", quoted.join(", "))
    }

    #[test]
    fn one_process_may_give_many_outputs_and_repeats() {
        for input in ["", ", '{input}'"] {
            for output in ["numbers", "text"] {
                let folder = Folder::new(&awk(input), &format!("output = \"{output}\""));
                let file = folder.audit();
                let found = json(&[path(&file), "--trials", "40000"]);
                assert_eq!(found["verdict"], "violated", "{found}");
                // ln 4 = 1.386
                let certified = found["certified"].as_f64().unwrap();
                assert!(certified > 1.3 && certified < 1.3863, "{found}");
                assert_eq!(found, json(&[path(&file), "--trials", "40000", "-j", "1"]));
                let honest = json(&[
                    path(&file),
                    "--trials",
                    "40000",
                    "--set",
                    "claim.epsilon=1.4",
                ]);
                assert_eq!(honest["verdict"], "consistent");
            }
        }
    }

    #[test]
    fn a_process_for_every_run_gives_the_data_away_if_it_has_no_noise() {
        let folder = Folder::new("[\"cat\"]", "");
        let found = json(&[path(&folder.audit()), "--trials", "100"]);
        assert_eq!(found["verdict"], "violated", "{found}");
        assert_eq!(found["event"]["hits"], serde_json::json!([50, 0]));
        // the same program on a path, and as a script beside the audit
        let folder = Folder::new("[\"./run.sh\", \"{input}\"]", "output = \"text\"");
        folder.put("run.sh", "#!/bin/sh\necho \"it says $(cat \"$1\")\"\n");
        let script = folder.0.path().join("run.sh");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(script, mode).unwrap();
        let found = json(&[path(&folder.audit()), "--trials", "100"]);
        assert_eq!(found["verdict"], "violated", "{found}");
        assert!(
            found["event"]["words"]
                .as_str()
                .unwrap()
                .contains("“it says ")
        );
    }

    #[test]
    fn what_goes_wrong_with_a_program_is_said() {
        for (run, rest, wanted) in [
            (
                "[\"no-such-program\"]",
                "",
                "cannot start `no-such-program`",
            ),
            (
                "[\"./no-such-script\"]",
                "",
                "from the folder of the audit file",
            ),
            (
                "[\"sh\", \"-c\", \"echo oops >&2; exit 3\"]",
                "",
                "exit status: 3, saying: oops",
            ),
            (
                "[\"sh\", \"-c\", \"exit 3\", \"{seed} of\", \"{input}\"]",
                "",
                "command: sh -c 'exit 3' '",
            ),
            ("[\"sh\", \"-c\", \"exit 3\"]", "", "input:   zero"),
            ("[\"true\"]", "", "no output at all"),
            ("[\"true\"]", "output = \"text\"", "no output at all"),
            ("[\"echo\", \"hello\"]", "", "`hello` is no number"),
            (
                "[\"echo\", \"nan\"]",
                "",
                "`nan` has a NaN, which is neither above nor below",
            ),
            (
                "[\"sh\", \"-c\", \"echo 1; exit {runs}1\"]",
                "",
                "ended with",
            ),
            ("[\"sh\", \"-c\", \": {runs}; echo 1\"]", "", "1 line for"),
            (
                "[\"sleep\", \"30\"]",
                "timeout = 0.2",
                "did not end within 0.2 s",
            ),
            (
                "[\"sh\", \"-c\", \"sleep 3 & echo 1\"]",
                "timeout = 0.2",
                "did not end within",
            ),
            (
                "[\"sh\", \"-c\", \"read x; if [ $x = 1 ]; then echo 1 2; else echo 1; fi\"]",
                "",
                "one output has 1 number, another 2",
            ),
        ] {
            let folder = Folder::new(run, rest);
            let start = std::time::Instant::now();
            epsweep()
                .args(["audit", "--quiet", "-j", "1", path(&folder.audit())])
                .assert()
                .code(2)
                .stdout("")
                .stderr(contains(wanted));
            assert!(start.elapsed().as_secs() < 20, "{run}");
        }
    }

    /// A folder whose program starts another one, writes down which, and waits.
    #[cfg(target_os = "linux")]
    fn waiting(timeout: u32) -> Folder {
        let folder = Folder::new("[\"./run.sh\"]", &format!("timeout = {timeout}"));
        folder.put(
            "run.sh",
            "#!/bin/sh\nsleep 300 &\necho $! > \"new.$$\"\nmv \"new.$$\" \"pid.$$\"\nsleep 300\n",
        );
        let script = folder.0.path().join("run.sh");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(script, mode).unwrap();
        folder
    }

    /// The processes that were written down, with what the system says of them: nothing where they are gone.
    #[cfg(target_os = "linux")]
    fn states(folder: &Folder) -> Vec<String> {
        let paths = std::fs::read_dir(folder.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let written = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.starts_with("pid.")
        };
        paths
            .filter(written)
            .map(|path| std::fs::read_to_string(path).unwrap())
            .map(|pid| std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())))
            .map(Result::unwrap_or_default)
            .collect()
    }

    /// Whether all are gone, or have ended and wait to be noticed.
    #[cfg(target_os = "linux")]
    fn ended(states: &[String]) -> bool {
        let gone =
            |state: &String| state.is_empty() || state.contains(") Z ") || state.contains(") X ");
        !states.is_empty() && states.iter().all(gone)
    }

    /// What a program has started ends with it: nothing is left behind after the limit.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_that_is_out_of_time_takes_its_children_along() {
        let folder = waiting(2);
        epsweep()
            .args(["audit", "--quiet", "-j", "1", path(&folder.audit())])
            .assert()
            .code(2)
            .stderr(contains("did not end within 2 s"));
        let states = states(&folder);
        assert!(ended(&states), "{states:?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn an_interrupt_ends_an_audit_with_all_its_programs() {
        let folder = waiting(300);
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("epsweep"))
            .args(["audit", "--quiet", "-j", "1", path(&folder.audit())])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let start = std::time::Instant::now();
        while states(&folder).is_empty() && start.elapsed().as_secs() < 60 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        assert!(!ended(&states(&folder)));
        let interrupt = std::process::Command::new("kill")
            .args(["-INT", &child.id().to_string()])
            .status()
            .unwrap();
        assert!(interrupt.success());
        assert_eq!(child.wait().unwrap().code(), Some(130));
        // a signal takes a moment to arrive
        while !ended(&states(&folder)) && start.elapsed().as_secs() < 120 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let states = states(&folder);
        assert!(ended(&states), "{states:?}");
    }
}

/// `mechanism` is a section of an audit and no short name of an experiment.
#[test]
fn paths_of_an_audit_are_its_own() {
    epsweep()
        .arg("audit")
        .arg(shipped("laplace"))
        .args(["--set", "mechanism={}"])
        .assert()
        .code(2)
        .stderr(contains("[mechanism] lacks a mechanism").and(contains("procedure").not()));
}
