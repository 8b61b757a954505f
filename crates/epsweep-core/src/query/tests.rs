use super::*;
use crate::data::{Bounds, Column};
use std::collections::BTreeSet;

fn table(values: &[f64], bounds: (f64, f64)) -> Table {
    let bounds = Bounds::new(bounds.0, bounds.1).unwrap();
    Table::new(vec![
        Column::number("x", values.to_vec(), Some(bounds)).unwrap(),
        Column::number("free", values.to_vec(), None).unwrap(),
        Column::text("word", values.iter().map(f64::to_string).collect()),
    ])
    .unwrap()
}

fn of(column: &str) -> Arguments {
    Arguments::new().with_text("column", column)
}

fn build(name: &str, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
    kind(name).unwrap().build(arguments)
}

fn answer(name: &str, arguments: &Arguments, table: &Table) -> Result<f64, QueryError> {
    build(name, arguments)?.answer(table)
}

#[track_caller]
fn refused<T: Debug>(outcome: Result<T, QueryError>, parts: &[&str]) {
    let text = outcome.unwrap_err().to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in: {text}");
    }
}

#[test]
fn answers_are_those_of_the_clipped_values() {
    let table = table(&[-3.0, 1.0, 2.5, 9.0], (0.0, 5.0));
    for (name, expected) in [("sum", 8.5), ("mean", 2.125), ("max", 5.0), ("min", 0.0)] {
        assert_eq!(answer(name, &of("x"), &table), Ok(expected), "{name}");
    }
    assert_eq!(
        answer("mean", &of("x").with_number("divisor", 10.0), &table),
        Ok(0.85)
    );
    assert_eq!(
        answer("mean", &of("x").with_number("at_least", 4.0), &table),
        Ok(2.125)
    );
    assert_eq!(answer("count", &Arguments::new(), &table), Ok(4.0));
    let predicate = Arguments::new().with_text("where", "x > 1 or word = '1'");
    assert_eq!(answer("count", &predicate, &table), Ok(3.0));
}

#[test]
fn what_is_not_whole_is_found_in_answers_amounts_and_bounds() {
    let found = |name: &str, arguments: &Arguments, values: &[f64], bounds| {
        let table = table(values, bounds);
        let query = build(name, arguments).unwrap();
        query.fraction(&table, Neighbours::AddRemove).unwrap()
    };
    let (whole, of_x) = ([1.0, 2.0, 4.0], of("x"));
    assert_eq!(found("sum", &of_x, &whole, (0.0, 5.0)), None);
    assert_eq!(found("max", &of_x, &whole, (0.0, 5.0)), None);
    let half = [0.5, 1.0, 1.5];
    // the sum is whole by chance, and that of a neighbour is not
    assert_eq!(found("sum", &of_x, &half, (0.0, 5.0)), Some(0.5));
    assert_eq!(found("max", &of_x, &half, (0.0, 5.0)), Some(1.5));
    // a record that is clipped would add the bound
    assert_eq!(found("sum", &of_x, &whole, (0.5, 5.0)), Some(0.5));
    assert_eq!(found("mean", &of_x, &whole, (0.0, 5.0)), Some(7.0 / 3.0));
    // what is counted may be anything
    assert_eq!(found("count", &Arguments::new(), &half, (0.0, 5.0)), None);
}

#[test]
fn definitions_and_columns_tell_what_is_asked() {
    let told = |name: &str, arguments: &Arguments| {
        let query = build(name, arguments).unwrap();
        assert_eq!(query.about().name, name);
        (query.definition(), query.columns().join(","))
    };
    let pair = |definition: &str, columns: &str| (definition.to_owned(), columns.to_owned());
    assert_eq!(told("mean", &of("age")), pair("mean of age", "age"));
    let constant = of("age").with_number("divisor", 250.0);
    assert_eq!(told("mean", &constant), pair("sum of age over 250", "age"));
    let least = of("age").with_number("at_least", 5.0);
    assert_eq!(
        told("mean", &least),
        pair("mean of age over at least 5 rows", "age")
    );
    assert_eq!(told("min", &of("age")), pair("min of age", "age"));
    assert_eq!(told("sum", &of("age")), pair("sum of age", "age"));
    assert_eq!(
        told("count", &Arguments::new()),
        pair("count of all rows", "")
    );
    let predicate = Arguments::new().with_text("where", "60<age and sex=\"f\" or age=1");
    assert_eq!(
        told("count", &predicate),
        pair("count where age > 60 and sex = 'f' or age = 1", "age,sex")
    );
}

#[test]
fn arguments_are_checked_against_the_parameters() {
    refused(
        build("mean", &of("x").with_number("divsor", 1.0)),
        &["`divsor`", "column, divisor, at_least"],
    );
    refused(build("sum", &Arguments::new()), &["`sum` needs `column`"]);
    refused(
        build("max", &Arguments::new().with_number("column", 1.0)),
        &["`column` of `max`", "name of a column"],
    );
    refused(
        build("mean", &of("x").with_text("divisor", "ten")),
        &["must be a number"],
    );
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let given = format!("is {value:?}");
        refused(
            build("mean", &of("x").with_number("divisor", value)),
            &[&given, "above 0"],
        );
        refused(
            build("mean", &of("x").with_number("at_least", value)),
            &[&given, "at least 1"],
        );
    }
    refused(
        build("mean", &of("x").with_number("at_least", 1.5)),
        &["whole number"],
    );
    let both = of("x")
        .with_number("at_least", 1.0)
        .with_number("divisor", 1.0);
    refused(build("mean", &both), &["not both"]);
    let broken = Arguments::new().with_text("where", "age >");
    refused(
        build("count", &broken),
        &["`where` of `count`", "on its right"],
    );
    assert!(kind("median age").is_none());
}

#[test]
fn a_table_must_have_what_a_query_needs() {
    let table = table(&[1.0], (0.0, 5.0));
    for name in ["sum", "mean", "max", "min"] {
        for (column, part) in [
            ("y", "no column `y`"),
            ("word", "holds text"),
            ("free", "no declared bounds"),
        ] {
            let query = build(name, &of(column)).unwrap();
            refused(query.answer(&table), &[part]);
            for neighbours in Neighbours::ALL {
                refused(query.sensitivity(&table, neighbours), &[part]);
            }
        }
    }
    for (predicate, part) in [
        ("y = 1", "no column `y`"),
        ("word > 'a'", "no order"),
        ("x = 'a'", "without quotes"),
    ] {
        let query = build("count", &Arguments::new().with_text("where", predicate)).unwrap();
        refused(query.answer(&table), &[part]);
        refused(query.sensitivity(&table, Neighbours::AddRemove), &[part]);
    }
}

#[test]
fn of_no_rows_there_are_counts_and_sums_only() {
    let empty = table(&[], (1.0, 5.0));
    assert_eq!(answer("count", &Arguments::new(), &empty), Ok(0.0));
    assert_eq!(answer("sum", &of("x"), &empty), Ok(0.0));
    assert_eq!(
        answer("mean", &of("x").with_number("divisor", 3.0), &empty),
        Ok(0.0)
    );
    for name in ["mean", "max", "min"] {
        refused(
            answer(name, &of("x"), &empty),
            &[name, "`x` is undefined", "at least one"],
        );
    }
    let mean = build("mean", &of("x")).unwrap();
    refused(
        mean.sensitivity(&empty, Neighbours::Substitute),
        &["undefined"],
    );
    refused(
        answer(
            "mean",
            &of("x").with_number("at_least", 3.0),
            &table(&[1.0], (0.0, 1.0)),
        ),
        &["number of rows is 1", "at least 3"],
    );
}

#[test]
fn the_mean_over_a_private_number_of_rows_is_refused() {
    let mean = build("mean", &of("x")).unwrap();
    let outcome = mean.sensitivity(&table(&[1.0], (0.0, 5.0)), Neighbours::AddRemove);
    refused(
        outcome,
        &[
            "private under add-remove",
            "`divisor`",
            "`at_least`",
            "\"substitute\"",
        ],
    );
}

#[test]
fn what_is_beyond_the_largest_double_is_refused_and_the_rest_is_not() {
    let huge = table(&[1e308, 1e308], (-1e308, 1e308));
    refused(
        answer("sum", &of("x"), &huge),
        &["sum of `x`", "largest double", "larger unit"],
    );
    assert_eq!(answer("mean", &of("x"), &huge), Ok(1e308));
    for name in ["sum", "max", "mean"] {
        let query = build(name, &of("x")).unwrap();
        refused(
            query.sensitivity(&huge, Neighbours::Substitute),
            &["sensitivity", "inf"],
        );
    }
    let sum = build("sum", &of("x")).unwrap();
    assert_eq!(
        sum.sensitivity(&huge, Neighbours::AddRemove).unwrap().l1,
        1e308
    );
}

#[test]
fn every_kind_describes_itself() {
    let names: BTreeSet<&str> = REGISTRY.iter().map(|kind| kind.about().name).collect();
    assert_eq!(names.len(), REGISTRY.len(), "names are distinct");
    for kind in REGISTRY {
        let about = kind.about();
        assert!(
            [about.name, about.summary, about.formula, about.source]
                .iter()
                .all(|text| !text.is_empty())
        );
        let parameters: BTreeSet<&str> = kind
            .parameters()
            .iter()
            .map(|parameter| parameter.name)
            .collect();
        assert_eq!(parameters.len(), kind.parameters().len(), "{}", about.name);
        assert!(
            kind.parameters()
                .iter()
                .all(|parameter| !parameter.summary.is_empty())
        );
    }
}
