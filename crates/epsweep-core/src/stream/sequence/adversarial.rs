//! Answers made to defeat a gate that tests whether the last release is still good.
//!
//! A dissimilarity gate spends on a test at every position, and gains where the test saves a release. Here no test ever saves one: the
//! answer jumps by `height` every `period` positions, so that with `period = 1` the last release is always wrong by the height of the
//! jump. What is paid for tests (half of the budget in the methods of Kellaris et al.) is lost, and a gate that gives each release half of
//! what is left is poor after a few jumps: its k-th release has a noise of 2^k times the first's. An even split spends nothing on looking
//! and loses nothing. A height near the noise of the releases is the worst of all: the gate then closes about as often as it opens, wrongly.

use super::{LEVEL, Sequence};
use crate::about::About;
use crate::stream::parameter::{Parameter, Range};

/// The sequence.
#[derive(Debug)]
pub(super) struct Adversarial;

impl Sequence for Adversarial {
    fn about(&self) -> &'static About {
        &About {
            name: "adversarial",
            summary: "jumps between two levels: every test of whether the last release is still good is paid for in vain",
            formula: "cᵢ = level + height·(⌊i/period⌋ mod 2), i from 0",
            source: "made against the gates of Kellaris, Papadopoulos, Xiao, Papadias, PVLDB 7(12), 2014",
        }
    }

    fn parameters(&self) -> &'static [Parameter] {
        const {
            &[
                LEVEL,
                Parameter {
                    name: "height",
                    summary: "by how much the answer jumps",
                    default: Some(100.0),
                    range: Range::Finite,
                },
                Parameter {
                    name: "period",
                    summary: "positions between two jumps",
                    default: Some(1.0),
                    range: Range::Count,
                },
            ]
        }
    }

    fn fill(&self, parameters: &[f64], _seed: u64, answers: &mut [f64]) {
        let [level, height, period] = parameters else {
            return;
        };
        let period = *period as usize;
        for (position, answer) in answers.iter_mut().enumerate() {
            let up = (position / period) % 2 == 1;
            *answer = if up { level + height } else { *level };
        }
    }
}
