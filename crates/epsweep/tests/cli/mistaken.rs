//! What is nearly right is told what is meant.

use super::*;
use predicates::str::contains;

#[test]
fn audits_and_experiments_are_told_apart() {
    let place = Place::new();
    let file = place.file(FILE);
    let audit = shipped("audits/discrete-laplace");
    for command in ["run", "check", "plan"] {
        (epsweep().arg(command).arg(&audit).assert())
            .code(2)
            .stderr(contains(
                "is an audit and no experiment: use `epsweep audit ",
            ))
            .stderr(contains("unknown key").not());
    }
    (epsweep().arg("audit").arg(&audit).arg(&file).assert())
        .code(2)
        .stderr(contains(format!(
            "{file} is an experiment and no audit: use `epsweep run {file}`",
            file = file.display()
        )));
}

/// What has no end is not read to its end, whatever it might turn out to be.
#[cfg(unix)]
#[test]
fn devices_are_refused_at_once() {
    for command in ["run", "check", "plan", "audit"] {
        (epsweep().args([command, "/dev/zero"]))
            .timeout(std::time::Duration::from_secs(60))
            .assert()
            .code(2)
            .stderr(contains("it is a pipe or a device, not a file"));
    }
}

#[test]
fn a_misspelt_short_name_is_told_with_its_section() {
    let place = Place::new();
    (epsweep().arg("check").arg(place.file(FILE)))
        .args(["--set", "epsilom=1"])
        .assert()
        .code(2)
        .stderr(contains("did you mean `epsilon`, of [budget]?"));
    // a key that stands outside of its section has its own words, and one that is like no name none
    for (set, words) in [
        ("titel=1", "did you mean `title`?"),
        ("xyzzy=1", "allowed: name"),
    ] {
        (epsweep().arg("check").arg(place.file(FILE)))
            .args(["--set", set])
            .assert()
            .code(2)
            .stderr(contains(words).and(contains("of [").not()));
    }
}

#[test]
fn a_number_beyond_the_cells_is_told_with_their_range() {
    let place = Place::new();
    for number in ["99", "0", "3"] {
        (epsweep().arg("replay").arg(place.file(FILE)))
            .args([number, "0"])
            .assert()
            .code(2)
            .stderr(contains(format!(
                "there is no cell {number}: those of this experiment are 1 to 2"
            )));
    }
}

#[test]
fn an_objective_that_lacks_its_list_names_the_option() {
    (epsweep().args(["allocate", "--sensitivities", "1,100", "--epsilon", "1"]))
        .args(["--objective", "relative"])
        .assert()
        .code(2)
        .stderr(contains("give one per query, with --magnitudes"));
}

#[test]
fn one_parameter_is_one() {
    (epsweep().args(["account", "approximate:1"]).assert())
        .code(2)
        .stderr(contains("has 1 parameter, but"));
}

#[test]
fn an_ending_of_another_format_is_refused_and_an_unknown_one_noted() {
    let place = Place::new();
    place.run(FILE).arg("--quiet").assert().code(0);
    let export = |name: &str| {
        let mut command = epsweep();
        (command.arg("export").arg(place.path("out")))
            .args(["--format", "csv", "-o"])
            .arg(place.path(name));
        command.assert()
    };
    for (name, format) in [
        ("x.parquet", "parquet"),
        ("x.tex", "latex"),
        ("x.MD", "markdown"),
    ] {
        (export(name).code(2)).stderr(contains(format!(
            "ends like a file of {format}, and csv is to be written: name a file that ends in .csv, or give --format {format}"
        )));
        assert!(!place.path(name).exists());
    }
    for name in ["x.csv", "y.CSV", "bare"] {
        export(name).code(0).stderr(contains("note:").not());
    }
    (export("x.unknown").code(0)).stderr(contains("is written as csv, whose files end in .csv"));
}
