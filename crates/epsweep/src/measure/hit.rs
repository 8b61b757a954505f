//! Whether the best candidate is chosen.

use super::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::study::select::Ranking;
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Hit;

impl Measure for Hit {
    fn about(&self) -> &'static About {
        &About {
            name: "hit",
            summary: "1 if a candidate with the best score is chosen (for several slots: in any of them)",
            formula: "1 if max over the choices of u(r) = max u",
            source: "definition",
        }
    }

    fn flag(&self) -> bool {
        true
    }

    fn rule(&self) -> Rule {
        Rule::Choice(ChoiceRule::All(ChoiceMeasure {
            several_only: false,
            kind: |_, _| RowKind::Flag,
            kernel,
        }))
    }

    /// A hit is better than none, so that "lower" would be the wrong way to compare; its mean tells.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(ranking: &Ranking, slots: usize, chosen: &[u32], out: &mut [f64]) {
    let best = ranking.scores().optimal() as u32;
    for (out, ranks) in out.iter_mut().zip(chosen.chunks_exact(slots)) {
        *out = f64::from(u8::from(ranks.iter().any(|rank| *rank < best)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_of_the_best_are_hits() {
        let ranking = Ranking::new(&[9.0, 4.0, 9.0, 1.0], 4, |i| i.to_string()).unwrap();
        let mut out = [0.5; 4];
        kernel(&ranking, 1, &[0, 1, 2, 3], &mut out);
        assert_eq!(out, [1.0, 1.0, 0.0, 0.0]);
        kernel(&ranking, 2, &[3, 1, 2, 3], &mut out[..2]);
        assert_eq!(out[..2], [1.0, 0.0]);
    }
}
