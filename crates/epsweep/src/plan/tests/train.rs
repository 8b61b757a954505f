//! `[procedure.train]` and `[procedure.clip-then-sum]`: what is read, resolved, refused.

use super::*;
use crate::study::Kind;

const TRAIN: &str = r#"name = "learn"
trials = 8
[procedure.train]
model = "logistic"
generated = { records = 60, features = 3, test = 20, signal = 2, seed = 3 }
steps = 20
rate = 5
clip = 0.5
[budget]
epsilon = 1
delta = 1e-5
"#;

const CSV: &str = r#"name = "ages"
trials = 8
[data]
normal = { column = "age", mean = 40, sd = 15, rows = 50, seed = 1 }
neighbours = "add-remove"
[data.columns]
age = { bounds = [0, 120] }
[procedure.train]
model = "linear"
columns = { label = "age", features = ["age"], test = 0.2 }
steps = 20
rate = 0.1
clip = 10
[budget]
rho = 0.5
"#;

const STAGES: &str = r#"name = "stages"
trials = 8
[data]
normal = { column = "age", mean = 40, sd = 15, rows = 50, seed = 1 }
neighbours = "add-remove"
[data.columns]
age = { bounds = [0, 120] }
[procedure.clip-then-sum]
column = "age"
bound = { quantile = 0.9, points = 13 }
shares = [0.2, 0.4, 0.4]
[budget]
epsilon = 1
"#;

fn refused(text: &str) -> String {
    plan(text).unwrap_err().to_string()
}

#[test]
fn a_training_is_resolved() {
    let plan = valid(TRAIN);
    assert_eq!(plan.study().kind(), Kind::Train);
    let resolved = plan.resolved();
    assert_eq!(resolved.procedure, "train");
    assert_eq!(
        resolved.measures,
        [
            "loss",
            "accuracy",
            "distance",
            "steps",
            "budget_used",
            "step_loss"
        ]
    );
    let cell = &resolved.cells[0];
    let train = cell.train.as_ref().unwrap();
    assert_eq!((train.records, train.test, train.features), (60, 20, 3));
    assert_eq!(
        (cell.composition.as_str(), train.counted.as_str()),
        ("zcdp", "ρ")
    );
    // every second of 20 steps, and the start
    assert_eq!(train.recorded.len(), 11);
    assert_eq!(cell.subjects()[1], "step 2");
    assert!(train.losses[1] < train.losses[0]);
    assert_eq!(train.reference("accuracy"), train.accuracy);
    let sampled = valid(&TRAIN.replace("clip = 0.5", "clip = 0.5\nsampling = 0.25"));
    let cell = &sampled.resolved().cells[0];
    assert_eq!(cell.composition, "rdp");
    assert!(
        cell.train
            .as_ref()
            .unwrap()
            .counted
            .starts_with("Rényi divergence at order")
    );
}

#[test]
fn columns_are_records() {
    let plan = valid(CSV);
    let train = plan.resolved().cells[0].train.clone().unwrap();
    // the feature and a constant; a label that is an affine function of them is learnt exactly
    assert_eq!(train.features, 2);
    assert_eq!(train.records + train.test, 50);
    assert!(train.test > 2 && train.losses[1] < 1e-20, "{train:?}");
    assert!(train.accuracy.is_none());
    assert!(!plan.resolved().measures.contains(&"accuracy".to_owned()));
}

#[test]
fn what_a_training_cannot_do_is_refused() {
    for (from, to, words) in [
        ("delta = 1e-5\n", "", "not purely private"),
        (
            "epsilon = 1\ndelta = 1e-5",
            "epsilon = 1\ndelta = 1e-5\ncomposition = \"basic\"",
            "do not compose by `basic`",
        ),
        ("model = \"logistic\"", "model = \"logistics\"", "logistic"),
        ("steps = 20", "steps = 0", "out of range"),
        ("clip = 0.5", "clip = -1", "from 1e-30 to 1e30"),
        ("rate = 5", "rate = 0", "from 1e-30 to 1e30"),
        ("rate = 5", "rate = 5\nmomentum = 1", "below 1"),
        ("rate = 5", "rate = 5\nsampling = 1.5", "at most 1"),
        ("rate = 5", "rate = 5\nschedule = \"evn\"", "even"),
        (
            "rate = 5",
            "rate = 5\nschedule = { name = \"even\", ratio = 2 }",
            "has no `ratio`",
        ),
        (
            "rate = 5",
            "rate = 5\nschedule = { name = \"growing\", ratio = 0.5 }",
            "from 1.001",
        ),
        ("rate = 5", "rate = 5\naverage = \"first\"", "last"),
        ("rate = 5", "rate = 5\nspeed = 2", "speed"),
        ("seed = 3 }", "seed = 3, noise = 1 }", "linear model"),
        ("steps = 20", "steps = 20000\nrecord = 1", "at most 1000"),
        (
            "[budget]",
            "[data]\ncsv = \"data/ages.csv\"\n[budget]",
            "nothing uses [data]",
        ),
        (
            "[budget]",
            "[[query]]\nname = \"n\"\ncount = {}\n[budget]",
            "answers no queries",
        ),
        ("records = 60", "records = 3", "no unique minimum"),
    ] {
        assert_eq!(TRAIN.matches(from).count(), 1, "{from}");
        let message = refused(&TRAIN.replace(from, to));
        assert!(message.contains(words), "{to}: {message}");
    }
    for (from, to, words) in [
        ("\"add-remove\"", "\"substitute\"", "addition or removal"),
        ("age = { bounds = [0, 120] }", "", "bounds"),
        ("features = [\"age\"]", "features = [\"agee\"]", "agee"),
        ("features = [\"age\"]", "features = []", "no feature"),
        ("model = \"linear\"", "model = \"logistic\"", "are 0 and 1"),
        (
            "features = [\"age\"]",
            "features = [\"age\", \"age\"]",
            "1 error; nothing was run",
        ),
        (
            "test = 0.2",
            "test = 0.9999999",
            "no record is left to learn from, of 50",
        ),
        ("clip = 10", "clip = 10\nsampling = 0.5", "not amplified"),
    ] {
        assert_eq!(CSV.matches(from).count(), 1, "{from}");
        let message = refused(&CSV.replace(from, to));
        assert!(message.contains(words), "{to}: {message}");
    }
}

/// Where a label stands that is no class, and that the label should be no feature.
#[test]
fn labels_are_found_in_their_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "x,y\n1,0\n\n2,1\n3,2\n").unwrap();
    let text = CSV
        .replace(
            "normal = { column = \"age\", mean = 40, sd = 15, rows = 50, seed = 1 }",
            "csv = \"d.csv\"",
        )
        .replace("age = { bounds", "x = { bounds")
        .replace(
            "label = \"age\", features = [\"age\"], test = 0.2",
            "label = \"y\", features = [\"x\"]",
        )
        .replace("\"linear\"", "\"logistic\"");
    let read = |text: &str| Plan::from_text("e.toml", text, folder.path(), &Overrides::default());
    let message = read(&text).unwrap_err().to_string();
    assert!(
        message.contains("column `y` has the label 2 in line 5"),
        "{message}"
    );
    let sees = text
        .replace("\"logistic\"", "\"linear\"")
        .replace("label = \"y\"", "label = \"x\"");
    let plan = read(&sees).unwrap();
    assert_eq!(
        plan.warnings(),
        ["`x` is a feature and the label: the model sees what it is to predict"]
    );
}

#[test]
fn a_delta_of_zero_is_marked_itself() {
    let errors = plan(&TRAIN.replace("delta = 1e-5", "delta = 0")).unwrap_err();
    let place = errors.list()[0].position.as_ref().unwrap();
    assert_eq!(
        (place.text.as_str(), place.column),
        ("delta = 0", 9),
        "{errors}"
    );
}

#[test]
fn the_bounds_of_an_axis_can_have_names() {
    let text = format!(
        "{STAGES}[sweep]\nprocedure.clip-then-sum.bound = [{{ name = \"q90\", quantile = 0.9, points = 13 }}, 60]\n"
    );
    let errors = plan(&text).unwrap_err().to_string();
    // the declared one costs nothing, and that is all that is wrong
    assert!(
        errors.contains("costs nothing") && errors.contains("1 error"),
        "{errors}"
    );
    let named = text.replace(", 60]", "]");
    assert_eq!(valid(&named).resolved().axes[0].labels, ["q90"]);
}

#[test]
fn a_pipeline_is_resolved() {
    let plan = valid(STAGES);
    assert_eq!(plan.study().kind(), Kind::ClipThenSum);
    assert_eq!(
        plan.resolved().measures,
        ["error", "abs_error", "squared_error", "bound"]
    );
    let cell = &plan.resolved().cells[0];
    assert_eq!(cell.subjects(), ["sum", "count", "mean"]);
    let staged = cell.staged.as_ref().unwrap();
    assert_eq!((staged.candidates, staged.shares), (13, [0.2, 0.4, 0.4]));
    assert!((staged.count_scale - 2.5).abs() < 1e-15 && staged.bias < 0.0);
    let declared = STAGES
        .replace("{ quantile = 0.9, points = 13 }", "60")
        .replace(
            "[0.2, 0.4, 0.4]",
            "{ name = \"no choice\", shares = [0, 0.5, 0.5] }",
        );
    let plan = valid(&declared);
    let staged = plan.resolved().cells[0].staged.clone().unwrap();
    assert_eq!((staged.chosen, staged.sum_scale), ([60.0, 0.0], 120.0));
}

#[test]
fn what_a_pipeline_cannot_do_is_refused() {
    for (from, to, words) in [
        (
            "\"add-remove\"",
            "\"substitute\"",
            "number of records is public",
        ),
        ("epsilon = 1", "epsilon = 1\ndelta = 1e-5", "pure ε"),
        ("[0.2, 0.4, 0.4]", "[0.5, 0.5]", "three stages"),
        ("[0.2, 0.4, 0.4]", "[0, 0.5, 0.5]", "choosing has no share"),
        ("[0.2, 0.4, 0.4]", "[0.2, 0.4, 0.3]", "sum"),
        ("{ quantile = 0.9, points = 13 }", "60", "costs nothing"),
        (
            "{ quantile = 0.9, points = 13 }",
            "{ quantile = 2, points = 13 }",
            "between 0 and 1",
        ),
        (
            "column = \"age\"\nbound",
            "column = \"agee\"\nbound",
            "agee",
        ),
        ("age = { bounds = [0, 120] }", "", "bounds"),
    ] {
        assert_eq!(STAGES.matches(from).count(), 1, "{from}");
        let message = refused(&STAGES.replace(from, to));
        assert!(message.contains(words), "{to}: {message}");
    }
}
