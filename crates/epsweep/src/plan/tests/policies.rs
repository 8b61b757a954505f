//! `[procedure.stream]` with a policy: what is read, derived, refused.

use super::*;
use crate::study::Study;
use crate::study::stream::PolicyCell;
use epsweep_core::stream::policy::Guarantee;

const EVEN: &str = r#"name = "even"
trials = 1000
[budget]
epsilon = 2
[procedure.stream]
sequence = "bursty"
positions = 20
sensitivity = 1
policy = "even"
groups = 4
"#;

fn cell(text: &str) -> PolicyCell {
    match valid(text).study() {
        Study::Stream(cells) => cells[0].policy().unwrap().clone(),
        _ => panic!("a stream"),
    }
}

fn refused(from: &str, to: &str) -> String {
    assert!(EVEN.contains(from));
    plan(&EVEN.replace(from, to)).unwrap_err().to_string()
}

#[test]
fn a_policy_is_resolved_with_what_follows() {
    let plan = valid(EVEN);
    let resolved = &plan.resolved().cells[0];
    let measures = [
        "answered",
        "spent",
        "stream_error",
        "spent_so_far",
        "refused",
    ];
    assert_eq!(plan.resolved().measures, measures);
    let told = (resolved.guarantee.as_str(), resolved.composition.as_str());
    assert_eq!(told, ("ε = 2", "pure"));
    assert_eq!((resolved.noise.as_str(), resolved.total), ("laplace", 2.0));
    let stream = resolved.stream.as_ref().unwrap();
    let policy = stream.policy.as_ref().unwrap();
    assert_eq!(
        (policy.name.as_str(), policy.known_in_advance),
        ("even", true)
    );
    assert_eq!(policy.groups, ["1-5", "6-10", "11-15", "16-20"]);
    assert!(
        plan.resolved().data[0]
            .source
            .starts_with("20 answers, bursty (level 100, height 100")
    );
    let cell = cell(EVEN);
    let scales = cell
        .schedule
        .unwrap()
        .steps
        .iter()
        .map(|step| step.scale.unwrap())
        .sum::<f64>();
    assert!((scales / 20.0 - 10.0).abs() < 1e-12);
    // another seed of the sequence, other answers; another seed of the run, the same
    assert_ne!(
        *self::cell(&EVEN.replace("groups = 4", "seed = 9")).answers,
        *cell.answers
    );
    assert_eq!(
        *self::cell(&format!("seed = 9\n{EVEN}")).answers,
        *cell.answers
    );
}

#[test]
fn parameters_are_taken_by_name_and_have_defaults() {
    let with = |policy: &str| EVEN.replace("policy = \"even\"", policy);
    let set = |text: &str| {
        let plan = valid(text);
        let stream = plan.resolved().cells[0].stream.clone().unwrap();
        let parameters = stream.policy.unwrap().parameters;
        let pairs = parameters.into_iter().map(|p| (p.name, p.value));
        pairs.collect::<Vec<_>>()
    };
    let part = |value: f64| vec![("part".to_owned(), value)];
    assert_eq!(set(&with("policy = \"fraction\"")), part(0.1));
    assert_eq!(
        set(&with("policy = { name = \"fraction\", part = 0.3 }")),
        part(0.3)
    );
    assert_eq!(set(EVEN), []);
    let swept =
        format!("{EVEN}[sweep]\npolicy = [\"even\", {{ name = \"fixed\", amount = 0.2 }}]\n");
    let plan = valid(&swept);
    assert_eq!(plan.resolved().axes[0].labels, ["even", "fixed"]);
}

#[test]
fn budgets_are_of_every_kind_that_a_filter_counts() {
    let with = |budget: &str| cell(&EVEN.replace("epsilon = 2", budget)).terms;
    let guarantee = |budget: &str| *with(budget).guarantee();
    assert_eq!(guarantee("rho = 0.5"), Guarantee::Zcdp { rho: 0.5 });
    let approximate = Guarantee::Approximate {
        epsilon: 2.0,
        delta: 1e-6,
    };
    assert_eq!(guarantee("epsilon = 2\ndelta = 1e-6"), approximate);
    assert_eq!(
        guarantee("epsilon = 2\ndelta = 1e-6\ncomposition = \"filter\""),
        approximate
    );
    let renyi = Guarantee::Renyi {
        order: 8.0,
        divergence: 3.0,
    };
    assert_eq!(guarantee("divergence = 3\norder = 8"), renyi);
    // known in advance, more fits: the plain sum of the amounts says how much
    let sum = |composition: &str| {
        let text = format!("epsilon = 2\ndelta = 1e-6\ncomposition = \"{composition}\"");
        match guarantee(&text) {
            Guarantee::Pure { epsilon } => epsilon,
            other => panic!("{other:?}"),
        }
    };
    assert!((sum("basic") - 2.0).abs() < 1e-12);
    let (optimal, early) = (sum("optimal"), sum("approximate-2016"));
    let steps = cell(&EVEN.replace("epsilon = 2", "epsilon = 2\ndelta = 1e-6"));
    let filter: f64 = (steps.schedule.unwrap().steps.iter())
        .map(|s| 1.0 / s.scale.unwrap())
        .sum();
    assert!(
        early < filter && filter < optimal,
        "{early} {filter} {optimal}"
    );
    let windowed = cell(&EVEN.replace("groups = 4", "window = 5"));
    assert_eq!(windowed.terms.span(), 5);
}

#[test]
fn answers_come_from_the_file_and_from_data_as_well() {
    let source = "sequence = \"bursty\"\npositions = 20";
    let given = EVEN
        .replace(source, "answers = [3, 1, 4]")
        .replace("groups = 4", "");
    assert_eq!(*cell(&given).answers, [3.0, 1.0, 4.0]);
    let of_data = EVEN
        .replace(source, "answers = { column = \"age\" }")
        .replace("[budget]", "[data]\ncsv = \"data/ages.csv\"\nneighbours = \"substitute\"\n[data.columns]\nage = { bounds = [0, 120] }\n[budget]");
    assert_eq!(cell(&of_data).answers.len(), 1000);
}

#[test]
fn what_cannot_be_is_said_with_its_place_and_remedy() {
    let even = "policy = \"even\"";
    for (from, to, parts) in [
        (even, "policy = \"evne\"", &["evne", "even"][..]),
        (
            even,
            "policy = \"fixed\"",
            &["lacks its parameter `amount`"],
        ),
        (even, "policy = { name = \"fixed\" }", &["amount"]),
        (
            even,
            "policy = { name = \"fraction\", prat = 1 }",
            &["prat", "part"],
        ),
        (
            even,
            "policy = { name = \"fraction\", part = 1 }",
            &["`part` is 1", "below 1"],
        ),
        (
            even,
            "policy = \"oracle\"",
            &["not private", "controls = true"],
        ),
        (even, "policy = \"refinement\"", &["threshold"]),
        (
            even,
            "policy = \"decay\"\nwindow = 4",
            &["whole stream", "even"],
        ),
        (
            even,
            "policy = \"even\"\nwindow = 40",
            &["window", "no longer than the stream"],
        ),
        (
            "epsilon = 2",
            "rho = 2\ndelta = 0.1",
            &["`delta` goes with `epsilon`"],
        ),
        ("epsilon = 2", "divergence = 2", &["order"]),
        ("epsilon = 2", "epsilon = 0", &["0.0"]),
        (
            "epsilon = 2",
            "epsilon = 2\ncomposition = \"rdp\"",
            &["ε and δ"],
        ),
        ("positions = 20", "positions = 0", &["out of range"]),
        ("positions = 20\n", "", &["lacks the key `positions`"]),
        ("sensitivity = 1", "sensitivity = 0", &["sensitivity"]),
        (
            "sequence = \"bursty\"\npositions = 20",
            "answers = [1, 1e16, 3]",
            &[
                "answers of up to 1e16 leave no digits",
                "take the same constant off",
            ],
        ),
        (
            "sequence = \"bursty\"",
            "answers = [1]",
            &["goes with a generated sequence"],
        ),
        ("sequence = \"bursty\"", "sequence = \"busty\"", &["bursty"]),
        ("groups = 4", "grups = 4", &["grups", "groups"]),
    ] {
        let message = refused(from, to);
        for part in parts {
            assert!(message.contains(part), "{to}: {message}");
        }
    }
    let adaptive = EVEN
        .replace(
            "epsilon = 2",
            "epsilon = 2\ndelta = 1e-6\ncomposition = \"optimal\"",
        )
        .replace(even, "policy = \"absorption\"");
    let message = plan(&adaptive).unwrap_err().to_string();
    assert!(
        message.contains("known in advance") && message.contains("filter"),
        "{message}"
    );
    let window = EVEN
        .replace("epsilon = 2", "epsilon = 2\ndelta = 1e-6")
        .replace("groups = 4", "window = 5");
    let message = plan(&window).unwrap_err().to_string();
    assert!(message.contains("ε alone"), "{message}");
}
