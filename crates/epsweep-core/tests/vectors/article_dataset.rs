//! The data of the article on budget allocation: what is true of them, and what the article prints.

use crate::case::{self, Case, Checks};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::budget::Shares;
use epsweep_core::data::{Bounds, Column, Table};
use epsweep_core::query::{self, Arguments, Query};
use epsweep_core::sensitivity::Neighbours;

pub const FAMILY: Family = Family {
    name: "article_dataset",
    kind: input_kind,
    covered: &[Kind { name: "ages", check: check_ages }],
    later: &[],
};

/// A file with the header `age` and one number per line, read without the CSV reader, which is not this crate's.
fn ages(file: &str, bounds: (f64, f64)) -> Table {
    let path = case::data_file(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("age"), "the header of {}", path.display());
    let values = lines.map(|line| line.parse().expect("a number on every line")).collect();
    let bounds = Bounds::new(bounds.0, bounds.1).expect("bounds in order");
    Table::new(vec![Column::number("age", values, Some(bounds)).expect("finite ages")]).expect("one column")
}

fn build(kind: &str, arguments: Arguments) -> Box<dyn Query> {
    query::kind(kind).expect("a kind of the registry").build(&arguments).expect("a query")
}

fn of_age(kind: &str) -> Box<dyn Query> {
    build(kind, Arguments::new().with_text("column", "age"))
}

fn count(predicate: &str) -> Box<dyn Query> {
    build("count", Arguments::new().with_text("where", predicate))
}

const WIDE: (f64, f64) = (-1000.0, 1000.0);
const ARTICLE: (f64, f64) = (0.0, 120.0);

fn check_ages(case: &Case, checks: &mut Checks) {
    let file = case.text("file");
    if case.input.get("unclipped").is_some() {
        let table = ages(&file.replace(".csv", "_unclipped.csv"), WIDE);
        check_queries(case, &table, checks);
        check_clipping(file, checks);
        return;
    }
    let table = ages(file, ARTICLE);
    checks.that(table.columns()[0].clipped() == 0, || "the clipped file holds ages outside [0, 120]".to_owned());
    let fields: Vec<&str> = case.input.as_object().into_iter().flat_map(|input| input.keys()).map(String::as_str).collect();
    let has = |field: &str| fields.contains(&field);
    if has("queries") {
        check_queries(case, &table, checks);
    } else if has("rows") {
        let values = table.columns()[0].numbers().expect("numbers");
        let rows: Vec<f64> = case.numbers("rows").iter().map(|&row| values[row as usize]).collect();
        checks.numbers("values", &rows);
    } else if has("thresholds") {
        let counts: Vec<f64> = case
            .numbers("thresholds")
            .iter()
            .map(|threshold| count(&format!("age > {threshold}")).answer(&table).expect("a count"))
            .collect();
        checks.numbers("counts_gt", &counts);
    } else if has("bounds") {
        check_sensitivities(case, file, checks);
    } else if has("printed") {
        check_printed(case, &table, checks);
    } else {
        checks.that(false, || format!("inputs that are not known: {fields:?}"));
    }
}

/// Clipping the raw ages gives the clipped file, and the number clipped is its number of zeros.
fn check_clipping(file: &str, checks: &mut Checks) {
    let clipped = ages(file, ARTICLE);
    let raw = ages(&file.replace(".csv", "_unclipped.csv"), ARTICLE);
    checks.that(clipped.columns()[0].values() == raw.columns()[0].values(), || {
        "clipping the raw ages does not give the clipped ones".to_owned()
    });
    let zeros = count("age = 0 or age = 120").answer(&clipped).expect("a count");
    let counted = raw.columns()[0].clipped() as f64;
    checks.that(counted == zeros, || format!("{counted} ages were clipped, but {zeros} lie on the bounds"));
}

fn check_queries(case: &Case, table: &Table, checks: &mut Checks) {
    let values = table.columns()[0].numbers().expect("numbers");
    for name in case.input("queries").as_array().expect("a list of queries") {
        let name = name.as_str().expect("a query is text");
        match name {
            "mean" | "max" | "min" | "sum" => checks.number(name, of_age(name).answer(table).expect("an answer")),
            "sd" => checks.number(name, standard_deviation(values)),
            "histogram" => checks.numbers("counts", &histogram(table, case.input_number("bin_width"))),
            _ => {
                if let Some((_, threshold)) = name.split_once("count>") {
                    let answer = count(&format!("age > {threshold}")).answer(table).expect("a count");
                    checks.integer(&format!("count_gt_{threshold}"), answer as i64);
                } else if let Some((_, value)) = name.split_once("count==") {
                    let answer = count(&format!("age == {value}")).answer(table).expect("a count");
                    checks.integer(&format!("clipped_at_{value}"), answer as i64);
                } else if let Some(p) = name.strip_prefix('q') {
                    let p: f64 = p.parse().expect("a probability");
                    checks.number(&format!("q{}", (p * 100.0).round()), quantile(values, p));
                } else {
                    checks.that(false, || format!("a query that is not known: {name}"));
                }
            }
        }
    }
}

/// With n − 1, by two passes.
fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (n - 1.0)).sqrt()
}

/// Of type 7: linear between the order statistics around p(n − 1).
fn quantile(values: &[f64], p: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = p * (sorted.len() - 1) as f64;
    let below = place.floor();
    let above = place.ceil();
    sorted[below as usize] + (place - below) * (sorted[above as usize] - sorted[below as usize])
}

/// Bins from 0 to 120, closed below; the last one is closed above, too.
fn histogram(table: &Table, width: f64) -> Vec<f64> {
    let bins = (ARTICLE.1 / width) as usize;
    (0..bins)
        .map(|bin| {
            let low = bin as f64 * width;
            let end = if bin + 1 == bins { "<=" } else { "<" };
            let predicate = format!("age >= {low} and age {end} {}", low + width);
            count(&predicate).answer(table).expect("a count")
        })
        .collect()
}

/// Δ of mean, max and count under substitution, where the size is public.
fn sensitivities(table: &Table) -> [f64; 3] {
    [of_age("mean"), of_age("max"), count("age > 60")]
        .map(|query| query.sensitivity(table, Neighbours::Substitute).expect("a sensitivity").l1)
}

fn check_sensitivities(case: &Case, file: &str, checks: &mut Checks) {
    let bounds = case.numbers("bounds");
    let table = ages(file, (bounds[0], bounds[1]));
    checks.that(table.rows() as f64 == case.input_number("n"), || format!("{} rows", table.rows()));
    let [mean, max, count] = sensitivities(&table);
    checks.number("mean", mean);
    checks.number("max", max);
    checks.number("count", count);
    checks.number("l1_total", mean + max + count);
}

/// How far the answers that the article prints are from the true ones, and how likely Laplace noise at ε = 1 is to be that large:
/// P(|noise| ≥ d) = e^(−d/b), with b = Δ/ε for the share of each query.
fn check_printed(case: &Case, table: &Table, checks: &mut Checks) {
    let sensitivities = sensitivities(table);
    let truths = [of_age("mean"), of_age("max"), count("age > 60")].map(|query| query.answer(table).expect("an answer"));
    let even = Shares::from_weights(&[1.0; 3]).expect("shares").split(1.0);
    let proportional = Shares::from_weights(&sensitivities).expect("shares").split(1.0);
    for (index, name) in ["mean", "max", "count_gt_60"].into_iter().enumerate() {
        let printed = case::number_of(&case.input("printed")[name]).expect("a printed answer");
        let distance = (printed - truths[index]).abs();
        checks.number(&format!("{name}.difference"), distance);
        for (allocation, shares) in [("even", &even), ("proportional", &proportional)] {
            let tail = libm::exp(-distance * shares[index] / sensitivities[index]);
            checks.number(&format!("{name}.p_abs_error_at_least_{allocation}"), tail);
        }
    }
}
