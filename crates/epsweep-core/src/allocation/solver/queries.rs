//! What is to be answered, and what can be wrong with it.

use super::fill::Bounds;
use crate::allocation::{AllocationError, Problem, Setting};
use crate::budget::Shares;

/// What is to be answered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queries<'a> {
    /// Δ of each query in the norm of the noise, in the units of its answer: finite and at least 0
    pub sensitivities: &'a [f64],
    /// how much the error of each query counts: finite and at least 0
    pub weights: &'a [f64],
    /// how many numbers each query tells, all of them with noise of its scale: at least 1; one each where `None`
    pub numbers: Option<&'a [usize]>,
    /// the declared, public magnitude of each answer, in its units: finite and above 0; for the relative error
    pub magnitudes: Option<&'a [f64]>,
    /// the floor and the cap of each share
    pub bounds: Option<&'a [Bounds]>,
}

/// Why there is no optimum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolverError {
    /// sensitivities or weights that are refused
    #[error(transparent)]
    Allocation(#[from] AllocationError),
    /// nothing to make small
    #[error(
        "{objective} is 0 whatever the shares: give a positive weight to a query with a positive sensitivity"
    )]
    Nothing {
        /// the objective
        objective: &'static str,
    },
    /// magnitudes are missing
    #[error(
        "the relative error needs the magnitude of every answer, declared without looking at the data: give one per query"
    )]
    NoMagnitudes,
    /// a magnitude that is not positive
    #[error("the magnitude of query {} is {value:?}, but must be finite and above 0: declare what the answer is expected to be", index + 1)]
    Magnitude {
        /// the query's place, from 0
        index: usize,
        /// the value refused
        value: f64,
    },
    /// a floor and a cap that leave no room
    #[error("the share of query {} is to lie between {floor:?} and {cap:?}, but 0 ≤ floor ≤ cap ≤ 1 and cap > 0 must hold: correct them", index + 1)]
    Bounds {
        /// the query's place, from 0
        index: usize,
        /// at least
        floor: f64,
        /// at most
        cap: f64,
    },
    /// floors above, or caps below, the whole
    #[error("the {what} of all shares sum to {sum:?}, but must sum to {rule}: {remedy}")]
    Infeasible {
        /// `floors` or `caps`
        what: &'static str,
        /// their sum
        sum: f64,
        /// what holds for it
        rule: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// a share that would be lost
    #[error(
        "the best share of query {} is too small for a double: measure the query in other units or give it a floor",
        index + 1
    )]
    Vanishes {
        /// the query's place, from 0
        index: usize,
    },
    /// a total that is no budget
    #[error("the budget is {value:?}, but must be finite and above 0")]
    Total {
        /// the value refused
        value: f64,
    },
}

impl Queries<'_> {
    /// How many queries there are, if all is well.
    pub(super) fn checked(&self) -> Result<usize, SolverError> {
        let queries = Problem {
            sensitivities: self.sensitivities,
            weights: self.weights,
            numbers: self.numbers,
            setting: Setting::default(),
        }
        .checked()?;
        let length = |what, found| {
            if found == queries {
                Ok(())
            } else {
                Err(AllocationError::Length {
                    what,
                    found,
                    queries,
                })
            }
        };
        if let Some(magnitudes) = self.magnitudes {
            length("magnitudes", magnitudes.len())?;
            let bad = |value: &&f64| !(**value > 0.0 && value.is_finite());
            if let Some(index) = magnitudes.iter().position(|value| bad(&value)) {
                let value = magnitudes[index];
                return Err(SolverError::Magnitude { index, value });
            }
        }
        if let Some(bounds) = self.bounds {
            length("bounds", bounds.len())?;
            check_bounds(bounds)?;
        }
        Ok(queries)
    }

    /// How many numbers each query tells.
    pub(super) fn all_numbers(&self) -> Vec<f64> {
        match self.numbers {
            Some(numbers) => numbers.iter().map(|numbers| *numbers as f64).collect(),
            None => vec![1.0; self.sensitivities.len()],
        }
    }

    /// The bounds of each share.
    pub(super) fn all_bounds(&self) -> Vec<Bounds> {
        match self.bounds {
            Some(bounds) => bounds.to_vec(),
            None => vec![Bounds::NONE; self.sensitivities.len()],
        }
    }
}

fn check_bounds(bounds: &[Bounds]) -> Result<(), SolverError> {
    for (index, &Bounds { floor, cap }) in bounds.iter().enumerate() {
        let ordered = 0.0 <= floor && floor <= cap && cap <= 1.0 && cap > 0.0;
        if !ordered {
            return Err(SolverError::Bounds { index, floor, cap });
        }
    }
    let floors: f64 = bounds.iter().map(|bound| bound.floor).sum();
    let caps: f64 = bounds.iter().map(|bound| bound.cap).sum();
    if floors > 1.0 + Shares::SUM_TOLERANCE {
        return Err(SolverError::Infeasible {
            what: "floors",
            sum: floors,
            rule: "at most 1",
            remedy: "lower one",
        });
    }
    if caps < 1.0 - Shares::SUM_TOLERANCE {
        return Err(SolverError::Infeasible {
            what: "caps",
            sum: caps,
            rule: "at least 1",
            remedy: "raise one, or lower the budget",
        });
    }
    Ok(())
}
