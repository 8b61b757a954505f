//! What a newcomer meets first: files to start from, explanations, completions, man pages.

mod common;
#[path = "first_hour/data.rs"]
mod data;

use common::epsweep;
use epsweep::catalogue::{self, FAMILIES};
use epsweep::plan::{Overrides, Plan};
use epsweep::template;
use predicates::prelude::*;
use std::path::Path;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// A command in a directory.
fn at(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    epsweep().current_dir(folder).args(arguments).assert()
}

#[test]
fn every_template_is_written_checked_and_run() {
    let folder = folder();
    for template in template::ALL {
        let name = template.name;
        let file = format!("{name}.toml");
        at(folder.path(), &["new", name, "--from", name])
            .code(0)
            .stdout(format!("{file}\n"));
        let text = std::fs::read_to_string(folder.path().join(&file)).unwrap();
        // lines that a terminal and a diff show whole
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest.unwrap() <= 150, "{name}: {longest:?}");
        assert!(
            !text.contains("{{"),
            "{name} has a place that is not filled"
        );
        if template.audit {
            at(
                folder.path(),
                &["audit", &file, "--trials", "20000", "--quiet"],
            )
            .stdout(predicate::str::contains("violated"));
            continue;
        }
        at(folder.path(), &["check", &file]).code(0);
        let set = ["run", &file, "--no-figures", "--quiet"];
        let few = match name {
            "compose" => vec![],
            "train" => vec!["--trials", "4"],
            _ => vec!["--trials", "200"],
        };
        at(folder.path(), &[&set[..], &few].concat()).code(0);
        let summary = folder.path().join("results").join(name).join("summary.csv");
        assert!(summary.exists(), "{name}");
    }
}

#[test]
fn what_new_cannot_do_is_said() {
    let folder = folder();
    std::fs::write(folder.path().join("x.csv"), "a,b\n1,u\n2,v\n").unwrap();
    for (arguments, said) in [
        (&["new", "a b"][..], "cannot name a run directory"),
        (&["new", "--", "-x"], "begins with `-`"),
        (
            &["new", "x", "--data", "x.csv", "--groups", "u,v,u"],
            "`u` is named twice",
        ),
        (
            &["new", "x", "--data", "x.csv", "--groups", ","],
            "no category",
        ),
        (&["new", "x", "--from", "splitt"], "did you mean `split`"),
        (&["new", "x", "--data", "none.csv"], "none.csv"),
        (
            &["new", "x", "--data", "x.csv", "--column", "c"],
            "allowed: a, b",
        ),
        (
            &["new", "x", "--from", "gate", "--data", "x.csv"],
            "goes with: split",
        ),
        (
            &[
                "new",
                "x",
                "--data",
                "x.csv",
                "--column",
                "a",
                "--category",
                "a",
            ],
            "cannot be both",
        ),
        (
            &["new", "x", "--data", "x.csv", "--bounds", "2,1"],
            "LOW below HIGH",
        ),
        (&["new"], "required"),
    ] {
        at(folder.path(), arguments)
            .code(2)
            .stderr(predicate::str::contains(said))
            .stdout("");
    }
    at(folder.path(), &["new", "no/such/folder/x"]).code(5);
    let listed = at(folder.path(), &["new", "--list"]).code(0);
    let listed = String::from_utf8(listed.get_output().stdout.clone()).unwrap();
    assert!(
        template::ALL
            .iter()
            .all(|template| listed.contains(template.summary))
    );
}

#[test]
fn a_schema_beside_the_file_is_named_in_it() {
    let folder = folder();
    std::fs::write(folder.path().join(template::SCHEMA_FILE), "{}").unwrap();
    at(folder.path(), &["new", "mine"]).code(0);
    let text = std::fs::read_to_string(folder.path().join("mine.toml")).unwrap();
    assert!(
        text.starts_with("#:schema ./epsweep.schema.json\n"),
        "{text}"
    );
}

/// Files that an example can stand in; each with what it lacks.
const HOSTS: &[&str] = &[
    // releases, by basic composition and otherwise
    "HEAD\n[data]\ncensus = { rows = 200, seed = 1 }\nneighbours = 'substitute'\nBUDGET1 PROCEDURE QUERY",
    "HEAD\n[data]\ncensus = { rows = 200, seed = 1 }\nneighbours = 'substitute'\nBUDGET2 PROCEDURE QUERY",
    "HEAD\n[data]\njoin = { keys = 10, exponent = 1, rows = 200, seed = 1 }\nneighbours = 'substitute'\nBUDGET1 PROCEDURE QUERY",
    "HEAD\n[data]\ncensus = { rows = 200, seed = 1 }\nneighbours = 'add-remove'\nBUDGET1 PROCEDURE",
    "HEAD\nBUDGET1 PROCEDURE",
    "HEAD\nBUDGET2 PROCEDURE",
    "HEAD PROCEDURE",
];

/// Sweeps that give figures an axis, and measures something to measure.
const QUESTIONS: &[&str] = &[
    "",
    "[sweep]\nepsilon = [0.5, 1]\n",
    "[sweep]\nk = { path = 'procedure.compose.k', values = [1, 10] }\n",
];

/// Procedures that measures and figures are of.
fn procedures() -> Vec<String> {
    let mut list: Vec<String> = (epsweep::study::Kind::ALL.iter())
        .map(|kind| kind.example().to_owned())
        .collect();
    list.push("[procedure.stream]\nsequence = 'bursty'\npositions = 16\nsensitivity = 1\nthreshold = 100\npolicy = 'even'\n".to_owned());
    list.push("[procedure.stream]\nanswers = [6, 14, 8, 12]\nsensitivity = 1\ngate = { name = 'svt-alg7', c = 2, threshold = 10, numeric = 0.5, neighbour = [7, 13, 7, 12] }\n".to_owned());
    list.push(
        "[procedure.select]\nscores = [9, 4, 7]\nsensitivity = 1\nmechanism = 'peeling'\nk = 2\n"
            .to_owned(),
    );
    list.push("[procedure.train]\nmodel = 'logistic'\ngenerated = { records = 200, features = 2, test = 100 }\nsteps = 10\nrate = 1\nclip = 1\n".to_owned());
    list
}

/// Whether some file in which the example stands has no fault; else the faults of the last.
fn parses(family: &str, example: &str) -> Result<(), String> {
    let query = "[[query]]\nname = 'adults'\ncount = { where = 'age > 18' }\n";
    let processed =
        "[[query]]\nname = 'adults'\ncount = { where = 'age > 18' }\npostprocess = ['round']\n";
    let largest = "[[query]]\nname = 'oldest'\nmax = { column = 'age' }\n";
    let own_query = example.contains("[[query]]");
    let top = example.starts_with("measures");
    let own_procedure = example.contains("[procedure.");
    let mut last = String::new();
    let given = match own_procedure {
        true => vec![String::new()],
        false => procedures(),
    };
    for host in HOSTS {
        for procedure in &given {
            for query in match own_query || own_procedure && !example.contains("release]") {
                true => vec![""],
                false => vec![query, processed, largest],
            } {
                for question in QUESTIONS {
                    let needs_query = procedure.is_empty() || procedure.contains("release]");
                    let query = if needs_query { query } else { "" };
                    let own_budget = example.contains("[budget]") || procedure.contains("[budget]");
                    let budget = |text: &'static str| if own_budget { "" } else { text };
                    let head = match top {
                        true => format!("name = 'x'\n{example}"),
                        false => "name = 'x'\n".to_owned(),
                    };
                    let body = if top { "" } else { example };
                    let text = host
                        .replace("HEAD", &head)
                        .replace("BUDGET1", budget("[budget]\nepsilon = 1\n"))
                        .replace("BUDGET2", budget("[budget]\nepsilon = 0.5\ndelta = 1e-6\n"))
                        .replace("PROCEDURE", &format!("\n{procedure}\n{body}\n{question}"))
                        .replace("QUERY", query);
                    match Plan::from_text(family, &text, Path::new("."), &Overrides::default()) {
                        Ok(_) => return Ok(()),
                        Err(faults) => last = format!("{text}\n{faults}"),
                    }
                }
            }
        }
    }
    Err(last)
}

#[test]
fn every_name_has_formula_source_and_an_example_that_parses() {
    let folder = folder();
    let mut wrong = Vec::new();
    for family in FAMILIES {
        let members = family.members();
        assert!(!members.is_empty(), "{}", family.name);
        for entry in members {
            let about = entry.about;
            let what = format!("{} `{}`", family.name, about.name);
            for (field, text) in [
                ("summary", about.summary),
                ("formula", about.formula),
                ("source", about.source),
            ] {
                assert!(!text.trim().is_empty(), "{what} has no {field}");
            }
            assert!(
                entry.example.contains(about.name) || family.name == "guarantees",
                "{what}: {}",
                entry.example
            );
            if family.shell {
                let words: Vec<&str> = entry.example.split_whitespace().skip(1).collect();
                at(folder.path(), &words).code(0);
            } else if ["audits", "guarantees"].contains(&family.name) {
                let mechanism = match entry.example.contains("[mechanism") {
                    true => "",
                    false => "[mechanism.noise]\nkind = 'laplace'\nepsilon = 1\n",
                };
                for file in ["one.csv", "other.csv"] {
                    std::fs::write(folder.path().join(file), "x\n1\n").unwrap();
                }
                let text = format!("name = 'x'\n{mechanism}{}", entry.example);
                let read = epsweep::audit::Audit::from_text(
                    "x",
                    &text,
                    folder.path(),
                    &Overrides::default(),
                );
                assert!(read.is_ok(), "{what}: {text}\n{}", read.unwrap_err());
            } else if let Err(faults) = parses(family.name, &entry.example) {
                wrong.push(format!("{what}: {faults}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // the check can fail
    assert!(parses("noises", "[procedure.release]\nnoise = \"laplac\"\n").is_err());
}

/// What registries the core and the runner have: one that is added and not listed is found here, by the text of the sources.
#[test]
fn no_registry_is_forgotten() {
    let mut files = Vec::new();
    let mut open = vec![
        common::root().join("crates/epsweep-core/src"),
        common::root().join("crates/epsweep/src"),
    ];
    while let Some(path) = open.pop() {
        for entry in std::fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => open.push(path),
                false => files.push(path),
            }
        }
    }
    let registries = (files.iter())
        .filter(|path| {
            std::fs::read_to_string(path)
                .unwrap()
                .contains("\npub const REGISTRY: ")
        })
        .count();
    // all but the reductions of audits and the formats of exports, which no file names; mechanisms are two registries in one family
    let listed = [
        "queries",
        "steps",
        "strategies",
        "noises",
        "allocations",
        "mechanisms",
        "gates",
        "policies",
        "sequences",
        "schedules",
        "accountants",
        "objectives",
        "measures",
        "figures",
        "audits",
        "guarantees",
    ];
    assert!(listed.iter().all(|name| catalogue::named(name).is_some()));
    assert_eq!(registries, listed.len() + 3);
}

#[test]
fn one_name_is_explained_wherever_it_is_used() {
    let folder = folder();
    at(folder.path(), &["list", "laplace"])
        .code(0)
        .stdout(predicate::str::contains("`noise` of [procedure.release]"))
        .stdout(predicate::str::contains("`release` of [procedure.compose]"))
        .stdout(predicate::str::contains("noise = \"laplace\""));
    at(folder.path(), &["list", "quantile"])
        .code(0)
        .stdout(predicate::str::contains(
            "quantile = { column = \"age\", p = 0.9 }",
        ));
    at(folder.path(), &["list", "[procedure.stream]"])
        .code(0)
        .stdout(predicate::str::contains("positions"));
    at(folder.path(), &["list", "laplac"])
        .code(2)
        .stderr(predicate::str::contains("did you mean `laplace`"));
    for (word, meant) in [
        ("haar", "did you mean `hierarchical`?"),
        (
            "noisy max",
            "did you mean `gumbel-noisy-max`, `laplace-noisy-max`, `exponential-noisy-max` or `noisy-max`?",
        ),
    ] {
        at(folder.path(), &["list", word])
            .code(2)
            .stderr(predicate::str::contains(meant));
    }
    let json = at(folder.path(), &["list", "histogram", "--format", "json"]).code(0);
    let json: serde_json::Value = serde_json::from_slice(&json.get_output().stdout).unwrap();
    let families: Vec<&str> = (json["found"].as_array().unwrap().iter())
        .map(|entry| entry["family"].as_str().unwrap())
        .collect();
    assert_eq!(families, ["queries", "figures"]);
    assert_eq!(json["found"][0]["keys"][0]["name"], "column");
}

#[test]
fn shells_and_man_know_every_command() {
    let folder = folder();
    let help = at(folder.path(), &["--help"]).code(0);
    let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
    let commands: Vec<&str> = (help.lines())
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 10, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = at(folder.path(), &["completions", shell]).code(0);
        let script = String::from_utf8(script.get_output().stdout.clone()).unwrap();
        for command in &commands {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    at(folder.path(), &["completions", "cmd"]).code(2);
    at(folder.path(), &["man", "--dir", "man/man1"]).code(0);
    for command in &commands {
        let page = folder.path().join(format!("man/man1/epsweep-{command}.1"));
        let page =
            std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("no page of {command}"));
        assert!(page.contains(".TH"), "{command}");
        // every command teaches by examples, and lists its exit codes
        let help = at(folder.path(), &[command, "--help"]).code(0);
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        for part in ["Examples:", "Exit codes: 0", &format!("epsweep {command}")] {
            assert!(help.contains(part), "{command} lacks {part}");
        }
    }
    at(folder.path(), &["man"])
        .code(0)
        .stdout(predicate::str::contains(".TH epsweep 1"));
}

/// Examples of `--help` that need no files of the user's: they are run, in an empty directory.
#[test]
fn examples_that_stand_alone_do_what_they_say() {
    let folder = folder();
    let mut tried = 0;
    for command in [
        "new",
        "list",
        "schema",
        "completions",
        "man",
        "allocate",
        "account",
    ] {
        let help = at(folder.path(), &[command, "--help"]).code(0);
        let help = String::from_utf8(help.get_output().stdout.clone()).unwrap();
        let examples = help
            .lines()
            .filter_map(|line| line.trim().strip_prefix("epsweep "));
        for example in examples {
            // what the shell does, and the explanation, stand behind
            let end = [" >", " |", "  "]
                .iter()
                .filter_map(|mark| example.find(mark))
                .min();
            let example = &example[..end.unwrap_or(example.len())];
            if [".csv", ".toml", "~"]
                .iter()
                .any(|file| example.contains(file))
            {
                continue;
            }
            let words: Vec<&str> = example.split_whitespace().collect();
            at(folder.path(), &words).code(0);
            tried += 1;
        }
    }
    assert!(tried > 15, "{tried}");
}
