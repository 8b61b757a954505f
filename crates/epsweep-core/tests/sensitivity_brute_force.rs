//! The sensitivity of every registered query is the largest change of its answer over *all* neighbouring pairs of small data sets:
//! neither exceeded (the guarantee would be void) nor out of reach (noise would be wasted).

use epsweep_core::about::About;
use epsweep_core::data::{Bounds, Column, Table};
use epsweep_core::query::{self, Argument, Arguments, ParameterKind, Query, QueryError, QueryKind};
use epsweep_core::sensitivity::{Neighbours, Sensitivity};
use std::collections::BTreeMap;

const MOST_ROWS: usize = 3;

/// Bounds on both sides of zero, above it, below it, around it with zero as an end, and of no width.
const BOUNDS: [(f64, f64); 5] = [
    (-2.0, 3.0),
    (1.0, 4.0),
    (-4.0, -1.0),
    (0.0, 5.0),
    (2.0, 2.0),
];

/// Values on the bounds, between them, and outside, where they are clipped.
fn grid((low, high): (f64, f64)) -> Vec<f64> {
    vec![
        low,
        high,
        low + 0.25 * (high - low),
        low + 0.75 * (high - low),
        low - 1.0,
        high + 7.0,
        // where squares are least, and in the middle and at the end of what the numbers 1 and 2 say of cells and clipping
        0.0,
        1.25,
        2.0,
    ]
}

fn table(values: &[f64], bounds: (f64, f64)) -> Table {
    let bounds = Bounds::new(bounds.0, bounds.1).expect("bounds in order");
    let middle = 0.5 * (bounds.low() + bounds.high());
    let word = |&value: &f64| if value > middle { "high" } else { "low" };
    let words = values.iter().map(|value| word(value).to_owned()).collect();
    Table::new(vec![
        Column::number("x", values.to_vec(), Some(bounds)).expect("finite values"),
        Column::text("word", words),
    ])
    .expect("two columns")
}

/// All lists of up to `MOST_ROWS` values, by their length.
fn data_sets(grid: &[f64]) -> Vec<Vec<Vec<f64>>> {
    let mut by_length = vec![vec![vec![]]];
    for _ in 0..MOST_ROWS {
        let longer = by_length[by_length.len() - 1]
            .iter()
            .flat_map(|list| {
                grid.iter()
                    .map(move |&value| [list.as_slice(), &[value]].concat())
            })
            .collect();
        by_length.push(longer);
    }
    by_length
}

/// The neighbours of a data set that are not larger: each pair is seen from one side.
fn neighbours_of(values: &[f64], grid: &[f64], relation: Neighbours) -> Vec<Vec<f64>> {
    let mut found = Vec::new();
    for place in 0..values.len() {
        match relation {
            Neighbours::AddRemove => {
                let mut fewer = values.to_vec();
                fewer.remove(place);
                found.push(fewer);
            }
            Neighbours::Substitute => {
                for &value in grid {
                    let mut other = values.to_vec();
                    other[place] = value;
                    found.push(other);
                }
            }
        }
    }
    found
}

/// The answers on every small data set where they are defined.
type Answers = BTreeMap<Vec<u64>, Vec<f64>>;

/// An L1 and an L2 norm.
type Norms = (f64, f64);

fn key(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The larger of each.
fn larger(one: Norms, other: Norms) -> Norms {
    (one.0.max(other.0), one.1.max(other.1))
}

fn norms(change: impl Iterator<Item = f64> + Clone) -> Norms {
    let squares: f64 = change.clone().map(|x| x * x).sum();
    (change.map(f64::abs).sum(), squares.sqrt())
}

/// The largest change of the answers from data sets of that length to neighbours that are not larger.
fn largest_change(
    answers: &Answers,
    sets: &[Vec<f64>],
    grid: &[f64],
    relation: Neighbours,
) -> Norms {
    let mut largest = (0.0, 0.0);
    for values in sets {
        let Some(answer) = answers.get(&key(values)) else {
            continue;
        };
        for neighbour in neighbours_of(values, grid, relation) {
            if let Some(other) = answers.get(&key(&neighbour)) {
                let change = answer.iter().zip(other).map(|(one, other)| one - other);
                largest = larger(largest, norms(change));
            }
        }
    }
    largest
}

/// The formula's sensitivity beside the observed one: per length where the number of rows is public, else over all lengths.
/// Empty where the query has no sensitivity under the relation.
fn formula_and_observation(
    query: &dyn Query,
    bounds: (f64, f64),
    relation: Neighbours,
) -> Vec<(Norms, Norms)> {
    let grid = grid(bounds);
    let sets = data_sets(&grid);
    let mut answers = Answers::new();
    for values in sets.iter().flatten() {
        if let Ok(answer) = query.answers(&table(values, bounds)) {
            assert_eq!(answer.len(), query.parts().len(), "{query:?}");
            answers.insert(key(values), answer);
        }
    }
    let claimed = |values: &[f64]| {
        query
            .sensitivity(&table(values, bounds), relation)
            .ok()
            .map(|found| (found.l1, found.l2))
    };
    let mut pairs = Vec::new();
    for (length, of_length) in sets.iter().enumerate().skip(1) {
        let Some(formula) = claimed(&of_length[0]) else {
            continue;
        };
        if !answers.contains_key(&key(&of_length[0])) {
            continue;
        }
        // the values must not matter; a few stand for all
        for values in of_length.iter().step_by(29) {
            assert_eq!(
                claimed(values),
                Some(formula),
                "the sensitivity follows the values of length {length}: {query:?}"
            );
        }
        let observed = largest_change(&answers, of_length, &grid, relation);
        if observed.0 <= formula.0 * (1.0 + 1e-12) {
            assert_joint(
                query,
                &table(&of_length[0], bounds),
                relation,
                formula,
                observed,
            );
        }
        pairs.push((formula, observed));
    }
    if relation == Neighbours::AddRemove && !pairs.is_empty() {
        let formula = pairs[0].0;
        assert!(
            pairs.iter().all(|pair| pair.0 == formula),
            "the sensitivity follows the private size: {query:?}"
        );
        let observed = pairs
            .iter()
            .fold((0.0, 0.0), |largest, pair| larger(largest, pair.1));
        return vec![(formula, observed)];
    }
    pairs
}

/// The joint sensitivity of a single query lies between what is observed and what the query says of itself.
fn assert_joint(
    query: &dyn Query,
    table: &Table,
    relation: Neighbours,
    formula: Norms,
    observed: Norms,
) {
    let joint = query::joint(&[query], table, relation).expect("a query with a sensitivity");
    let Sensitivity { l1, l2 } = joint.sensitivity().expect("finite");
    for (joint, formula, observed) in [(l1, formula.0, observed.0), (l2, formula.1, observed.1)] {
        assert!(
            observed <= joint * (1.0 + 1e-12) && joint <= formula * (1.0 + 1e-12),
            "{} under {relation}: {observed} ≤ {joint} ≤ {formula}",
            query.definition()
        );
    }
}

/// Kinds whose sensitivity is that of data sets of any size, also where the number of rows is public, or of two sides that are not
/// the same: small data sets do not reach it. They have tests of their own below.
const UPPER_BOUNDS: [&str; 1] = ["join-count"];

/// All ways to fill in the parameters of a kind that it takes: a number is left out, 1, or 2; a predicate is left out or splits the grid.
fn configurations(kind: &dyn QueryKind, (low, high): (f64, f64)) -> Vec<Arguments> {
    let middle = 0.5 * (low + high);
    let mut all = vec![Arguments::new()];
    for parameter in kind.parameters() {
        let name = parameter.name;
        let values: Vec<Argument> = match parameter.kind {
            ParameterKind::Column => vec![
                Argument::Text("x".to_owned()),
                Argument::Text("word".to_owned()),
            ],
            ParameterKind::Predicate => vec![Argument::Text(format!("x > {middle}"))],
            ParameterKind::Number => vec![Argument::Number(1.0), Argument::Number(2.0)],
            ParameterKind::Numbers => vec![Argument::Numbers(vec![low, middle, high])],
            ParameterKind::Texts if name == "columns" => {
                vec![Argument::Texts(vec!["x".to_owned()])]
            }
            ParameterKind::Texts => vec![Argument::Texts(vec!["high".to_owned()])],
            ParameterKind::Matrix => vec![Argument::Matrix(vec![vec![1.0, 2.0], vec![0.5, -1.0]])],
            ParameterKind::Choice(words) => words
                .iter()
                .map(|&word| Argument::Text(word.to_owned()))
                .collect(),
        };
        let given = all.iter().flat_map(|arguments| {
            let with = |value: &Argument| arguments.clone().with(name, value.clone());
            values.iter().map(with).collect::<Vec<_>>()
        });
        let given: Vec<Arguments> = given.collect();
        if parameter.required {
            all = given;
        } else {
            all.extend(given);
        }
    }
    // some arguments exclude each other
    all.retain(|arguments| kind.build(arguments).is_ok());
    // no predicate splits a grid of one value, and there is one word
    let one_value = low == high;
    let splits = |arguments: &Arguments| {
        arguments.get("where").is_some()
            || arguments.get("column") == Some(&Argument::Text("word".to_owned()))
    };
    all.retain(|arguments| !(one_value && splits(arguments)));
    all
}

#[test]
fn every_sensitivity_is_the_largest_change_between_neighbours() {
    for kind in query::REGISTRY {
        for relation in Neighbours::ALL {
            let mut compared = 0;
            for bounds in BOUNDS {
                for arguments in configurations(*kind, bounds) {
                    let query = kind.build(&arguments).expect("arguments that are taken");
                    for (formula, observed) in
                        formula_and_observation(query.as_ref(), bounds, relation)
                    {
                        for (formula, observed) in
                            [(formula.0, observed.0), (formula.1, observed.1)]
                        {
                            let exact = !UPPER_BOUNDS.contains(&kind.about().name);
                            assert!(
                                observed <= formula * (1.0 + 1e-12)
                                    && (!exact || observed >= formula * (1.0 - 1e-12)),
                                "{} in {bounds:?} under {relation}: the formula gives {formula}, the pairs {observed}",
                                query.definition()
                            );
                        }
                        compared += 1;
                    }
                }
            }
            assert!(
                compared >= BOUNDS.len() - 1,
                "{} under {relation}: only {compared} compared",
                kind.about().name
            );
        }
    }
}

/// A query whose formula is off by a factor.
#[derive(Debug)]
struct Scaled(Box<dyn Query>, f64);

impl Query for Scaled {
    fn about(&self) -> &'static About {
        self.0.about()
    }

    fn definition(&self) -> String {
        self.0.definition()
    }

    fn columns(&self) -> Vec<String> {
        self.0.columns()
    }

    fn answer(&self, table: &Table) -> Result<f64, QueryError> {
        self.0.answer(table)
    }

    fn sensitivity(&self, table: &Table, relation: Neighbours) -> Result<Sensitivity, QueryError> {
        let right = self.0.sensitivity(table, relation)?;
        Ok(Sensitivity {
            l1: right.l1 * self.1,
            l2: right.l2 * self.1,
        })
    }
}

#[test]
fn a_formula_that_is_off_is_told_apart() {
    for factor in [0.999, 1.001] {
        for name in ["sum", "mean", "max", "min", "variance", "median"] {
            let query = Scaled(of(name, Arguments::new().with_text("column", "x")), factor);
            for (formula, observed) in
                formula_and_observation(&query, (-2.0, 3.0), Neighbours::Substitute)
            {
                let ((formula, _), (observed, _)) = (formula, observed);
                // the variance of a single row never moves
                assert!(
                    observed == 0.0 || (formula - observed).abs() > 1e-4 * formula,
                    "{name}: {formula} {observed}"
                );
            }
        }
    }
}

fn of(name: &str, arguments: Arguments) -> Box<dyn Query> {
    query::kind(name)
        .expect("a kind of the registry")
        .build(&arguments)
        .expect("a query")
}

/// What the article on sensitivity says of ratings from 0 to 5, tried on all pairs.
#[test]
fn ratings_from_0_to_5() {
    let ratings = (0.0, 5.0);
    let observed = |query: &dyn Query, relation: Neighbours| -> Vec<f64> {
        formula_and_observation(query, ratings, relation)
            .into_iter()
            .map(|pair| pair.1.0)
            .collect()
    };
    let rating = || Arguments::new().with_text("column", "x");
    // "counting people has Δ = 1": only where their number is private
    let people = of("count", Arguments::new());
    assert_eq!(observed(people.as_ref(), Neighbours::AddRemove), [1.0]);
    assert_eq!(observed(people.as_ref(), Neighbours::Substitute), [0.0; 3]);
    // "their sum has Δ = 5": under both relations, since the lower bound is 0
    for relation in Neighbours::ALL {
        assert!(
            observed(of("sum", rating()).as_ref(), relation)
                .iter()
                .all(|&change| change == 5.0)
        );
    }
    // "their mean has Δ = 1/n": it is 5/n
    let means = observed(of("mean", rating()).as_ref(), Neighbours::Substitute);
    for (index, change) in means.iter().enumerate() {
        let n = (index + 1) as f64;
        assert!(
            (change - 5.0 / n).abs() < 1e-12 && *change > 1.0 / n,
            "n = {n}: {change}"
        );
    }
    assert_eq!(means.len(), MOST_ROWS);
}
