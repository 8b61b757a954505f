//! Sums of independent exponentials, by inverting their Laplace transform along the path of steepest descent.
//!
//! The sum Σ b_i·E_i has the transform L(s) = ∏ 1/(1 + s·b_i). Its distribution function at t is
//! (1/2πi)∫ e^{st}·L(s)/s ds over a path that crosses the real axis right of 0 and opens to the left; its survival
//! function is that of −L(s)/s over one that crosses between the pole nearest to 0 and 0. The path taken here is the parabola
//! that leaves the saddle point of the integrand along its steepest descent to second order (Daniels, Annals of
//! Mathematical Statistics 25, 1954; Weideman and Trefethen, Mathematics of Computation 76, 2007, for parabolas and the
//! trapezoidal rule). The integrand then neither oscillates nor cancels, so that both tails have *relative* accuracy, and
//! equal or nearly equal scales are nothing special.
//!
//! Every value is computed with two step sizes that must agree, else there is none.

use super::complex::Complex;
use super::quadrature::increasing_root;

/// Relative disagreement of two step sizes that is accepted.
const AGREEMENT: f64 = 1e-12;

/// A point of the law of a sum of exponentials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    /// P(X ≤ t), or P(X > t) if `upper`
    pub probability: f64,
    /// the density at t
    pub density: f64,
    /// which tail `probability` is
    pub upper: bool,
}

/// The distribution of Σ b_i·E_i at t > 0, for at least one scale, the largest of which is 1. The upper tail is given beyond the
/// mean, the lower one before it.
pub(super) fn sum_of_exponentials(scales: &[f64], t: f64) -> Option<Value> {
    let mean: f64 = scales.iter().sum();
    let upper = t > mean;
    // P(X > t) ≤ e^{−t/2}·E e^{X/2} ≤ e^{−t/2}·2^k is below the smallest double
    if 0.5 * t > 750.0 + std::f64::consts::LN_2 * scales.len() as f64 {
        return Some(Value {
            probability: 0.0,
            density: 0.0,
            upper,
        });
    }
    let saddle = saddle_point(scales, t, upper)?;

    // derivatives of the exponent φ(s) = st − Σ ln(1 + s·b) − ln|s| at the saddle
    let ratios: Vec<f64> = (scales.iter())
        .map(|scale| scale / (1.0 + saddle * scale))
        .collect();
    let pole = 1.0 / saddle;
    let exponent = saddle * t
        - (scales.iter())
            .map(|scale| libm::log1p(saddle * scale))
            .sum::<f64>()
        - libm::log(saddle.abs());
    let second = ratios.iter().map(|r| r * r).sum::<f64>() + pole * pole;
    // the pole at 0 bends the path to the right when it lies there; the path must open to the left all the same
    let left_pole = if upper { 0.0 } else { pole };
    let third = ratios.iter().map(|r| r * r * r).sum::<f64>() + left_pole * left_pole * left_pole;
    let path = Path {
        t,
        ratios: &ratios,
        saddle,
        width: 1.0 / second.sqrt(),
        bend: -third / (3.0 * second),
    };
    let [probability, density] = path.integrate()?;
    let factor = libm::exp(exponent) / std::f64::consts::PI;
    Some(Value {
        probability: probability * factor,
        // L(s) instead of L(s)/|s|
        density: density * factor * if upper { -1.0 } else { 1.0 },
        upper,
    })
}

/// Where φ' = t − Σ b/(1 + sb) − 1/s vanishes: right of 0, or between −1 and 0 for the upper tail.
fn saddle_point(scales: &[f64], t: f64, upper: bool) -> Option<f64> {
    let count = scales.len() as f64;
    let slope = |s: f64| {
        let mut value = t - 1.0 / s;
        let mut derivative = 1.0 / (s * s);
        for scale in scales {
            let ratio = scale / (1.0 + s * scale);
            value -= ratio;
            derivative += ratio * ratio;
        }
        (value, derivative)
    };
    // any path in the strip has the same integral, so the saddle need not be sharp
    if upper {
        let low = 0.5 / (t + 2.0);
        let high = 1.0 - 1.0 / (count + 2.0);
        increasing_root(low, high, low.max(high - 0.5), 1e-6, |above| {
            Some(slope(above - 1.0))
        })
        .map(|above| above - 1.0)
    } else {
        // in ln s, where the slope's zero is nearly linear over decades
        let low = -libm::log(t);
        let high = libm::log1p(count) - libm::log(t);
        increasing_root(low, high, 0.5 * (low + high), 1e-6, |log_s| {
            let s = libm::exp(log_s);
            let (value, derivative) = slope(s);
            Some((value, derivative * s))
        })
        .map(libm::exp)
    }
}

/// The parabola s(v) = saddle + i·v + bend·v².
struct Path<'a> {
    t: f64,
    /// b/(1 + saddle·b)
    ratios: &'a [f64],
    saddle: f64,
    /// the length along the path on which the integrand falls: 1/√φ''
    width: f64,
    /// φ'''/(6φ''), negative
    bend: f64,
}

impl Path<'_> {
    /// ∫ Re over v > 0 of the integrands of the probability and of the density, relative to the saddle's value.
    fn integrate(&self) -> Option<[f64; 2]> {
        let mut step = 0.5 * self.width;
        let centre = self.integrand(0.0).map(|value| 0.5 * value);
        let mut sums = centre;
        self.add_nodes(step, step, &mut sums)?;
        let mut last = sums.map(|sum| sum * step);
        for _ in 0..7 {
            self.add_nodes(0.5 * step, step, &mut sums)?;
            step *= 0.5;
            let now = sums.map(|sum| sum * step);
            if (0..2).all(|i| (now[i] - last[i]).abs() <= AGREEMENT * now[i].abs()) {
                return Some(now);
            }
            last = now;
        }
        None
    }

    /// Adds the integrands at first, first + step, … until they vanish.
    fn add_nodes(&self, first: f64, step: f64, sums: &mut [f64; 2]) -> Option<()> {
        let mut v = first;
        for node in 1..20_000 {
            let values = self.integrand(v);
            if !(values[0].is_finite() && values[1].is_finite()) {
                return None;
            }
            sums[0] += values[0];
            sums[1] += values[1];
            // real parts may vanish by chance: the bound on the modulus decides
            if self.modulus(v) < 1e-18 {
                return Some(());
            }
            v = first + step * f64::from(node);
        }
        None
    }

    /// The modulus of the integrand from its exponential and largest factor alone, relative to the saddle.
    fn modulus(&self, v: f64) -> f64 {
        let largest = self.ratios.iter().fold(0.0_f64, |max, &r| max.max(r));
        let decay = libm::exp(self.bend * v * v * self.t);
        decay * (1.0 + v / self.width) * (1.0 + largest * v)
    }

    /// [Re(E·(1 − 2i·bend·v)), Re(E·s·(1 − 2i·bend·v))] with E the integrand relative to the saddle.
    fn integrand(&self, v: f64) -> [f64; 2] {
        let offset = Complex::new(self.bend * v * v, v);
        let mut product = Complex::ONE + offset.scale(1.0 / self.saddle);
        for &ratio in self.ratios {
            product = product * (Complex::ONE + offset.scale(ratio));
        }
        let direction = Complex::new(1.0, -2.0 * self.bend * v);
        let value = offset.scale(self.t).exp() * direction * product.reciprocal();
        let s = Complex::new(self.saddle, 0.0) + offset;
        [value.re, (value * s).re]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_exponential_in_both_tails() {
        for t in [1e-6, 0.1, 0.999, 1.001, 5.0, 50.0, 300.0] {
            let value = sum_of_exponentials(&[1.0], t).unwrap();
            let expected = if value.upper {
                libm::exp(-t)
            } else {
                -libm::expm1(-t)
            };
            assert!(
                (value.probability / expected - 1.0).abs() < 1e-11,
                "{t} {value:?}"
            );
            assert!(
                (value.density / libm::exp(-t) - 1.0).abs() < 1e-10,
                "{t} {value:?}"
            );
        }
    }

    #[test]
    fn erlang_laws_by_their_finite_sum() {
        for count in [2_usize, 5, 20, 50] {
            for factor in [0.3, 0.9, 1.1, 2.0, 4.0] {
                let t = factor * count as f64;
                // P(X > t) = e^{−t} Σ_{j<k} t^j/j!
                let mut term = libm::exp(-t);
                let mut upper = 0.0;
                for j in 0..count {
                    upper += term;
                    term *= t / (j + 1) as f64;
                }
                // P(X ≤ t) = e^{−t} Σ_{j≥k} t^j/j!
                let mut lower = 0.0;
                for j in count..count + 2000 {
                    lower += term;
                    term *= t / (j + 1) as f64;
                }
                let value = sum_of_exponentials(&vec![1.0; count], t).unwrap();
                let expected = if value.upper { upper } else { lower };
                assert!(
                    (value.probability / expected - 1.0).abs() < 1e-10,
                    "{count} {t} {value:?} {expected}"
                );
            }
        }
    }
}
