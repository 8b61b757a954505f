//! More where the decision is near: a rough look first, and finer ones while the decision is in doubt.

use super::{Family, Nature, PolicyError, Rule, Seen, Told};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

/// The allowance of a position is what is left, divided by the positions that are left. The first round takes a part of it; while what the
/// rounds have told is within `sure` of its scales of the threshold, a further round takes as much as all before it, up to a
/// quarter of what is left in all. What is not needed is left to the positions after it. All that decides has been released.
pub(super) const FAMILY: Family = Family {
    about: About {
        name: "refinement",
        summary: "spends more where the decision is near: rounds that double what a position takes while its estimate is near the threshold",
        formula: "first·left/(positions left), then as much again while |estimate − threshold| < sure·scale",
        source: "in the manner of Ligett, Neel, Roth, Waggoner and Wu, NeurIPS 2017 (doubling), each round paid in full",
    },
    parameters: &[
        Parameter {
            name: "rounds",
            summary: "rounds at a position, at most",
            default: Some(4.0),
            range: Range::Count,
        },
        Parameter {
            name: "first",
            summary: "the part of the position's allowance that the first round takes",
            default: Some(0.25),
            range: Range::Open,
        },
        Parameter {
            name: "sure",
            summary: "how many scales from the threshold the decision is taken for sure",
            default: Some(2.0),
            range: Range::Positive,
        },
    ],
    nature: Nature::Adaptive,
    make: |parameters, terms| {
        if terms.window().is_some() {
            return Err(PolicyError::WholeStream {
                policy: "refinement",
                remedy: "leave the window out",
            });
        }
        let Some(threshold) = terms.threshold() else {
            return Err(PolicyError::NoThreshold {
                policy: "refinement",
            });
        };
        if parameters[0] > MOST_ROUNDS {
            return Err(PolicyError::Number {
                what: "the number of rounds",
                value: parameters[0],
                rule: "at most 16: each doubles what a position takes",
            });
        }
        Ok(Box::new(Refinement {
            rounds: parameters[0] as usize,
            first: parameters[1],
            sure: parameters[2],
            threshold,
        }))
    },
};

const MOST_ROUNDS: f64 = 16.0;
/// The part of what is left that a position may take in all; the last one may take everything.
const MOST: f64 = 0.25;

#[derive(Debug)]
struct Refinement {
    rounds: usize,
    first: f64,
    sure: f64,
    threshold: f64,
}

impl Rule for Refinement {
    const NATURE: Nature = Nature::Adaptive;

    fn rounds(&self) -> usize {
        self.rounds
    }

    #[inline(always)]
    fn release(&self, seen: &Seen<'_>, round: usize, told: &Told) -> f64 {
        // what is left is rounded: a hair less surely fits
        let left = (seen.left - 1e-12 * seen.terms.capacity()).max(0.0);
        let positions = (seen.terms.horizon() - seen.position) as f64;
        if round == 0 {
            return self.first * left / positions;
        }
        // those after it must be left something
        let most = (left + told.amount) * if positions > 1.0 { MOST } else { 1.0 };
        if (told.estimate - self.threshold).abs() < self.sure * told.scale {
            told.amount.min(most - told.amount)
        } else {
            0.0
        }
    }
}
