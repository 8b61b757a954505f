//! Audit files: what they mean, and what is said of faults.

use super::Audit;
use crate::config::diagnostic::Diagnostics;
use crate::engine::Progress;
use crate::plan::Overrides;
use epsweep_core::audit::Verdict;
use std::path::Path;

const LAPLACE: &str = "name = \"l\"\nseed = 1\ntrials = 40_000\n[mechanism.noise]\nkind = \"laplace\"\nepsilon = 1\n[claim]\nepsilon = 1\n";

fn read(text: &str) -> Result<Audit, Diagnostics> {
    Audit::from_text("a.toml", text, Path::new("."), &Overrides::default())
}

fn faults(text: &str) -> String {
    match read(text) {
        Ok(_) => panic!("no fault:\n{text}"),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    let audit = read(LAPLACE).unwrap();
    let of = |threads| {
        let report = audit.run(threads, &Progress::default()).unwrap();
        (report.event, report.finding)
    };
    let one = of(1);
    assert_eq!(one.1.verdict, Verdict::Consistent);
    assert!(one.1.bound > 0.9 && one.1.runs == 20_000, "{one:?}");
    for threads in [2, 3] {
        assert_eq!(of(threads), one);
    }
}

#[test]
fn command_line_values_take_the_place_of_the_file_s() {
    let changes = Overrides::default()
        .set("mechanism.noise.sensitivity", "0.5")
        .trials(20_000)
        .seed(7);
    let text = format!("{LAPLACE}[pair]\na = [0]\nb = [1]\n");
    let audit = Audit::from_text("a.toml", &text, Path::new("."), &changes).unwrap();
    assert_eq!((audit.trials, audit.seed), (20_000, 7));
    let report = audit.run(1, &Progress::default()).unwrap();
    assert_eq!(report.finding.verdict, Verdict::Violated);
}

#[test]
fn too_few_runs_have_no_power() {
    let text = LAPLACE.replace("[claim]\nepsilon = 1", "[claim]\nepsilon = 8");
    let audit = read(&text.replace("40_000", "2000")).unwrap();
    let report = audit.run(1, &Progress::default()).unwrap();
    assert_eq!(report.finding.verdict, Verdict::NoPower);
    assert!(report.finding.ceiling < 8.0);
}

#[test]
fn every_reading_can_be_claimed() {
    for (claim, words) in [
        ("epsilon = 1\ndelta = 0.1", "ε = 1, δ = 0.1"),
        ("mu = 2", "μ = 2 (Gaussian)"),
        ("rho = 2", "ρ = 2 (zCDP)"),
        ("epsilon = 2\nalpha = 3", "ε = 2 at α = 3 (Rényi)"),
    ] {
        let audit = read(&LAPLACE.replace("[claim]\nepsilon = 1", &format!("[claim]\n{claim}")));
        let audit = audit.unwrap();
        assert!(audit.reading().words().contains(words));
        let report = audit.run(1, &Progress::default()).unwrap();
        assert_eq!(report.finding.verdict, Verdict::Consistent, "{claim}");
    }
}

#[test]
fn faults_are_said_with_place_rule_and_nearest_name() {
    for (from, to, wanted) in [
        (
            "kind = \"laplace\"",
            "kind = \"lapalce\"",
            &["a.toml:5:8", "did you mean `laplace`?"][..],
        ),
        (
            "[mechanism.noise]",
            "[mechanism.nose]",
            &["unknown key `nose`", "did you mean `noise`?"],
        ),
        (
            "epsilon = 1\n[claim]",
            "epsilonn = 1\n[claim]",
            &["did you mean `epsilon`?"],
        ),
        (
            "epsilon = 1\n[claim]",
            "epsilon = -1\n[claim]",
            &["a.toml:4:1", "-1"],
        ),
        ("epsilon = 1\n[claim]", "rho = 1\n[claim]", &["pure ε"]),
        ("trials = 40_000", "trials = 3", &["a whole number from 16"]),
        (
            "trials = 40_000",
            "trails = 40_000",
            &["did you mean `trials`?"],
        ),
        (
            "[claim]\nepsilon = 1",
            "[claim]\nmu = -1",
            &["a.toml:8:6", "at least 0"],
        ),
        (
            "[claim]\nepsilon = 1",
            "[claim]\nmu = 1\nrho = 1",
            &["state no guarantee", "epsilon and delta"],
        ),
        ("[claim]\nepsilon = 1", "[claim]", &["states no guarantee"]),
        ("[claim]\nepsilon = 1", "", &["lacks the key `claim`"]),
        (
            "[claim]\n",
            "[claim]\nverdict = \"violatd\"\n",
            &["did you mean `violated`?"],
        ),
        (
            "[claim]\n",
            "[pair]\na = [0]\nb = [0, 1]\n[claim]\n",
            &["as long as its neighbour"],
        ),
        (
            "[claim]\n",
            "[pair]\na = [0]\n[claim]\n",
            &["lacks the key `b`"],
        ),
        (
            "name = \"l\"",
            "name = \"l/\"",
            &["cannot name a directory"],
        ),
    ] {
        let text = LAPLACE.replace(from, to);
        assert_ne!(text, LAPLACE, "{from}");
        let said = faults(&text);
        for part in wanted {
            assert!(said.contains(part), "{to}: {said}");
        }
    }
}

#[test]
fn faults_of_a_command_are_said_before_it_is_run() {
    let text = "name = \"c\"\n[mechanism.command]\nrun = [\"true\", \"{inptu}\"]\noutput = \"nubmers\"\ntimeout = 0\n[pair]\na = \"no such file\"\nb = 1\n[claim]\nepsilon = 1\n";
    let said = faults(text);
    for part in [
        "did you mean `{input}`?",
        "did you mean `numbers`?",
        "a.toml:5:11",
        "cannot read `no such file`",
        "a.toml:8:5",
        "5 errors",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = faults("name = \"c\"\n[mechanism.command]\nrun = []\n[claim]\nepsilon = 1\n");
    assert!(
        said.contains("no program to run") && said.contains("two data sets"),
        "{said}"
    );
}
