//! Answers that keep about one level.

use super::{LEVEL, SPREAD, Sequence, draw};
use crate::about::About;
use crate::random::StandardLaw;
use crate::stream::parameter::Parameter;

/// The sequence.
#[derive(Debug)]
pub(super) struct Stationary;

impl Sequence for Stationary {
    fn about(&self) -> &'static About {
        &About {
            name: "stationary",
            summary: "independent normal answers about one level: what was released once stays about right",
            formula: "cᵢ = level + spread·Nᵢ",
            source: "definition",
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        &[LEVEL, SPREAD]
    }

    fn fill(&self, parameters: &[f64], seed: u64, answers: &mut [f64]) {
        let [level, spread] = parameters else { return };
        draw(self.about(), "spread", StandardLaw::Normal, seed, answers);
        for answer in answers {
            *answer = level + spread * *answer;
        }
    }
}
