//! Divided budgets, the noise scales they give, and the objectives they reach.

use crate::case::{Case, Checks};
use crate::family::{Family, Kind, input_kind};
use epsweep_core::allocation::{self, Allocation, Problem, Setting};
use epsweep_core::budget::{Budget, Epsilon, Rho};
use epsweep_core::noise;
use epsweep_core::sensitivity::Sensitivity;

pub const FAMILY: Family = Family {
    name: "allocation",
    kind: input_kind,
    covered: &[
        Kind {
            name: "laplace_pure_dp",
            check: check_laplace,
        },
        Kind {
            name: "gaussian_zcdp",
            check: check_gaussian,
        },
    ],
    later: &[],
};

/// The strategies' names in the cases and in the library.
const LAPLACE_STRATEGIES: [(&str, &str); 6] = [
    ("even", "even"),
    ("proportional", "proportional"),
    ("sqrt_weighted", "sqrt-weighted"),
    ("optimal_wmse_laplace", "optimal-mse"),
    ("optimal_wmae_laplace", "optimal-mae"),
    ("minimax_weighted_scale", "minimax"),
];

/// Those under a zCDP budget with Gaussian noise, where √w·Δ is the optimum that (w·Δ²)^(1/3) is under Laplace noise.
const GAUSSIAN_STRATEGIES: [(&str, &str); 5] = [
    ("even", "even"),
    ("proportional", "proportional"),
    ("optimal_wmse_gaussian_zcdp", "sqrt-weighted"),
    ("cube_root_share_under_zcdp", "optimal-mse"),
    ("equal_sigma", "equal-sigma"),
];

/// The allocation that the cases call `strategy`.
pub fn named(strategy: &str) -> &'static dyn Allocation {
    let (_, name) = LAPLACE_STRATEGIES
        .iter()
        .chain(&GAUSSIAN_STRATEGIES)
        .find(|(theirs, _)| *theirs == strategy)
        .unwrap_or_else(|| panic!("unknown strategy {strategy:?}"));
    allocation::named(name).expect("an allocation of the registry")
}

/// The part of the budget, ε or ρ, of each query.
pub fn budgets(
    strategy: &str,
    sensitivities: &[f64],
    weights: &[f64],
    epsilon: f64,
) -> Result<Vec<f64>, String> {
    let problem = Problem {
        sensitivities,
        weights,
        numbers: None,
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
    for (strategy, _) in LAPLACE_STRATEGIES {
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

/// σ of each query for its ρ; infinite where a query with a sensitivity has none.
fn sigmas(sensitivities: &[f64], rhos: &[f64]) -> Result<Vec<f64>, String> {
    let gaussian = noise::kind("gaussian").expect("a noise of the registry");
    (sensitivities.iter().zip(rhos))
        .map(|(&delta, &rho)| {
            let spent = (rho != 0.0)
                .then(|| Rho::new(rho).map(Budget::Zcdp))
                .transpose()
                .map_err(|error| error.to_string())?;
            let sensitivity = Sensitivity {
                l1: delta,
                l2: delta,
            };
            let noise =
                (gaussian.calibrate(sensitivity, spent)).map_err(|error| error.to_string())?;
            Ok(noise.scale())
        })
        .collect()
}

fn check_gaussian(case: &Case, checks: &mut Checks) {
    let (sensitivities, weights) = (case.numbers("sensitivities"), case.numbers("weights"));
    let rho = case.input_number("rho");
    let total_weight: f64 = weights.iter().sum();
    for (strategy, _) in GAUSSIAN_STRATEGIES {
        let outcome = budgets(strategy, &sensitivities, &weights, rho)
            .and_then(|rhos| Ok((sigmas(&sensitivities, &rhos)?, rhos)));
        let (sigmas, rhos) = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                checks.that(false, || format!("{strategy} refused: {error}"));
                continue;
            }
        };
        checks.numbers(&format!("{strategy}.rhos"), &rhos);
        checks.numbers(&format!("{strategy}.sigmas"), &sigmas);
        // a query without weight does not count, whatever its σ
        let counted: Vec<(f64, f64)> = (weights.iter().copied().zip(sigmas.iter().copied()))
            .filter(|&(weight, _)| weight > 0.0)
            .collect();
        let wmse: f64 = counted.iter().map(|(weight, sigma)| weight * sigma * sigma).sum();
        let absolute = (2.0 / std::f64::consts::PI).sqrt();
        let wmae: f64 = counted.iter().map(|(weight, sigma)| weight * sigma * absolute).sum();
        let mut number = |field: &str, value: f64| checks.number(&format!("{strategy}.{field}"), value);
        number("wmse_sum", wmse);
        number("wmse_mean", wmse / total_weight);
        number("wmae_sum", wmae);
        number("wmae_mean", wmae / total_weight);
        number("max_sigma", sigmas.iter().copied().fold(0.0, f64::max));
    }
}
