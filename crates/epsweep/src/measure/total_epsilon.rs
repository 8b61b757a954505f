//! What releases cost together, by a method of counting.

use super::{Measure, Rule};
use epsweep_core::about::About;

/// The bound on ε.
#[derive(Debug)]
pub struct TotalEpsilon;

impl Measure for TotalEpsilon {
    fn about(&self) -> &'static About {
        &About {
            name: "total_epsilon",
            summary: "ε of all releases together at δ, by the accountant",
            formula: "least ε that the accountant can promise",
            source: "the accountant's own; see `epsweep list accountants`",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Count(|cell| Ok(Some(cell.total()?.epsilon)))
    }
}

/// What no method can go below.
#[derive(Debug)]
pub struct TotalLower;

impl Measure for TotalLower {
    fn about(&self) -> &'static About {
        &About {
            name: "total_lower",
            summary: "certified lower bound on the least ε of all releases together, where the accountant has one",
            formula: "no ε below it holds for the releases as described",
            source: "the accountant's own; see `epsweep list accountants`",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Count(|cell| Ok(cell.total()?.lower))
    }

    /// It bounds a cost from below: a lower one is not a better one.
    fn compared(&self) -> bool {
        false
    }
}
