//! Permute-and-flip (McKenna and Sheldon, NeurIPS 2020, theorem 1: ε-DP).
//!
//! Its privacy loss has no range bounded by ε, so that the exponential mechanism's smaller curve must not be used: with two equal
//! scores that move apart by 2Δ, its probabilities go from (½, ½) to (1 − e^(−ε)/2, e^(−ε)/2), whose losses span ε + ln(2 − e^(−ε)), and
//! whose divergence is αε²/2 for small ε, as large as that of randomised response. The curve of randomised response is therefore the best
//! of this simple form, and valid because it dominates all that is ε-DP.

use super::{Curve, RandomisedResponse};
use crate::about::About;
use crate::accounting::error::AccountingError;

/// Permute-and-flip that is ε-DP.
#[derive(Clone, Copy, Debug)]
pub struct PermuteAndFlip {
    pure: RandomisedResponse,
}

pub(super) const ABOUT: About = About {
    name: "permute-and-flip",
    summary: "permute-and-flip: the curve of randomised response, which it reaches for small ε",
    formula: "ε(α) = ln(p^α q^(1−α) + q^α p^(1−α))/(α − 1), p = e^ε/(1 + e^ε), q = 1 − p",
    source: "McKenna, Sheldon, NeurIPS 2020, theorem 1; Kairouz, Oh, Viswanath 2017, theorem 3.1",
};

impl PermuteAndFlip {
    /// # Errors
    /// [`AccountingError::Parameter`] if ε is negative or not finite
    pub fn new(epsilon: f64) -> Result<PermuteAndFlip, AccountingError> {
        RandomisedResponse::new(epsilon).map(|pure| PermuteAndFlip { pure })
    }
}

impl Curve for PermuteAndFlip {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn rdp(&self, alpha: f64) -> Result<f64, AccountingError> {
        self.pure.rdp(alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::super::BoundedRange;
    use super::*;

    /// The exact probabilities for utilities with half-exponents `a` = ε·u/2Δ: the candidates in random order, each accepted
    /// with probability e^(a − max a); summed over all orders.
    fn probabilities(exponents: &[f64]) -> Vec<f64> {
        let largest = exponents.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let accept: Vec<f64> = exponents.iter().map(|a| libm::exp(a - largest)).collect();
        let mut chosen = vec![0.0; accept.len()];
        fn visit(left: &mut Vec<usize>, weight: f64, accept: &[f64], chosen: &mut [f64]) {
            let each = weight / left.len() as f64;
            for place in 0..left.len() {
                let candidate = left.remove(place);
                chosen[candidate] += each * accept[candidate];
                if accept[candidate] < 1.0 {
                    visit(left, each * (1.0 - accept[candidate]), accept, chosen);
                }
                left.insert(place, candidate);
            }
        }
        visit(&mut (0..accept.len()).collect(), 1.0, &accept, &mut chosen);
        chosen
    }

    fn divergence(p: &[f64], q: &[f64], alpha: f64) -> f64 {
        let sum: f64 = p
            .iter()
            .zip(q)
            .map(|(p, q)| libm::pow(*p, alpha) * libm::pow(*q, 1.0 - alpha))
            .sum();
        libm::log(sum) / (alpha - 1.0)
    }

    #[test]
    fn exact_probabilities_stay_below_the_curve_and_pass_that_of_a_bounded_range() {
        let epsilon = 0.5;
        let curve = PermuteAndFlip::new(epsilon).unwrap();
        let narrower = BoundedRange::new(epsilon).unwrap();
        let mut passed = false;
        // four candidates; each score moves by −Δ, 0 or Δ: half-exponents move by −ε/2, 0 or ε/2
        for pattern in 0..81 {
            for base in [
                [0.0, 0.0, 0.0, 0.0],
                [0.0, -0.3, -0.3, -1.0],
                [0.0, 0.0, -2.0, -2.0],
            ] {
                let mut code = pattern;
                let moved: Vec<f64> = base
                    .iter()
                    .map(|a| {
                        let shift = f64::from(code % 3 - 1);
                        code /= 3;
                        a + 0.5 * epsilon * shift
                    })
                    .collect();
                let (p, q) = (probabilities(&base), probabilities(&moved));
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                for alpha in [1.5, 2.0, 8.0, 64.0] {
                    let exact = divergence(&p, &q, alpha).max(divergence(&q, &p, alpha));
                    assert!(exact <= curve.rdp(alpha).unwrap() + 1e-12);
                    passed |= exact > narrower.rdp(alpha).unwrap() + 1e-6;
                }
            }
        }
        assert!(
            passed,
            "a case that a bounded range would not cover is among these"
        );
    }
}
