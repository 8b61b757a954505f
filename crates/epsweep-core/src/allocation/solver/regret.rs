//! How far the named allocations are from the optimum.

use super::{Bounds, Objective, Queries, Solution, SolverError, evaluate, solve};
use crate::allocation::{self, AllocationError, Problem, Setting};
use crate::budget::Shares;

/// One named allocation beside the optimum.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// the name of the allocation
    pub name: &'static str,
    /// what it divides, or why it cannot
    pub reached: Result<Reached, AllocationError>,
}

/// What an allocation reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// its shares
    pub shares: Shares,
    /// the objective, infinite if a query that counts gets nothing
    pub value: f64,
    /// value/optimum − 1, at least 0 unless the shares are out of the bounds; rounding below a relative 1e-12 reads as 0
    pub regret: f64,
    /// whether the shares lie between the floors and caps
    pub within: bool,
}

/// The optimum and every allocation of the registry beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// the best shares
    pub solution: Solution,
    /// the objective there
    pub value: f64,
    /// the named allocations, in the order of the registry
    pub standings: Vec<Standing>,
}

/// Solves for an objective with a budget of `total` (ε or ρ) and compares the allocations of the registry with the optimum.
///
/// # Errors
/// [`SolverError`] as [`solve`] and [`evaluate`]
pub fn compare(
    objective: &dyn Objective,
    setting: Setting,
    queries: &Queries<'_>,
    total: f64,
) -> Result<Comparison, SolverError> {
    let solution = solve(objective, setting, queries)?;
    let value = evaluate(objective, setting, queries, &solution.shares, total)?;
    let problem = Problem {
        sensitivities: queries.sensitivities,
        weights: queries.weights,
        numbers: queries.numbers,
        setting,
    };
    let bounds = queries.all_bounds();
    let mut standings = Vec::with_capacity(allocation::REGISTRY.len());
    for allocation in allocation::REGISTRY {
        let reached = match allocation::where_needed(*allocation, &problem) {
            Err(error) => Err(error),
            Ok(shares) => {
                let reached = evaluate(objective, setting, queries, &shares, total)?;
                let regret = reached / value - 1.0;
                Ok(Reached {
                    within: within(shares.as_slice(), &bounds),
                    shares,
                    value: reached,
                    regret: if regret.abs() < 1e-12 { 0.0 } else { regret },
                })
            }
        };
        standings.push(Standing {
            name: allocation.about().name,
            reached,
        });
    }
    Ok(Comparison {
        solution,
        value,
        standings,
    })
}

fn within(shares: &[f64], bounds: &[Bounds]) -> bool {
    (shares.iter().zip(bounds)).all(|(share, bound)| {
        *share >= bound.floor * (1.0 - 1e-12) && *share <= bound.cap * (1.0 + 1e-12)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{ExpectedLargest, WeightedMse};
    use super::*;

    fn regret(comparison: &Comparison, name: &str) -> f64 {
        let standing = comparison.standings.iter().find(|found| found.name == name);
        standing.unwrap().reached.as_ref().unwrap().regret
    }

    #[test]
    fn regret_is_zero_for_the_optimum_alone() {
        let queries = Queries {
            sensitivities: &[0.12, 120.0, 1.0],
            weights: &[1.0; 3],
            numbers: None,
            magnitudes: None,
            bounds: None,
        };
        let found = compare(&ExpectedLargest, Setting::LaplacePure, &queries, 1.0).unwrap();
        assert!((found.value - 130.878_049_708).abs() < 1e-8);
        assert_eq!(regret(&found, "optimal-max"), 0.0);
        assert!((regret(&found, "optimal-mse") - (131.0595 / 130.878_05 - 1.0)).abs() < 1e-6);
        assert!((regret(&found, "even") - 1.7508).abs() < 1e-3);
        for standing in &found.standings {
            assert!(standing.reached.as_ref().unwrap().regret >= 0.0);
        }
    }

    #[test]
    fn shares_outside_the_bounds_are_marked_and_refusals_kept() {
        let bounds = [Bounds {
            floor: 0.1,
            cap: 1.0,
        }; 2];
        let queries = Queries {
            sensitivities: &[1.0, 1000.0],
            weights: &[0.0, 1.0],
            numbers: None,
            magnitudes: None,
            bounds: Some(&bounds),
        };
        let found = compare(&WeightedMse, Setting::LaplacePure, &queries, 1.0).unwrap();
        let named = |name: &str| {
            let standing = found.standings.iter().find(|found| found.name == name);
            standing.unwrap().reached.clone()
        };
        assert!(
            !named("optimal-mse").unwrap().within && named("optimal-mse").unwrap().regret < 0.0
        );
        assert!(named("even").unwrap().within);
        let queries = Queries {
            sensitivities: &[0.0, 1.0],
            weights: &[1.0, 0.0],
            numbers: None,
            magnitudes: None,
            bounds: None,
        };
        let found = compare(&ExpectedLargest, Setting::GaussianZcdp, &queries, 1.0).unwrap();
        let minimax = found.standings.iter().find(|found| found.name == "minimax");
        assert!(minimax.unwrap().reached.is_err());
    }
}
