//! Runs of a mechanism of the library.

use super::run::AuditFailure;
use super::sample::{Block, Sampler, Shown};
use crate::config::number::label;
use epsweep_core::audit::{Outputs, Pair, Subject};
use epsweep_core::random::{Draws, Source};

/// Runs of a block.
const CHUNK: usize = 4096;
/// Numbers of an input that are printed.
const SHOWN: usize = 6;

/// A mechanism on pairs of inputs.
#[derive(Debug)]
pub(super) struct Mechanism {
    subject: Box<dyn Subject>,
    pairs: Vec<Pair>,
    shown: Vec<Shown>,
    seed: u64,
}

impl Mechanism {
    /// On these pairs, all of which the mechanism takes.
    pub fn new(subject: Box<dyn Subject>, pairs: Vec<Pair>, seed: u64) -> Mechanism {
        let shown = (pairs.iter())
            .map(|pair| Shown {
                words: pair.words.clone(),
                inputs: [list(&pair.a), list(&pair.b)],
            })
            .collect();
        Mechanism {
            subject,
            pairs,
            shown,
            seed,
        }
    }
}

/// `[0, 1, 1, … 8 numbers]`
fn list(numbers: &[f64]) -> String {
    let mut shown: Vec<String> = (numbers.iter().take(SHOWN))
        .map(|number| label(*number))
        .collect();
    if numbers.len() > SHOWN {
        shown.push(format!("… {} numbers", numbers.len()));
    }
    format!("[{}]", shown.join(", "))
}

impl Sampler for Mechanism {
    fn pairs(&self) -> &[Shown] {
        &self.shown
    }

    fn chunk(&self) -> usize {
        CHUNK
    }

    fn centres(&self, pair: usize) -> Option<[Vec<f64>; 2]> {
        let pair = &self.pairs[pair];
        Some([&pair.a, &pair.b].map(|input| self.subject.centre(input)))
    }

    fn sample(&self, block: &Block) -> Result<Outputs, AuditFailure> {
        let input = self.pairs[block.pair].side(block.side);
        let side = ["a", "b"][block.side];
        let sources: Vec<Source> = (self.subject.sources(input).iter())
            .map(|source| {
                let purpose = format!("audit/{}/{side}/{}", block.part.name(), source.purpose());
                Source::new(&purpose, source.law(), source.rows())
            })
            .collect();
        let mut draws = Draws::new(self.seed, CHUNK, &sources);
        draws.go_to_first(block.chunk, block.runs);
        let mut outputs = Outputs::new(self.subject.centre(input).len());
        outputs.start(block.runs);
        self.subject.run(input, &draws, &mut outputs);
        Ok(outputs)
    }

    fn outcome(&self, outcome: u32) -> Option<String> {
        self.subject.outcome(outcome)
    }
}
