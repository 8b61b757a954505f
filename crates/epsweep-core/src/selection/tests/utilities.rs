//! Scores from data.

use super::super::utility::{Utility, accuracy, counts, distinct, grid, rank, weighted_rank};
use super::super::{Form, Movement, SelectionError};
use crate::data::{Bounds, Column, Table};
use crate::sensitivity::Neighbours;

fn numbers(values: &[f64]) -> Table {
    Table::new(vec![Column::number("x", values.to_vec(), None).unwrap()]).unwrap()
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn values_are_counted_for_their_candidates() {
    let symptoms = Column::text("symptom", names(&["cough", "fever", "cough", "rash"]));
    let table = Table::new(vec![symptoms]).unwrap();
    let candidates = names(&["cough", "ache", "fever"]);
    let utility = counts(&table, "symptom", &candidates, Neighbours::AddRemove).unwrap();
    assert_eq!(utility.scores.as_slice(), [2.0, 0.0, 1.0]);
    assert_eq!(
        distinct(&table, "symptom").unwrap(),
        names(&["cough", "fever", "rash"])
    );
    let table = numbers(&[1.0, 2.5, 1.0, 0.0]);
    let utility = counts(
        &table,
        "x",
        &names(&["1", "2.50", "-0"]),
        Neighbours::Substitute,
    )
    .unwrap();
    assert_eq!(utility.scores.as_slice(), [2.0, 1.0, 1.0]);
    assert_eq!(distinct(&table, "x").unwrap(), names(&["0", "1", "2.5"]));

    let refused = |candidates: &[&str]| {
        counts(&table, "x", &names(candidates), Neighbours::Substitute).unwrap_err()
    };
    assert!(matches!(
        refused(&["1", "one"]),
        SelectionError::CandidateNotNumber { .. }
    ));
    assert!(matches!(
        refused(&["1", "1.0"]),
        SelectionError::DuplicateCandidate { .. }
    ));
    assert_eq!(refused(&[]), SelectionError::NoCandidates);
    assert!(matches!(
        counts(&table, "y", &names(&["1"]), Neighbours::Substitute),
        Err(SelectionError::Data(_))
    ));
}

#[test]
fn counts_may_use_the_monotone_form_under_add_remove_only() {
    let table = numbers(&[1.0, 2.0, 1.0]);
    let of = |neighbours| counts(&table, "x", &names(&["1", "2"]), neighbours).unwrap();
    let problem = of(Neighbours::AddRemove)
        .problem(1.0, Form::Monotone)
        .unwrap();
    assert_eq!(problem.gaps(), [0.0, 1.0]);
    let error = of(Neighbours::Substitute)
        .problem(1.0, Form::Monotone)
        .unwrap_err();
    assert_eq!(error, SelectionError::NotMonotone);
    let problem = of(Neighbours::Substitute)
        .problem(1.0, Form::General)
        .unwrap();
    assert_eq!(problem.gaps(), [0.0, 0.5]);
}

#[test]
fn ranks_say_how_far_a_value_is_from_the_quantile() {
    let table = numbers(&[1.0, 2.0, 2.0, 3.0, 10.0]);
    let candidates = [0.0, 2.0, 2.5, 10.0];
    let utility = rank(&table, "x", 0.5, &candidates, Neighbours::Substitute).unwrap();
    assert_eq!(utility.scores.as_slice(), [-2.5, -1.5, -0.5, -1.5]);
    let utility = weighted_rank(&table, "x", 0.5, &candidates, Neighbours::Substitute).unwrap();
    assert_eq!(utility.scores.as_slice(), [-2.5, -0.5, -0.5, -2.0]);
    for value in [0.0, 1.0, f64::NAN] {
        let refused = rank(&table, "x", value, &candidates, Neighbours::Substitute);
        assert!(matches!(refused, Err(SelectionError::Quantile { .. })));
    }
    let refused = |candidates: &[f64]| {
        rank(&table, "x", 0.5, candidates, Neighbours::Substitute).unwrap_err()
    };
    assert_eq!(
        refused(&[1.0, f64::NAN]),
        SelectionError::NotANumber { index: 1 }
    );
    assert!(matches!(
        refused(&[1.0, 2.0, 1.0]),
        SelectionError::DuplicateCandidate { .. }
    ));
    assert_eq!(
        grid(Bounds::new(-1.0, 1.0).unwrap(), 5),
        [-1.0, -0.5, 0.0, 0.5, 1.0]
    );
    assert_eq!(grid(Bounds::new(-1.0, 3.0).unwrap(), 1), [1.0]);
    assert!(grid(Bounds::new(-1.0, 3.0).unwrap(), 0).is_empty());
}

#[test]
fn accuracy_counts_what_a_model_gets_right() {
    let column = |name: &str, values: &[f64]| Column::number(name, values.to_vec(), None).unwrap();
    let table = Table::new(vec![
        column("label", &[0.0, 1.0, 1.0, 0.0]),
        column("small", &[0.0, 1.0, 0.0, 0.0]),
        column("large", &[1.0, 1.0, 1.0, 1.0]),
        Column::text("words", names(&["a", "b", "c", "d"])),
    ])
    .unwrap();
    let models = names(&["small", "large"]);
    let utility = accuracy(&table, "label", &models, Neighbours::Substitute).unwrap();
    assert_eq!(
        (utility.scores.as_slice(), utility.sensitivity),
        (&[0.75, 0.5][..], 0.25)
    );
    assert_eq!(utility.movement, Movement::AnyWay);
    let refused = |labels: &str, models: &[&str], neighbours| {
        accuracy(&table, labels, &names(models), neighbours).unwrap_err()
    };
    assert!(matches!(
        refused("label", &["small"], Neighbours::AddRemove),
        SelectionError::PrivateSize { .. }
    ));
    for (labels, model) in [("label", "words"), ("words", "small"), ("label", "none")] {
        assert!(matches!(
            refused(labels, &[model], Neighbours::Substitute),
            SelectionError::Data(_)
        ));
    }
    let empty = Table::new(vec![column("label", &[]), column("m", &[])]).unwrap();
    assert!(matches!(
        accuracy(&empty, "label", &names(&["m"]), Neighbours::Substitute),
        Err(SelectionError::NoRows { .. })
    ));
}

/// All tables of up to four rows over three values, with their neighbours.
fn pairs(neighbours: Neighbours) -> Vec<(Vec<f64>, Vec<f64>)> {
    let mut tables: Vec<Vec<f64>> = vec![Vec::new()];
    let mut start = 0;
    for _ in 0..4 {
        let end = tables.len();
        for place in start..end {
            for value in [0.0, 1.0, 2.0] {
                let mut longer = tables[place].clone();
                longer.push(value);
                tables.push(longer);
            }
        }
        start = end;
    }
    let mut pairs = Vec::new();
    for table in tables.iter().filter(|table| !table.is_empty()) {
        let (_, rest) = table.split_last().unwrap();
        match neighbours {
            Neighbours::AddRemove => pairs.push((table.clone(), rest.to_vec())),
            Neighbours::Substitute => {
                pairs.extend(
                    [0.0, 1.0, 2.0].map(|value| (table.clone(), [rest, &[value]].concat())),
                );
            }
        }
    }
    pairs
}

#[test]
fn sensitivities_and_movements_are_those_of_all_small_neighbouring_tables() {
    type Maker = dyn Fn(&Table, Neighbours) -> Utility;
    let quantile = |q: f64| -> Box<Maker> {
        Box::new(move |table, neighbours| {
            rank(table, "x", q, &[0.0, 0.5, 1.0, 2.0, 3.0], neighbours).unwrap()
        })
    };
    let weighted = |q: f64| -> Box<Maker> {
        Box::new(move |table, neighbours| {
            weighted_rank(table, "x", q, &[0.0, 0.5, 1.0, 2.0, 3.0], neighbours).unwrap()
        })
    };
    let count: Box<Maker> = Box::new(|table, neighbours| {
        counts(table, "x", &names(&["0", "1", "2"]), neighbours).unwrap()
    });
    let utilities = [
        count,
        quantile(0.5),
        quantile(0.25),
        quantile(0.9),
        weighted(0.5),
        weighted(0.1),
    ];
    for neighbours in Neighbours::ALL {
        let mut of_counts = None;
        for make in &utilities {
            let mut largest = 0.0_f64;
            let mut both_ways = false;
            let mut declared = None;
            for (left, right) in pairs(neighbours) {
                let (left, right) = (
                    make(&numbers(&left), neighbours),
                    make(&numbers(&right), neighbours),
                );
                let scores = left.scores.as_slice().iter().zip(right.scores.as_slice());
                let moves: Vec<f64> = scores.map(|(a, b)| a - b).collect();
                largest = moves
                    .iter()
                    .fold(largest, |largest, step| largest.max(step.abs()));
                both_ways |=
                    moves.iter().any(|&step| step > 0.0) && moves.iter().any(|&step| step < 0.0);
                declared = Some((left.sensitivity, left.movement));
            }
            let (sensitivity, movement) = declared.unwrap();
            assert!(
                (largest - sensitivity).abs() < 1e-12,
                "{neighbours}: {largest}, not {sensitivity}"
            );
            // quantiles near the ends need larger tables to move both ways
            assert!(!both_ways || movement == Movement::AnyWay, "{neighbours}");
            // the first of them are the counts
            of_counts.get_or_insert(both_ways);
        }
        assert_eq!(of_counts, Some(neighbours == Neighbours::Substitute));
    }
}
