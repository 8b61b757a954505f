//! How much worse the choice is than the best one.

use super::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::study::select::Ranking;
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct UtilityLoss;

impl Measure for UtilityLoss {
    fn about(&self) -> &'static About {
        &About {
            name: "utility_loss",
            summary: "the best score less the score of the choice; for k slots the mean of it over the slots",
            formula: "(Σ of the k best scores − Σ of the k scores chosen)/k",
            source: "McSherry and Talwar (FOCS 2007), theorem 8",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Choice(ChoiceRule::All(ChoiceMeasure {
            several_only: false,
            kind: |ranking, _| {
                let range = ranking.largest_gain();
                // equal scores lose nothing, whatever is chosen
                RowKind::real(if range > 0.0 && range.is_finite() {
                    range
                } else {
                    1.0
                })
            },
            kernel,
        }))
    }
}

/// A loss beyond the range of `f64` is undefined.
fn kernel(ranking: &Ranking, slots: usize, chosen: &[u32], out: &mut [f64]) {
    let best = ranking.best_sum(slots);
    for (out, ranks) in out.iter_mut().zip(chosen.chunks_exact(slots)) {
        let sum: f64 = ranks.iter().map(|rank| ranking.score(*rank)).sum();
        let loss = (best - sum) / slots as f64;
        *out = if loss.is_finite() {
            loss.max(0.0)
        } else {
            f64::NAN
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_is_that_of_a_slot() {
        let ranking = Ranking::new(&[9.0, 4.0, 7.0], 3, |i| i.to_string()).unwrap();
        let mut out = [0.0; 3];
        kernel(&ranking, 1, &[0, 1, 2], &mut out);
        assert_eq!(out, [0.0, 2.0, 5.0]);
        let mut out = [0.0; 2];
        kernel(&ranking, 2, &[1, 0, 2, 1], &mut out);
        assert_eq!(out, [0.0, 2.5]);
        let wide = Ranking::new(&[1e308, -1e308], 2, |i| i.to_string()).unwrap();
        let mut out = [0.0; 2];
        kernel(&wide, 1, &[0, 1], &mut out);
        assert!(out[0] == 0.0 && out[1].is_nan());
    }
}
