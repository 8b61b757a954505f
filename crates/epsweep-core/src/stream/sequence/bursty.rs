//! Answers that jump up for a while.

use super::{LEVEL, SPREAD, Sequence, draw};
use crate::about::About;
use crate::random::StandardLaw;
use crate::stream::parameter::{Parameter, Range};

/// The sequence.
#[derive(Debug)]
pub(super) struct Bursty;

impl Sequence for Bursty {
    fn about(&self) -> &'static About {
        &About {
            name: "bursty",
            summary: "normal answers about a level, which is higher during bursts of random length that begin at random",
            formula: "cᵢ = level + height·Bᵢ + spread·Nᵢ; B goes up with probability 1/every, down with 1/lasting",
            source: "definition (a Markov chain of two states)",
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                LEVEL,
                Parameter {
                    name: "height",
                    summary: "by how much answers are higher during a burst",
                    default: Some(100.0),
                    range: Range::Finite,
                },
                Parameter {
                    name: "every",
                    summary: "mean number of quiet positions before a burst",
                    default: Some(16.0),
                    range: Range::Count,
                },
                Parameter {
                    name: "lasting",
                    summary: "mean number of positions of a burst",
                    default: Some(4.0),
                    range: Range::Count,
                },
                SPREAD,
            ]
        }
    }

    fn fill(&self, parameters: &[f64], seed: u64, answers: &mut [f64]) {
        let [level, height, every, lasting, spread] = parameters else {
            return;
        };
        let mut turns = vec![0.0; answers.len()];
        draw(
            self.about(),
            "turns",
            StandardLaw::Uniform,
            seed,
            &mut turns,
        );
        draw(self.about(), "spread", StandardLaw::Normal, seed, answers);
        let mut burst = false;
        for (answer, turn) in answers.iter_mut().zip(turns) {
            let mean = if burst { lasting } else { every };
            burst ^= turn * mean < 1.0;
            let usual = if burst { level + height } else { *level };
            *answer = usual + spread * *answer;
        }
    }
}
