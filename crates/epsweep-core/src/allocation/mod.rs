//! Ways of dividing a budget among queries.
//!
//! To add an allocation: one file here with an [`Allocation`], and one line in [`REGISTRY`].
//!
//! A share is a part of the whole budget. What the shares divide depends on the composition: ε under basic composition, ρ under zCDP
//! ([`Setting`]). `even`, `proportional` and `sqrt-weighted` name shares, the same whatever is divided; the others name optima, whose formulas depend
//! on it. The [`solver`] finds the optimum for every objective, also with floors and caps.
//! Where the sensitivity drives the share, a query of sensitivity 0 gets none and needs none; where the weight does, a query
//! of weight 0 gets none and cannot be released. The even split ignores both; [`where_needed`] asks any rule only about the queries that
//! need a budget.
//!
//! ```
//! use epsweep_core::allocation::{self, Problem, Setting};
//!
//! let problem = Problem {
//!     sensitivities: &[0.12, 120.0, 1.0],
//!     weights: &[1.0; 3],
//!     numbers: None,
//!     setting: Setting::LaplacePure,
//! };
//! let shares = allocation::named("optimal-mse").expect("it is listed").shares(&problem)?;
//! let [_, largest, count] = shares.as_slice() else { unreachable!() };
//! assert!((largest / count / f64::cbrt(120.0 * 120.0) - 1.0).abs() < 1e-12); // εᵢ ∝ ∛(wᵢ·Δᵢ²)
//! # Ok::<(), epsweep_core::allocation::AllocationError>(())
//! ```

mod custom;
mod equal_sigma;
mod even;
mod minimax;
mod needed;
mod optimal_mae;
mod optimal_max;
mod optimal_mse;
mod optimal_q95_max;
mod proportional;
mod setting;
pub mod solver;
mod sqrt_weighted;

pub use custom::Custom;
pub use equal_sigma::EqualSigma;
pub use even::Even;
pub use minimax::Minimax;
pub use needed::where_needed;
pub use optimal_mae::OptimalMae;
pub use optimal_max::OptimalMax;
pub use optimal_mse::OptimalMse;
pub use optimal_q95_max::OptimalQ95Max;
pub use proportional::Proportional;
pub use setting::{ErrorLaw, Setting};
pub use sqrt_weighted::SqrtWeighted;

use crate::about::About;
use crate::budget::{BudgetError, Shares};
use std::fmt::Debug;

/// What a budget is divided among: one sensitivity and one weight per query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem<'a> {
    /// Δ of each query, in the norm of the noise and in the units of its answer: finite and at least 0
    pub sensitivities: &'a [f64],
    /// how much the error of each query counts: finite and at least 0
    pub weights: &'a [f64],
    /// how many numbers each query tells, all of them with noise of its scale: at least 1; one each where `None`. They count where the
    /// largest error does; elsewhere a query counts once
    pub numbers: Option<&'a [usize]>,
    /// the noise, and what the shares divide
    pub setting: Setting,
}

/// A way of dividing a budget.
pub trait Allocation: Sync + Send + Debug {
    /// what it is
    fn about(&self) -> &'static About;

    /// The share of each query, in order.
    ///
    /// # Errors
    /// [`AllocationError`] if the problem is empty or malformed, if no query would get anything, or if the share of a query that
    /// is to get one is too small for a double
    fn shares(&self, problem: &Problem<'_>) -> Result<Shares, AllocationError>;

    /// Whether the shares depend on the [`Setting`]: those of an optimum do.
    fn depends_on_setting(&self) -> bool {
        true
    }
}

/// All allocations that need no parameters, in the order in which they are listed.
pub const REGISTRY: &[&dyn Allocation] = &[
    &Even,
    &Proportional,
    &EqualSigma,
    &SqrtWeighted,
    &OptimalMse,
    &OptimalMae,
    &Minimax,
    &OptimalMax,
    &OptimalQ95Max,
];

/// The allocation of that name.
pub fn named(name: &str) -> Option<&'static dyn Allocation> {
    REGISTRY
        .iter()
        .copied()
        .find(|allocation| allocation.about().name == name)
}

/// Why a budget cannot be divided.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AllocationError {
    /// no query
    #[error("there is no query to divide the budget among: name at least one")]
    Empty,
    /// as many sensitivities as weights or shares are needed
    #[error("there are {found} {what} for {queries} queries: give one per query")]
    Length {
        /// `weights` or `shares`
        what: &'static str,
        /// how many there are
        found: usize,
        /// how many there must be
        queries: usize,
    },
    /// a sensitivity or weight that is not a non-negative number
    #[error("the {what} of query {} is {value:?}, but must be finite and at least 0", index + 1)]
    Value {
        /// `sensitivity` or `weight`
        what: &'static str,
        /// the query's place, from 0
        index: usize,
        /// the value refused
        value: f64,
    },
    /// nothing drives the division
    #[error(
        "{allocation} divides the budget in proportion to {formula}, which is 0 for every query: \
         give a positive weight to a query that has noise, or divide evenly"
    )]
    AllZero {
        /// the name of the allocation
        allocation: &'static str,
        /// its formula
        formula: &'static str,
    },
    /// a query that tells nothing
    #[error("query {} tells 0 numbers, but a query tells at least one", index + 1)]
    NoNumbers {
        /// the query's place, from 0
        index: usize,
    },
    /// no query has a sensitivity above 0
    #[error(
        "every query has sensitivity 0: exact answers need no budget, and there is none to divide"
    )]
    NothingToHide,
    /// a share that would be lost
    #[error(
        "{allocation} gives query {} (Δ = {sensitivity:?}, weight {weight:?}) a share too small for a double: \
         measure it in other units or change its weight",
        index + 1
    )]
    Vanishes {
        /// the name of the allocation
        allocation: &'static str,
        /// the query's place, from 0
        index: usize,
        /// its sensitivity
        sensitivity: f64,
        /// its weight
        weight: f64,
    },
    /// what the solver refuses besides
    #[error(transparent)]
    Solver(#[from] Box<solver::SolverError>),
    /// what the division of a budget refuses besides
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl Problem<'_> {
    /// How many queries there are, if all is well.
    fn checked(&self) -> Result<usize, AllocationError> {
        let queries = self.sensitivities.len();
        if queries == 0 {
            return Err(AllocationError::Empty);
        }
        if self.weights.len() != queries {
            return Err(AllocationError::Length {
                what: "weights",
                found: self.weights.len(),
                queries,
            });
        }
        if let Some(numbers) = self.numbers {
            if numbers.len() != queries {
                return Err(AllocationError::Length {
                    what: "numbers",
                    found: numbers.len(),
                    queries,
                });
            }
            if let Some(index) = numbers.iter().position(|numbers| *numbers == 0) {
                return Err(AllocationError::NoNumbers { index });
            }
        }
        for (what, values) in [
            ("sensitivity", self.sensitivities),
            ("weight", self.weights),
        ] {
            for (index, &value) in values.iter().enumerate() {
                if !(0.0..f64::INFINITY).contains(&value) {
                    return Err(AllocationError::Value { what, index, value });
                }
            }
        }
        Ok(queries)
    }

    /// Shares in proportion to the products of the `factors` of (sensitivity, weight). The products may leave the range of
    /// doubles, the factors may not.
    fn shares_of_products(
        &self,
        about: &'static About,
        factors: impl Fn(f64, f64) -> [f64; 4],
    ) -> Result<Shares, AllocationError> {
        self.checked()?;
        let products: Vec<(f64, i32)> = (self.sensitivities.iter().zip(self.weights))
            .map(|(&sensitivity, &weight)| product(factors(sensitivity, weight)))
            .collect();
        let top = (products.iter())
            .filter(|(mantissa, _)| *mantissa > 0.0)
            .map(|&(_, exponent)| exponent)
            .max();
        let Some(top) = top else {
            return Err(AllocationError::AllZero {
                allocation: about.name,
                formula: about.formula,
            });
        };
        let vanishes = |index: usize| AllocationError::Vanishes {
            allocation: about.name,
            index,
            sensitivity: self.sensitivities[index],
            weight: self.weights[index],
        };
        let mut relative = Vec::with_capacity(products.len());
        for (index, &(mantissa, exponent)) in products.iter().enumerate() {
            let value = if mantissa > 0.0 {
                libm::scalbn(mantissa, exponent - top)
            } else {
                0.0
            };
            if mantissa > 0.0 && !value.is_normal() {
                return Err(vanishes(index));
            }
            relative.push(value);
        }
        Shares::from_weights(&relative).map_err(|error| match error {
            BudgetError::Vanishes { index, .. } => vanishes(index),
            other => AllocationError::Budget(other),
        })
    }
}

/// A product of non-negative numbers as mantissa and power of two, so that it neither overflows nor underflows.
fn product(factors: [f64; 4]) -> (f64, i32) {
    let mut mantissa = 1.0;
    let mut exponent = 0;
    for factor in factors {
        let (part, power) = libm::frexp(factor);
        let (rest, carry) = libm::frexp(mantissa * part);
        mantissa = rest;
        exponent += power + carry;
    }
    (mantissa, exponent)
}

#[cfg(test)]
mod tests;
