//! Sensitivities of the queries, alone and together.

use crate::case::{self, Case, Checks};
use crate::family::{Family, Kind};
use epsweep_core::data::{Bounds, Column, Table};
use epsweep_core::query::formula::{self, Divisor};
use epsweep_core::query::{self, Argument, Arguments, Query, QueryError};
use epsweep_core::sensitivity::{Neighbours, Sensitivity};

/// Kinds that are all checked in the same way.
macro_rules! values {
    ($($name:literal)*) => { &[$(Kind { name: $name, check: check_values },)* Kind { name: "overflow", check: check_refusal }] };
}

pub const FAMILY: Family = Family {
    name: "sensitivity",
    kind: kind_of,
    covered: values! {
        "count_all" "count_predicate" "sum" "mean_fixed_divisor" "mean_actual_size" "extremum" "range" "histogram"
        "histogram_user_any_bins" "histogram_user_distinct_bins" "variance_population" "variance_sample" "sd_population"
        "quantile_rank_utility" "median_balance_utility" "quantile_weighted_lt_gt_utility" "clipped_sum_symmetric"
        "clipped_sum_nonnegative" "l2_clipped_vector_sum" "dot_product" "covariance_population" "join_count" "linear_queries"
        "prefix_sums" "binary_tree" "stack_mean_max_countabove" "stack_sum_count" "group_sum"
    },
    later: &[],
};

/// The kind of a case, where queries of one formula go together; `overflow` for those of which the value is beyond the range.
fn kind_of(case: &Case) -> String {
    let query = match case.text("query") {
        "max" | "min" => "extremum",
        "median" => "range",
        "count_distinct" => "count_predicate",
        "sum_of_squares" => "clipped_sum_nonnegative",
        "sd_sample" => "sd_population",
        "covariance_sample" => "covariance_population",
        "self_join_count" => "join_count",
        other => other,
    };
    let covered = FAMILY.covered.iter().any(|kind| kind.name == query);
    match case.text("kind") {
        "overflow" if covered => "overflow".to_owned(),
        "query" | "overflow" => query.to_owned(),
        other => format!("{other} of {query}"),
    }
}

/// Beyond this, no table is made to show that a size is public; the formula alone is asked.
const MOST_ROWS: f64 = 1e6;

/// L1, L2 and L∞.
type Norms = [f64; 3];

/// A table of that many equal records.
fn table(columns: &[(&str, f64, f64)], rows: usize) -> Result<Table, QueryError> {
    let column = |&(name, low, high): &(&str, f64, f64)| {
        Column::number(name, vec![low; rows], Some(Bounds::new(low, high)?))
    };
    let columns: Result<Vec<Column>, _> = columns.iter().map(column).collect();
    Ok(Table::new(columns?)?)
}

fn build(kind: &str, arguments: &Arguments) -> Result<Box<dyn Query>, QueryError> {
    query::kind(kind).expect("a kind of the registry").build(arguments)
}

/// What one query says of itself; the joint sensitivity of it alone must not be larger.
fn of_query(kind: &str, arguments: &Arguments, table: &Table, neighbours: Neighbours) -> Result<Norms, QueryError> {
    let query = build(kind, arguments)?;
    let Sensitivity { l1, l2 } = query.sensitivity(table, neighbours)?;
    let joint = query::joint(&[query.as_ref()], table, neighbours)?.sensitivity()?;
    assert!(joint.l1 <= l1 * (1.0 + 1e-12) && joint.l2 <= l2 * (1.0 + 1e-12), "{query:?}");
    Ok([l1, l2, largest_part(query.as_ref(), table, neighbours)?])
}

fn largest_part(query: &dyn Query, table: &Table, neighbours: Neighbours) -> Result<f64, QueryError> {
    let parts = query.part_sensitivities(table, neighbours)?;
    Ok(parts.iter().fold(0.0, |most: f64, part| most.max(part.l1)))
}

/// What several queries have together.
fn of_stack(queries: &[Box<dyn Query>], table: &Table, neighbours: Neighbours) -> Result<Norms, QueryError> {
    let all: Vec<&dyn Query> = queries.iter().map(Box::as_ref).collect();
    let Sensitivity { l1, l2 } = query::joint(&all, table, neighbours)?.sensitivity()?;
    let parts: Result<Vec<f64>, QueryError> = all.iter().map(|&query| largest_part(query, table, neighbours)).collect();
    Ok([l1, l2, parts?.into_iter().fold(0.0, f64::max)])
}

/// A formula for one number, refused where it is beyond the range.
fn scalar(value: f64) -> Result<Norms, QueryError> {
    let Sensitivity { l1, l2 } = Sensitivity::scalar(value).map_err(QueryError::JointSensitivity)?;
    Ok([l1, l2, l1])
}

fn vector((l1, l2): (f64, f64), largest: f64) -> Result<Norms, QueryError> {
    let Sensitivity { l1, l2 } = Sensitivity::new(l1, l2).map_err(QueryError::JointSensitivity)?;
    Ok([l1, l2, largest])
}

/// The answers of the library for the query of a case; those of several ways must agree.
fn sensitivities(case: &Case) -> Result<Vec<Norms>, QueryError> {
    let number = |name: &str| case.input_number(name);
    let neighbours = match case.text("neighbours") {
        "add_remove" => Neighbours::AddRemove,
        "substitute" => Neighbours::Substitute,
        other => panic!("{}: unknown relation {other:?}", case.id),
    };
    let substitute = neighbours == Neighbours::Substitute;
    let of_x = Arguments::new().with_text("column", "x");
    let bounded = |rows: usize| table(&[("x", number("L"), number("U"))], rows);
    let unit = |rows: usize| table(&[("x", 0.0, 1.0)], rows);
    let all = |kinds: &[&str], arguments: &Arguments, table: &Table| -> Result<Vec<Norms>, QueryError> {
        kinds.iter().map(|kind| of_query(kind, arguments, table, neighbours)).collect()
    };
    // the number of rows, or its lower bound
    let size = || if case.input.get("n").is_some() { number("n") } else { number("n_min") };
    let one = |norms: Result<Norms, QueryError>| norms.map(|norms| vec![norms]);
    let name = case.text("query");
    match name {
        "count_all" => all(&["count"], &Arguments::new(), &unit(3)?),
        "count_predicate" => all(&["count"], &Arguments::new().with_text("where", "x > 0.5"), &unit(3)?),
        "count_distinct" => all(&["count-distinct"], &of_x, &unit(3)?),
        "sum" => all(&["sum"], &of_x, &bounded(3)?),
        "group_sum" => {
            let single = build("sum", &of_x)?.sensitivity(&bounded(3)?, neighbours)?;
            let group = single.of_group(number("group") as u32).map_err(QueryError::JointSensitivity)?;
            Ok(vec![[group.l1, group.l2, group.l1]])
        }
        // where the size is public it may serve as the divisor as well
        "mean_fixed_divisor" => {
            let n = number("n");
            let table = bounded(n.min(MOST_ROWS) as usize)?;
            let mut found = all(&["mean"], &of_x.clone().with_number("divisor", n), &table)?;
            if substitute && n <= MOST_ROWS {
                found.extend(all(&["mean"], &of_x, &table)?);
            }
            Ok(found)
        }
        "mean_actual_size" => {
            let least = size();
            let name = if substitute && least > MOST_ROWS { "divisor" } else { "at_least" };
            // under add-remove the formula must not follow the private size
            let rows = if substitute { least } else { least + 7.0 };
            all(&["mean"], &of_x.with_number(name, least), &bounded(rows.min(MOST_ROWS) as usize)?)
        }
        "max" | "min" => all(&["max", "min"], &of_x, &bounded(3)?),
        "median" => {
            let quantile = of_x.clone().with_number("p", 0.5);
            let table = bounded(3)?;
            Ok([all(&["median"], &of_x, &table)?, all(&["quantile"], &quantile, &table)?].concat())
        }
        "range" => {
            let n = if case.input.get("n").is_some() { number("n") } else { 3.0 };
            all(&["range"], &of_x, &bounded(n.min(MOST_ROWS) as usize)?)
        }
        "clipped_sum_symmetric" | "clipped_sum_nonnegative" => {
            let c = number("C");
            let low = if name == "clipped_sum_symmetric" { -c } else { 0.0 };
            let clip = of_x.clone().with_number("low", low).with_number("high", c);
            let wide = Table::new(vec![Column::number("x", vec![0.0; 3], None)?])?;
            let mut found = all(&["clipped-sum"], &clip, &wide)?;
            found.extend(all(&["sum"], &of_x, &table(&[("x", low, c)], 3)?)?);
            Ok(found)
        }
        "sum_of_squares" => all(&["dot-product"], &of_x.with_text("with", "x"), &bounded(3)?),
        "variance_population" | "variance_sample" | "sd_population" | "sd_sample" => {
            let n = size();
            let width = number("U") - number("L");
            let divisor = if name.ends_with("sample") { Divisor::Sample } else { Divisor::Population };
            let kind = match name {
                "variance_population" => "variance",
                "variance_sample" => "sample-variance",
                "sd_population" => "standard-deviation",
                _ => "sample-standard-deviation",
            };
            let formula = match kind {
                "variance" | "sample-variance" => formula::variance(width, n, divisor, neighbours),
                _ => formula::standard_deviation(width, n, divisor, neighbours),
            };
            let mut found = vec![scalar(formula)?];
            if n <= MOST_ROWS {
                let least = of_x.with_number("at_least", n.max(divisor.least()));
                found.extend(all(&[kind], &least, &bounded(n as usize)?)?);
            }
            Ok(found)
        }
        "covariance_population" | "covariance_sample" => {
            let n = size();
            let sample = name == "covariance_sample";
            let divisor = if sample { Divisor::Sample } else { Divisor::Population };
            let widths = (number("Ux") - number("Lx"), number("Uy") - number("Ly"));
            let mut found = vec![scalar(formula::covariance(widths, n, divisor, neighbours))?];
            if n <= MOST_ROWS {
                let columns = [("x", number("Lx"), number("Ux")), ("y", number("Ly"), number("Uy"))];
                let least = of_x.with_text("with", "y").with_number("at_least", n.max(divisor.least()));
                let kind = if sample { "sample-covariance" } else { "covariance" };
                found.extend(all(&[kind], &least, &table(&columns, n as usize)?)?);
            }
            Ok(found)
        }
        "dot_product" => {
            let columns = [("x", number("Lx"), number("Ux")), ("y", number("Ly"), number("Uy"))];
            all(&["dot-product"], &of_x.with_text("with", "y"), &table(&columns, 3)?)
        }
        "quantile_rank_utility" | "quantile_weighted_lt_gt_utility" => {
            one(scalar(formula::quantile_utility(number("q"), neighbours)))
        }
        "median_balance_utility" => one(scalar(formula::balance_utility(neighbours))),
        "histogram" => {
            let bins = number("bins");
            let cells = of_x.with_number("low", 0.0).with_number("high", bins).with_number("bins", bins);
            all(&["histogram"], &cells, &table(&[("x", 0.0, bins)], 3)?)
        }
        "histogram_user_any_bins" => {
            let records = number("max_records_per_user");
            let norms = formula::user_histogram_any(number("bins") as usize, records, neighbours);
            one(vector(norms, records))
        }
        "histogram_user_distinct_bins" => {
            let records = number("max_records_per_user");
            let norms = formula::user_histogram_distinct(number("bins") as usize, records, neighbours);
            one(vector(norms, norms.0.min(1.0)))
        }
        "l2_clipped_vector_sum" => {
            let (norm, dimension) = (number("C"), number("dim") as usize);
            let formula = formula::vector_sum(norm, dimension, neighbours);
            let mut found = vec![vector(formula, formula.1)?];
            if dimension <= 1000 {
                let names: Vec<String> = (0..dimension).map(|part| format!("x{part}")).collect();
                let columns: Result<Vec<Column>, _> =
                    names.iter().map(|name| Column::number(name, vec![0.0; 3], None)).collect();
                let arguments = Arguments::new().with("columns", Argument::Texts(names)).with_number("norm", norm);
                found.extend(all(&["vector-sum"], &arguments, &Table::new(columns?)?)?);
            }
            Ok(found)
        }
        "join_count" => {
            let arguments = Arguments::new()
                .with_text("key", "x")
                .with_text("left", "side = 'R'")
                .with_text("right", "side = 'S'")
                .with_number("left_multiplicity", number("max_multiplicity_R"))
                .with_number("right_multiplicity", number("max_multiplicity_S"));
            let arguments = match case.text("changed_table") {
                "R" => arguments.with_text("changes", "left"),
                "S" => arguments.with_text("changes", "right"),
                _ => arguments,
            };
            all(&["join-count"], &arguments, &sides()?)
        }
        "self_join_count" => {
            let multiplicity = case
                .input
                .as_object()
                .into_iter()
                .flatten()
                .find_map(|(name, value)| name.starts_with("max_multiplicity").then(|| case::number_of(value)).flatten())
                .unwrap_or_else(|| panic!("{}: no multiplicity", case.id));
            let arguments = Arguments::new()
                .with_text("key", "x")
                .with_text("left", "side = 'R'")
                .with_text("right", "side = 'R'")
                .with_number("left_multiplicity", multiplicity)
                .with_number("right_multiplicity", multiplicity);
            all(&["join-count"], &arguments, &sides()?)
        }
        "linear_queries" => {
            let rows: Vec<Vec<f64>> = (case.input("matrix").as_array().into_iter().flatten())
                .map(|row| row.as_array().into_iter().flatten().filter_map(case::number_of).collect())
                .collect();
            let bins = rows[0].len() as f64;
            let arguments = of_x
                .with("matrix", Argument::Matrix(rows))
                .with_number("low", 0.0)
                .with_number("high", bins)
                .with_number("bins", bins);
            all(&["linear"], &arguments, &table(&[("x", 0.0, bins)], 3)?)
        }
        "prefix_sums" | "binary_tree" => {
            let (kind, bins, norms) = if name == "prefix_sums" {
                let bins = number("bins");
                ("prefix-sums", bins, formula::prefix_sums(bins, neighbours))
            } else {
                let levels = number("levels");
                let bins = (1_u64 << (levels as u32 - 1).min(60)) as f64;
                ("binary-tree", bins, formula::binary_tree(levels, neighbours))
            };
            let mut found = vec![vector(norms, norms.0.min(1.0))?];
            if bins <= 4096.0 {
                let cells = of_x.with_number("low", 0.0).with_number("high", bins).with_number("bins", bins);
                found.extend(all(&[kind], &cells, &table(&[("x", 0.0, bins)], 3)?)?);
            }
            Ok(found)
        }
        "stack_mean_max_countabove" => {
            let middle = 0.5 * number("L") + 0.5 * number("U");
            let queries = [
                build("mean", &of_x.clone().with_number("divisor", number("n")))?,
                build("max", &of_x)?,
                build("count", &Arguments::new().with_text("where", format!("x > {middle}")))?,
            ];
            one(of_stack(&queries, &bounded(3)?, neighbours))
        }
        "stack_sum_count" => {
            let queries = [build("sum", &of_x)?, build("count", &Arguments::new())?];
            let table = bounded(3)?;
            let mut found = vec![of_stack(&queries, &table, neighbours)?];
            found.extend(all(&["split-mean"], &of_x, &table)?);
            Ok(found)
        }
        other => panic!("{}: unknown query {other:?}", case.id),
    }
}

/// Records of two sides with a key.
fn sides() -> Result<Table, QueryError> {
    let side = ["R", "S"].map(str::to_owned).to_vec();
    Ok(Table::new(vec![Column::number("x", vec![1.0, 2.0], None)?, Column::text("side", side)])?)
}

fn check_values(case: &Case, checks: &mut Checks) {
    match sensitivities(case) {
        Ok(all) => {
            for norms in all {
                for (path, norm) in ["l1", "l2", "linf"].into_iter().zip(norms) {
                    checks.number(path, norm);
                }
            }
        }
        Err(error) => checks.that(false, || format!("refused: {error}")),
    }
}

/// The value is beyond the range of `f64`, so that the library must refuse rather than give a finite number.
fn check_refusal(case: &Case, checks: &mut Checks) {
    let outcome = sensitivities(case);
    let refused = matches!(outcome, Err(QueryError::Sensitivity { .. } | QueryError::JointSensitivity(_)));
    checks.that(refused, || format!("not refused as beyond the range: {outcome:?}"));
}
