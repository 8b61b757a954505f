//! Readers that go away, interruptions, and runs that meet.

use super::*;

/// A reader that goes away early is no fault of the program.
#[test]
fn closed_pipes_are_quiet() {
    let place = Place::new();
    let file = place.file(FILE);
    let binary = assert_cmd::cargo::cargo_bin("epsweep");
    let out = place.path("out");
    for arguments in [
        vec!["list".into(), "--long".into()],
        vec![
            "run".into(),
            file.display().to_string(),
            "--out".into(),
            out.display().to_string(),
            "--format".into(),
            "csv".into(),
            "--quiet".into(),
        ],
    ] {
        let mut child = std::process::Command::new(&binary)
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        // what is to be known of the numbers is said even so
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let other = said.lines().find(|line| !line.starts_with("warning: "));
        assert_eq!(other, None, "{arguments:?}");
    }
    assert!(out.join("manifest.json").exists());
}

/// A verdict does not depend on whether anybody reads the words that go with it: `verify … | head -1` under `pipefail` fails where it should.
#[test]
fn a_verdict_is_the_same_when_the_pipe_is_closed() {
    let place = Place::new();
    let file = place.file(FILE);
    let run = |out: &str, epsilon: &str| {
        (epsweep()
            .arg("run")
            .arg(&file)
            .args(["--quiet", "--set", epsilon]))
        .arg("--out")
        .arg(place.path(out))
        .assert()
        .code(0);
        place.path(out).display().to_string()
    };
    let (a, b) = (run("a", "budget.epsilon=1"), run("b", "budget.epsilon=2"));
    for (arguments, code) in [
        (vec!["compare", &a, &b], 4),
        (vec!["verify", &a, "no-such-place"], 2),
        (vec!["verify", &a], 0),
    ] {
        epsweep().args(&arguments).assert().code(code);
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("epsweep"))
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{arguments:?}");
    }
}

/// Repeats that were counted are not lost; of an interruption there is one text.
#[cfg(unix)]
#[test]
fn an_interrupted_calibration_shows_what_it_has_counted() {
    let place = Place::new();
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("epsweep"))
        .arg("calibrate")
        .arg(place.file(FILE))
        .args([
            "--trials",
            "100",
            "--reference",
            "1000",
            "--repeats",
            "10000000",
        ])
        .args(["--quiet", "--format", "json", "--out"])
        .arg(place.path("out"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_secs(3));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.starts_with("interrupted after ") && said.lines().count() == 1,
        "{said}"
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let (counted, asked) = (
        json["repeats"].as_u64().unwrap(),
        json["asked"].as_u64().unwrap(),
    );
    assert!(
        0 < counted && counted < asked && asked == 10_000_000,
        "{json}"
    );
    // every repeat that is counted has an interval of the mean, or lacks it
    for of in json["coverages"].as_array().unwrap() {
        let sum = of["repeats"].as_u64().unwrap() + of["without"].as_u64().unwrap();
        assert_eq!(sum, counted, "{of}");
    }
    assert_eq!(listing(&place.path("out")), [""; 0]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_with_130_and_leaves_what_it_can_go_on_from() {
    let place = Place::new();
    let out = place.path("out");
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin("epsweep"))
        .arg("run")
        .arg(place.file(FILE))
        .args(["--trials", "1000000000000", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // the directory is made before the simulation begins, the handler right after
    while !out.exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(listing(&out), [".tallies"]);
    let said = String::from_utf8(output.stderr).unwrap();
    // thousands are set apart by a space that does not break
    let last = said.lines().last().unwrap_or_default();
    let last = last.replace(['\u{a0}', '\u{202f}'], " ");
    assert!(
        last.starts_with("interrupted after ")
            && last.ends_with(
                " of 2 000 000 000 000 trials, 2 cells together: run it again to go on from here"
            ),
        "{said}"
    );
    // what is there is what was reached, and not what was to be
    (place.run(FILE).args(["--trials", "100"]).assert())
        .code(5)
        .stderr(predicate::str::contains("(trials: up to "))
        .stderr(predicate::str::contains(
            " of 1000000000000 there, 100 here)",
        ));
}

/// The second of two runs at one place is refused at once, whatever it is, and costs the first one nothing.
#[cfg(unix)]
#[test]
fn two_runs_at_one_place_do_not_meet() {
    let place = Place::new();
    let out = place.path("out");
    let mut first = std::process::Command::new(assert_cmd::cargo::cargo_bin("epsweep"))
        .arg("run")
        .arg(place.file(FILE))
        .args(["--trials", "1000000000000", "--out"])
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !out.join(".lock").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    for arguments in [&["--trials", "1000"][..], &["--trials", "1000", "--force"]] {
        (place.run(FILE).args(arguments).assert())
            .code(5)
            .stderr(predicate::str::contains("in use by another run"));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    // killed, not finished: the place is free
    place.run(FILE).arg("--quiet").assert().code(0);
}
