//! The largest absolute error of several queries under independent Laplace or Gaussian noise.

use std::marker::PhantomData;
use std::sync::OnceLock;

use super::component::{Component, GaussianErrors, LaplaceErrors};
use super::quadrature::{increasing_root, log_trapezoid};
use super::{Law, Scales, finite, open_probability};

/// The law of max b_i·|e_i| with independent standard errors e_i: F(x) = ∏ P(|e| ≤ x/b_i), whose factors are 1 − e^{−x/b_i} under
/// Laplace noise and erf(x/(√2·b_i)) under Gaussian noise.
///
/// Moments are integrals of the survival function over ln x, which stay accurate where inclusion–exclusion
/// (Σ(−1)^{|S|+1}/Σ_S 1/b) cancels; every term that is summed is positive. Quantiles solve ln F = ln p in the lower
/// half, ln(1 − F) = ln(1 − p) in the upper one.
#[derive(Clone, Debug)]
pub struct Maximum<C: Component = LaplaceErrors> {
    scales: Option<Scales>,
    /// mean and second moment, in units of the largest scale
    moments: OnceLock<[f64; 2]>,
    component: PhantomData<C>,
}

/// The distribution of the largest error at one point x.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// F(x) = P(all ≤ x)
    pub cdf: f64,
    /// 1 − F(x)
    pub survival: f64,
    /// x·f(x)/F(x), which is Σ y_i/(e^{y_i} − 1) with y_i = x/b_i under Laplace noise
    pub log_slope: f64,
}

impl Point {
    /// For positive scales and x > 0; F and 1 − F have full relative accuracy.
    pub(super) fn at<C: Component>(scales: &[f64], x: f64) -> Self {
        let mut point = Self {
            cdf: 1.0,
            survival: 0.0,
            log_slope: 0.0,
        };
        for &scale in scales {
            let (below, above) = C::tails(x / scale);
            point.cdf *= below;
            // P(this one or an earlier one exceeds x): a sum of positive terms
            point.survival += above * (1.0 - point.survival);
            point.log_slope += C::log_slope(x / scale, below, above);
        }
        point
    }
}

impl Maximum {
    /// `scales`: the Laplace scale of each query.
    pub fn new(scales: &[f64]) -> Self {
        Self::of(scales)
    }
}

impl Maximum<GaussianErrors> {
    /// `sigmas`: the standard deviation of each query's Gaussian noise.
    pub fn gaussian(sigmas: &[f64]) -> Self {
        Self::of(sigmas)
    }
}

impl<C: Component> Maximum<C> {
    fn of(scales: &[f64]) -> Self {
        Self {
            scales: Scales::new(scales),
            moments: OnceLock::new(),
            component: PhantomData,
        }
    }

    /// (E M, E M²) in units of the largest scale, and that scale.
    pub(super) fn moments(&self) -> Option<([f64; 2], f64)> {
        let scales = self.scales.as_ref()?;
        let moments = *self
            .moments
            .get_or_init(|| match scales.relative.as_slice() {
                [] => [0.0, 0.0],
                [_] => [C::MEAN, C::MOMENTS[0]],
                relative => survival_moments::<C>(relative),
            });
        Some((moments, scales.unit))
    }

    /// The variance in units of the squared largest scale.
    pub(super) fn relative_variance(&self) -> Option<f64> {
        let ([mean, second], _) = self.moments()?;
        Some(second - mean * mean)
    }

    /// The law if no more than one query has noise.
    fn single(&self) -> Option<Box<dyn Law>> {
        let scales = self.scales.as_ref()?;
        (scales.relative.len() <= 1).then(|| C::absolute(scales.unit))
    }

    /// x in units of the largest scale, and that scale.
    fn relative(&self, x: f64) -> Option<(&[f64], f64, f64)> {
        let scales = self.scales.as_ref()?;
        (!x.is_nan()).then(|| (scales.relative.as_slice(), x / scales.unit, scales.unit))
    }
}

/// (E M, E M²) = (∫S dx, ∫2xS dx) for scales of which the largest is 1.
fn survival_moments<C: Component>(scales: &[f64]) -> [f64; 2] {
    // below e^{−40} the integrand of the mean is x itself
    let high = C::log_reach(scales.len());
    log_trapezoid(-40.0, high, C::log_step(scales.len()), |x| {
        let survival = Point::at::<C>(scales, x).survival;
        [survival * x, 2.0 * survival * x * x]
    })
}

impl<C: Component> Law for Maximum<C> {
    fn mean(&self) -> Option<f64> {
        let ([mean, _], unit) = self.moments()?;
        finite(mean * unit)
    }

    fn sd(&self) -> Option<f64> {
        let (_, unit) = self.moments()?;
        finite(self.relative_variance()?.sqrt() * unit)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.quantile(p);
        }
        let p = open_probability(p)?;
        let Scales { unit, relative, .. } = self.scales.as_ref()?;
        // the largest scale alone is smaller; k queries of the largest scale are larger
        let low = libm::log(C::single_quantile(p));
        let high = libm::log(C::largest_quantile(p, relative.len())) + 1e-9;
        let upper = p > 0.5;
        let target = libm::log(if upper { 1.0 - p } else { p });
        let root = increasing_root(low, high, low, 1e-8, |log_x| {
            let x = libm::exp(log_x);
            let point = Point::at::<C>(relative, x);
            Some(if upper {
                let slope = point.log_slope * point.cdf / point.survival;
                (target - libm::log(point.survival), slope)
            } else {
                // the product may underflow where its logarithm does not
                let log_cdf: f64 = (relative.iter())
                    .map(|scale| libm::log(C::tails(x / scale).0))
                    .sum();
                (log_cdf - target, point.log_slope)
            })
        })?;
        finite(libm::exp(root) * unit)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.cdf(x);
        }
        let (scales, relative, _) = self.relative(x)?;
        Some(if relative > 0.0 {
            Point::at::<C>(scales, relative).cdf
        } else {
            0.0
        })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.density(x);
        }
        let (scales, relative, unit) = self.relative(x)?;
        Some(if relative > 0.0 && relative < f64::INFINITY {
            let point = Point::at::<C>(scales, relative);
            point.cdf * point.log_slope / relative / unit
        } else {
            0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Exponential, trial};
    use super::*;

    #[test]
    fn equal_scales_give_harmonic_numbers() {
        for count in [2_usize, 3, 10, 50, 64, 65, 1000, 10_000] {
            let law = Maximum::new(&vec![2.5; count]);
            let harmonic: f64 = (1..=count).rev().map(|i| 1.0 / i as f64).sum();
            let squares: f64 = (1..=count).rev().map(|i| 1.0 / (i * i) as f64).sum();
            let error = law.mean().unwrap() / (2.5 * harmonic) - 1.0;
            assert!(error.abs() < 1e-13, "{count}: {error}");
            let error = law.sd().unwrap() / (2.5 * squares.sqrt()) - 1.0;
            assert!(error.abs() < 1e-12, "{count}: {error}");
        }
    }

    #[test]
    fn two_scales_match_inclusion_exclusion() {
        for (a, b) in [(1.0, 5.0), (1.0, 1.000_000_1), (1e-12, 1e12), (1e-3, 2.0)] {
            let both: f64 = 1.0 / (1.0 / a + 1.0 / b);
            let mean = a + b - both;
            let second = 2.0 * (a * a + b * b - both * both);
            let law = Maximum::new(&[a, b]);
            assert!((law.mean().unwrap() / mean - 1.0).abs() < 1e-14);
            let sd = (second - mean * mean).sqrt();
            assert!((law.sd().unwrap() / sd - 1.0).abs() < 1e-13);
        }
    }

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| e.next().max(3.0 * e.next()).max(2.0 * e.next()));
        trial::accepts(&Maximum::new(&[1.0, 3.0, 2.0]), &samples);
        trial::rejects(&Maximum::new(&[1.01, 3.03, 2.02]), &samples);
    }

    #[test]
    fn quantiles_invert_the_distribution_and_the_density_is_its_slope() {
        let spread: Vec<f64> = (0..50)
            .map(|i| libm::pow(10.0, i as f64 / 2.0 - 12.0))
            .collect();
        for scales in [vec![1.0, 3.0, 2.0], vec![1.0; 50], spread] {
            trial::inverts(&Maximum::new(&scales));
        }
    }

    #[test]
    fn tails_keep_their_relative_accuracy() {
        // three equal scales: F = (1 − e^{−x})³
        let law = Maximum::new(&[1.0; 3]);
        let low = -libm::log1p(-libm::cbrt(1e-12));
        assert!((law.quantile(1e-12).unwrap() / low - 1.0).abs() < 1e-13);
        let p = 1.0 - libm::exp2(-40.0);
        let high = -libm::log(-libm::expm1(libm::log1p(-libm::exp2(-40.0)) / 3.0));
        assert!((law.quantile(p).unwrap() / high - 1.0).abs() < 1e-13);
    }

    #[test]
    fn queries_without_noise_do_not_count() {
        let law = Maximum::new(&[0.0, 2.5, 5.0]);
        assert_eq!(law.mean(), Maximum::new(&[2.5, 5.0]).mean());
        let single = Maximum::new(&[0.0, 2.0]);
        assert_eq!(single.quantile(0.95), Exponential::new(2.0).quantile(0.95));
        assert_eq!((single.mean(), single.sd()), (Some(2.0), Some(2.0)));
        let none = Maximum::new(&[0.0, 0.0]);
        assert_eq!(
            (none.mean(), none.sd(), none.cdf(0.0)),
            (Some(0.0), Some(0.0), Some(1.0))
        );
    }

    #[test]
    fn is_silent_about_bad_scales() {
        trial::silent(&Maximum::new(&[]));
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            trial::silent(&Maximum::new(&[1.0, bad]));
        }
    }

    #[test]
    fn of_two_half_normals_the_moments_are_known() {
        // in polar coordinates, E max(|X|, |Y|) = 2/√π and E max² = 1 + 2/π
        let law = Maximum::gaussian(&[1.0, 1.0]);
        let mean = 2.0 / std::f64::consts::PI.sqrt();
        assert!((law.mean().unwrap() / mean - 1.0).abs() < 1e-14);
        let second = 1.0 + 2.0 / std::f64::consts::PI;
        let sd = (second - mean * mean).sqrt();
        assert!((law.sd().unwrap() / sd - 1.0).abs() < 1e-13);
        // the quadrature alone for one query
        let [mean, second] = survival_moments::<GaussianErrors>(&[1.0]);
        assert!((mean - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-15);
        assert!((second - 1.0).abs() < 1e-14);
        let single = Maximum::gaussian(&[0.0, 3.0]);
        assert_eq!(
            single.quantile(0.95),
            GaussianErrors::absolute(3.0).quantile(0.95)
        );
    }

    #[test]
    fn half_normals_agree_with_simulation_and_are_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let [x, y] = e.normals();
            let [z, _] = e.normals();
            x.abs().max(3.0 * y.abs()).max(2.0 * z.abs())
        });
        trial::accepts(&Maximum::gaussian(&[1.0, 3.0, 2.0]), &samples);
        trial::rejects(&Maximum::gaussian(&[1.01, 3.03, 2.02]), &samples);
        trial::rejects(&Maximum::new(&[1.0, 3.0, 2.0]), &samples);
    }

    #[test]
    fn quantiles_of_half_normals_invert_and_bad_scales_are_silent() {
        let spread: Vec<f64> = (0..50)
            .map(|i| libm::pow(10.0, i as f64 / 2.0 - 12.0))
            .collect();
        for scales in [vec![1.0, 3.0, 2.0], vec![1.0; 50], spread] {
            trial::inverts(&Maximum::gaussian(&scales));
        }
        trial::silent(&Maximum::gaussian(&[1.0, f64::NAN]));
        trial::silent(&Maximum::gaussian(&[f64::INFINITY]));
    }
}
