//! What an audit found.

use super::sample::{Sampler, Shown};
use crate::words::significant;
use epsweep_core::audit::event::Event;
use epsweep_core::audit::reduction::Reduction;
use epsweep_core::audit::{Finding, Partition};

/// Pieces of an event that are written out.
const SHOWN: usize = 3;
/// Digits of a number of an event.
const DIGITS: i32 = 4;

/// The result of an audit.
#[derive(Clone, Debug)]
pub struct Report {
    /// the pair of inputs
    pub pair: Shown,
    /// how many pairs it was chosen from
    pub pairs: usize,
    /// the input on which the event is likelier: 0 or 1
    pub likelier: usize,
    /// the event in words
    pub event: String,
    /// what was found
    pub finding: Finding,
}

/// An event in words: outcomes, and intervals of the reduced number.
pub(super) fn describe(
    partition: &Partition,
    event: &Event,
    reduction: &dyn Reduction,
    sampler: &dyn Sampler,
) -> String {
    let name = reduction.words();
    let mut pieces = Vec::new();
    for (outcome, intervals) in partition.intervals(&event.cells) {
        let outcome = sampler.outcome(outcome);
        let numbers: Vec<String> = (intervals.iter())
            .filter_map(|&(from, to)| interval(&name, from, to))
            // an output without numbers has a constant for one
            .filter(|_| !name.ends_with("outcome"))
            .collect();
        match (outcome, numbers.is_empty()) {
            (Some(outcome), true) => pieces.push(outcome),
            (Some(outcome), false) => {
                pieces.extend(
                    numbers
                        .iter()
                        .map(|number| format!("{outcome} and {number}")),
                );
            }
            (None, _) => pieces.extend(numbers),
        }
    }
    let more = pieces.len().saturating_sub(SHOWN);
    pieces.truncate(SHOWN);
    match (pieces.is_empty(), more) {
        (true, _) => "none was found that tells the inputs apart".to_owned(),
        (false, 0) => pieces.join(", or "),
        (false, more) => format!("{}, or {more} pieces more", pieces.join(", or ")),
    }
}

/// `the number below 1.5`; `None` for all numbers.
fn interval(name: &str, from: f64, to: f64) -> Option<String> {
    let number = |x: f64| significant(x, DIGITS);
    match (from == f64::NEG_INFINITY, to == f64::INFINITY) {
        (true, true) => None,
        (true, false) => Some(format!("{name} below {}", number(to))),
        (false, true) => Some(format!("{name} at least {}", number(from))),
        (false, false) if to == from.next_up() => Some(format!("{name} {}", number(from))),
        (false, false) => Some(format!("{name} from {} to {}", number(from), number(to))),
    }
}
