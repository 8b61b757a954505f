//! Queries with a vector for an answer, and those that tell something else than what they release.

use super::*;
use crate::data::{Bounds, Column, Table};
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

fn table() -> Table {
    let bounds = Bounds::new(0.0, 10.0).unwrap();
    let x = vec![0.0, 1.0, 2.0, 4.0, 4.0, 9.0, 10.0, 3.0];
    let y = vec![0.5, -1.0, 2.0, 0.0, 1.0, -2.0, 2.0, 0.0];
    let words = ["a", "b", "a", "c", "b", "a", "b", "z"];
    Table::new(vec![
        Column::number("x", x, Some(bounds)).unwrap(),
        Column::number("y", y, Some(Bounds::new(-2.0, 2.0).unwrap())).unwrap(),
        Column::text("word", words.map(str::to_owned).to_vec()),
        Column::text(
            "side",
            ["l", "r"]
                .repeat(4)
                .into_iter()
                .map(str::to_owned)
                .collect(),
        ),
    ])
    .unwrap()
}

fn of(column: &str) -> Arguments {
    Arguments::new().with_text("column", column)
}

fn build(name: &str, arguments: Arguments) -> Box<dyn Query> {
    kind(name).unwrap().build(&arguments).unwrap()
}

fn answers(name: &str, arguments: Arguments) -> Vec<f64> {
    build(name, arguments).answers(&table()).unwrap()
}

#[track_caller]
fn refused<T: Debug>(outcome: Result<T, QueryError>, part: &str) {
    let text = outcome.unwrap_err().to_string();
    assert!(text.contains(part), "no {part:?} in: {text}");
}

#[test]
fn cells_are_counted() {
    let edges = of("x").with_numbers("edges", &[0.0, 2.0, 4.0, 10.0]);
    assert_eq!(answers("histogram", edges.clone()), [2.0, 2.0, 4.0]);
    let where_a = edges.clone().with_text("where", "word = 'a'");
    assert_eq!(answers("histogram", where_a), [1.0, 1.0, 1.0]);
    assert_eq!(
        build("histogram", edges.clone()).parts(),
        ["x in [0, 2)", "x in [2, 4)", "x in [4, 10]"]
    );
    let equal = of("x")
        .with_number("low", 0.0)
        .with_number("high", 10.0)
        .with_number("bins", 5.0);
    assert_eq!(
        answers("histogram", equal.clone()),
        [2.0, 2.0, 2.0, 0.0, 2.0]
    );
    assert_eq!(
        answers("prefix-sums", equal.clone()),
        [2.0, 4.0, 6.0, 6.0, 8.0]
    );
    let categories = of("word").with_texts("categories", &["b", "a", "none"]);
    assert_eq!(answers("histogram", categories), [3.0, 3.0, 0.0]);
    let groups = of("word")
        .with_texts("groups", &["a", "b"])
        .with_text("by", "side")
        .with_texts("by_groups", &["l", "r"]);
    assert_eq!(answers("group-count", groups.clone()), [2.0, 1.0, 2.0, 1.0]);
    assert_eq!(
        build("group-count", groups).parts()[1],
        "word = a, side = r"
    );
    let tree = of("x").with_numbers("edges", &[0.0, 2.0, 4.0, 6.0, 10.0]);
    assert_eq!(
        answers("binary-tree", tree),
        [8.0, 4.0, 2.0, 2.0, 4.0, 2.0, 2.0]
    );
    let matrix = edges.with(
        "matrix",
        Argument::Matrix(vec![vec![1.0, 1.0, 1.0], vec![1.0, 0.0, -0.5]]),
    );
    assert_eq!(answers("linear", matrix), [8.0, 0.0]);
}

#[test]
fn numbers_of_columns() {
    let x = [0.0, 1.0, 2.0, 4.0, 4.0, 9.0, 10.0, 3.0];
    let mean = 33.0 / 8.0;
    let squares: f64 = x.iter().map(|x| (x - mean) * (x - mean)).sum();
    let near = |name: &str, arguments: Arguments, expected: f64| {
        let answer = answers(name, arguments)[0];
        assert!(
            (answer - expected).abs() < 1e-12,
            "{name}: {answer} {expected}"
        );
    };
    near("variance", of("x"), squares / 8.0);
    near("sample-variance", of("x"), squares / 7.0);
    near("standard-deviation", of("x"), (squares / 8.0).sqrt());
    near("sample-standard-deviation", of("x"), (squares / 7.0).sqrt());
    near("median", of("x"), 3.0);
    near("quantile", of("x").with_number("p", 0.75), 4.0);
    near("quantile", of("x").with_number("p", 1.0), 10.0);
    near("range", of("x"), 10.0);
    near("count-distinct", of("word"), 4.0);
    // Σxy = 0 − 1 + 4 + 0 + 4 − 18 + 20 + 0 = 9, Σy = 2.5
    near("dot-product", of("x").with_text("with", "y"), 9.0);
    near(
        "covariance",
        of("x").with_text("with", "y"),
        9.0 / 8.0 - mean * 2.5 / 8.0,
    );
    near(
        "sample-covariance",
        of("x").with_text("with", "y"),
        (9.0 - mean * 2.5) / 7.0,
    );
}

#[test]
fn clipping_is_a_bias_of_the_answer() {
    let clip = of("x").with_number("low", 0.0).with_number("high", 4.0);
    let sum = build("clipped-sum", clip.clone());
    assert_eq!(
        (sum.answer(&table()), sum.target(&table())),
        (Ok(22.0), Ok(vec![33.0]))
    );
    let mean = build("clipped-mean", clip.clone());
    assert_eq!(
        (mean.answer(&table()), mean.target(&table())),
        (Ok(2.75), Ok(vec![4.125]))
    );
    let split = build("split-mean", clip.with_number("centre", 2.0));
    assert_eq!(split.answers(&table()), Ok(vec![6.0, 8.0]));
    assert_eq!(split.parts(), ["sum of x − 2", "count"]);
    assert_eq!(split.derive(&[6.0, 8.0]), [2.75]);
    // a count below 1 is none, and the mean stays within the clipping bounds
    assert_eq!(split.derive(&[100.0, -3.0]), [4.0]);
    let parts = split
        .part_sensitivities(&table(), Neighbours::AddRemove)
        .unwrap();
    assert_eq!((parts[0].l1, parts[1].l1), (2.0, 1.0));
    let all = split.sensitivity(&table(), Neighbours::AddRemove).unwrap();
    assert_eq!(all.l1, 3.0);
    assert!((all.l2 - 5.0_f64.sqrt()).abs() < 1e-15);
    assert_eq!(split.target(&table()), Ok(vec![4.125]));
    let vectors = Arguments::new()
        .with_texts("columns", &["x", "y"])
        .with_number("norm", 5.0);
    let vectors = build("vector-sum", vectors);
    let target = vectors.target(&table()).unwrap();
    assert_eq!(target, [33.0, 2.5]);
    assert!(vectors.answers(&table()).unwrap()[0] < 33.0);
}

#[test]
fn ranges_come_from_the_measurements() {
    let cells = of("x")
        .with_number("low", 0.0)
        .with_number("high", 10.0)
        .with_number("bins", 5.0);
    for strategy in ["identity", "hierarchical", "prefix"] {
        let query = build(
            "range-queries",
            cells.clone().with_text("strategy", strategy),
        );
        let target = query.target(&table()).unwrap();
        assert_eq!(target.len(), 15);
        let derived = query.derive(&query.answers(&table()).unwrap());
        for (one, other) in target.iter().zip(&derived) {
            assert!((one - other).abs() < 1e-12);
        }
        assert_eq!(query.outputs()[1], "cells 1 to 2");
        // noise of variance 1 in one measurement at a time, added up, is the variance of each output
        let parts = query.parts().len();
        let mut sums = vec![0.0; 15];
        for part in 0..parts {
            let mut noise = vec![0.0; parts];
            noise[part] = 1.0;
            for (sum, output) in sums.iter_mut().zip(query.derive(&noise)) {
                *sum += output * output;
            }
        }
        for (sum, variance) in sums.iter().zip(query.output_variances().unwrap()) {
            assert!(
                (sum - variance).abs() < 1e-12,
                "{strategy}: {sum} {variance}"
            );
        }
    }
    let asked = cells
        .with_text("strategy", "prefix")
        .with_numbers("from", &[1.0, 2.0])
        .with_numbers("to", &[3.0, 2.0]);
    let query = build("range-queries", asked);
    assert_eq!(query.target(&table()), Ok(vec![6.0, 2.0]));
    assert_eq!(query.outputs(), ["cells 1 to 3", "cell 2"]);
}

#[test]
fn what_is_no_query_is_refused() {
    let made = |name: &str, arguments: Arguments| kind(name).unwrap().build(&arguments);
    refused(made("histogram", of("x")), "exactly one of");
    let twice = of("x")
        .with_numbers("edges", &[0.0, 1.0])
        .with_texts("categories", &["a"]);
    refused(made("histogram", twice), "exactly one of");
    refused(
        made("histogram", of("x").with_numbers("edges", &[1.0])),
        "from 2",
    );
    refused(
        made("histogram", of("x").with_numbers("edges", &[1.0, 1.0])),
        "rise",
    );
    refused(
        made("histogram", of("x").with_numbers("edges", &[1.0, f64::NAN])),
        "finite",
    );
    refused(
        made("histogram", of("x").with_texts("categories", &["a", "a"])),
        "`a` twice",
    );
    let bins = |bins| {
        of("x")
            .with_number("low", 0.0)
            .with_number("high", 1.0)
            .with_number("bins", bins)
    };
    for wrong in [0.0, 1.5, 1e9, f64::NAN] {
        refused(made("histogram", bins(wrong)), "whole number");
    }
    let groups = of("word")
        .with_texts("groups", &["a"])
        .with_text("by", "side");
    refused(made("group-count", groups), "by_groups");
    for p in [0.0, 1.1, f64::NAN] {
        refused(made("quantile", of("x").with_number("p", p)), "above 0");
    }
    refused(
        made("sample-variance", of("x").with_number("at_least", 1.0)),
        "at least 2",
    );
    let matrix = |rows| bins(2.0).with("matrix", Argument::Matrix(rows));
    refused(made("linear", matrix(vec![])), "no row");
    refused(made("linear", matrix(vec![vec![1.0]])), "a row of 1 for 2");
    refused(
        made("linear", matrix(vec![vec![1.0, f64::INFINITY]])),
        "finite",
    );
    let ranges = bins(4.0).with_text("strategy", "identity");
    refused(
        made(
            "range-queries",
            ranges.clone().with_text("strategy", "magic"),
        ),
        "identity, hierarchical",
    );
    refused(
        made("range-queries", ranges.clone().with_numbers("from", &[1.0])),
        "first and a last",
    );
    let backwards = ranges
        .clone()
        .with_numbers("from", &[3.0])
        .with_numbers("to", &[2.0]);
    refused(made("range-queries", backwards), "2..2");
    let outside = ranges
        .with_numbers("from", &[0.0])
        .with_numbers("to", &[2.0]);
    refused(made("range-queries", outside), "from 1");
    refused(
        made(
            "range-queries",
            bins(16384.0).with_text("strategy", "prefix"),
        ),
        "ask for fewer",
    );
    refused(
        made(
            "vector-sum",
            Arguments::new()
                .with_texts("columns", &[])
                .with_number("norm", 1.0),
        ),
        "at least one",
    );
    refused(
        made(
            "vector-sum",
            Arguments::new()
                .with_texts("columns", &["x"])
                .with_number("norm", 0.0),
        ),
        "above 0",
    );
    let reversed = of("x").with_number("low", 1.0).with_number("high", 0.0);
    refused(made("clipped-sum", reversed), "swap");
    let table = table();
    refused(
        build("histogram", bins(3.0)).answer(&table),
        "vector of 3 numbers",
    );
    let of_text = of("word").with_numbers("edges", &[0.0, 1.0]);
    refused(build("histogram", of_text).answers(&table), "holds text");
    let of_numbers = of("x").with_texts("categories", &["a"]);
    refused(
        build("histogram", of_numbers).sensitivity(&table, Neighbours::AddRemove),
        "holds numbers",
    );
    let variance = build("variance", of("x"));
    refused(
        variance.sensitivity(&table, Neighbours::AddRemove),
        "`at_least`",
    );
}

/// Any argument for a parameter, sensible or not.
fn argument(parameter: &Parameter, number: f64, index: usize) -> Argument {
    let texts = ["x", "word", "side", "a", "nothing"];
    let predicates = [
        "x > 3",
        "word = 'a'",
        "side = 'l'",
        "y < 0 or x in [1, 2]",
        "z = 1",
    ];
    match parameter.kind {
        ParameterKind::Column => Argument::Text(texts[index % 5].to_owned()),
        ParameterKind::Predicate => Argument::Text(predicates[index % 5].to_owned()),
        ParameterKind::Number => Argument::Number(number),
        ParameterKind::Numbers => {
            Argument::Numbers(vec![0.0, number, 7.0][..1 + index % 3].to_vec())
        }
        ParameterKind::Texts => {
            let list = texts.iter().skip(index % 5).map(|text| (*text).to_owned());
            Argument::Texts(list.collect())
        }
        ParameterKind::Matrix => Argument::Matrix(vec![vec![number; 1 + index % 3]; 2]),
        ParameterKind::Choice(words) => Argument::Text(words[index % words.len()].to_owned()),
    }
}

proptest! {
    /// Whatever the arguments and whatever is released, nothing panics, and lengths agree.
    #[test]
    fn nothing_panics(
        which in 0..REGISTRY.len(),
        given in prop::collection::vec((any::<bool>(), 0_usize..60, prop::sample::select(vec![
            0.0, 1.0, 2.0, 3.0, 5.0, 0.5, -1.0, 1e300, -1e308, 1e-300, f64::NAN, f64::INFINITY, 40.0,
        ])), 12),
        released in prop::collection::vec(any::<f64>(), 64),
        rows in 0_usize..9,
    ) {
        let kind = REGISTRY[which];
        let mut arguments = Arguments::new();
        for (parameter, (present, index, number)) in kind.parameters().iter().zip(given) {
            if present || parameter.required {
                arguments = arguments.with(parameter.name, argument(parameter, number, index));
            }
        }
        if let Ok(query) = kind.build(&arguments) {
            let whole = table();
            let cut = whole.columns().iter().map(|column| match column.values() {
                crate::data::Values::Number(values) => {
                    Column::number(column.name(), values[..rows.min(8)].to_vec(), column.bounds()).unwrap()
                }
                crate::data::Values::Text(texts) => Column::text(column.name(), texts[..rows.min(8)].to_vec()),
            });
            let table = Table::new(cut.collect()).unwrap();
            let parts = query.parts().len();
            prop_assert!(parts > 0);
            if let Ok(answers) = query.answers(&table) {
                prop_assert_eq!(answers.len(), parts);
                prop_assert!(answers.iter().all(|answer| answer.is_finite()));
            }
            if let Ok(target) = query.target(&table) {
                prop_assert_eq!(target.len(), query.outputs().len());
            }
            let noisy: Vec<f64> = released.iter().copied().cycle().take(parts).collect();
            let mut outputs = query.derive(&noisy);
            prop_assert_eq!(outputs.len(), query.outputs().len());
            crate::postprocess::Step::apply(&crate::postprocess::NonNegative, &mut outputs);
            for neighbours in Neighbours::ALL {
                if let Ok(sensitivity) = query.sensitivity(&table, neighbours) {
                    prop_assert!(sensitivity.l2 <= sensitivity.l1 * (1.0 + 1e-12));
                    prop_assert_eq!(query.part_sensitivities(&table, neighbours).map(|all| all.len()), Ok(parts));
                    let joint = joint(&[query.as_ref(), query.as_ref()], &table, neighbours);
                    if let Ok(both) = joint.and_then(|joint| joint.sensitivity()) {
                        prop_assert!(both.l1 <= 2.0 * sensitivity.l1 * (1.0 + 1e-12));
                    }
                }
            }
        }
    }
}
