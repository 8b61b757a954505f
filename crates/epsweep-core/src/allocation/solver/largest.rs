//! The largest of several errors, as a function of their scales.
//!
//! With the distribution F of one |error| at scale 1 and mᵢ numbers of scale bᵢ, P(x) = Π F(x/bᵢ)^mᵢ. With hᵢ = yᵢ·f(yᵢ)/F(yᵢ) at yᵢ = x/bᵢ,
//! mᵢ·hᵢ is −∂ ln P/∂ ln bᵢ: ∂E max/∂ ln bᵢ = ∫ P·mᵢ·hᵢ dx, and ∂x_q/∂ ln bᵢ = x_q·mᵢ·hᵢ/Σ m·h at the q-quantile. Both functionals are
//! homogeneous, so that these derivatives sum to the value itself. All terms are positive.
//!
//! Curvatures, with y·h′ = −h·(k + h) where k = y − 1 for Laplace and y² − 1 for Gaussian noise:
//! ∂²E max/∂(ln bᵢ)² = ∫ P·mᵢ·hᵢ·(kᵢ + (1 − mᵢ)·hᵢ) dx. At a quantile they are taken at a fixed x, of −ln P, where ∂hᵢ/∂ ln bᵢ = hᵢ·(kᵢ + hᵢ).

use crate::allocation::ErrorLaw;
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The value of a functional and its derivatives by the logarithms of the scales, which sum to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Pull {
    /// the value, in the units of the scales
    pub value: f64,
    /// ∂ value/∂ ln bᵢ
    pub slopes: Vec<f64>,
    /// ∂ ln slopeᵢ/∂ ln bᵢ: a part of the second derivatives, which steers the solver
    pub curvatures: Vec<f64>,
}

/// One |error| at a place y.
#[derive(Clone, Copy, Debug)]
struct Point {
    /// F(y)
    below: f64,
    /// 1 − F(y)
    above: f64,
    /// h(y)
    h: f64,
    /// k(y); 0 where h is
    k: f64,
}

/// At y > 0, which may be infinite.
fn point(law: ErrorLaw, y: f64) -> Point {
    let (below, above, slope, k) = match law {
        ErrorLaw::Laplace => {
            let above = libm::exp(-y);
            let below = -libm::expm1(-y);
            (below, above, y * above, y - 1.0)
        }
        ErrorLaw::Gaussian => {
            let above = libm::erfc(y * FRAC_1_SQRT_2);
            let below = libm::erf(y * FRAC_1_SQRT_2);
            (
                below,
                above,
                y * (2.0 / PI).sqrt() * libm::exp(-0.5 * y * y),
                y * y - 1.0,
            )
        }
    };
    if above == 0.0 {
        return Point {
            below: 1.0,
            above: 0.0,
            h: 0.0,
            k: 0.0,
        };
    }
    // F ~ y near 0, also where both underflow
    let h = if below > 0.0 { slope / below } else { 1.0 };
    Point { below, above, h, k }
}

/// Scales relative to the largest; zero scales are no noise.
fn relative(scales: &[f64]) -> Option<(f64, Vec<f64>)> {
    let unit = scales.iter().copied().fold(0.0, f64::max);
    let valid = scales
        .iter()
        .all(|scale| (0.0..f64::INFINITY).contains(scale));
    (valid && unit > 0.0).then(|| (unit, scales.iter().map(|scale| scale / unit).collect()))
}

/// E max |error| and its slopes, of `numbers` errors of each scale. `None` unless the scales are finite, not negative, and one is positive.
pub fn expectation(law: ErrorLaw, scales: &[f64], numbers: &[f64]) -> Option<Pull> {
    let (unit, relative) = relative(scales)?;
    let count = crate::summation::sum(numbers);
    // trapezoids on the axis of ln x, where the integrand is analytic in a strip of half-width π/2 (Laplace) or π/4 (Gaussian), narrowed by
    // the product as the number of its factors grows: the error is below 1e-15
    let doublings = libm::log2(count / 64.0).max(0.0);
    let coarse = 0.125 / (1.0 + 0.25 * doublings);
    let log_count = libm::log(count);
    let (step, high) = match law {
        ErrorLaw::Laplace => (coarse, 50.0 + log_count),
        ErrorLaw::Gaussian => (0.5 * coarse, (2.0 * (50.0 + log_count)).sqrt()),
    };
    let nodes = ((libm::log(high) + 40.0) / step).ceil() as usize;
    let mut slopes = vec![0.0; relative.len()];
    let mut bends = vec![0.0; relative.len()];
    let mut points = vec![(0.0, 0.0); relative.len()];
    for node in (0..=nodes).rev() {
        let x = libm::exp(-40.0 + step * node as f64);
        let mut cdf = 1.0;
        for ((slot, &scale), &many) in points.iter_mut().zip(&relative).zip(numbers) {
            if scale > 0.0 {
                let Point { below, h, k, .. } = point(law, x / scale);
                cdf *= if many == 1.0 {
                    below
                } else {
                    libm::pow(below, many)
                };
                *slot = (many * h, many * h * (k + (1.0 - many) * h));
            }
        }
        // the rest towards 0 is smaller still: P·h falls with x
        if cdf * x == 0.0 {
            break;
        }
        let weight = unit * step * x * cdf;
        for ((slope, bend), (h, hk)) in slopes.iter_mut().zip(&mut bends).zip(&points) {
            *slope += weight * h;
            *bend += weight * hk;
        }
    }
    let ratio = |(bend, slope): (&f64, &f64)| if *slope > 0.0 { bend / slope } else { 1.0 };
    Some(Pull {
        value: crate::summation::sum(&slopes),
        curvatures: bends.iter().zip(&slopes).map(ratio).collect(),
        slopes,
    })
}

/// The q-quantile of max |error| and its slopes, of `numbers` errors of each scale. `None` unless q is in (0, 1), the scales are finite,
/// not negative, and one is positive.
pub fn quantile(law: ErrorLaw, scales: &[f64], numbers: &[f64], q: f64) -> Option<Pull> {
    if !(q > 0.0 && q < 1.0) {
        return None;
    }
    let (unit, relative) = relative(scales)?;
    let at = |log_x: f64| {
        let x = libm::exp(log_x);
        let (mut log_cdf, mut total) = (0.0, 0.0);
        let noisy = relative
            .iter()
            .zip(numbers)
            .filter(|(scale, _)| **scale > 0.0);
        for (&scale, many) in noisy {
            let Point {
                below, above, h, ..
            } = point(law, x / scale);
            let log = if above < 0.5 {
                libm::log1p(-above)
            } else {
                libm::log(below)
            };
            log_cdf += many * log;
            total += many * h;
        }
        (log_cdf, total)
    };
    let target = libm::log(q);
    // Newton's steps on ln P over ln x, within a bracket
    let (mut low, mut high) = (-800.0, 20.0);
    let mut log_x = 0.0;
    for _ in 0..300 {
        let (log_cdf, slope) = at(log_x);
        let error = log_cdf - target;
        if error > 0.0 {
            high = log_x;
        } else {
            low = log_x;
        }
        let newton = log_x - error / slope;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let step = (next - log_x).abs();
        log_x = next;
        if step <= 1e-15 * (1.0 + log_x.abs()) {
            break;
        }
    }
    let x = libm::exp(log_x);
    let (h, curvatures): (Vec<f64>, Vec<f64>) = (relative.iter())
        .zip(numbers)
        .map(|(&scale, many)| {
            if scale > 0.0 {
                let Point { h, k, .. } = point(law, x / scale);
                (many * h, h + k)
            } else {
                (0.0, 1.0)
            }
        })
        .unzip();
    let total = crate::summation::sum(&h);
    let value = unit * x;
    Some(Pull {
        value,
        slopes: h.iter().map(|h| value * (h / total)).collect(),
        curvatures,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::{Law, Maximum};

    fn close(found: f64, wanted: f64, within: f64) {
        assert!((found / wanted - 1.0).abs() < within, "{found} {wanted}");
    }

    fn ones(count: usize) -> Vec<f64> {
        vec![1.0; count]
    }

    #[test]
    fn the_laplace_case_is_the_law_of_the_maximum() {
        for scales in [
            vec![1.0, 3.0, 2.0],
            vec![0.36, 360.0, 3.0],
            vec![121.12; 3],
            vec![0.0, 5.0],
            vec![2.0; 200],
        ] {
            let law = Maximum::new(&scales);
            let mean = expectation(ErrorLaw::Laplace, &scales, &ones(scales.len())).unwrap();
            close(mean.value, law.mean().unwrap(), 1e-13);
            let quantile = quantile(ErrorLaw::Laplace, &scales, &ones(scales.len()), 0.95).unwrap();
            close(quantile.value, law.quantile(0.95).unwrap(), 1e-12);
        }
    }

    #[test]
    fn the_gaussian_case_has_its_known_values() {
        // E max(|X|, |Y|) = 2/√π for two standard normals (the maximum of two half-normals)
        let both = expectation(ErrorLaw::Gaussian, &[1.0, 1.0], &[1.0; 2]).unwrap();
        close(both.value, 2.0 / PI.sqrt(), 1e-14);
        close(both.slopes[0], both.slopes[1], 1e-15);
        let one = expectation(ErrorLaw::Gaussian, &[0.0, 3.0], &[1.0; 2]).unwrap();
        close(one.value, 3.0 * (2.0 / PI).sqrt(), 1e-14);
        let quantile = quantile(ErrorLaw::Gaussian, &[2.0], &[1.0], 0.95).unwrap();
        close(quantile.value, 2.0 * 1.959_963_984_540_054, 1e-14);
    }

    #[test]
    fn slopes_are_the_differences_of_the_value_and_sum_to_it() {
        let scales = [0.5, 3.0, 1.0, 2.0];
        type Functional = fn(ErrorLaw, &[f64], &[f64]) -> Option<Pull>;
        let functionals: [Functional; 2] = [expectation, |law, scales, numbers| {
            quantile(law, scales, numbers, 0.95)
        }];
        for law in [ErrorLaw::Laplace, ErrorLaw::Gaussian] {
            for (functional, numbers) in functionals
                .iter()
                .flat_map(|f| [[1.0; 4], [16.0, 1.0, 300.0, 2.0]].map(|numbers| (f, numbers)))
            {
                let pull = functional(law, &scales, &numbers).unwrap();
                close(pull.slopes.iter().sum::<f64>(), pull.value, 1e-13);
                for index in 0..scales.len() {
                    let value = |factor: f64| {
                        let mut moved = scales;
                        moved[index] *= factor;
                        functional(law, &moved, &numbers).unwrap().value
                    };
                    let slope = (value(libm::exp(1e-4)) - value(libm::exp(-1e-4))) / 2e-4;
                    assert!(
                        (slope - pull.slopes[index]).abs() < 1e-7 * pull.value,
                        "{law:?} {index}"
                    );
                }
            }
        }
    }

    /// Several numbers of one scale are as many queries, slopes and curvatures included.
    #[test]
    fn numbers_of_one_scale_are_as_many_queries() {
        let (scales, numbers) = ([0.7, 3.0, 1.0], [5.0, 1.0, 40.0]);
        let each: Vec<f64> = (scales.iter().zip(numbers))
            .flat_map(|(scale, many)| vec![*scale; many as usize])
            .collect();
        for law in [ErrorLaw::Laplace, ErrorLaw::Gaussian] {
            for (whole, single) in [
                (
                    expectation(law, &scales, &numbers).unwrap(),
                    expectation(law, &each, &ones(each.len())).unwrap(),
                ),
                (
                    quantile(law, &scales, &numbers, 0.95).unwrap(),
                    quantile(law, &each, &ones(each.len()), 0.95).unwrap(),
                ),
            ] {
                close(whole.value, single.value, 1e-13);
                let firsts = [0, 5, 6];
                for (place, first) in firsts.into_iter().enumerate() {
                    close(
                        whole.slopes[place],
                        numbers[place] * single.slopes[first],
                        1e-13,
                    );
                }
                // a query with one number bends as it does among the others
                close(whole.curvatures[1], single.curvatures[5], 1e-12);
            }
            // moving all numbers of a scale together: second differences in ln b
            let value = |step: f64| {
                let moved = [scales[0], scales[1], scales[2] * libm::exp(step)];
                expectation(law, &moved, &numbers).unwrap().value
            };
            let (step, pull) = (1e-3, expectation(law, &scales, &numbers).unwrap());
            let second = (value(step) - 2.0 * value(0.0) + value(-step)) / (step * step);
            close(second, pull.slopes[2] * pull.curvatures[2], 1e-4);
        }
    }

    #[test]
    fn bad_scales_have_no_value() {
        for scales in [
            vec![],
            vec![0.0],
            vec![-1.0, 1.0],
            vec![f64::NAN, 1.0],
            vec![f64::INFINITY],
        ] {
            assert_eq!(
                expectation(ErrorLaw::Laplace, &scales, &ones(scales.len())),
                None
            );
            assert_eq!(
                quantile(ErrorLaw::Gaussian, &scales, &ones(scales.len()), 0.5),
                None
            );
        }
        assert_eq!(quantile(ErrorLaw::Gaussian, &[1.0], &[1.0], 1.0), None);
    }
}
