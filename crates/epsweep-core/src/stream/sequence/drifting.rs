//! Answers that move away steadily.

use super::{LEVEL, SPREAD, Sequence, draw};
use crate::about::About;
use crate::random::StandardLaw;
use crate::stream::parameter::{Parameter, Range};

/// The sequence.
#[derive(Debug)]
pub(super) struct Drifting;

impl Sequence for Drifting {
    fn about(&self) -> &'static About {
        &About {
            name: "drifting",
            summary: "normal answers about a line: what was released once is wrong by and by",
            formula: "cᵢ = level + slope·i + spread·Nᵢ, i from 0",
            source: "definition",
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                LEVEL,
                Parameter {
                    name: "slope",
                    summary: "by how much the usual answer moves from one position to the next",
                    default: Some(1.0),
                    range: Range::Finite,
                },
                SPREAD,
            ]
        }
    }

    fn fill(&self, parameters: &[f64], seed: u64, answers: &mut [f64]) {
        let [level, slope, spread] = parameters else {
            return;
        };
        draw(self.about(), "spread", StandardLaw::Normal, seed, answers);
        for (position, answer) in answers.iter_mut().enumerate() {
            *answer = level + slope * position as f64 + spread * *answer;
        }
    }
}
