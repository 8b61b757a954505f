//! Every figure that `check` accepts can be drawn.

mod common;

use common::epsweep;
use epsweep::figure::svg::svg;
use epsweep::figure::{REGISTRY, draw};
use epsweep::plan::{Overrides, Plan};
use epsweep::record::read;
use std::path::Path;

const RELEASE: &str = r#"name = "r"
trials = 300
measures = MEASURES
[data]
census = { rows = 200, seed = 1 }
neighbours = "substitute"
[[query]]
name = "mean"
mean = { column = "income" }
[[query]]
name = "old"
count = { where = "age > 60" }
postprocess = ["non-negative", "round"]
[[query]]
name = "count"
group-count = { column = "sex", groups = ["female", "male"] }
[sweep]
epsilon = [0.1, 1]
allocation = ["even", "proportional"]
[compare]
baseline = { allocation = "even" }
"#;

const SELECT: &str = r#"name = "s"
trials = 300
measures = MEASURES
[procedure.select]
scores = [9, 4, 7, 2, 5]
names = ["kebab", "chicken", "jelly", "soup", "tofu"]
sensitivity = 1
k = 2
[sweep]
epsilon = [0.1, 1]
mechanism = ["peeling", "one-shot-gumbel"]
[compare]
baseline = { mechanism = "peeling" }
"#;

const STREAM: &str = r#"name = "t"
trials = 300
measures = MEASURES
[procedure.stream]
answers = [1, 3, 5]
sensitivity = 1
gate = { name = "svt-alg7", c = 2, threshold = 3 }
[sweep]
epsilon = [0.1, 1]
c = [1, 2]
[compare]
baseline = { c = 1 }
"#;

/// The experiment with all the measures that can be named, and their names.
fn with_every_measure(text: &str) -> (String, Vec<String>) {
    let names = |text: &str| Plan::from_text("e.toml", text, Path::new(""), &Overrides::default());
    let known: Vec<String> = (epsweep::measure::REGISTRY.iter())
        .map(|measure| measure.about().name.to_owned())
        .filter(|name| names(&text.replace("MEASURES", &format!("[\"{name}\"]"))).is_ok())
        .collect();
    assert!(known.len() >= 3, "{known:?}");
    (text.replace("MEASURES", &format!("{known:?}")), known)
}

/// Tries every kind with every measure and every subject, and gives how many of them are accepted.
fn what_is_accepted_is_drawn(text: &str, subjects: &[&str]) -> usize {
    let (text, measures) = with_every_measure(text);
    // what figures draw of single trials is recorded for those that are asked for
    let mut whole = text.clone();
    for measure in &measures {
        for kind in ["histogram", "convergence"] {
            whole += &format!("[[figure]]\nkind = \"{kind}\"\nmeasure = \"{measure}\"\n");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.toml"), &whole).unwrap();
    epsweep()
        .current_dir(folder.path())
        .args(["run", "e.toml", "--quiet", "--no-figures", "--out", "out"])
        .assert()
        .success();
    let run = read(&folder.path().join("out")).unwrap();
    let some_measures = (measures
        .iter()
        .map(|name| format!("measure = \"{name}\"\n")))
    .chain([String::new()])
    .collect::<Vec<_>>();
    let some_subjects = (subjects
        .iter()
        .map(|name| format!("subjects = [\"{name}\"]\n")))
    .chain([String::new()])
    .collect::<Vec<_>>();
    let (mut accepted, mut faults) = (0, Vec::new());
    for kind in REGISTRY {
        for measure in &some_measures {
            for subject in &some_subjects {
                let name = kind.about().name;
                let figure = format!("[[figure]]\nkind = \"{name}\"\n{measure}{subject}");
                let asked = format!("{text}{figure}");
                let Ok(plan) =
                    Plan::from_text("e.toml", &asked, Path::new(""), &Overrides::default())
                else {
                    continue;
                };
                accepted += 1;
                let said = figure.replace('\n', " ");
                match draw(&run, &plan.resolved().figures[0]) {
                    Err(error) => faults.push(format!("{said}: {error}")),
                    Ok(drawing) => {
                        let picture = svg(&drawing.canvas, "", "").unwrap();
                        if picture.contains("no data") {
                            faults.push(format!("{said}: a panel without data"));
                        }
                    }
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} of {accepted} cannot be drawn:\n{}",
        faults.len(),
        faults.join("\n")
    );
    accepted
}

#[test]
fn figures_of_a_release() {
    let subjects = ["mean", "count[sex = female]", "count", "all"];
    let accepted = what_is_accepted_is_drawn(RELEASE, &subjects);
    assert!(accepted > 200, "{accepted}");
}

#[test]
fn figures_of_a_selection() {
    let accepted = what_is_accepted_is_drawn(SELECT, &["kebab", "all"]);
    assert!(accepted > 50, "{accepted}");
}

#[test]
fn figures_of_a_stream() {
    let accepted = what_is_accepted_is_drawn(STREAM, &["query 1", "all"]);
    assert!(accepted > 50, "{accepted}");
}
