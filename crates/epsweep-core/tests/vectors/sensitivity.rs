//! Sensitivities of the queries.

use crate::case::{Case, Checks};
use crate::family::{Family, Kind};
use epsweep_core::data::{Bounds, Column, Table};
use epsweep_core::query::{self, Arguments, QueryError};
use epsweep_core::sensitivity::{Neighbours, Sensitivity};

pub const FAMILY: Family = Family {
    name: "sensitivity",
    kind: kind_of,
    covered: &[
        Kind { name: "count_all", check: check_values },
        Kind { name: "count_predicate", check: check_values },
        Kind { name: "sum", check: check_values },
        Kind { name: "mean_fixed_divisor", check: check_values },
        Kind { name: "mean_actual_size", check: check_values },
        Kind { name: "extremum", check: check_values },
        Kind { name: "clipped_sum_symmetric", check: check_values },
        Kind { name: "clipped_sum_nonnegative", check: check_values },
        Kind { name: "overflow", check: check_refusal },
    ],
    later: &[
        "range",
        "histogram",
        "histogram_user_any_bins",
        "histogram_user_distinct_bins",
        "variance_population",
        "variance_sample",
        "sd_population",
        "quantile_rank_utility",
        "median_balance_utility",
        "quantile_weighted_lt_gt_utility",
        "l2_clipped_vector_sum",
        "dot_product",
        "covariance_population",
        "join_count",
        "linear_queries",
        "prefix_sums",
        "binary_tree",
        "stack_mean_max_countabove",
        "stack_sum_count",
        "group_sum",
    ],
};

/// The query of a case; `overflow` for those of which the value is beyond the range, if the query is covered.
fn kind_of(case: &Case) -> String {
    let query = match case.text("query") {
        "max" | "min" => "extremum",
        other => other,
    };
    let covered = FAMILY.covered.iter().any(|kind| kind.name == query);
    match case.text("kind") {
        "overflow" if covered => "overflow".to_owned(),
        "query" | "overflow" => query.to_owned(),
        other => format!("{other} of {query}"),
    }
}

/// Beyond this, no table is made to show that a size is public; the constant divisor stands in for it.
const MOST_ROWS: f64 = 1e6;

/// The answers of the library for the queries of a case. The extremes come as a pair, which must agree.
fn sensitivities(case: &Case) -> Result<Vec<Sensitivity>, QueryError> {
    let number = |name: &str| case.input_number(name);
    let neighbours = match case.text("neighbours") {
        "add_remove" => Neighbours::AddRemove,
        "substitute" => Neighbours::Substitute,
        other => panic!("{}: unknown relation {other:?}", case.id),
    };
    let substitute = neighbours == Neighbours::Substitute;
    let column = Arguments::new().with_text("column", "x");
    let name = case.text("query");
    // kinds of the library with their arguments, the bounds, and the number of rows
    let (queries, bounds, rows) = match name {
        "count_all" => (vec![("count", Arguments::new())], (0.0, 1.0), 3),
        "count_predicate" => (vec![("count", Arguments::new().with_text("where", "x > 0.5"))], (0.0, 1.0), 3),
        "sum" => (vec![("sum", column)], (number("L"), number("U")), 3),
        // where the size is public it may serve as the divisor as well
        "mean_fixed_divisor" => {
            let n = number("n");
            let constant = column.clone().with_number("divisor", n);
            let mut queries = vec![("mean", constant)];
            if substitute && n <= MOST_ROWS {
                queries.push(("mean", column));
            }
            (queries, (number("L"), number("U")), n.min(MOST_ROWS) as usize)
        }
        "mean_actual_size" => {
            let least = number("n_min");
            let name = if substitute && least > MOST_ROWS { "divisor" } else { "at_least" };
            // under add-remove the formula must not follow the private size
            let rows = if substitute { least } else { least + 7.0 };
            let queries = vec![("mean", column.with_number(name, least))];
            (queries, (number("L"), number("U")), rows.min(MOST_ROWS) as usize)
        }
        "max" | "min" => (vec![("max", column.clone()), ("min", column)], (number("L"), number("U")), 3),
        "clipped_sum_symmetric" => (vec![("sum", column)], (-number("C"), number("C")), 3),
        "clipped_sum_nonnegative" => (vec![("sum", column)], (0.0, number("C")), 3),
        other => panic!("{}: unknown query {other:?}", case.id),
    };
    let bounds = Bounds::new(bounds.0, bounds.1)?;
    let table = Table::new(vec![Column::number("x", vec![bounds.low(); rows], Some(bounds))?])?;
    queries
        .into_iter()
        .map(|(kind, arguments)| {
            let kind = query::kind(kind).expect("a kind of the registry");
            kind.build(&arguments)?.sensitivity(&table, neighbours)
        })
        .collect()
}

fn check_values(case: &Case, checks: &mut Checks) {
    match sensitivities(case) {
        Ok(all) => {
            for sensitivity in all {
                checks.number("l1", sensitivity.l1);
                checks.number("l2", sensitivity.l2);
                // the answer is one number, for which all norms agree
                checks.number("linf", sensitivity.l1);
            }
        }
        Err(error) => checks.that(false, || format!("refused: {error}")),
    }
}

/// The value is beyond the range of `f64`, so that the library must refuse rather than give a finite number.
fn check_refusal(case: &Case, checks: &mut Checks) {
    let outcome = sensitivities(case);
    checks.that(matches!(outcome, Err(QueryError::Sensitivity { .. })), || {
        format!("not refused as beyond the range: {outcome:?}")
    });
}
