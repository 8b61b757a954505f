//! What is drawn where an experiment names no figure, and of whom.

use super::*;
use std::collections::BTreeSet;

/// Ages and a vector of counts: two units.
fn vectors() -> String {
    let count = "count = { where = \"age > 60\" }";
    let ages = "histogram = { column = \"age\", edges = [0, 50, 100] }";
    FILE.replace("trials = 2000", "trials = 300")
        .replace(count, ages)
        .replace("[sweep]", "[sweep]\nepsilon = [0.5, 1]")
}

/// The subjects in the table of a figure, and its rows.
fn subjects(figures: &Path, name: &str) -> (BTreeSet<String>, usize) {
    let table = std::fs::read(figures.join(format!("{name}.csv"))).unwrap();
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(table.as_slice());
    let place = reader
        .headers()
        .unwrap()
        .iter()
        .position(|column| column == "subject");
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let of = |row: &csv::StringRecord| row[place.unwrap()].to_owned();
    (rows.iter().map(of).collect(), rows.len())
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// One number of errors in years and of errors in records says little: each query has its own panel besides.
#[test]
fn queries_in_different_units_are_drawn_one_by_one() {
    let place = Place::new();
    place.run(&vectors()).assert().code(0);
    let figures = place.path("out/figures");
    for (name, wanted) in [
        ("error-epsilon-max-abs-error", &["all"]),
        ("error-epsilon-abs-error", &["mean age"]),
        ("error-epsilon-mean-abs-error", &["old & <wise>"]),
    ] {
        // two budgets, two allocations
        assert_eq!(subjects(&figures, name), (set(wanted), 4), "{name}");
    }
    let page = std::fs::read_to_string(place.path("out/report.md")).unwrap();
    assert!(page.contains("error-epsilon-mean-abs-error.png"), "{page}");
    // in one unit, one figure is enough
    let place = Place::new();
    let of_age = vectors().replace(
        "histogram = { column = \"age\", edges = [0, 50, 100] }",
        "max = { column = \"age\" }",
    );
    place.run(&of_age).assert().code(0);
    let figures = place.path("out/figures");
    assert!(figures.join("error-epsilon-max-abs-error.csv").exists());
    assert!(!figures.join("error-epsilon-abs-error.csv").exists());
}

/// What `check` takes can be drawn: a query with many numbers alone, or beside all queries together.
#[test]
fn a_query_with_many_numbers_is_drawn_where_it_is_asked_for() {
    let place = Place::new();
    let figures = "[[figure]]\nkind = \"box\"\nname = \"alone\"\nmeasure = \"rmse\"\nsubjects = [\"old & <wise>\"]\n\
                   [[figure]]\nkind = \"bars\"\nname = \"both\"\nmeasure = \"rmse\"\nsubjects = [\"old & <wise>\", \"all\"]\n\
                   [[figure]]\nkind = \"bars\"\nname = \"usual\"\nmeasure = \"rmse\"\n";
    let said = place.run(&(vectors() + figures)).assert().code(0);
    said.stderr(predicate::str::contains("is not of").not());
    let figures = place.path("out/figures");
    for (name, wanted) in [
        ("alone", &["old & <wise>"][..]),
        ("both", &["old & <wise>", "all"]),
        ("usual", &["all"]),
    ] {
        let (found, rows) = subjects(&figures, name);
        assert_eq!(found, set(wanted), "{name}");
        assert!(rows >= 4, "{name}");
    }
}
