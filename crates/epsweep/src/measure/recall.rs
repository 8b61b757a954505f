//! How many of the best candidates are among those chosen.

use super::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::study::select::Ranking;
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Recall;

impl Measure for Recall {
    fn about(&self) -> &'static About {
        &About {
            name: "recall",
            summary: "the part of the k slots that hold one of the k best candidates; whoever ties with the last of them is one",
            formula: "#{slots with u(r) ≥ k-th best score}/k",
            source: "Durfee and Rogers (NeurIPS 2019), §6; definition",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Choice(ChoiceRule::All(ChoiceMeasure {
            several_only: true,
            kind: |_, slots| RowKind::Part { of: slots },
            kernel,
        }))
    }

    /// Higher is better.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(ranking: &Ranking, slots: usize, chosen: &[u32], out: &mut [f64]) {
    let least = ranking.threshold(slots);
    for (out, ranks) in out.iter_mut().zip(chosen.chunks_exact(slots)) {
        let good = (ranks.iter()).filter(|rank| ranking.score(**rank) >= least);
        *out = good.count() as f64 / slots as f64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_with_the_last_count() {
        let scores = [9.0, 4.0, 4.0, 1.0];
        let ranking = Ranking::new(&scores, 4, |i| i.to_string()).unwrap();
        let mut out = [0.5; 3];
        kernel(&ranking, 2, &[2, 0, 3, 1, 1, 2], &mut out);
        assert_eq!(out, [1.0, 0.5, 1.0]);
    }
}
