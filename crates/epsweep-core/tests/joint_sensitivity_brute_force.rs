//! The joint sensitivity of several queries is the largest change of all their answers together over all neighbouring pairs of small
//! data sets: reached where all are sums over the records, and never exceeded.

use epsweep_core::data::{Bounds, Column, Predicate, Table, disjoint};
use epsweep_core::query::{self, Argument, Arguments, Query};
use epsweep_core::sensitivity::{Neighbours, Sensitivity};
use proptest::prelude::*;

type Record = (f64, f64, &'static str);

const BOUNDS: [(f64, f64); 2] = [(-2.0, 6.0), (0.0, 1.0)];

/// Every combination of values at and between the constants of the queries below.
fn records() -> Vec<Record> {
    let mut all = Vec::new();
    for x in [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0] {
        for y in [0.0, 0.5, 1.0] {
            for word in ["a", "b", "c"] {
                all.push((x, y, word));
            }
        }
    }
    all
}

fn table(records: &[Record]) -> Table {
    let numbers = |name: &str, values: Vec<f64>, (low, high): (f64, f64)| {
        Column::number(name, values, Some(Bounds::new(low, high).unwrap())).unwrap()
    };
    Table::new(vec![
        numbers(
            "x",
            records.iter().map(|record| record.0).collect(),
            BOUNDS[0],
        ),
        numbers(
            "y",
            records.iter().map(|record| record.1).collect(),
            BOUNDS[1],
        ),
        Column::text(
            "word",
            records.iter().map(|record| record.2.to_owned()).collect(),
        ),
    ])
    .unwrap()
}

fn build(kind: &str, arguments: Arguments) -> Box<dyn Query> {
    query::kind(kind).unwrap().build(&arguments).unwrap()
}

fn count(predicate: &str) -> Box<dyn Query> {
    build("count", Arguments::new().with_text("where", predicate))
}

fn of(kind: &str, column: &str) -> Box<dyn Query> {
    build(kind, Arguments::new().with_text("column", column))
}

fn all_answers(queries: &[Box<dyn Query>], weights: &[f64], table: &Table) -> Option<Vec<f64>> {
    let mut all = Vec::new();
    for (query, weight) in queries.iter().zip(weights) {
        all.extend(
            query
                .answers(table)
                .ok()?
                .into_iter()
                .map(|answer| answer * weight),
        );
    }
    Some(all)
}

/// The largest L1 and L2 change from data sets of that size, all records but one being the first and the last of the list.
fn observed(
    queries: &[Box<dyn Query>],
    weights: &[f64],
    size: usize,
    relation: Neighbours,
) -> (f64, f64) {
    let records = records();
    let others: Vec<Record> = [records[0], records[records.len() - 1]][..size - 1].to_vec();
    let with = |record: Record| table(&[others.as_slice(), &[record]].concat());
    let of_each: Vec<Vec<f64>> = records
        .iter()
        .filter_map(|&record| all_answers(queries, weights, &with(record)))
        .collect();
    let less = match relation {
        Neighbours::AddRemove => {
            all_answers(queries, weights, &table(&others)).map_or(vec![], |one| vec![one])
        }
        Neighbours::Substitute => of_each.clone(),
    };
    let mut largest = (0.0_f64, 0.0_f64);
    for one in &of_each {
        for other in &less {
            let change = || one.iter().zip(other).map(|(x, y)| x - y);
            largest.0 = largest.0.max(change().map(f64::abs).sum());
            largest.1 = largest.1.max(change().map(|x| x * x).sum::<f64>().sqrt());
        }
    }
    largest
}

fn joint(queries: &[Box<dyn Query>], size: usize, relation: Neighbours) -> query::Joint {
    let all: Vec<&dyn Query> = queries.iter().map(Box::as_ref).collect();
    query::joint(&all, &table(&vec![(0.0, 0.0, "a"); size]), relation).unwrap()
}

/// Sums over the records under both relations.
fn sums() -> Vec<Vec<Box<dyn Query>>> {
    let cells = |kind: &str| {
        let edges = Arguments::new()
            .with_text("column", "x")
            .with_numbers("edges", &[0.0, 2.0, 4.0, 6.0]);
        build(kind, edges)
    };
    vec![
        vec![count("x < 2"), count("x >= 2 and x < 4"), count("x >= 4")],
        vec![count("x < 2"), count("x >= 4")],
        vec![
            count("word = 'a'"),
            count("word = 'b'"),
            count("word in ['c', 'd']"),
        ],
        vec![count("x < 3"), count("x > 1")],
        vec![count("x < 3"), count("y > 0.5"), of("sum", "y")],
        vec![of("sum", "x"), count("x < 0")],
        vec![of("sum", "x"), count("x > 3"), count("x <= 3")],
        vec![of("sum", "x"), of("sum", "y"), count("x > 5 or y < 0.5")],
        vec![
            count("word = 'a' and x < 0"),
            count("word = 'a' and x >= 0"),
            count("word = 'b' and x >= 0"),
        ],
        vec![cells("histogram"), count("x between 1 and 2")],
        vec![cells("prefix-sums"), of("sum", "x")],
        vec![cells("binary-tree"), count("y = 0.5")],
        vec![
            build(
                "linear",
                Arguments::new()
                    .with_text("column", "x")
                    .with_numbers("edges", &[0.0, 3.0, 6.0])
                    .with(
                        "matrix",
                        Argument::Matrix(vec![vec![1.0, -2.0], vec![0.5, 3.0]]),
                    ),
            ),
            count("x < 0"),
        ],
        vec![
            build(
                "clipped-sum",
                Arguments::new()
                    .with_text("column", "x")
                    .with_number("low", 0.0)
                    .with_number("high", 3.0),
            ),
            count("x > 3"),
            of("split-mean", "x"),
        ],
        vec![
            build(
                "group-count",
                Arguments::new()
                    .with_text("column", "word")
                    .with_texts("groups", &["a", "b"]),
            ),
            count("x < 0"),
        ],
    ]
}

#[test]
fn sums_over_the_records_reach_their_joint_sensitivity() {
    for queries in sums() {
        for relation in Neighbours::ALL {
            for weights in [
                vec![1.0; queries.len()],
                (1..=queries.len()).map(|i| 0.5 + i as f64).collect(),
            ] {
                let Sensitivity { l1, l2 } =
                    joint(&queries, 2, relation).weighted(&weights).unwrap();
                let (most, root) = observed(&queries, &weights, 2, relation);
                let names: Vec<String> = queries.iter().map(|query| query.definition()).collect();
                assert!(
                    (l1 - most).abs() <= 1e-12 * l1,
                    "{names:?} {relation}: {l1} {most}"
                );
                assert!(
                    (l2 - root).abs() <= 1e-12 * l2,
                    "{names:?} {relation}: {l2} {root}"
                );
            }
        }
    }
}

#[test]
fn what_is_no_sum_is_bounded() {
    let lists: Vec<Vec<Box<dyn Query>>> = vec![
        vec![of("mean", "x"), of("max", "x"), count("x > 2")],
        vec![of("variance", "x"), of("sum", "x"), of("median", "x")],
        vec![
            build(
                "covariance",
                Arguments::new()
                    .with_text("column", "x")
                    .with_text("with", "y"),
            ),
            of("min", "y"),
            build(
                "dot-product",
                Arguments::new()
                    .with_text("column", "x")
                    .with_text("with", "y"),
            ),
        ],
        vec![
            build(
                "vector-sum",
                Arguments::new()
                    .with(
                        "columns",
                        Argument::Texts(vec!["x".to_owned(), "y".to_owned()]),
                    )
                    .with_number("norm", 2.0),
            ),
            of("count-distinct", "word"),
        ],
    ];
    for queries in lists {
        for size in [1, 2, 3] {
            let weights = vec![1.0; queries.len()];
            let relation = Neighbours::Substitute;
            let found = joint(&queries, size, relation);
            let Sensitivity { l1, l2 } = found.sensitivity().unwrap();
            let (most, root) = observed(&queries, &weights, size, relation);
            assert!(
                most <= l1 * (1.0 + 1e-12) && root <= l2 * (1.0 + 1e-12),
                "{l1} {most} {l2} {root}"
            );
            let sum = found.sum().unwrap();
            assert!(l1 <= sum.l1 * (1.0 + 1e-12) && l2 <= sum.l2 * (1.0 + 1e-12));
        }
    }
}

#[test]
fn disjoint_counts_compose_in_parallel() {
    let queries = vec![
        count("x < 2"),
        count("x >= 2 and x < 4"),
        count("x >= 4"),
        count("x > 5"),
    ];
    let three = &queries[..3];
    let added = joint(three, 1, Neighbours::AddRemove);
    assert_eq!(
        added.sensitivity().unwrap(),
        Sensitivity { l1: 1.0, l2: 1.0 }
    );
    assert_eq!(added.sum().unwrap().l1, 3.0);
    // one cell is left and another entered: the largest pair, not the largest one
    let replaced = joint(three, 1, Neighbours::Substitute);
    assert_eq!(replaced.sensitivity().unwrap().l1, 2.0);
    let uneven = replaced.weighted(&[1.0, 5.0, 3.0]).unwrap();
    assert_eq!(uneven.l1, 8.0);
    let all = joint(&queries, 1, Neighbours::AddRemove);
    assert!(all.disjoint(0, 1) && all.disjoint(0, 3) && !all.disjoint(2, 3));
    assert_eq!(all.sensitivity().unwrap().l1, 2.0);
    for weights in [vec![1.0], vec![1.0, f64::NAN, 1.0], vec![1.0, -1.0, 1.0]] {
        assert!(
            replaced
                .weighted(&weights)
                .unwrap_err()
                .to_string()
                .contains("3 queries")
        );
    }
}

#[test]
fn whether_predicates_exclude_each_other_is_decided() {
    let table = table(&[(0.0, 0.0, "a")]);
    for (one, other, expected) in [
        ("x < 2", "x >= 2", true),
        ("x < 2", "x > 1", false),
        ("x <= 2", "x >= 2", false),
        ("x > 2 and x < 2", "x > 0", true),
        ("word = 'a'", "word = 'b'", true),
        ("word != 'a'", "word != 'b'", false),
        ("word in ['a', 'b']", "not (word = 'a' or word = 'b')", true),
        // beyond the declared bounds there is nothing
        ("x > 6", "x >= 0", true),
        ("y >= 1", "y > 0.999", false),
        ("x < 0 and y < 0.5", "x < 0 and y >= 0.5", true),
        ("x < 0 or y < 0.5", "x < 0 or y >= 0.5", false),
        ("x between 1 and 2", "x between 2 and 3", false),
        ("x = 1", "x = 1.0000000000000002", true),
    ] {
        let parse = |text| Predicate::parse(text).unwrap();
        assert_eq!(
            disjoint(&parse(one), &parse(other), &table),
            Ok(Some(expected)),
            "{one} | {other}"
        );
        assert_eq!(
            disjoint(&parse(other), &parse(one), &table),
            Ok(Some(expected)),
            "{other} | {one}"
        );
    }
    let unknown = Predicate::parse("z > 1").unwrap();
    assert!(disjoint(&unknown, &unknown, &table).is_err());
}

/// Joins on data sets that are large enough for their multiplicities.
#[test]
fn joins_reach_their_sensitivity() {
    for (left, right, most) in [(1, 1, 1.0), (2, 1, 2.0), (1, 3, 3.0), (2, 2, 2.0)] {
        let join = |sides: [&str; 2]| {
            build(
                "join-count",
                Arguments::new()
                    .with_text("key", "x")
                    .with_text("left", sides[0])
                    .with_text("right", sides[1])
                    .with_number("left_multiplicity", f64::from(left))
                    .with_number("right_multiplicity", f64::from(right)),
            )
        };
        let apart = join(["word = 'a'", "word = 'b'"]);
        let empty = table(&[]);
        assert_eq!(
            apart
                .sensitivity(&empty, Neighbours::Substitute)
                .unwrap()
                .l1,
            most
        );
        let both = join(["word in ['a', 'b']", "word in ['a', 'c']"]);
        assert_eq!(
            both.sensitivity(&empty, Neighbours::AddRemove).unwrap().l1,
            f64::from(left + right - 1)
        );
        // up to four records of each of two sides under one key, and one more record of any kind
        let mut observed = (0.0_f64, 0.0_f64);
        for rights in 0..5 {
            for lefts in 0..5 {
                let of = |word| (1.0, 0.0, word);
                let sets = [of("a"), of("b"), of("c"), (2.0, 0.0, "a")];
                let mut base = vec![of("a"); lefts];
                base.extend(vec![of("b"); rights]);
                let mut other = vec![of("b"); lefts];
                other.extend(vec![of("c"); rights]);
                for record in sets {
                    let change = |query: &dyn Query, base: &[Record]| {
                        let with = [base, &[record]].concat();
                        (query.answer(&table(&with)).unwrap() - query.answer(&table(base)).unwrap())
                            .abs()
                    };
                    observed.0 = observed.0.max(change(apart.as_ref(), &base));
                    observed.1 = observed.1.max(change(both.as_ref(), &other));
                }
            }
        }
        assert_eq!(observed, (most, f64::from(left + right - 1)));
    }
}

#[test]
fn truncation_trades_bias_for_sensitivity() {
    let records: Vec<Record> = (0..40)
        .map(|i| (f64::from(i % 3), 0.0, if i % 4 == 0 { "a" } else { "b" }))
        .collect();
    let table = table(&records);
    let mut last = (f64::INFINITY, 0.0);
    for most in [1.0, 3.0, 8.0, 40.0] {
        let join = build(
            "join-count",
            Arguments::new()
                .with_text("key", "x")
                .with_text("left", "word = 'a'")
                .with_text("right", "word = 'b'")
                .with_number("left_multiplicity", most)
                .with_number("right_multiplicity", most),
        );
        let bias = join.target(&table).unwrap()[0] - join.answer(&table).unwrap();
        let sensitivity = join.sensitivity(&table, Neighbours::AddRemove).unwrap().l1;
        assert!(
            bias < last.0 && sensitivity > last.1,
            "{bias} {sensitivity}"
        );
        last = (bias, sensitivity);
    }
    assert_eq!(last.0, 0.0);
}

proptest! {
    /// Of pairs of simple predicates, what is decided is what a fine grid of values shows.
    #[test]
    fn disjointness_agrees_with_a_grid(a in 0_u8..6, b in 0_u8..6, c in 0_u8..6, d in 0_u8..6, kind in 0_u8..4) {
        let (one, other) = match kind {
            0 => (format!("x > {a} and x < {b}"), format!("x >= {c} and x <= {d}")),
            1 => (format!("x in [{a}, {b}]"), format!("x between {c} and {d}")),
            2 => (format!("not (x > {a} or x = {b})"), format!("x > {c} and not x > {d}")),
            _ => (format!("x > {a} or x < {b}"), format!("x != {c} and x <= {d}")),
        };
        let (one, other) = (Predicate::parse(&one).unwrap(), Predicate::parse(&other).unwrap());
        let grid: Vec<Record> = (-8..=24).map(|quarter| (f64::from(quarter) / 4.0, 0.0, "a")).collect();
        let table = table(&grid);
        let shared = one.select(&table).unwrap().into_iter().zip(other.select(&table).unwrap()).any(|(x, y)| x && y);
        prop_assert_eq!(disjoint(&one, &other, &table), Ok(Some(!shared)));
    }
}
