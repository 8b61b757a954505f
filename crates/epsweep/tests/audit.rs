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

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = epsweep()
        .args(["audit", "--quiet", "--format", "json"])
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{said}"))
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
    let several = json(&[halved, laplace, "--trials", "5e4"]);
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
            ("[\"true\"]", "", "no output at all"),
            ("[\"true\"]", "output = \"text\"", "no output at all"),
            ("[\"echo\", \"hello\"]", "", "`hello` is no number"),
            ("[\"echo\", \"nan\"]", "", "`nan` is no number"),
            (
                "[\"sh\", \"-c\", \"echo 1; exit {runs}1\"]",
                "",
                "ended with",
            ),
            ("[\"sh\", \"-c\", \": {runs}; echo 1\"]", "", "1 lines for"),
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
                "one output has 1 numbers, another 2",
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
}
