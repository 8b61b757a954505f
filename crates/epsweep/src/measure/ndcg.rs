//! Normalised discounted cumulative gain.

use super::{ChoiceMeasure, ChoiceRule, Measure, Rule};
use crate::study::select::{MOST_SLOTS, Ranking, discount};
use crate::tally::RowKind;
use epsweep_core::about::About;

/// The measure.
#[derive(Debug)]
pub struct Ndcg;

impl Measure for Ndcg {
    fn about(&self) -> &'static About {
        &About {
            name: "ndcg",
            summary: "what the slots are worth, earlier ones more, relative to the best that there can be; a candidate is worth its score above the lowest one",
            formula: "Σₛ g(rₛ)/log₂(s + 1), divided by the same of the best k",
            source: "Järvelin and Kekäläinen (ACM Trans. Inf. Syst. 20, 2002)",
        }
    }

    fn rule(&self) -> Rule {
        Rule::Choice(ChoiceRule::All(ChoiceMeasure {
            several_only: true,
            kind: |_, _| RowKind::real(1.0),
            kernel,
        }))
    }

    /// Higher is better.
    fn compared(&self) -> bool {
        false
    }
}

fn kernel(ranking: &Ranking, slots: usize, chosen: &[u32], out: &mut [f64]) {
    let ideal = ranking.ideal(slots);
    let discounts: Vec<f64> = (0..slots.min(MOST_SLOTS)).map(discount).collect();
    for (out, ranks) in out.iter_mut().zip(chosen.chunks_exact(slots)) {
        let gains = ranks.iter().zip(&discounts);
        let sum: f64 = gains.map(|(rank, d)| d * ranking.gain(*rank)).sum();
        *out = match ideal > 0.0 {
            // of the best choice it is 1, however it was summed
            true if sum.is_finite() && ideal.is_finite() => (sum / ideal).min(1.0),
            true => f64::NAN,
            // all are worth the same
            false => 1.0,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_the_slots_counts() {
        let ranking = Ranking::new(&[5.0, 3.0, 1.0, 1.0], 4, |i| i.to_string()).unwrap();
        let mut out = [0.0; 3];
        kernel(&ranking, 2, &[0, 1, 1, 0, 2, 3], &mut out);
        let (first, second) = (1.0, 1.0 / libm::log2(3.0));
        let ideal = 4.0 * first + 2.0 * second;
        assert_eq!(out[0], 1.0);
        assert!((out[1] - (2.0 * first + 4.0 * second) / ideal).abs() < 1e-15);
        assert_eq!(out[2], 0.0);
        let equal = Ranking::new(&[2.0, 2.0], 2, |i| i.to_string()).unwrap();
        kernel(&equal, 2, &[1, 0], &mut out[..1]);
        assert_eq!(out[0], 1.0);
    }
}
