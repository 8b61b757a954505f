//! What simulation hands to the summary: the finished tallies of one cell.

use super::{Failed, Histogram, OrderStatistics};
use epsweep_core::statistics::{ChiSquare, Moments};
use epsweep_core::theory::Law;
use std::sync::Arc;

/// The finished tallies of one cell.
#[derive(Clone, Debug)]
pub struct CellTally {
    /// index of the cell in the plan
    pub cell: usize,
    /// trials that were simulated
    pub trials: u64,
    /// every reported measure, in the registry's order, queries before `all`
    pub outcomes: Vec<OutcomeTally>,
    /// paired differences against other cells
    pub pairs: Vec<PairTally>,
    /// all frequencies of a choice together against its exact law, where both are known
    pub fit: Option<ChiSquare>,
    /// what is known without trials
    pub exact: Vec<ExactTally>,
    /// trials that failed: what has no number in them is undefined there
    pub failed: Failed,
}

/// A number that theory gives, where there is nothing to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct ExactTally {
    /// a query's name, or `all`
    pub subject: &'static str,
    /// the measure's name
    pub measure: &'static str,
    /// the number, or why there is none
    pub value: Result<f64, String>,
}

/// A measure of a subject over the trials of a cell.
#[derive(Clone, Debug)]
pub struct OutcomeTally {
    /// a query's name, or `all`
    pub subject: String,
    /// the measure's name
    pub measure: &'static str,
    /// moments over the trials in which the measure is defined
    pub moments: Moments,
    /// the values' histogram (scaled and shifted into the measure's units)
    pub histogram: Histogram,
    /// the order statistics that exact quantiles are made of, where they are asked for
    pub order: Option<OrderStatistics>,
    /// least value seen
    pub min: f64,
    /// largest value seen
    pub max: f64,
    /// trials in which the measure is undefined (NaN): counted, left out of the rest, never dropped silently
    pub undefined: u64,
    /// what its values are
    pub nature: Nature,
    /// the exact law, where known
    pub law: Option<Arc<dyn Law>>,
    /// names the noise that the numbers come from: tallies with the same text are one piece of evidence
    pub evidence: String,
}

/// What the values of a measure are: what a sample of a single value says depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// the same in every trial, by construction
    Fixed,
    /// 0 or 1
    Flag,
    /// any number
    Number,
}

impl OutcomeTally {
    /// A measure whose values are held in memory; NaN marks a trial in which it is undefined.
    pub fn of_values(values: &[f64], law: Option<Arc<dyn Law>>) -> OutcomeTally {
        let defined: Vec<f64> = values.iter().copied().filter(|x| !x.is_nan()).collect();
        OutcomeTally {
            subject: "q".into(),
            measure: "abs_error",
            moments: Moments::from_values(&defined),
            histogram: Histogram::from_values(&defined),
            order: None,
            min: defined.iter().copied().fold(f64::INFINITY, f64::min),
            max: defined.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            undefined: (values.len() - defined.len()) as u64,
            nature: Nature::Number,
            law,
            evidence: "q".into(),
        }
    }
}

/// Paired differences a − b of a measure between two cells, over the trials that they share.
#[derive(Clone, Debug)]
pub struct PairTally {
    /// index in the plan of cell b, the baseline
    pub against: usize,
    /// a query's name, or `all`
    pub subject: String,
    /// the measure's name
    pub measure: &'static str,
    /// moments of a − b
    pub moments: Moments,
    /// trials with a < b
    pub win: u64,
    /// trials with a = b
    pub tie: u64,
    /// trials with a > b
    pub loss: u64,
}
