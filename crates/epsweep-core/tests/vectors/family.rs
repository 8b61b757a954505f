//! A family of reference values: which kinds of cases it has, and how each is checked.

use crate::case::{Case, Checks};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

/// How the cases of one kind are checked.
pub struct Kind {
    /// as `Family::kind` gives it
    pub name: &'static str,
    /// compares the library's values with those of the case
    pub check: fn(&Case, &mut Checks),
}

/// One file of reference values.
pub struct Family {
    /// the file's name without `.json`
    pub name: &'static str,
    /// the kind of a case; `input_kind` unless the family divides its cases more finely
    pub kind: fn(&Case) -> String,
    /// the kinds that are checked
    pub covered: &'static [Kind],
    /// kinds that are known, but which the library does not have yet
    pub later: &'static [&'static str],
}

/// The usual kind of a case: `input.kind`.
#[allow(dead_code)] // not every family divides its cases this way
pub fn input_kind(case: &Case) -> String {
    case.text("kind").to_owned()
}

/// What came of checking a directory.
#[derive(Default)]
pub struct Report {
    /// how many cases of which family and kind were checked, and what is not covered
    pub text: String,
    /// cases that were checked
    pub checked: usize,
    /// one line per value that is not met
    pub failures: Vec<String>,
    /// covered kinds of which there was no case
    pub idle: Vec<String>,
}

/// Checks every file of the directory against its family.
pub fn check_directory(directory: &Path, families: &[&Family]) -> Report {
    let mut report = Report::default();
    let _ = writeln!(report.text, "reference values in {}", directory.display());
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap_or_else(|error| panic!("{}: {error}", directory.display()))
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let is_json = path
                .extension()
                .is_some_and(|extension| extension == "json");
            is_json.then(|| {
                path.file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned()
            })
        })
        .collect();
    names.sort();
    for name in &names {
        let path = directory.join(format!("{name}.json"));
        match families.iter().find(|family| family.name == name) {
            Some(family) => check_family(family, &Case::read(&path), &mut report),
            None => {
                let _ = writeln!(report.text, "  {name}: family not covered yet");
            }
        }
    }
    for family in families {
        if !names.iter().any(|name| name == family.name) {
            report.idle.push(family.name.to_owned());
            let _ = writeln!(report.text, "  {}: no file", family.name);
        }
    }
    report
}

fn check_family(family: &Family, cases: &[Case], report: &mut Report) {
    let mut checked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut later: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases {
        let kind = (family.kind)(case);
        if let Some(known) = family.covered.iter().find(|known| known.name == kind) {
            let mut checks = Checks::new(case);
            (known.check)(case, &mut checks);
            report.failures.extend(checks.finish());
            *checked.entry(known.name).or_default() += 1;
        } else if family.later.contains(&kind.as_str()) {
            *later.entry(kind).or_default() += 1;
        } else {
            report.failures.push(format!(
                "{}: unknown kind `{kind}` in family `{}`",
                case.id, family.name
            ));
        }
    }
    let total: usize = checked.values().sum();
    report.checked += total;
    let _ = writeln!(
        report.text,
        "  {}: {total} of {} cases checked",
        family.name,
        cases.len()
    );
    for kind in family.covered {
        match checked.get(kind.name) {
            Some(count) => {
                let _ = writeln!(report.text, "    {}: {count}", kind.name);
            }
            None => report.idle.push(format!("{}/{}", family.name, kind.name)),
        }
    }
    for (kind, count) in &later {
        let _ = writeln!(report.text, "    {kind}: not covered yet ({count} cases)");
    }
}

/// Writes past the test harness, which keeps what `println!` prints of a test that passes.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

#[test]
fn an_unknown_kind_fails_and_a_later_one_is_listed() {
    let family = Family {
        name: "toy",
        kind: input_kind,
        covered: &[Kind {
            name: "known",
            check: |case, checks| checks.number("x", case.input_number("x")),
        }],
        later: &["future"],
    };
    let case = |kind: &str, x: f64| {
        Case::from_json(&serde_json::json!({
            "id": format!("toy/{kind}"), "input": {"kind": kind, "x": x},
            "expected": {"x": 1.0}, "tolerance": {"rel": 1e-12, "abs": 0}
        }))
    };
    let mut report = Report::default();
    check_family(
        &family,
        &[case("known", 1.0), case("future", 1.0)],
        &mut report,
    );
    assert_eq!((report.failures.len(), report.checked), (0, 1));
    assert!(report.text.contains("future: not covered yet"));
    check_family(&family, &[case("odd", 1.0)], &mut report);
    assert!(report.failures[0].contains("unknown kind `odd`"));
    check_family(&family, &[case("known", 1.0 + 1e-11)], &mut report);
    assert_eq!(report.failures.len(), 2);
}
