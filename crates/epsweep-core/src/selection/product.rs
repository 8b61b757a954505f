//! Integrals of products, which are the laws of races between candidates.

use crate::numeric;
use std::sync::OnceLock;

/// Nodes of the Gauss–Legendre rule on [0, 1], with their weights.
pub(super) type Rule<const N: usize> = [(f64, f64); N];

/// The Gauss–Legendre rule with N nodes on [0, 1].
fn legendre<const N: usize>() -> Rule<N> {
    numeric::legendre::<N>().map(|(x, weight)| (0.5 * (1.0 - x), 0.5 * weight))
}

/// Sixteen nodes.
pub(super) fn rule16() -> &'static Rule<16> {
    static RULE: OnceLock<Rule<16>> = OnceLock::new();
    RULE.get_or_init(legendre)
}

fn rule64() -> &'static Rule<64> {
    static RULE: OnceLock<Rule<64>> = OnceLock::new();
    RULE.get_or_init(legendre)
}

/// e to the minus this, 1e-20 of the whole, is nothing.
pub(super) const NOTHING: f64 = 46.0;

/// Iᵢ = ∫₀¹ Πⱼ (1 − u·pⱼ) / (1 − u·pᵢ) du for every group i, where group j stands for `counts[j]` equal factors with pⱼ in [0, 1].
///
/// All is positive, so there is no cancellation. With S = Σp the product is below e^(−uS), so [0, min(1, 46/S)] holds all but
/// 1e-20 of the integral. Its modulus in the complex plane is below e^(|u|S), so on the Bernstein ellipse of ρ = 10 around that interval it
/// is below 1e61, and the error of 64 nodes below 1e61·10⁻¹²⁷ (Trefethen, *Approximation Theory and Approximation Practice*, theorem
/// 19.3), whatever the number of factors.
pub(super) fn product_integrals(p: &[f64], counts: &[f64]) -> Vec<f64> {
    let total: f64 = p.iter().zip(counts).map(|(p, count)| p * count).sum();
    let end = (NOTHING / total).min(1.0);
    let mut integrals = vec![0.0; p.len()];
    for &(node, weight) in rule64() {
        let u = node * end;
        let log: f64 = p
            .iter()
            .zip(counts)
            .map(|(p, count)| count * libm::log1p(-u * p))
            .sum();
        let value = weight * end * libm::exp(log);
        for (integral, p) in integrals.iter_mut().zip(p) {
            *integral += value / (1.0 - u * p);
        }
    }
    integrals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_integrate_polynomials_exactly() {
        fn power<const N: usize>(rule: &Rule<N>, k: i32) -> f64 {
            rule.iter().map(|&(x, w)| w * x.powi(k)).sum::<f64>()
        }
        for k in 0..32 {
            assert!(
                (power(rule16(), k) * f64::from(k + 1) - 1.0).abs() < 1e-14,
                "{k}"
            );
        }
        for k in 0..128 {
            assert!(
                (power(rule64(), k) * f64::from(k + 1) - 1.0).abs() < 1e-13,
                "{k}"
            );
        }
    }

    #[test]
    fn equal_factors_have_a_closed_form() {
        // ∫ (1 − u·p)^(n−1) du = (1 − (1 − p)ⁿ)/(n·p)
        for n in [1.0, 2.0, 7.0, 1000.0, 1e6] {
            for p in [1.0, 0.5, 1e-3, 1e-9] {
                let expected = -libm::expm1(n * libm::log1p(-p)) / (n * p);
                let [got] = product_integrals(&[p], &[n])[..] else {
                    panic!("one group")
                };
                assert!(
                    (got / expected - 1.0).abs() < 1e-13,
                    "{n} {p}: {got} {expected}"
                );
            }
        }
    }
}
