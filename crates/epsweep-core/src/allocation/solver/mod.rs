//! The best shares for an objective.
//!
//! All objectives are functions of the noise scales bᵢ = c·Δᵢ/sᵢᵖ ([`Setting`]), convex (or, for the quantile, quasi-convex) in the shares s, which sum
//! to 1 and lie between floors and caps. The Karush–Kuhn–Tucker conditions are therefore sufficient: with the pull −∂f/∂sᵢ of every query, all
//! pulls are equal, except that a query at its floor may have a smaller and one at its cap a larger one.
//!
//! - a sum Σ cᵢ·bᵢᵐ: sᵢ ∝ (cᵢ·Δᵢᵐ)^(1/(1+pm)), clamped
//! - a largest max cᵢ·bᵢᵐ: sᵢ ∝ (cᵢ·Δᵢᵐ)^(1/(pm)), clamped
//! - a functional of the largest error: no closed form. Each step replaces it by a sum Σ cᵢ·sᵢ^(−mᵢ) with the same slopes and the same curvature
//!   in each share, which is minimised exactly (sequential separable approximation: Fleury, International Journal for Numerical Methods in
//!   Engineering 23, 1986), and is shortened until the value falls. About ten steps, for three queries and for a thousand.
//!
//! How far the value can be from the optimum is bounded by convexity: f(s) − f* ≤ max over feasible y of Σ pullᵢ·(yᵢ − sᵢ), the
//! [`Solution::gap`].

mod fill;
mod largest;
mod objective;
mod queries;
mod regret;

pub use fill::Bounds;
pub use largest::Pull;
pub use objective::{
    ExpectedLargest, Form, LargestMse, LargestScale, Objective, QuantileLargest, REGISTRY,
    Relative, WeightedMae, WeightedMse, named,
};
pub use queries::{Queries, SolverError};
pub use regret::{Comparison, Reached, Standing, compare};

use super::{AllocationError, Problem, Setting};
use crate::about::About;
use crate::budget::Shares;
use crate::numeric;
use fill::{best_linear, fill};

/// The best shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// the share of each query
    pub shares: Shares,
    /// a bound on (value − optimum)/value; 0 where the optimum is exact up to rounding. For the quantile it holds to first order.
    pub gap: f64,
    /// steps that were taken; 0 for a closed form
    pub steps: usize,
}

/// The best shares for an objective.
///
/// A query that does not count (without sensitivity or, where weights count, without weight) gets its floor.
///
/// # Errors
/// [`SolverError`] if the queries are malformed, if the bounds leave no shares, if nothing is to be made small, or if a share is too small
/// for a double
pub fn solve(
    objective: &dyn Objective,
    setting: Setting,
    queries: &Queries<'_>,
) -> Result<Solution, SolverError> {
    queries.checked()?;
    let bounds = queries.all_bounds();
    let exponent = setting.exponent();
    let form = objective.form(setting.law(), queries)?;
    let log_sensitivities: Vec<f64> = queries
        .sensitivities
        .iter()
        .map(|&x| libm::log(x))
        .collect();
    let proportional = |coefficients: &[f64], power: f64, root: f64| -> Vec<f64> {
        (coefficients.iter().zip(&log_sensitivities))
            .map(|(&coefficient, log)| (libm::log(coefficient) + power * log) / root)
            .collect()
    };
    let something = |logs: &[f64]| {
        if logs.iter().any(|log| *log > f64::NEG_INFINITY) {
            Ok(())
        } else {
            Err(SolverError::Nothing {
                objective: objective.about().name,
            })
        }
    };
    match form {
        Form::Sum {
            power,
            coefficients,
        } => {
            let logs = proportional(&coefficients, power, 1.0 + exponent * power);
            something(&logs)?;
            let shares = fill(&logs, &bounds);
            // the terms c·Δᵐ/s^(pm) relative to one another
            let top =
                (1.0 + exponent * power) * logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let terms: Vec<f64> = (logs.iter().zip(&shares))
                .map(|(log, share)| {
                    if *log == f64::NEG_INFINITY {
                        return 0.0;
                    }
                    libm::exp(
                        (1.0 + exponent * power) * log - exponent * power * libm::log(*share) - top,
                    )
                })
                .collect();
            let gap = gap(&terms, exponent * power, &shares, &bounds);
            finished(&logs, shares, gap, 0)
        }
        Form::Largest {
            power,
            coefficients,
        } => {
            let logs = proportional(&coefficients, power, exponent * power);
            something(&logs)?;
            let shares = fill(&logs, &bounds);
            finished(&logs, shares, 0.0, 0)
        }
        Form::Law(functional) => {
            something(&log_sensitivities)?;
            let numbers = queries.all_numbers();
            let evaluate = |scales: &[f64]| functional(setting.law(), scales, &numbers);
            iterate(&log_sensitivities, exponent, &bounds, evaluate)
        }
    }
}

/// [`solve`] for a named allocation.
pub(super) fn shares(
    objective: &dyn Objective,
    problem: &Problem<'_>,
    about: &'static About,
) -> Result<Shares, AllocationError> {
    let queries = Queries {
        sensitivities: problem.sensitivities,
        weights: problem.weights,
        numbers: problem.numbers,
        magnitudes: None,
        bounds: None,
    };
    match solve(objective, problem.setting, &queries) {
        Ok(solution) => Ok(solution.shares),
        Err(SolverError::Allocation(error)) => Err(error),
        Err(SolverError::Nothing { .. }) => Err(AllocationError::AllZero {
            allocation: about.name,
            formula: about.formula,
        }),
        Err(SolverError::Vanishes { index }) => Err(AllocationError::Vanishes {
            allocation: about.name,
            index,
            sensitivity: problem.sensitivities[index],
            weight: problem.weights[index],
        }),
        Err(other) => Err(Box::new(other).into()),
    }
}

/// How much larger f can be than its optimum, relative to f: `terms` are f's derivatives by the logarithms of what is raised to −`power`
/// in the shares, and sum to f.
fn gap(terms: &[f64], power: f64, shares: &[f64], bounds: &[Bounds]) -> f64 {
    let total: f64 = terms.iter().sum();
    let pulls: Vec<f64> = (terms.iter().zip(shares))
        .map(|(term, share)| {
            if *term > 0.0 {
                power * (term / total) / share
            } else {
                0.0
            }
        })
        .collect();
    let here: f64 = pulls
        .iter()
        .zip(shares)
        .map(|(pull, share)| pull * share)
        .sum();
    (best_linear(&pulls, bounds) - here).max(0.0)
}

fn finished(
    logs: &[f64],
    shares: Vec<f64>,
    gap: f64,
    steps: usize,
) -> Result<Solution, SolverError> {
    let lost = (logs.iter().zip(&shares))
        .position(|(log, share)| *log > f64::NEG_INFINITY && !share.is_normal());
    if let Some(index) = lost {
        return Err(SolverError::Vanishes { index });
    }
    Ok(Solution {
        shares: Shares::new(shares).map_err(AllocationError::from)?,
        gap,
        steps,
    })
}

/// The most steps; each costs a quadrature.
const STEPS: usize = 200;

/// Relative change of the shares at which the iteration ends.
const SETTLED: f64 = 1e-12;

/// Minimises a functional of the scales by repeated separable approximation.
fn iterate(
    logs: &[f64],
    exponent: f64,
    bounds: &[Bounds],
    functional: impl Fn(&[f64]) -> Option<Pull>,
) -> Result<Solution, SolverError> {
    let unit = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // what minimises the squared errors is near
    let start: Vec<f64> = logs
        .iter()
        .map(|log| 2.0 * log / (1.0 + 2.0 * exponent))
        .collect();
    let mut shares = fill(&start, bounds);
    let at = |shares: &[f64]| -> Result<Pull, SolverError> {
        let scales: Vec<f64> = (logs.iter().zip(shares))
            .map(|(&log, &share)| {
                if log == f64::NEG_INFINITY {
                    0.0
                } else {
                    libm::exp(log - unit - exponent * libm::log(share))
                }
            })
            .collect();
        functional(&scales).ok_or(SolverError::Vanishes {
            index: (scales.iter())
                .position(|scale| !scale.is_finite())
                .unwrap_or(0),
        })
    };
    let mut pull = at(&shares)?;
    let (mut steps, mut length) = (0, 1.0);
    while steps < STEPS && length > 1e-6 {
        steps += 1;
        let next = step(logs, exponent, bounds, &shares, &pull, length);
        let change = (next.iter().zip(&shares))
            .filter(|(_, share)| **share > 0.0)
            .map(|(next, share)| (next / share - 1.0).abs())
            .fold(0.0, f64::max);
        let there = at(&next)?;
        // rounding of the value must not stop the last steps, which settle the smallest shares
        if there.value <= pull.value * (1.0 + 1e-12) {
            (shares, pull) = (next, there);
            length = (1.5_f64 * length).min(1.0);
            if change <= SETTLED {
                break;
            }
        } else {
            length *= 0.5;
        }
    }
    let gap = gap(&pull.slopes, exponent, &shares, bounds);
    finished(logs, shares, gap, steps)
}

/// The minimum of the separable approximation at `shares`, or the part `length` of the way there.
fn step(
    logs: &[f64],
    exponent: f64,
    bounds: &[Bounds],
    shares: &[f64],
    pull: &Pull,
    length: f64,
) -> Vec<f64> {
    // at the optimum each free share is the part of the value that its query pulls with: ln of the ratio, and how far to go by it
    let moves: Vec<Option<(f64, f64)>> = (0..shares.len())
        .map(|index| {
            let (share, slope) = (shares[index], pull.slopes[index]);
            let counts = logs[index] > f64::NEG_INFINITY && share > 0.0;
            counts.then(|| {
                let ratio = libm::log(slope / pull.value) - libm::log(share);
                let elasticity = exponent * pull.curvatures[index].max(0.2);
                (ratio.max(-700.0), length / (1.0 + elasticity))
            })
        })
        .collect();
    let at = |level: f64| -> Vec<f64> {
        (moves.iter().zip(shares).zip(bounds))
            .map(|((movement, share), bound)| match movement {
                // no further than a factor of 20 at once
                Some((ratio, part)) => (share
                    * libm::exp((part * (ratio - level)).clamp(-3.0, 3.0)))
                .clamp(bound.floor, bound.cap),
                None => *share,
            })
            .collect()
    };
    let (_, level) = numeric::bisect(-1500.0, 1500.0, |level| {
        crate::summation::sum(&at(level)) <= 1.0
    });
    // the sum is 1 up to rounding, or else the steps were cut off
    let next: Vec<f64> = (at(level).iter().zip(logs))
        .map(|(share, log)| {
            if *log == f64::NEG_INFINITY {
                f64::NEG_INFINITY
            } else {
                libm::log(*share)
            }
        })
        .collect();
    fill(&next, bounds)
}

/// The objective at given shares of a budget of `total` (ε or ρ): infinite if a query that counts gets nothing.
///
/// # Errors
/// [`SolverError`] if the queries are malformed, the total is no budget, or there are not as many shares as queries
pub fn evaluate(
    objective: &dyn Objective,
    setting: Setting,
    queries: &Queries<'_>,
    shares: &Shares,
    total: f64,
) -> Result<f64, SolverError> {
    let count = queries.checked()?;
    if !(total > 0.0 && total.is_finite()) {
        return Err(SolverError::Total { value: total });
    }
    let found = shares.as_slice().len();
    if found != count {
        return Err(AllocationError::Length {
            what: "shares",
            found,
            queries: count,
        }
        .into());
    }
    let scales: Vec<f64> = (queries.sensitivities.iter().zip(shares.split(total)))
        .map(|(&sensitivity, budget)| setting.scale(sensitivity, budget))
        .collect();
    let term = |coefficient: f64, scale: f64, power: f64| {
        // what does not count may be released with any noise, or not at all
        if coefficient == 0.0 {
            0.0
        } else {
            coefficient * libm::pow(scale, power)
        }
    };
    Ok(match objective.form(setting.law(), queries)? {
        Form::Sum {
            power,
            coefficients,
        } => {
            let terms: Vec<f64> = (coefficients.iter().zip(&scales))
                .map(|(&coefficient, &scale)| term(coefficient, scale, power))
                .collect();
            crate::summation::sum(&terms)
        }
        Form::Largest {
            power,
            coefficients,
        } => (coefficients.iter().zip(&scales))
            .map(|(&coefficient, &scale)| term(coefficient, scale, power))
            .fold(0.0, f64::max),
        Form::Law(functional) => {
            if scales.iter().all(|scale| *scale == 0.0) {
                0.0
            } else {
                functional(setting.law(), &scales, &queries.all_numbers())
                    .map_or(f64::INFINITY, |pull| pull.value)
            }
        }
    })
}

#[cfg(test)]
mod tests;
