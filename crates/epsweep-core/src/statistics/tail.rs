//! Tail integrals of smooth densities that fall off like a normal one: what continued fractions need a million steps for.

use crate::numeric;
use std::sync::OnceLock;

const POINTS: usize = 20;

/// ∫ of `density` from `from` outwards in the direction of `step`, by Gauss–Legendre rules of 20 points on panels of width |step|
/// (about one standard deviation), until a panel adds less than 1e-18 of the sum or `end` is reached.
pub(super) fn outward(density: impl Fn(f64) -> f64, from: f64, step: f64, end: f64) -> f64 {
    let rule = legendre();
    let mut sum = 0.0;
    let mut start = from;
    loop {
        let last = if step > 0.0 {
            start + step >= end
        } else {
            start + step <= end
        };
        let stop = if last { end } else { start + step };
        let (centre, half) = ((start + stop) / 2.0, (stop - start) / 2.0);
        let mut panel = 0.0;
        for (x, w) in rule {
            panel += w * density(centre + half * x);
        }
        panel *= half.abs();
        sum += panel;
        if last || panel <= 1e-18 * sum {
            return sum;
        }
        start = stop;
    }
}

fn legendre() -> &'static [(f64, f64); POINTS] {
    static RULE: OnceLock<[(f64, f64); POINTS]> = OnceLock::new();
    RULE.get_or_init(numeric::legendre)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_integrates_polynomials_and_the_normal_tail() {
        let rule = legendre();
        for degree in [0, 2, 10, 38] {
            let got: f64 = rule.iter().map(|(x, w)| w * x.powi(degree)).sum();
            let exact = 2.0 / f64::from(degree + 1);
            assert!((got / exact - 1.0).abs() < 1e-13, "{degree}: {got}");
        }
        let got = outward(crate::statistics::normal_density, 1.5, 1.0, f64::INFINITY);
        assert!((got / crate::statistics::normal_cdf(-1.5) - 1.0).abs() < 1e-14);
    }
}
