//! The tail of the normal law in ratios, so that nothing underflows: Mills' ratio is the scaled complementary error function.

use crate::numeric;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// ln √(2π)
const HALF_LOG_TAU: f64 = 0.918_938_533_204_672_8;

/// From here on the continued fraction is used.
const FAR: f64 = 4.0;

/// K in R(x) = 1/(x + K(x)): Laplace's continued fraction 1/(x + 2/(x + 3/(x + …))), good to 1e-16 for x ≥ 4.
fn tail_of_fraction(x: f64) -> f64 {
    let mut value = x;
    for step in (2..=120).rev() {
        value = x + f64::from(step) / value;
    }
    1.0 / value
}

/// Mills' ratio R(x) = (1 − Φ(x))/φ(x) = √(π/2)·erfcx(x/√2). Finite for x > −38.
pub(crate) fn mills(x: f64) -> f64 {
    if x >= FAR {
        1.0 / (x + tail_of_fraction(x))
    } else {
        (0.5 * PI).sqrt() * libm::exp(0.5 * x * x) * libm::erfc(x * FRAC_1_SQRT_2)
    }
}

/// −R′(x) = 1 − x·R(x), positive, about 1/x² for large x.
pub(crate) fn mills_slope(x: f64) -> f64 {
    if x >= FAR {
        let rest = tail_of_fraction(x);
        rest / (x + rest)
    } else {
        1.0 - x * mills(x)
    }
}

/// ln φ(x).
pub(crate) fn log_density(x: f64) -> f64 {
    -0.5 * x * x - HALF_LOG_TAU
}

/// R(x) − R(x + width) for width ≥ 0 and x > −38, without cancellation.
pub(crate) fn mills_drop(x: f64, width: f64) -> f64 {
    if width <= 1.0_f64.max(0.5 * x) {
        numeric::integrate(x, width, mills_slope)
    } else {
        mills(x) - mills(x + width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R computed with 40 digits.
    #[test]
    fn the_ratio_agrees_with_forty_digits() {
        for (x, exact) in [
            (-3.0, 225.33489622034912),
            (0.0, 1.2533141373155003),
            (1.0, 0.6556795424187984),
            (3.999, 0.23670578492956482),
            (4.0, 0.23665238291356067),
            (10.0, 0.09902859647173193),
            (1e6, 9.99999999999e-07),
        ] {
            assert!(
                (mills(x) / exact - 1.0).abs() < 4e-15,
                "R({x}) is {}, not {exact}",
                mills(x)
            );
        }
    }
}
