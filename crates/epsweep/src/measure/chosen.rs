//! Whether a candidate is chosen.

use super::{ChoiceRule, Measure, Rule};
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Chosen;

impl Measure for Chosen {
    fn about(&self) -> &'static About {
        &About {
            name: "chosen",
            summary: "1 if the candidate is chosen (for several slots: in any of them); of the best candidates, and the others together",
            formula: "1 if r is among the choices",
            source: "definition",
        }
    }

    fn flag(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule {
        Rule::Choice(ChoiceRule::Candidate)
    }

    fn compared(&self) -> bool {
        false
    }
}
