//! How often releases can run within a guarantee.

use super::{Measure, Rule};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct MostRuns;

impl Measure for MostRuns {
    fn about(&self) -> &'static About {
        &About {
            name: "most_runs",
            summary: "how often the releases can run within the (ε, δ) of the budget, by the accountant",
            formula: "largest k whose total is at most ε at δ",
            source: "definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Count(|cell| match &cell.within {
            None => Ok(None),
            Some(within) => Ok(Some(within.most()? as f64)),
        })
    }

    /// More is better, so that "lower" would be the wrong way to compare.
    fn compared(&self) -> bool {
        false
    }
}
