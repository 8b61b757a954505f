//! Numerical integration over the positive half-line and safeguarded root finding.

/// N integrals ∫ f(x) dx/x over (e^low, e^high) by the trapezoidal rule in ln x with the given step.
///
/// The rule converges geometrically for integrands that are analytic in a strip and vanish at both ends, whatever the
/// number of decades in between (Trefethen and Weideman, SIAM Review 56, 2014, §5): features at 1e−12 and 1e12 are
/// resolved alike.
pub(super) fn log_trapezoid<const N: usize>(
    low: f64,
    high: f64,
    step: f64,
    mut integrand: impl FnMut(f64) -> [f64; N],
) -> [f64; N] {
    let mut sums = [0.0; N];
    if low < high {
        let intervals = ((high - low) / step).ceil() as usize;
        for node in 0..=intervals {
            let values = integrand(libm::exp(low + step * node as f64));
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
        }
    }
    sums.map(|sum| sum * step)
}

/// The root in [low, high] of an increasing function that yields (value, derivative): Newton's steps, replaced by a
/// bisection when they would leave the bracket. Stops after a step of Newton's below `tolerance`·(1 + |x|), or when the bracket
/// has shrunk to nothing. `None` if the function yields NaN or `None`, or the root is not found.
pub(super) fn increasing_root(
    mut low: f64,
    mut high: f64,
    start: f64,
    tolerance: f64,
    mut function: impl FnMut(f64) -> Option<(f64, f64)>,
) -> Option<f64> {
    // also where a bound is NaN, with which a clamp would panic
    let ordered = low <= high;
    if !ordered {
        return None;
    }
    let mut x = start.clamp(low, high);
    for _ in 0..200 {
        let (value, derivative) = function(x)?;
        if value.is_nan() {
            return None;
        }
        if value == 0.0 {
            return Some(x);
        }
        if value > 0.0 {
            high = x;
        } else {
            low = x;
        }
        let newton = x - value / derivative;
        // also catches NaN and an infinite step
        let inside = newton > low && newton < high;
        let next = if inside {
            newton
        } else {
            low + 0.5 * (high - low)
        };
        let step = (next - x).abs();
        x = next;
        // after a small step of Newton's the error is about the square of it, after one of bisection as large as the step
        let enough = if inside { tolerance } else { f64::EPSILON };
        if step <= enough * (1.0 + x.abs()) {
            return Some(x);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::component::{Component, LaplaceErrors};
    use super::*;

    #[test]
    fn integrates_over_many_decades() {
        // ∫ e^{−x} dx = 1 and ∫ x e^{−x} dx = 1; the first loses e^{−40} on the left
        let [one, first] = log_trapezoid(-40.0, 5.0, LaplaceErrors::log_step(1), |x| {
            [x * libm::exp(-x), x * x * libm::exp(-x)]
        });
        assert!((one - 1.0).abs() < 1e-14, "{one}");
        assert!((first - 1.0).abs() < 1e-14, "{first}");
    }

    #[test]
    fn finds_roots_also_where_newton_alone_would_not() {
        let root = increasing_root(-50.0, 50.0, 40.0, 1e-8, |x| {
            Some((libm::atan(x - 2.0), 1.0 / (1.0 + (x - 2.0) * (x - 2.0))))
        });
        assert!((root.unwrap() - 2.0).abs() < 1e-13);
        assert_eq!(
            increasing_root(0.0, 1.0, 0.5, 1e-8, |_| Some((f64::NAN, 1.0))),
            None
        );
        for (low, high) in [(1.0, 0.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert_eq!(
                increasing_root(low, high, 0.5, 1e-8, |x| Some((x, 1.0))),
                None
            );
        }
    }
}
