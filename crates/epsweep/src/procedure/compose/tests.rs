//! Releases that are counted, from file to rows.

use crate::engine::{Kept, Progress};
use crate::pipeline;
use crate::plan::{Overrides, Plan};
use epsweep_core::accounting::{Mechanism, Release, accountant};
use epsweep_core::budget::Epsilon;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const FILE: &str = r#"
name = "counted"
[budget]
epsilon = 1
delta = 1e-6
[procedure.compose]
accountant = "basic"
release = { laplace = 0.1 }
k = 100
[sweep]
accountant = { path = "procedure.compose.accountant", values = ["basic", "optimal", "zcdp", "pld"] }
[[claim]]
id = "sum"
text = "a hundred tenths are ten"
exact = { of = "total_epsilon.mean", cell = { accountant = "basic" }, claimed = 10 }
verdict = "holds"
[[claim]]
id = "below"
text = "optimal composition is below the sum"
order = { lower = { of = "total_epsilon.mean", cell = { accountant = "optimal" } }, higher = { of = "total_epsilon.mean", cell = { accountant = "basic" } } }
verdict = "holds"
"#;

fn planned(text: &str) -> Result<Plan, String> {
    Plan::from_text("counted.toml", text, Path::new(""), &Overrides::default())
        .map_err(|faults| faults.to_string())
}

fn rows(plan: &Plan, jobs: usize) -> (pipeline::Rows, String) {
    let (progress, stop) = (Progress::default(), AtomicBool::new(false));
    let simulated = pipeline::simulate(plan, jobs, Kept::default(), &progress, &stop).unwrap();
    assert!(!simulated.stopped && progress.done() == progress.total());
    let digest = simulated.digest();
    (pipeline::rows(plan, &simulated).unwrap(), digest)
}

#[test]
fn rows_hold_what_the_accountants_say_and_no_trials() {
    let plan = planned(FILE).unwrap();
    assert_eq!((plan.resolved().trials, plan.pairs().len()), (0, 0));
    let (found, digest) = rows(&plan, 1);
    let release = Mechanism::Laplace(Epsilon::new(0.1).unwrap());
    let releases = [Release::repeated(release, 100).unwrap()];
    for name in ["basic", "optimal", "zcdp", "pld"] {
        let total = accountant(name).unwrap().total(&releases, 1e-6).unwrap();
        let row = |measure: &str| {
            (found.summary.rows.iter()).find(|row| row.axes[0] == name && row.measure == measure)
        };
        let epsilon = row("total_epsilon").unwrap();
        assert_eq!(
            (epsilon.value, epsilon.exact, epsilon.mcse),
            (total.epsilon, Some(total.epsilon), Some(0.0))
        );
        assert_eq!((epsilon.trials, epsilon.method.as_str()), (0, "theory"));
        assert_eq!(row("total_lower").map(|row| row.value), total.lower);
        let runs = row("most_runs").unwrap().value;
        assert!(
            if name == "basic" {
                runs == 10.0
            } else {
                runs > 0.0
            },
            "{name}: {runs}"
        );
    }
    assert!(found.histograms.is_empty() && found.comparisons.is_empty());
    for claim in &found.claims {
        assert_eq!(claim.verdict, claim.expected, "{}", claim.claim);
    }
    // whatever the number of threads
    assert_eq!(rows(&planned(FILE).unwrap(), 3).1, digest);
}

#[test]
fn what_an_accountant_cannot_serve_is_told_and_has_no_row() {
    let text = FILE.replace(
        "\"optimal\", \"zcdp\"",
        "\"optimal\", \"gaussian\", \"zcdp\"",
    );
    let (found, _) = rows(&planned(&text).unwrap(), 0);
    assert!(
        !found
            .summary
            .rows
            .iter()
            .any(|row| row.axes[0] == "gaussian")
    );
    let told = |warning: &String| {
        warning.contains("in the cell accountant=gaussian")
            && warning.contains("Gaussian noise only")
    };
    assert!(
        found.summary.warnings.iter().any(told),
        "{:?}",
        found.summary.warnings
    );
}

#[test]
fn releases_can_be_mixed_and_run_several_times() {
    let mixed = "release = [{ laplace = 0.1, count = 2 }, { gaussian = 10 }]";
    let text = FILE.replace("release = { laplace = 0.1 }", mixed);
    // a method that needs an ε of each release is told one, but this theorem is about equal releases
    let text = text
        .replace("\"optimal\", ", "")
        .replace("accountant = \"optimal\"", "accountant = \"pld\"");
    let plan = planned(&text.replace("claimed = 10 }", "at_least = 10 }")).unwrap();
    let compose = plan.resolved().cells[0].compose.as_ref().unwrap();
    assert_eq!(
        compose.words(),
        "200 × Laplace noise with ε = 0.1, 100 × Gaussian noise with σ/Δ = 10.0"
    );
    let (found, _) = rows(&plan, 0);
    assert!(
        found
            .claims
            .iter()
            .all(|claim| claim.verdict == claim.expected)
    );
}

#[test]
fn faults_name_the_remedy() {
    for (from, to, message) in [
        ("\"zcdp\", ", "\"zcpd\", ", "did you mean `zcdp`"),
        ("k = 100", "k = 0", "a whole number from 1"),
        ("k = 100", "k = 1e16", "a whole number from 1"),
        ("laplace = 0.1", "laplace = 0", "ε"),
        ("laplace = 0.1", "laplce = 0.1", "did you mean `laplace`"),
        ("{ laplace = 0.1 }", "[]", "there is no release"),
        (
            "{ laplace = 0.1 }",
            "{ laplace = 0.1, count = 1e15 }",
            "more releases than can be counted",
        ),
        ("delta = 1e-6", "delta = 1", "δ"),
        ("epsilon = 1\n", "epsilon = -1\n", "ε"),
        ("delta = 1e-6", "rho = 1", "not counted by `rho`"),
        ("[budget]", "trials = 100\n[budget]", "no use for `trials`"),
        ("[budget]", "[compare]\n[budget]", "no use for `compare`"),
        (
            "[budget]",
            "[[query]]\nname = \"a\"\n[budget]",
            "answers no queries",
        ),
        (
            "verdict = \"holds\"\n[[claim]]\nid = \"below\"",
            "verdict = \"holds\"\n[[claim]]\nid = \"win\"\ntext = \"t\"\nprobability = { of = \"win\", measure = \"total_epsilon\", a = { accountant = \"pld\" }, b = { accountant = \"basic\" }, at_least = 0.5 }\nverdict = \"holds\"\n[[claim]]\nid = \"below\"",
            "paired trials",
        ),
    ] {
        let text = FILE.replacen(from, to, 1);
        assert_ne!(text, FILE, "{from}");
        let faults = planned(&text).unwrap_err();
        assert!(faults.contains(message), "{to}: {faults}");
    }
}
