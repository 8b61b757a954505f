//! The absolute error of one query in units of its scale, as the laws of several queries together need it.

use std::fmt::Debug;
use std::sync::Arc;

use super::complex::Complex;
use super::faddeeva;
use super::symmetric::{Absolute, Squared};
use super::{Constant, Exponential, Law, Normal, SquaredError, special};

/// The standard law of |error|.
pub trait Component: Debug + Clone + Send + Sync + 'static {
    /// E|e|
    const MEAN: f64;

    /// E e², E e⁴
    const MOMENTS: [f64; 2];

    /// (P(|e| ≤ y), P(|e| > y)) for y > 0, both with relative accuracy.
    fn tails(y: f64) -> (f64, f64);

    /// y·f(y)/P(|e| ≤ y) from the tails at y; also where the upper one vanishes and y may be infinite.
    fn log_slope(y: f64, below: f64, above: f64) -> f64;

    /// The p-quantile of one, or a hair less: where the search for a quantile of several begins.
    fn single_quantile(p: f64) -> f64;

    /// The p-quantile of the largest of `count`.
    fn largest_quantile(p: f64, count: usize) -> f64;

    /// ln x beyond which the survival function of the largest of `count`, times x², is below 1e−17.
    fn log_reach(count: usize) -> f64;

    /// Step of the trapezoidal rule in ln x for products of `count` distribution functions.
    fn log_step(count: usize) -> f64;

    /// (E e^{−z²e²}, 1 − E e^{−z²e²}) for z ≥ 0, both with relative accuracy.
    fn transform(z: f64) -> (f64, f64);

    /// E e^{−s·e²} at w = 1/(2√s), for s off the negative real axis; real and imaginary part in and out.
    fn complex_transform(w: [f64; 2]) -> [f64; 2];

    /// The law of |error| at a scale.
    fn absolute(scale: f64) -> Box<dyn Law>;

    /// The law of error² at a scale.
    fn squared(scale: f64) -> Box<dyn Law>;
}

/// |error| under Laplace noise: exponential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaplaceErrors;

/// |error| under Gaussian noise: half-normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaussianErrors;

impl Component for LaplaceErrors {
    const MEAN: f64 = 1.0;
    const MOMENTS: [f64; 2] = [2.0, 24.0];

    fn tails(y: f64) -> (f64, f64) {
        if y < std::f64::consts::LN_2 {
            let below = -libm::expm1(-y);
            (below, 1.0 - below)
        } else {
            let above = libm::exp(-y);
            (1.0 - above, above)
        }
    }

    /// y/(e^y − 1)
    fn log_slope(y: f64, below: f64, above: f64) -> f64 {
        if above > 0.0 { y * above / below } else { 0.0 }
    }

    /// −ln(1 − p)
    fn single_quantile(p: f64) -> f64 {
        -libm::log1p(-p)
    }

    /// −ln(1 − p^{1/count})
    fn largest_quantile(p: f64, count: usize) -> f64 {
        let log_each = libm::log(p) / count as f64;
        if log_each < -1.0 {
            -libm::log1p(-libm::exp(log_each))
        } else {
            -libm::log(-libm::expm1(log_each))
        }
    }

    fn log_reach(count: usize) -> f64 {
        libm::log(50.0 + libm::log(count as f64))
    }

    /// The integrands are made of 1 − e^{−x/b}, analytic in |Im ln x| < π/2, so the error is about exp(−2π·1.4/step) ≈ 1e−30 for few
    /// factors. A product grows off the real axis, the more so the farther its bulk lies from 0, at about ln `count`: the step is
    /// reduced as that grows.
    fn log_step(count: usize) -> f64 {
        0.125 / growth(count)
    }

    fn transform(z: f64) -> (f64, f64) {
        special::squared_exponential_transform(z)
    }

    fn complex_transform([re, im]: [f64; 2]) -> [f64; 2] {
        let value = faddeeva::complex_transform(Complex::new(re, im));
        [value.re, value.im]
    }

    fn absolute(scale: f64) -> Box<dyn Law> {
        Box::new(Exponential::new(scale))
    }

    fn squared(scale: f64) -> Box<dyn Law> {
        Box::new(SquaredError::new(scale))
    }
}

impl Component for GaussianErrors {
    /// √(2/π)
    const MEAN: f64 = 0.797_884_560_802_865_4;
    const MOMENTS: [f64; 2] = [1.0, 3.0];

    fn tails(y: f64) -> (f64, f64) {
        let z = y * std::f64::consts::FRAC_1_SQRT_2;
        (libm::erf(z), libm::erfc(z))
    }

    /// y·√(2/π)·e^{−y²/2}/erf(y/√2)
    fn log_slope(y: f64, below: f64, above: f64) -> f64 {
        if above > 0.0 {
            (2.0 / std::f64::consts::PI).sqrt() * y * libm::exp(-0.5 * y * y) / below
        } else {
            0.0
        }
    }

    fn single_quantile(p: f64) -> f64 {
        Self::largest_quantile(p, 1) * (1.0 - 1e-9)
    }

    /// The x with erf(x/√2) = p^{1/count}.
    fn largest_quantile(p: f64, count: usize) -> f64 {
        let log_each = libm::log(p) / count as f64;
        if log_each < -5.0 {
            // the series of the inverse error function (Carlitz, Pacific Journal of Mathematics 13, 1963); what is left out is below 1e−20
            let each = libm::exp(log_each);
            let square = 0.25 * std::f64::consts::PI * each * each;
            let series = 1.0
                + square
                    * (1.0 / 3.0
                        + square
                            * (7.0 / 30.0 + square * (127.0 / 630.0 + square * 4369.0 / 22_680.0)));
            return (0.5 * std::f64::consts::PI).sqrt() * each * series;
        }
        let above = -0.5 * libm::expm1(log_each);
        crate::statistics::normal_quantile(above).map_or(f64::NAN, f64::abs)
    }

    fn log_reach(count: usize) -> f64 {
        0.5 * libm::log(2.0 * (50.0 + libm::log(count as f64)))
    }

    /// As for Laplace errors, but e^{−x²/2} is bounded only in |Im ln x| < π/4.
    fn log_step(count: usize) -> f64 {
        0.0625 / growth(count)
    }

    /// (1 + 2z²)^{−1/2}
    fn transform(z: f64) -> (f64, f64) {
        let complement = -libm::expm1(-0.5 * libm::log1p(2.0 * z * z));
        // z² may overflow where its root does not
        let value = if z > 1e100 {
            std::f64::consts::FRAC_1_SQRT_2 / z
        } else {
            1.0 / (1.0 + 2.0 * z * z).sqrt()
        };
        (value, complement)
    }

    /// (1 + 1/(2w²))^{−1/2}; w has a positive real part, and so has the root.
    fn complex_transform([re, im]: [f64; 2]) -> [f64; 2] {
        let w = Complex::new(re, im);
        let inverse = w.reciprocal();
        let value = (Complex::ONE + (inverse * inverse).scale(0.5))
            .sqrt()
            .reciprocal();
        [value.re, value.im]
    }

    fn absolute(scale: f64) -> Box<dyn Law> {
        match Normal::new(scale) {
            Some(law) => Box::new(Absolute::new(Arc::new(law))),
            None => point(scale),
        }
    }

    fn squared(scale: f64) -> Box<dyn Law> {
        match Normal::new(scale) {
            Some(law) => Box::new(Squared::new(Arc::new(law))),
            None => point(scale),
        }
    }
}

/// Without noise the error is 0; of a scale that is none, nothing is known.
fn point(scale: f64) -> Box<dyn Law> {
    Box::new(Constant::new(if scale == 0.0 { 0.0 } else { f64::NAN }))
}

/// How much finer a rule must be for a product of many factors.
fn growth(count: usize) -> f64 {
    1.0 + 0.25 * libm::log2(count as f64 / 64.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_normal_quantiles_of_the_largest_invert_its_distribution() {
        for count in [1, 2, 10, 1000] {
            for p in [1e-12, 1e-3, 0.0067, 0.3, 0.9, 0.999_999] {
                let x = GaussianErrors::largest_quantile(p, count);
                let (below, above) = GaussianErrors::tails(x);
                let log = if below < 0.5 {
                    libm::log(below)
                } else {
                    libm::log1p(-above)
                };
                let error = libm::exp(log * count as f64) / p - 1.0;
                assert!(error.abs() < 1e-11, "{count} {p} {error}");
            }
        }
    }

    #[test]
    fn the_transform_of_a_half_normal_square_is_that_of_a_chi_square() {
        for z in [1e-9, 0.1, 1.0, 30.0, 1e120] {
            let (value, complement) = GaussianErrors::transform(z);
            assert!((value + complement - 1.0).abs() < 1e-15);
            let [re, im] = GaussianErrors::complex_transform([0.5 / z, 0.0]);
            assert!(
                (re / value - 1.0).abs() < 1e-14 && im == 0.0,
                "{z} {re} {value}"
            );
        }
    }
}
