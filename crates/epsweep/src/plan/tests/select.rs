//! `[procedure.select]`: what is read, derived, refused.

use super::*;
use crate::record::ResolvedSelect;
use crate::study::{Kind, Study};

const MARKET: &str = r#"name = "market"
trials = 1000
[budget]
epsilon = 1
[procedure.select]
scores = [9, 4, 7, 2, 5]
names = ["kebab", "chicken", "jelly", "soup", "tofu"]
sensitivity = 1
"#;

const DATA: &str = r#"name = "data"
trials = 1000
[data]
csv = "data/symptoms.csv"
neighbours = "add-remove"
[data.columns]
symptom = { text = true }
[budget]
epsilon = 1
[procedure.select]
counts = { column = "symptom" }
"#;

fn select(text: &str) -> ResolvedSelect {
    *valid(text).resolved().cells[0].select.clone().unwrap()
}

fn refused(text: &str) -> String {
    plan(text).unwrap_err().to_string()
}

#[test]
fn the_market_is_resolved() {
    let plan = valid(MARKET);
    assert_eq!(plan.study().kind(), Kind::Select);
    assert_eq!(plan.resolved().procedure, "select");
    assert_eq!(plan.resolved().measures, ["chosen", "utility_loss", "hit"]);
    assert!(plan.cells().is_empty());
    let select = select(MARKET);
    let names: Vec<&str> = select.shown.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["kebab", "jelly", "tofu", "chicken", "soup"]);
    // 1/Σ e^(−gap/2) over the gaps 0, 2, 4, 5, 7
    let kebab = select.shown[0].probability.unwrap();
    assert!((kebab - 0.619004513226781).abs() < 1e-15, "{kebab}");
    assert_eq!(
        (select.noise_scale, select.epsilon, select.rho),
        (Some(2.0), Some(1.0), Some(0.125))
    );
    let tail = select.tail.unwrap();
    assert!(tail.probability <= tail.bound && (tail.bound - 0.05).abs() < 1e-15);
}

/// Permute-and-flip has pure differential privacy only, so that ε²/8 is not booked for it; nothing is promised for rounding.
#[test]
fn what_is_promised_depends_on_the_mechanism() {
    for (mechanism, epsilon, rho) in [
        ("exponential", Some(1.0), Some(0.125)),
        ("gumbel-noisy-max", Some(1.0), Some(0.125)),
        ("permute-and-flip", Some(1.0), Some(0.5)),
        ("laplace-noisy-max", Some(1.0), Some(0.5)),
        ("naive-rounding", None, None),
    ] {
        let select = select(&format!("{MARKET}mechanism = \"{mechanism}\"\n"));
        assert_eq!((select.epsilon, select.rho), (epsilon, rho), "{mechanism}");
    }
    // ten slots of ε/10 each: ρ = 10·(ε/10)²/8
    let several = select(&format!("{MARKET}mechanism = \"peeling\"\nk = 5\n"));
    assert!((several.rho.unwrap() - 0.025).abs() < 1e-15);
    assert_eq!(several.shares, [0.2; 5]);
}

#[test]
fn epsilon_zero_is_uniform_and_never_is_never() {
    let text = MARKET
        .replace("epsilon = 1", "epsilon = 0")
        .replace("[9, 4,", "[9, -inf,");
    let select = select(&text);
    assert_eq!((select.permitted, select.candidates), (4, 5));
    assert!(select.shown.iter().all(|c| c.probability == Some(0.25)));
    assert_eq!(select.noise_scale, None);
}

#[test]
fn sensitivity_and_movement_follow_from_data() {
    let counts = select(DATA);
    assert_eq!(
        (counts.sensitivity, counts.movement.as_str()),
        (1.0, "one-way")
    );
    assert_eq!(
        (counts.shown[0].name.as_str(), counts.shown[0].score),
        ("cough", 212.0)
    );
    let monotone = select(&format!("{DATA}form = \"monotone\"\n"));
    assert_eq!(monotone.noise_scale, Some(1.0));
    // five votes each
    let five = select(&format!("{DATA}sensitivity = 5\n"));
    assert_eq!(five.sensitivity, 5.0);
    let range = MARKET.replace("sensitivity = 1", "range = [0, 8]\nscale = 0.5");
    let range = select(&range);
    assert_eq!((range.sensitivity, range.best), (4.0, 4.0));
    let ages = r#"name = "ages"
[data]
csv = "data/ages.csv"
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 120] }
[budget]
epsilon = 1
[procedure.select]
rank = { column = "age", points = 121 }
"#;
    let median = select(ages);
    assert_eq!((median.candidates, median.sensitivity), (121, 1.0));
    assert_eq!(median.shown[0].name, "40");
}

#[test]
fn made_up_scores_are_reproducible() {
    let zipf = MARKET
        .replace(
            "scores = [9, 4, 7, 2, 5]\n",
            "zipf = { candidates = 1000, top = 100 }\nshow = 3\n",
        )
        .lines()
        .filter(|line| !line.starts_with("names"))
        .collect::<Vec<_>>()
        .join("\n");
    let select = select(&zipf);
    let shown: Vec<(&str, f64)> = (select.shown.iter())
        .map(|c| (c.name.as_str(), c.score))
        .collect();
    assert_eq!(
        shown,
        [
            ("candidate 1", 100.0),
            ("candidate 2", 50.0),
            ("candidate 3", 33.0)
        ]
    );
    assert_eq!(select.permitted, 1000);
}

#[test]
fn faults_name_the_value_and_the_rule() {
    let market = |from: &str, to: &str| {
        assert!(MARKET.contains(from), "{from}");
        MARKET.replace(from, to)
    };
    let more = |line: &str| format!("{MARKET}{line}\n");
    for (text, message) in [
        (
            market("[9, 4,", "[9, nan,"),
            "the score of candidate `chicken` is nan",
        ),
        (market("[9, 4,", "[9, inf,"), "candidate `chicken` is inf"),
        (market("[9, 4, 7, 2, 5]", "[]"), "there is no candidate"),
        (market("[9, 4, 7, 2, 5]", "[9, 4]"), "5 names for 2 scores"),
        (market("\"jelly\"", "\"kebab\""), "is there twice"),
        (market("\"jelly\"", "\"others\""), "means something else"),
        (market("sensitivity = 1", ""), "lacks the key `sensitivity`"),
        (
            market("sensitivity = 1", "sensitivity = -1"),
            "`sensitivity` is -1",
        ),
        (
            market("sensitivity = 1", "sensitivity = 0"),
            "a finite number above 0",
        ),
        (market("epsilon = 1", "epsilon = -1"), "at least 0"),
        (
            market("epsilon = 1", "epsilon = 1\ndelta = 1e-6"),
            "cannot spend `delta`",
        ),
        (more("form = \"monotone\""), "monotone form"),
        (
            more("k = 2\nmechanism = \"exponential\""),
            "chooses one candidate",
        ),
        (more("mechanism = \"peeling\""), "lacks the key `k`"),
        (more("mechanism = \"peeling\"\nk = 6"), "from 1 to 5 slots"),
        (
            more("mechanism = \"peeling\"\nk = 2\nshares = [0.5]"),
            "1 share for 2 slots",
        ),
        (
            more("mechanism = \"peeling\"\nk = 2\nshares = [0.5, 0.6]"),
            "sum",
        ),
        (
            more("mechanism = \"one-shot-gumbel\"\nk = 2\nshares = [0.4, 0.6]"),
            "use even shares",
        ),
        (
            more("mechanism = \"permute-and-flip\"\npath = \"noisy-max\""),
            "has no path `noisy-max`",
        ),
        (
            more("mechanism = \"exponentail\""),
            "did you mean `exponential`",
        ),
        (more("path = \"invers-cdf\""), "did you mean `inverse-cdf`"),
        (more("range = [5, 5]"), "is no range"),
        (more("leader = { candidates = 3, lead = 1 }"), "has both"),
        (
            more("[[query]]\nname = \"a\"\ncount = {}"),
            "answers no queries",
        ),
        (
            more("[procedure.release]"),
            "has both `select` and `release`",
        ),
        (
            more("[data]\ncsv = \"data/ages.csv\"\nneighbours = \"substitute\""),
            "nothing uses [data]",
        ),
        (
            DATA.replace("add-remove", "substitute") + "form = \"monotone\"\n",
            "monotone form",
        ),
        (
            format!("{DATA}sensitivity = 0.5\n"),
            "less than that of the scores, 1",
        ),
        (
            format!("{DATA}movement = \"one-way\"\n"),
            "follows from the data",
        ),
        (
            DATA.replace("\"symptom\" }", "\"sympton\" }"),
            "did you mean `symptom`",
        ),
        (more("measures = [\"rmse\"]"), "unknown key `measures`"),
        (
            format!("measures = [\"rmse\"]\n{MARKET}"),
            "unknown measure `rmse`",
        ),
        (
            more(
                "[sweep]\nprocedure = [{ release = {} }, { select = { scores = [1], sensitivity = 1 } }]",
            ),
            "lacks the section `data`",
        ),
    ] {
        let errors = refused(&text);
        assert!(errors.contains(message), "{message}:\n{errors}");
    }
}

/// The mark stands below the number of slots, and below the value of the axis that gives it.
#[test]
fn too_many_slots_are_marked_where_they_are_asked_for() {
    for (rest, column) in [
        ("mechanism = \"peeling\"\nk = 6\n", 5),
        ("mechanism = \"peeling\"\nk = 2\n[sweep]\nk = [2, 6]\n", 9),
    ] {
        let text = format!("{MARKET}{rest}");
        let errors = plan(&text).unwrap_err();
        let place = errors.list()[0].position.as_ref().unwrap();
        assert_eq!((place.column, place.length), (column, 1), "{errors}");
        assert!(place.text.starts_with("k = "), "{errors}");
    }
}

#[test]
fn cells_share_their_candidates_and_a_law_beyond_reach_is_no_fault_where_it_is_not_needed() {
    let text = format!("{MARKET}[sweep]\nepsilon = [0.5, 1, 2]\n");
    let plan = valid(&text);
    let Study::Select(cells) = plan.study() else {
        panic!("not a selection")
    };
    assert!(std::sync::Arc::ptr_eq(&cells[0].ranking, &cells[2].ranking));
    // scores of 1e300 cannot be rounded to whole numbers exactly
    let large = MARKET
        .replace("[9, 4, 7, 2, 5]", "[9e300, 4, 7, 2, 5]")
        .replace(
            "sensitivity = 1",
            "sensitivity = 1\nmechanism = \"naive-rounding\"",
        );
    assert!(refused(&large).contains("path = \"literal\""));
    let literal = select(&format!("{large}path = \"literal\"\n"));
    assert_eq!((literal.shown[0].probability, literal.tail), (None, None));
}

#[test]
fn the_shipped_selections_are_valid() {
    for (name, cells, claims) in [
        ("night-market.toml", 40, 13),
        ("four-stalls.toml", 12, 8),
        ("neighbours.toml", 4, 5),
        ("crowd.toml", 6, 3),
        ("recommender.toml", 18, 2),
        ("symptoms.toml", 28, 3),
        ("hyperparameters.toml", 12, 3),
        ("score-scaling.toml", 6, 3),
        ("select-mechanisms.toml", 54, 5),
    ] {
        let plan = shipped(name);
        assert_eq!(plan.study().kind(), Kind::Select);
        assert_eq!(plan.study().len(), cells, "{name}");
        assert_eq!(plan.claims().len(), claims, "{name}");
    }
}

#[test]
fn candidates_that_come_from_the_data_are_said_to_be_not_private() {
    let said = |text: &str| valid(text).warnings().join("\n");
    let warned = said(DATA);
    assert!(
        warned.contains("the values of column `symptom` that occur in the data")
            && warned.contains("counts = { column = \"symptom\", candidates = ["),
        "{warned}"
    );
    let named = DATA.replace(
        "column = \"symptom\" }",
        "column = \"symptom\", candidates = [\"cough\", \"fever\"] }",
    );
    assert_eq!(said(&named), "");
}

/// A mark is a candidate only where it is named as one.
#[test]
fn missing_values_are_no_candidates() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        directory.path().join("d.csv"),
        "job\n?\nclerk\n?\n?\nnurse\nclerk\n",
    )
    .unwrap();
    let text = DATA
        .replace("data/symptoms.csv", "d.csv")
        .replace("symptom", "job");
    let load = |text: &str| {
        Plan::from_text("e.toml", text, directory.path(), &Overrides::default())
            .map(|plan| plan.resolved().cells[0].select.clone().unwrap())
    };
    let refused = load(&text).unwrap_err().to_string();
    assert!(
        refused.contains("3 of 6 values cannot be used"),
        "{refused}"
    );
    let names = |text: &str| -> Vec<String> {
        let shown = load(text).unwrap().shown;
        shown.into_iter().map(|candidate| candidate.name).collect()
    };
    let dropped = text.replace("[data.columns]", "missing = \"drop\"\n[data.columns]");
    assert_eq!(names(&dropped), ["clerk", "nurse"]);
    let named = text.replace(
        "column = \"job\" }",
        "column = \"job\", candidates = [\"clerk\", \"nurse\", \"?\"] }",
    );
    assert_eq!(names(&named), ["?", "clerk", "nurse"]);
}
