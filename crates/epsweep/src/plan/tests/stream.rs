//! `[procedure.stream]`: what is read, derived, refused.

use super::*;
use crate::record::ResolvedStream;
use crate::study::{Kind, Study};

const LISTED: &str = r#"name = "listed"
trials = 1000
[budget]
epsilon = 1
[procedure.stream]
answers = [1, 3, 5]
sensitivity = 1
gate = { name = "svt-alg7", c = 2, threshold = 3 }
"#;

const COUNTED: &str = r#"name = "counted"
trials = 1000
[data]
csv = "data/ages.csv"
neighbours = "add-remove"
[data.columns]
age = { bounds = [0, 120] }
[budget]
epsilon = 1
[procedure.stream]
counts = ["age > 60", "age < 30", "age >= 0"]
gate = { name = "svt-alg7", threshold = 100, form = "monotone" }
"#;

fn stream(text: &str) -> ResolvedStream {
    *valid(text).resolved().cells[0].stream.clone().unwrap()
}

fn refused(text: &str) -> String {
    plan(text).unwrap_err().to_string()
}

#[test]
fn listed_answers_are_resolved() {
    let plan = valid(LISTED);
    assert_eq!(plan.study().kind(), Kind::Stream);
    assert_eq!(
        plan.resolved().measures,
        [
            "wrong_answers",
            "false_alarm",
            "miss",
            "precision",
            "detection_rate",
            "above",
            "answered",
            "not_asked",
            "spent"
        ]
    );
    let Study::Stream(cells) = plan.study() else {
        panic!("a stream");
    };
    assert_eq!((cells.len(), cells[0].guarantee), (1, 1.0));
    let stream = stream(LISTED);
    assert_eq!((stream.queries, stream.movement.as_str()), (3, "any-way"));
    let gate = stream.gate.unwrap();
    assert_eq!((gate.limit, gate.positives), (Some(2), 2));
    // 1 : 4^(2/3)
    assert!((gate.epsilons[0] - 0.284_103_653_416_650_1).abs() < 1e-15);
    assert_eq!((gate.claimed, gate.epsilon), (1.0, Some(1.0)));
    assert_eq!((gate.broken, gate.neighbour), (None, None));
}

#[test]
fn counts_have_the_sensitivity_and_movement_of_their_data() {
    let stream = stream(COUNTED);
    assert_eq!(
        (stream.queries, stream.sensitivity, stream.movement.as_str()),
        (3, 1.0, "one-way")
    );
    let gate = stream.gate.unwrap();
    assert_eq!(gate.form, "monotone");
    assert!((gate.query_scale * gate.epsilons[1] - 1.0).abs() < 1e-12);
    let both = COUNTED.replace("add-remove", "substitute");
    assert!(refused(&both).contains("only where all answers move in one direction"));
    let misspelt = COUNTED.replace("age < 30", "aeg < 30");
    assert!(refused(&misspelt).contains("aeg"), "{}", refused(&misspelt));
}

#[test]
fn a_column_of_the_data_is_a_stream() {
    let text = COUNTED
        .replace(
            "counts = [\"age > 60\", \"age < 30\", \"age >= 0\"]",
            "answers = { column = \"age\" }\nsensitivity = 120",
        )
        .replace(", form = \"monotone\"", "");
    let stream = stream(&text);
    assert_eq!((stream.queries, stream.sensitivity), (1000, 120.0));
    assert!(refused(&text.replace("\nsensitivity = 120", "")).contains("sensitivity"));
}

#[test]
fn broken_gates_are_refused_unless_they_are_controls() {
    let broken = LISTED.replace("svt-alg7", "svt-alg4");
    let text = refused(&broken);
    for part in ["svt-alg4", "(1 + 6c)/4", "control = true"] {
        assert!(text.contains(part), "{text}");
    }
    let control = broken.replace("threshold", "control = true, threshold");
    let plan = valid(&control);
    assert!(plan.warnings().iter().any(|w| w.contains("is a control")));
    let gate = stream(&control).gate.unwrap();
    assert_eq!((gate.claimed, gate.epsilon), (1.0, Some(3.25)));
    let unbounded = control.replace("svt-alg4", "svt-alg5");
    assert_eq!(stream(&unbounded).gate.unwrap().epsilon, None);
}

#[test]
fn a_neighbour_shows_what_outputs_tell() {
    let text = LISTED.replace("threshold", "neighbour = [2, 2, 4], threshold");
    let found = stream(&text).gate.unwrap().neighbour.unwrap();
    assert!(found.leak == 0.0 && found.worst.unwrap() <= 1.0);
    assert!(
        valid(&text)
            .resolved()
            .measures
            .contains(&"leak".to_owned())
    );
    let far = refused(&text.replace("[2, 2, 4]", "[2, 2, 7]"));
    assert!(
        far.contains("answer 3 of the neighbour differs by 2"),
        "{far}"
    );
    let short = refused(&text.replace("[2, 2, 4]", "[2, 2]"));
    assert!(short.contains("2 answers of a stream of 3"), "{short}");
}

#[test]
fn numeric_answers_have_an_error() {
    let text = LISTED.replace("threshold", "numeric = 0.5, threshold");
    let gate = stream(&text).gate.unwrap();
    assert_eq!((gate.epsilons[2], gate.answer_scale), (0.5, Some(4.0)));
    let measures = valid(&text).resolved().measures.clone();
    assert!(measures.contains(&"answer_error".to_owned()));
}

#[test]
fn what_is_wrong_is_said() {
    for (from, to, said) in [
        ("svt-alg7", "svt-alg8", "svt-alg7"),
        ("answers = [1, 3, 5]", "answers = []", "a list of 0 numbers"),
        ("answers = [1, 3, 5]", "answers = [1, nan, 5]", "finite"),
        ("answers = [1, 3, 5]", "", "the queries"),
        (
            "threshold = 3",
            "threshold = [3, 4]",
            "2 thresholds for 3 queries",
        ),
        ("c = 2", "c = 0", "out of range"),
        ("c = 2", "c = 2, split = 1.5", "strictly between"),
        ("c = 2", "c = 2, split = \"half\"", "even"),
        ("c = 2", "c = 2, numeric = 1", "below 1"),
        ("c = 2", "c = 2, limit = 3", "unknown key `limit`"),
        ("svt-alg7", "above-threshold", "must be 1"),
        ("epsilon = 1", "epsilon = 0", "must be finite and above 0"),
        ("epsilon = 1", "rho = 1", "a gate cannot spend `rho`"),
        ("sensitivity = 1\n", "", "lacks the key `sensitivity`"),
        ("gate =", "gates =", "did you mean `gate`"),
    ] {
        let text = refused(&LISTED.replace(from, to));
        assert!(text.contains(said), "{from} → {to}: {text}");
    }
    let with_query = format!("{LISTED}[[query]]\nname = \"n\"\ncount = {{}}\n");
    assert!(refused(&with_query).contains("stand in [procedure.stream]"));
    let unused = format!("{LISTED}[data]\ncsv = \"data/ages.csv\"\nneighbours = \"substitute\"\n");
    assert!(refused(&unused).contains("nothing uses [data]"));
}

/// A sweep over gates, which `gate` and `c` are short for.
#[test]
fn gates_and_limits_can_be_swept() {
    let text = format!(
        "{}[sweep]\ngate = [\"svt-alg7\", \"sparse\", \"svt-alg6\"]\nc = [1, 2]\n",
        LISTED.replace("threshold", "control = true, threshold")
    );
    let plan = valid(&text);
    assert_eq!(plan.resolved().cells.len(), 6);
    let names: Vec<String> = (plan.resolved().cells.iter())
        .map(|cell| cell.stream.clone().unwrap().gate.unwrap().name)
        .collect();
    assert_eq!(names[0], names[1]);
    assert_eq!(names[5], "svt-alg6");
}
