//! What `--format json` prints has the keys that `results/json.md` tells, and tells no others; what `--format csv` prints is a table.

mod common;

use common::{epsweep, root, shipped};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The version that the page describes.
const SCHEMA: u64 = 1;

/// Keys whose values are described elsewhere.
const ELSEWHERE: [&str; 4] = ["resolved", "margin", "surprises", "families"];

/// Keys in the page, by the heading that they are under: whether they are always there.
fn told() -> BTreeMap<String, BTreeMap<String, bool>> {
    let page = std::fs::read_to_string(root().join("results/json.md")).unwrap();
    let mut told: BTreeMap<String, BTreeMap<String, bool>> = BTreeMap::new();
    let mut commands: Vec<String> = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            commands = heading
                .split(", ")
                .map(|c| c.trim_matches('`').to_owned())
                .collect();
        } else if let Some(row) = line.strip_prefix("| `") {
            let (key, rest) = row.split_once('`').unwrap();
            for command in &commands {
                let keys = told.entry(command.clone()).or_default();
                let twice = keys.insert(key.to_owned(), !rest.starts_with(" °"));
                assert_eq!(twice, None, "{command}: {key} is told twice");
            }
        }
    }
    told
}

/// Every key of a document, as `a[].b`.
fn keys(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let path = match path.is_empty() {
                    true => key.clone(),
                    false => format!("{path}.{key}"),
                };
                found.insert(path.clone());
                // a family of calibrations is described here, that of a list is named by its key
                let elsewhere = ELSEWHERE.contains(&key.as_str());
                if !elsewhere || (key == "families" && value.is_array()) {
                    keys(value, &path, found);
                }
            }
        }
        Value::Array(values) => {
            let path = format!("{path}[]");
            values.iter().for_each(|value| keys(value, &path, found));
        }
        _ => {}
    }
}

struct Checked {
    told: BTreeMap<String, BTreeMap<String, bool>>,
    found: BTreeMap<String, BTreeSet<String>>,
}

impl Checked {
    /// Runs a command; what it prints has the version, and no key that is not told.
    fn command(&mut self, command: &str, arguments: &[&str]) -> Value {
        let output = epsweep()
            .arg(command)
            .args(arguments)
            .args(["--format", "json"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let document: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{command} {arguments:?}: {said}"));
        assert_eq!(document["schema"], SCHEMA, "{command}");
        let mut found = BTreeSet::new();
        keys(&document, "", &mut found);
        let told = self.told.get(command);
        let told = told.unwrap_or_else(|| panic!("the page tells nothing of {command}"));
        for key in &found {
            assert!(
                told.contains_key(key),
                "{command} has {key}, which is not told"
            );
        }
        let seen = self.found.entry(command.to_owned()).or_default();
        seen.extend(found);
        is_table(command, arguments);
        document
    }
}

/// The same command's CSV is one: a field for each column in every line, and no column twice.
fn is_table(command: &str, arguments: &[&str]) {
    let output = epsweep()
        .arg(command)
        .args(arguments)
        .args(["--format", "csv"])
        .output()
        .unwrap();
    // files at their places are not replaced by the second of two like commands
    if output.stdout.is_empty() {
        return;
    }
    let mut reader = csv::Reader::from_reader(output.stdout.as_slice());
    let heads = reader.headers().unwrap().clone();
    let names: BTreeSet<&str> = heads.iter().collect();
    assert_eq!(names.len(), heads.len(), "{command} {arguments:?}");
    for line in reader.records() {
        line.unwrap_or_else(|error| panic!("{command} {arguments:?}: {error}"));
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn the_page_tells_the_keys_of_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let experiment = shipped("adaptive-allocation");
    let file = text(&experiment);
    let mut checked = Checked {
        told: told(),
        found: BTreeMap::new(),
    };
    let (one, other) = (at("one"), at("other"));
    // a few trials decide less than many: verdicts differ
    for (out, trials, seed) in [(&one, "2000", "42"), (&other, "11", "7")] {
        checked.command(
            "run",
            &[
                file,
                "--trials",
                trials,
                "--seed",
                seed,
                "--no-figures",
                "--quiet",
                "--out",
                text(out),
            ],
        );
    }
    let precise = "trials={ precision = { relative = 0.05, measure = \"max_abs_error\" }, at_least = 5000, at_most = 20000 }";
    let out = at("precise");
    checked.command(
        "run",
        &[
            file,
            "--set",
            precise,
            "--no-figures",
            "--quiet",
            "--out",
            text(&out),
        ],
    );
    let parts = at("parts");
    for part in ["1/2", "2/2"] {
        let out = parts.join(part.replace('/', "-"));
        let status = epsweep()
            .args([
                "run", file, "--trials", "9000", "--quiet", "--shard", part, "--out",
            ])
            .arg(&out)
            .assert();
        status.success();
    }
    let merged = at("merged");
    let merge = [
        file,
        text(&parts),
        "--trials",
        "9000",
        "--no-figures",
        "--quiet",
        "--out",
        text(&merged),
    ];
    checked.command("merge", &merge);
    checked.command("report", &[text(&one)]);
    checked.command("plan", &[file]);
    checked.command("plan", &[file, "--set", precise]);
    let experiments = root().join("experiments");
    checked.command(
        "replay",
        &[text(&one), "1", "3", "--data", text(&experiments)],
    );
    checked.command("verify", &[text(&one), text(&other), text(&at("none"))]);
    checked.command(
        "verify",
        &[file, "--seeds", "2", "--trials", "1000", "--quiet"],
    );
    checked.command("verify", &["--controls"]);
    let compared = checked.command(
        "compare",
        &[text(&one), text(&other), "--relative-margin", "0.01"],
    );
    assert!(
        !compared["compared"]["claims"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let audit = experiments.join("audits/laplace.toml");
    checked.command("audit", &[text(&audit), "--trials", "1e4", "--quiet"]);
    let calibrated = at("calibrated");
    let set = "sweep.allocation=[\"even\", \"proportional\"]";
    checked.command(
        "calibrate",
        &[
            file,
            "--trials",
            "50",
            "--repeats",
            "20",
            "--reference",
            "1000",
            "--set",
            set,
            "--set",
            "claim=[]",
            "--set",
            "figure=[]",
            "--quiet",
            "--out",
            text(&calibrated),
        ],
    );
    checked.command(
        "allocate",
        &["--sensitivities", "0.12,120,1", "--epsilon", "1"],
    );
    checked.command("account", &["laplace:0.1x100", "--delta", "1e-6"]);
    checked.command("account", &["gaussian:2", "--delta", "1e-6"]);
    checked.command("account", &["gaussian:2", "--epsilon", "1"]);
    let families = checked.command("list", &[]);
    checked.command("list", &["laplace"]);
    let found = checked.command("list", &["query"]);
    // a member says as much in its family as by itself, but for where it is
    let member = families["families"]["noises"][0].as_object().unwrap();
    let mut keys: BTreeSet<&str> = member.keys().map(String::as_str).collect();
    keys.extend(["family", "place"]);
    let listed = checked.told["list"].keys();
    let listed = listed.filter_map(|key| key.strip_prefix("found[]."));
    let listed: BTreeSet<&str> = listed.filter(|key| !key.contains('[')).collect();
    assert_eq!(keys, listed);
    assert_eq!(found["found"][0]["family"], "sections");

    for (command, told) in &checked.told {
        assert!(checked.found.contains_key(command), "{command} was not run");
        // commands that are told together print the same form
        let alike = |of: &&String| checked.told.get(*of) == Some(told);
        let together = checked.found.keys().filter(alike);
        let found: BTreeSet<&String> = together.flat_map(|of| &checked.found[of]).collect();
        for (key, always) in told {
            assert!(
                !always || found.contains(key),
                "{command} has no {key}, which is told"
            );
        }
    }
    // no command is forgotten: those that take the option are those that are told
    let help = epsweep().arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let commands = (help.lines())
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    for command in commands.filter(|name| *name != "help") {
        let help = epsweep().args([command, "--help"]).output().unwrap();
        let takes = String::from_utf8(help.stdout)
            .unwrap()
            .contains("one JSON document");
        assert_eq!(takes, checked.told.contains_key(command), "{command}");
    }
}
