//! Sums of independent squared errors: distribution and quantiles, by inverting their Laplace transform.
//!
//! V = Σ b_i²·e_i² has the transform L(s) = ∏ g(w_i) at w_i = 1/(2b_i√s), with g(w) = √π·w·erfcx(w) for Laplace and
//! (1 + 1/(2w²))^{−1/2} for Gaussian errors, which is analytic off the negative real axis whatever the scales. P(V ≤ v) = (1/2πi)∫ e^{sv}·L(s)/s ds is therefore summed by the trapezoidal rule on the
//! parabola s = (c/v)·(1 + iu)² around that axis, with the step 3/N and c = πN/12 (Weideman and Trefethen, Mathematics of
//! Computation 76, 2007, §4): the error falls like 8.1^{−N}, the rounding grows like e^{c}. The root of s is
//! (c/v)^{1/2}·(1 + iu), so that w stays in a sector where g is easy.
//!
//! A value is given only if two values of N agree. Errors are absolute, below 1e−13 in probability for up to 80 queries whatever their
//! scales (measured against 40-digit arithmetic): quantiles are given between the 0.001- and the 0.999-quantile.

use super::complex::Complex;
use super::component::Component;
use super::quadrature::increasing_root;

/// Nodes of the three rules: for the way to a root (which steps with the fine rule then correct), for a value, and for its check.
struct Rules {
    coarse: u32,
    fine: u32,
    check: u32,
}

impl Rules {
    /// A long product grows near the axis, so that it needs more nodes.
    fn for_count(count: usize) -> Self {
        let [coarse, fine, check] = if count <= 20 {
            [10, 16, 20]
        } else {
            [16, 20, 26]
        };
        Self {
            coarse,
            fine,
            check,
        }
    }
}

/// Disagreement of two rules, in probability, that is accepted.
const AGREEMENT: f64 = 1e-11;

/// P(V ≤ v), and v times the density at v.
pub(super) fn distribution<C: Component>(scales: &[f64], v: f64) -> Option<(f64, f64)> {
    let rules = Rules::for_count(scales.len());
    let (cdf, slope) = invert::<C>(scales, v, rules.fine);
    let (check, check_slope) = invert::<C>(scales, v, rules.check);
    let settled = (cdf - check).abs() <= AGREEMENT && (slope - check_slope).abs() <= AGREEMENT;
    // rounding may leave [0, 1] by the error that is allowed
    settled.then(|| (cdf.clamp(0.0, 1.0), slope.max(0.0)))
}

/// The p-quantile of V for `p` from 0.001 to 0.999, for scales of which the largest is 1.
pub(super) fn quantile<C: Component>(scales: &[f64], p: f64) -> Option<f64> {
    if !(0.001..=0.999).contains(&p) {
        return None;
    }
    let rules = Rules::for_count(scales.len());
    // the largest error alone is smaller; k times the square of the largest of k errors of the largest scale is larger
    let single = C::single_quantile(p);
    let largest = C::largest_quantile(p, scales.len());
    let low = 2.0 * libm::log(single);
    let high = 2.0 * libm::log(largest) + libm::log(scales.len() as f64) + 1e-9;
    let upper = p > 0.5;
    let target = libm::log(if upper { 1.0 - p } else { p });
    let root = increasing_root(low, high, 0.5 * (low + high), 1e-5, |log_v| {
        let (cdf, slope) = invert::<C>(scales, libm::exp(log_v), rules.coarse);
        // far in the other tail the sum may be negative by rounding: the bracket then shrinks by halves
        Some(if upper {
            let above = (1.0 - cdf).max(1e-300);
            (target - libm::log(above), slope / above)
        } else {
            let below = cdf.max(1e-300);
            (libm::log(below) - target, slope / below)
        })
    })?;
    let mut log_v = root;
    for _ in 0..4 {
        let (cdf, slope) = invert::<C>(scales, libm::exp(log_v), rules.fine);
        let step = (cdf - p) / slope;
        log_v -= step;
        if step.abs() < 1e-6 {
            break;
        }
    }
    let v = libm::exp(log_v);
    let (check, _) = invert::<C>(scales, v, rules.check);
    ((check - p).abs() <= AGREEMENT).then_some(v)
}

/// P(V ≤ v) and v·f(v) for v > 0 by the rule with `count` nodes above the real axis.
fn invert<C: Component>(scales: &[f64], v: f64, count: u32) -> (f64, f64) {
    let step = 3.0 / f64::from(count);
    let c = std::f64::consts::PI * f64::from(count) / 12.0;
    // 1/(2√(c/v)): w is this over b·(1 + iu)
    let unit = 0.5 * (v / c).sqrt();
    let (mut cdf, mut slope) = (0.0, 0.0);
    for node in 0..count {
        let u = (f64::from(node) + 0.5) * step;
        // √(sv/c), and ds/s = 2i·du over it
        let root = Complex::new(1.0, u);
        let inverse = root.reciprocal();
        let direction = inverse.scale(unit);
        let mut product = (root * root).scale(c).exp();
        for scale in scales {
            let w = direction.scale(1.0 / scale);
            let [re, im] = C::complex_transform([w.re, w.im]);
            product = product * Complex::new(re, im);
        }
        cdf += (product * inverse).re;
        slope += (product * root).re * c;
    }
    let factor = 2.0 * step / std::f64::consts::PI;
    (cdf * factor, slope * factor)
}

#[cfg(test)]
mod tests {
    use super::super::component::{GaussianErrors, LaplaceErrors};
    use super::*;

    #[test]
    fn one_squared_error_is_a_weibull_law() {
        for v in [1e-3, 0.1, 1.0, 9.0, 40.0] {
            let (cdf, slope) = distribution::<LaplaceErrors>(&[1.0], v).unwrap();
            let root = libm::sqrt(v);
            assert!((cdf + libm::expm1(-root)).abs() < 1e-12, "{v}: {cdf}");
            assert!(
                (slope - 0.5 * root * libm::exp(-root)).abs() < 1e-11,
                "{v}: {slope}"
            );
        }
        let quantile = quantile::<LaplaceErrors>(&[1.0], 0.95).unwrap();
        assert!((libm::sqrt(quantile) / libm::log(20.0) - 1.0).abs() < 1e-11);
    }

    #[test]
    fn two_squared_errors_match_an_integral_over_the_simplex() {
        // with U = E/(E + F) uniform and S = E + F of law (1 + s)e^{−s}: P(V > v) = ∫ P(S > √(v/q(u))) du, q = a²u² + b²(1 − u)²
        let (a, b) = (1.0, 0.3);
        for v in [0.01, 0.5, 4.0] {
            let steps = 200_000;
            let above: f64 = (0..steps)
                .map(|i| {
                    let u = (f64::from(i) + 0.5) / f64::from(steps);
                    let q = a * a * u * u + b * b * (1.0 - u) * (1.0 - u);
                    let s = libm::sqrt(v / q);
                    (1.0 + s) * libm::exp(-s)
                })
                .sum::<f64>()
                / f64::from(steps);
            let (cdf, _) = distribution::<LaplaceErrors>(&[a, b], v).unwrap();
            // midpoint rule: the error is far below (1/24)·(second derivative ≈ 1e3)/steps²
            assert!((1.0 - cdf - above).abs() < 1e-8, "{v}: {cdf} {above}");
        }
    }

    #[test]
    fn quantiles_are_confirmed_or_withheld() {
        for count in [2_usize, 5, 10, 20, 50, 200] {
            for p in [0.001, 0.01, 0.5, 0.99, 0.999] {
                if let Some(v) = quantile::<LaplaceErrors>(&vec![1.0; count], p) {
                    let (cdf, _) = invert::<LaplaceErrors>(&vec![1.0; count], v, 22);
                    assert!((cdf - p).abs() < 1e-10, "{count} {p}");
                } else {
                    assert!(count > 50, "{count} {p}");
                }
            }
        }
        assert_eq!(quantile::<LaplaceErrors>(&[1.0, 1.0], 1e-4), None);
    }

    #[test]
    fn equal_gaussian_errors_make_chi_square_laws() {
        // two degrees of freedom: 1 − e^{−v/2}; four: 1 − (1 + v/2)·e^{−v/2}
        for v in [0.01, 1.0, 7.0, 30.0] {
            let (cdf, slope) = distribution::<GaussianErrors>(&[1.0, 1.0], v).unwrap();
            assert!((cdf + libm::expm1(-0.5 * v)).abs() < 1e-12, "{v}: {cdf}");
            assert!(
                (slope - 0.5 * v * libm::exp(-0.5 * v)).abs() < 1e-11,
                "{v}: {slope}"
            );
            let (cdf, _) = distribution::<GaussianErrors>(&[1.0; 4], v).unwrap();
            let expected = 1.0 - (1.0 + 0.5 * v) * libm::exp(-0.5 * v);
            assert!((cdf - expected).abs() < 1e-12, "{v}: {cdf}");
        }
        for p in [0.001, 0.5, 0.999] {
            let v = quantile::<GaussianErrors>(&[1.0, 1.0], p).unwrap();
            assert!((v / (-2.0 * libm::log1p(-p)) - 1.0).abs() < 1e-8, "{p} {v}");
        }
    }
}
