//! Divided budgets, the noise scales they give, and the objectives they reach.

use crate::case::{Case, Checks};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::allocation::{self, Allocation, Problem, Setting};
use epsweep_core::budget::{Budget, Epsilon};
use epsweep_core::noise;
use epsweep_core::sensitivity::Sensitivity;

pub const FAMILY: Family = Family {
    name: "allocation",
    kind: input_kind,
    covered: &[Kind {
        name: "laplace_pure_dp",
        check: check_laplace,
    }],
    later: &["gaussian_zcdp"],
};

/// The strategies' names in the cases and in the library.
const STRATEGIES: [(&str, &str); 6] = [
    ("even", "even"),
    ("proportional", "proportional"),
    ("sqrt_weighted", "sqrt-weighted"),
    ("optimal_wmse_laplace", "optimal-mse"),
    ("optimal_wmae_laplace", "optimal-mae"),
    ("minimax_weighted_scale", "minimax"),
];

/// The allocation that the cases call `strategy`.
pub fn named(strategy: &str) -> &'static dyn Allocation {
    let (_, name) = STRATEGIES
        .iter()
        .find(|(theirs, _)| *theirs == strategy)
        .unwrap_or_else(|| panic!("unknown strategy {strategy:?}"));
    allocation::named(name).expect("an allocation of the registry")
}

/// The ε of each query.
pub fn budgets(
    strategy: &str,
    sensitivities: &[f64],
    weights: &[f64],
    epsilon: f64,
) -> Result<Vec<f64>, String> {
    let problem = Problem {
        sensitivities,
        weights,
        setting: Setting::LaplacePure,
    };
    let shares = (named(strategy).shares(&problem)).map_err(|error| error.to_string())?;
    Ok(shares.split(epsilon))
}

/// The Laplace scale of each query; infinite where a query with a sensitivity has no budget.
pub fn scales(sensitivities: &[f64], budgets: &[f64]) -> Result<Vec<f64>, String> {
    let laplace = noise::kind("laplace").expect("a noise of the registry");
    (sensitivities.iter().zip(budgets))
        .map(|(&delta, &budget)| {
            let sensitivity = Sensitivity {
                l1: delta,
                l2: delta,
            };
            let spent = (budget != 0.0)
                .then(|| Epsilon::new(budget).map(Budget::Pure))
                .transpose()
                .map_err(|error| error.to_string())?;
            let noise =
                (laplace.calibrate(sensitivity, spent)).map_err(|error| error.to_string())?;
            Ok(noise.scale())
        })
        .collect()
}

fn check_laplace(case: &Case, checks: &mut Checks) {
    let (sensitivities, weights) = (case.numbers("sensitivities"), case.numbers("weights"));
    let epsilon = case.input_number("epsilon");
    let total_weight: f64 = weights.iter().sum();
    let mut reached = Vec::new();
    for (strategy, _) in STRATEGIES {
        let outcome = budgets(strategy, &sensitivities, &weights, epsilon)
            .and_then(|budgets| Ok((scales(&sensitivities, &budgets)?, budgets)));
        let (scales, budgets) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                checks.that(false, || format!("{strategy} refused: {error}"));
                continue;
            }
        };
        checks.numbers(&format!("{strategy}.budgets"), &budgets);
        checks.numbers(&format!("{strategy}.scales"), &scales);
        // a query without weight does not count, whatever its scale
        let counted: Vec<(f64, f64)> = (weights.iter().copied().zip(scales.iter().copied()))
            .filter(|&(weight, _)| weight > 0.0)
            .collect();
        let squares = || counted.iter().map(|(weight, scale)| weight * 2.0 * scale * scale);
        let absolutes = || counted.iter().map(|(weight, scale)| weight * scale);
        let (wmse, wmae) = (squares().sum::<f64>(), absolutes().sum::<f64>());
        let mut number = |field: &str, value: f64| checks.number(&format!("{strategy}.{field}"), value);
        number("wmse_sum", wmse);
        number("wmse_mean", wmse / total_weight);
        number("wmae_sum", wmae);
        number("wmae_mean", wmae / total_weight);
        number("max_scale", scales.iter().copied().fold(0.0, f64::max));
        number("max_weighted_scale", absolutes().fold(0.0, f64::max));
        number("max_weighted_mse", squares().fold(0.0, f64::max));
        reached.push((strategy, wmse));
    }
    let wmse_of = |wanted: &str| {
        let found = reached.iter().find(|(strategy, _)| *strategy == wanted);
        found.map_or(f64::NAN, |&(_, wmse)| wmse)
    };
    checks.number(
        "ratio_wmse_sqrt_weighted_over_optimal",
        wmse_of("sqrt_weighted") / wmse_of("optimal_wmse_laplace"),
    );
}
