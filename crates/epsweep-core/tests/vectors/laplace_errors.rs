//! Exact laws of the errors under Laplace noise: per query, of all queries together, and of two strategies compared.

use crate::allocation::{budgets, scales};
use crate::case::{Case, Checks, Tolerance};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::theory::{
    Exponential, Laplace, Law, Maximum, MeanAbsolute, Rmse, WeightedMse, comparison,
};

pub const FAMILY: Family = Family {
    name: "laplace_errors",
    kind: input_kind,
    covered: &[
        Kind {
            name: "errors",
            check: |case, checks| {
                let outcome = scales(&case.numbers("sensitivities"), &case.numbers("budgets"));
                check_errors(outcome, checks);
            },
        },
        Kind {
            name: "errors_by_strategy",
            check: |case, checks| check_errors(strategy_scales(case, "strategy"), checks),
        },
        Kind {
            name: "compare",
            check: check_comparison,
        },
    ],
    later: &[],
};

fn strategy_scales(case: &Case, strategy: &str) -> Result<Vec<f64>, String> {
    let sensitivities = case.numbers("sensitivities");
    let budgets = budgets(
        case.text(strategy),
        &sensitivities,
        &case.numbers("weights"),
        case.input_number("epsilon"),
    )?;
    scales(&sensitivities, &budgets)
}

/// The number, or NaN (which no tolerance allows) where the library is silent.
fn known(value: Option<f64>) -> f64 {
    value.unwrap_or(f64::NAN)
}

fn square(value: Option<f64>) -> f64 {
    known(value) * known(value)
}

fn check_errors(outcome: Result<Vec<f64>, String>, checks: &mut Checks) {
    let scales = match outcome {
        Ok(scales) => scales,
        Err(error) => return checks.that(false, || format!("refused: {error}")),
    };
    for (index, &scale) in scales.iter().enumerate() {
        let mut number =
            |field: &str, value: f64| checks.number(&format!("per_query.{index}.{field}"), value);
        let (error, absolute) = (Laplace::new(scale, 0.0), Exponential::new(scale));
        number("scale", scale);
        number("mean_abs", known(absolute.mean()));
        number("var", square(error.sd()));
        number("sd", known(error.sd()));
        number("median_abs", known(absolute.quantile(0.5)));
        number("q95_abs", known(absolute.quantile(0.95)));
        number("q99_abs", known(absolute.quantile(0.99)));
    }
    checks.number("mean_abs_mean", known(MeanAbsolute::new(&scales).mean()));

    let largest = Maximum::new(&scales);
    checks.number("max_abs.mean", known(largest.mean()));
    checks.number("max_abs.var", square(largest.sd()));
    checks.number("max_abs.sd", known(largest.sd()));
    for (name, p) in [("median", 0.5), ("q90", 0.9), ("q95", 0.95), ("q99", 0.99)] {
        checks.number(&format!("max_abs.{name}"), known(largest.quantile(p)));
    }

    let rmse = Rmse::new(&scales);
    checks.number("trial_rmse.mean", known(rmse.mean()));
    checks.number("trial_rmse.sd", known(rmse.sd()));
    // the mean of the unweighted squared errors is the second moment of the RMSE
    let mse = known(WeightedMse::new(&scales, &vec![1.0; scales.len()]).mean());
    checks.number("trial_rmse.second_moment", mse);
    checks.number("root_mean_mse", mse.sqrt());
}

fn check_comparison(case: &Case, checks: &mut Checks) {
    let both = strategy_scales(case, "strategy_A")
        .and_then(|a| Ok((a, strategy_scales(case, "strategy_B")?)));
    let (a, b) = match both {
        Ok(both) => both,
        Err(error) => return checks.that(false, || format!("refused: {error}")),
    };
    let (Some(common), Some(independent)) =
        (comparison::common(&a, &b), comparison::independent(&a, &b))
    else {
        return checks.that(false, || format!("not compared: {a:?} with {b:?}"));
    };
    let wins = |comparison: comparison::Comparison| {
        (comparison.wins).map_or([f64::NAN; 3], |wins| [wins.a_lower, wins.tie, wins.b_lower])
    };
    let [a_lower, tie, b_lower] = wins(common);
    checks.number("p_A_lower_same_draws", a_lower);
    checks.number("p_tie_same_draws", tie);
    checks.number("p_B_lower_same_draws", b_lower);
    let [a_lower, ..] = wins(independent);
    checks.number("p_A_lower_independent", a_lower);

    // the cases with many queries have no moments of the difference
    if case.expected_at("mean_difference_max_A_minus_B").is_none() {
        return;
    }
    checks.number("mean_difference_max_A_minus_B", common.mean_difference);
    let largest = a.iter().chain(&b).copied().fold(0.0, f64::max);
    let relative = case.tolerance_key("sd_difference_abs_relative_to_max_scale");
    for (path, got) in [
        ("sd_difference_same_draws", common.sd_difference),
        ("sd_difference_independent", independent.sd_difference),
    ] {
        let mut tolerance: Tolerance = case.tolerance_at(path);
        tolerance.abs = tolerance.abs.max(relative.unwrap_or(0.0) * largest);
        checks.number_within(path, known(got), tolerance);
    }
    checks.number("correlation_same_draws", known(common.correlation));
}
