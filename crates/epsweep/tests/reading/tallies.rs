//! Tallies that are of another experiment, of nobody knows which, or damaged.

use super::*;

/// A run that is cut off, so that its tallies are all that there is.
const LONG: [&str; 6] = ["--trials", "1e11", "--max-time", "1", "--checkpoint", "0.2"];

#[test]
fn a_changed_axis_is_named_with_its_values() {
    let place = Place::new();
    let changed = ["--set", "sweep.budget.epsilon=[0.5, 3]"];
    let named = || contains("(axis budget.epsilon: 1 only there, 3 only here)");
    // a run that was interrupted
    let long = ["--trials", "1e11", "--max-time", "1", "--checkpoint", "0.2"];
    place.run("cut", &long).assert().code(3);
    (place.run("cut", &[&long[..], &changed].concat()).assert())
        .code(5)
        .stderr(named());
    // and one that is finished
    place.run("whole", &[]).assert().code(0);
    place
        .run("whole", &changed)
        .assert()
        .code(5)
        .stderr(named());
}

#[test]
fn tallies_that_cannot_be_used_are_named_with_their_place() {
    let long = ["--trials", "1e11", "--max-time", "1", "--checkpoint", "0.2"];
    let place = Place::new();
    place.run("out", &long).assert().code(3);
    let open = place.path("out/.tallies/open");
    let bytes = std::fs::read(&open).unwrap();
    let mut changed = bytes.clone();
    changed[1000] ^= 1;
    let cut = &bytes[..bytes.len() - 1];
    for (content, part) in [
        (
            &changed[..],
            "the tally at byte 0 of out/.tallies/open is damaged",
        ),
        (cut, "out/.tallies/open is damaged or cut off at byte 0"),
        (
            b"",
            "out/.tallies/open is empty: of what was under way at the last checkpoint nothing was kept",
        ),
    ] {
        std::fs::write(&open, content).unwrap();
        let assert = place.run("out", &long).assert().code(3);
        assert.stderr(contains(part).and(contains("simulated again")));
    }
    // the remedy for a damaged table is a command that helps
    place.run("whole", &[]).assert().code(0);
    let table = place.path("whole/summary.csv");
    let text = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, text.replacen("0.", "0x.", 1)).unwrap();
    (place.command(&["report", "whole"]).assert())
        .code(5)
        .stderr(contains("whole/summary.csv").and(contains("`epsweep run FILE -o whole --force`")));
    place
        .run("whole", &[])
        .assert()
        .code(5)
        .stderr(contains("--force"));
    place.run("whole", &["--force"]).assert().code(0);
    place.command(&["report", "whole"]).assert().code(0);
}

fn flip(path: &Path, byte: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[byte] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

/// Where the frames of a file of tallies begin.
fn frames(path: &Path) -> Vec<usize> {
    let bytes = std::fs::read(path).unwrap();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        found.push(at);
        let length = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().unwrap());
        at += 48 + usize::try_from(length).unwrap();
    }
    found
}

#[test]
fn a_tally_with_a_wrong_number_of_its_tile_is_simulated_again_and_dropped() {
    let place = Place::new();
    place.run("whole", &["--trials", "9000"]).assert().code(0);
    let digest = |out: &str| {
        let text = std::fs::read_to_string(place.path(out).join("summary.csv")).unwrap();
        blake3::hash(text.as_bytes())
    };
    for byte in 0..8 {
        let out = format!("out{byte}");
        place.run(&out, &["--trials", "4000"]).assert().code(0);
        let finished = place.path(&out).join(".tallies/finished");
        let before = frames(&finished);
        let at = *before.last().unwrap();
        flip(&finished, at + byte);
        let damaged = format!("the tally at byte {at} of {out}/.tallies/finished is damaged");
        (place.run(&out, &["--trials", "9000"]).assert())
            .code(0)
            .stderr(contains(&damaged).and(contains("simulated again")));
        assert_eq!(digest(&out), digest("whole"), "{byte}");
        assert_eq!(frames(&finished).len(), before.len(), "{byte}");
        // it is not found a second time
        (place.run(&out, &["--trials", "9001"]).assert())
            .code(0)
            .stderr(contains("damaged").not());
    }
    // likewise of what was under way
    place.run("cut", &LONG).assert().code(3);
    for byte in 0..8 {
        flip(&place.path("cut/.tallies/open"), byte);
        (place.run("cut", &LONG).assert()).code(3).stderr(contains(
            "the tally at byte 0 of cut/.tallies/open is damaged",
        ));
    }
}

#[test]
fn tallies_of_nobody_knows_what_are_replaced_with_force_alone() {
    let place = Place::new();
    place.run("cut", &LONG).assert().code(3);
    let identity = place.path("cut/.tallies/identity.json");
    let json = std::fs::read_to_string(&identity).unwrap();
    let open = place.path("cut/.tallies/open");
    let kept = std::fs::read(&open).unwrap();
    let changed = ["--set", "seed=5", "--trials", "100"];
    for (content, words) in [
        (&b""[..], "identity.json is damaged (it is empty)"),
        (
            &json.as_bytes()[..40],
            "identity.json is damaged (EOF while parsing",
        ),
        (b"\xff{", "identity.json is damaged (invalid utf-8"),
        (
            json.replacen("\"schema\":1", "\"schema\":99", 1).as_bytes(),
            "identity.json has version 99 of the format",
        ),
        (
            b"{\"schema\": 99, \"others\": 1}",
            "use the program that wrote it, or with this one run the experiment again: `epsweep run FILE -o cut --force`",
        ),
    ] {
        std::fs::write(&identity, content).unwrap();
        (place.run("cut", &changed).assert())
            .code(5)
            .stderr(contains(words).and(contains("--force")));
        assert_eq!(std::fs::read(&identity).unwrap(), content);
        assert_eq!(std::fs::read(&open).unwrap(), kept);
    }
    std::fs::remove_file(&identity).unwrap();
    (place.run("cut", &changed).assert())
        .code(5)
        .stderr(contains("identity.json is missing, so that nobody knows"));
    std::fs::create_dir(&identity).unwrap();
    (place.run("cut", &changed).assert()).code(5).stderr(
        contains("cut/.tallies/identity.json is a directory")
            .and(contains("`epsweep run FILE -o cut --force`")),
    );
    (place.run("cut", &changed).arg("--force").assert()).code(0);
}

/// The directory of a finished run says by itself of which experiment it is: then nothing but time is lost.
#[test]
fn a_damaged_identity_beside_a_finished_run_costs_nothing_but_time() {
    let place = Place::new();
    let identity = place.path("out/.tallies/identity.json");
    for (trials, damage) in [("5000", &b"\xff{"[..]), ("6000", b"{"), ("7000", b"")] {
        place
            .run("out", &["--trials", "4000", "--force"])
            .assert()
            .code(0);
        std::fs::write(&identity, damage).unwrap();
        (place.run("out", &["--trials", trials]).assert())
            .code(0)
            .stderr(contains("identity.json is damaged").and(contains("nothing is lost but time")));
    }
    // but what a newer program wrote is not replaced
    let newer = b"{\"schema\": 99}";
    std::fs::write(&identity, newer).unwrap();
    (place.run("out", &["--trials", "9000"]).assert())
        .code(5)
        .stderr(contains("identity.json has version 99"));
    assert_eq!(std::fs::read(&identity).unwrap(), newer);
}

#[test]
fn whatever_differs_is_named_with_its_values() {
    let place = Place::new();
    place.run("cut", &LONG).assert().code(3);
    place.run("whole", &[]).assert().code(0);
    let text = |from: &str, to: &str| FILE.replacen(from, to, 1);
    for (changed, words) in [
        (
            text(
                "[sweep]",
                "[procedure.release]\nnoise = \"staircase\"\n[sweep]",
            ),
            "noise: laplace there, staircase here",
        ),
        (
            text(
                "[[query]]\nname = \"old\"",
                "[[query]]\nweight = 2\nname = \"old\"",
            ),
            "weight of old: 1 there, 2 here",
        ),
        (
            text("name = \"old\"", "name = \"aged\""),
            "query aged (count where age > 60) only here",
        ),
        (
            text("mean = { column = \"age\" }", "sum = { column = \"age\" }"),
            "query mean: mean of age there, sum of age here",
        ),
        (
            text("trials = 4000", "trials = 4000\nmeasures = [\"abs_error\"]"),
            "abs_error here",
        ),
        (
            format!("{FILE}[compare]\nbaseline = {{ allocation = \"even\" }}\n"),
            "compare: nothing there, allocation = even here",
        ),
        (text("rows = 50", "rows = 51"), "data 51 uniform values"),
        (
            text("bounds = [0, 100]", "bounds = [0, 101]"),
            "bounds of age: [0, 100] there, [0, 101] here",
        ),
    ] {
        std::fs::write(place.path("small.toml"), &changed).unwrap();
        for (out, more) in [("cut", &LONG[..]), ("whole", &[])] {
            (place.run(out, more).assert())
                .code(5)
                .stderr(contains("holds another run (").and(contains(words)));
        }
    }
}

#[test]
fn data_that_differ_are_named_by_their_file() {
    let place = Place::new();
    let rows =
        |last: &str| std::fs::write(place.path("ages.csv"), format!("age\n20\n30\n{last}\n"));
    let generated = "uniform = { column = \"age\", low = 0, high = 100, rows = 50, seed = 3 }";
    let file = FILE.replacen(generated, "csv = \"ages.csv\"", 1);
    std::fs::write(place.path("small.toml"), file).unwrap();
    rows("40").unwrap();
    place.run("out", &[]).assert().code(0);
    rows("41").unwrap();
    place
        .run("out", &[])
        .assert()
        .code(5)
        .stderr(contains("(data ages.csv: 3 rows with digest "));
}

#[test]
fn another_version_of_the_numbers_is_called_so() {
    let place = Place::new();
    place.run("cut", &LONG).assert().code(3);
    let identity = place.path("cut/.tallies/identity.json");
    let json = std::fs::read_to_string(&identity).unwrap();
    std::fs::write(
        &identity,
        json.replacen("\"values\":\"2\"", "\"values\":\"1\"", 1),
    )
    .unwrap();
    (place.run("cut", &LONG).assert()).code(5).stderr(contains(
        "(the version of the numbers of epsweep: 1 there, 2 here)",
    ));
}

#[test]
fn a_mixed_folder_names_what_is_in_it() {
    let place = Place::new();
    place.run("all/whole", &[]).assert().code(0);
    place.run("all/cut", &LONG).assert().code(3);
    place.run("all/part", &["--shard", "1/2"]).assert().code(0);
    std::fs::write(place.path("all/notes.txt"), "").unwrap();
    (place.command(&["report", "all"]).assert())
        .code(5)
        .stderr(contains(
            "the runs all/whole (besides: cut, an interrupted run; notes.txt; part, a shard)",
        ));
}
