//! The root mean square of the errors of several queries within one trial.

use std::marker::PhantomData;
use std::sync::OnceLock;

use super::component::{Component, GaussianErrors, LaplaceErrors};
use super::quadrature::log_trapezoid;
use super::{Law, Scales, finite, squares};

/// Step on the logarithmic axis: the transform is analytic and bounded in |Im ln s| < 3π/4 (Gaussian errors: π/2), so the error
/// is about exp(−2π·2/STEP) ≈ 1e−21 (1e−16).
const STEP: f64 = 0.25;

/// The law of √((1/k)·Σ e_i²), e_i Laplace or Gaussian with scale b_i: the root mean square error *of one trial*, whose mean is smaller
/// than the root of the mean squared error.
///
/// E RMSE = (πk)^{−1/2} ∫ (1 − ∏ g(b_i·s))·s^{−2} ds with g(z) = E e^{−z²e²} for a standard error (√π/(2z)·erfcx(1/(2z)) for
/// Laplace, (1 + 2z²)^{−1/2} for Gaussian ones), which is the identity E√V = (1/(2√π))∫(1 − E e^{−uV})·u^{−3/2} du at u = s². The
/// second moment is Σb²/k times that of a standard error, 2 or 1.
/// Distribution, density and quantiles (from 0.001 to 0.999) come from the inversion of the transform, with an error below
/// 1e−12 in probability; where two quadratures disagree (a hundred queries and more) they are withheld.
#[derive(Clone, Debug)]
pub struct Rmse<C: Component = LaplaceErrors> {
    scales: Option<Scales>,
    /// in units of the largest scale
    mean: OnceLock<f64>,
    component: PhantomData<C>,
}

impl Rmse {
    /// `scales`: the Laplace scale of each query.
    pub fn new(scales: &[f64]) -> Self {
        Self::of(scales)
    }
}

impl Rmse<GaussianErrors> {
    /// `sigmas`: the standard deviation of each query's Gaussian noise.
    pub fn gaussian(sigmas: &[f64]) -> Self {
        Self::of(sigmas)
    }
}

impl<C: Component> Rmse<C> {
    fn of(scales: &[f64]) -> Self {
        Self {
            scales: Scales::new(scales),
            mean: OnceLock::new(),
            component: PhantomData,
        }
    }

    /// The law if no more than one query has noise.
    fn single(&self) -> Option<Box<dyn Law>> {
        let scales = self.scales.as_ref()?;
        (scales.relative.len() <= 1)
            .then(|| C::absolute(scales.unit / (scales.count as f64).sqrt()))
    }

    /// k·x² in units of the squared largest scale, 0 for negative x.
    fn sum_of_squares(&self, x: f64) -> Option<f64> {
        let scales = self.scales.as_ref()?;
        let relative = x.max(0.0) / scales.unit;
        (!x.is_nan()).then_some(relative * relative * scales.count as f64)
    }

    /// E√(Σe²/k), and √(E Σe²/k), in units of the largest scale.
    fn relative_moments(&self) -> Option<(f64, f64, f64)> {
        let scales = self.scales.as_ref()?;
        let count = scales.count as f64;
        let mean = *self.mean.get_or_init(|| {
            mean_root_of_squares::<C>(&scales.relative) / (std::f64::consts::PI * count).sqrt()
        });
        let squares: f64 = scales.relative.iter().map(|b| b * b).sum();
        Some((mean, C::MOMENTS[0] * squares / count, scales.unit))
    }
}

/// ∫(1 − ∏ g(b_i·s))·s^{−2} ds over s > 0 for scales of which the largest is 1.
fn mean_root_of_squares<C: Component>(scales: &[f64]) -> f64 {
    // On the left the integrand over ln s is about 2Σb²·s, on the right 1/s.
    let reach = 40.0 + libm::log(scales.len() as f64);
    let [integral] = log_trapezoid(-reach, reach, STEP, |s| {
        let mut complement = 0.0;
        for scale in scales {
            complement += C::transform(scale * s).1 * (1.0 - complement);
        }
        [complement / s]
    });
    integral
}

impl<C: Component> Law for Rmse<C> {
    fn mean(&self) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.mean();
        }
        let (mean, _, unit) = self.relative_moments()?;
        finite(mean * unit)
    }

    fn sd(&self) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.sd();
        }
        let (mean, second, unit) = self.relative_moments()?;
        finite((second - mean * mean).sqrt() * unit)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.quantile(p);
        }
        let scales = self.scales.as_ref()?;
        let sum = squares::quantile::<C>(&scales.relative, p)?;
        finite((sum / scales.count as f64).sqrt() * scales.unit)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.cdf(x);
        }
        let sum = self.sum_of_squares(x)?;
        if sum == 0.0 {
            return Some(0.0);
        }
        Some(squares::distribution::<C>(&self.scales.as_ref()?.relative, sum)?.0)
    }

    fn density(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.density(x);
        }
        let sum = self.sum_of_squares(x)?;
        if sum == 0.0 {
            return Some(0.0);
        }
        // v = k·x² gives x·f(x) = 2v·f(v)
        Some(2.0 * squares::distribution::<C>(&self.scales.as_ref()?.relative, sum)?.1 / x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Exponential, trial};
    use super::*;

    #[test]
    fn one_query_by_the_quadrature_is_exponential() {
        // the public law takes a short cut for one query
        let mean = mean_root_of_squares::<LaplaceErrors>(&[1.0]) / std::f64::consts::PI.sqrt();
        assert!((mean - 1.0).abs() < 1e-14, "{mean}");
        assert_eq!(
            Rmse::new(&[3.0]).quantile(0.9),
            Exponential::new(3.0).quantile(0.9)
        );
    }

    #[test]
    fn two_queries_match_a_polar_integral() {
        // E√((a²E² + b²F²)/2): E = r·cos²φ-like coordinates on the simplex give ∫_0^1 √(a²u² + b²(1−u)²) du·E(E+F)/√2,
        // since E/(E+F) is uniform and independent of E + F, which has mean 2
        let (a, b) = (1.0_f64, 5.0_f64);
        let steps = 20_000;
        let midpoint: f64 = (0..steps)
            .map(|i| {
                let u = (i as f64 + 0.5) / steps as f64;
                (a * a * u * u + b * b * (1.0 - u) * (1.0 - u)).sqrt()
            })
            .sum::<f64>()
            / steps as f64;
        let expected = 2.0 * midpoint / 2.0_f64.sqrt();
        // midpoint rule: error below (b²/24)/steps² ≈ 3e−9
        assert!((Rmse::new(&[a, b]).mean().unwrap() - expected).abs() < 1e-8);
    }

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let (x, y, z) = (e.next(), 3.0 * e.next(), 2.0 * e.next());
            ((x * x + y * y + z * z) / 3.0).sqrt()
        });
        trial::accepts(&Rmse::new(&[1.0, 3.0, 2.0]), &samples);
        trial::rejects(&Rmse::new(&[1.01, 3.03, 2.02]), &samples);
    }

    #[test]
    fn quantiles_invert_the_distribution_and_the_density_is_its_slope() {
        let spread: Vec<f64> = (0..50)
            .map(|i| libm::pow(10.0, i as f64 / 2.0 - 12.0))
            .collect();
        for scales in [
            vec![1.0, 3.0, 2.0],
            vec![0.36, 360.0, 3.0],
            vec![1.0; 10],
            spread,
        ] {
            trial::inverts_within(&Rmse::new(&scales), 0.001);
        }
    }

    #[test]
    fn has_edges() {
        let none = Rmse::new(&[0.0, 0.0]);
        assert_eq!((none.mean(), none.sd()), (Some(0.0), Some(0.0)));
        let law = Rmse::new(&[1.0, 2.0]);
        assert_eq!((law.cdf(-1.0), law.density(-1.0)), (Some(0.0), Some(0.0)));
        assert_eq!(law.cdf(f64::NAN), None);
        trial::silent(&Rmse::new(&[]));
        trial::silent(&Rmse::new(&[1.0, f64::INFINITY]));
    }

    #[test]
    fn gaussian_errors_of_one_scale_make_a_chi_law() {
        // two errors: Rayleigh, E√(X² + Y²) = √(π/2); one by the quadrature alone: √(2/π)
        let law = Rmse::gaussian(&[3.0, 3.0]);
        let mean = 3.0 * (std::f64::consts::PI / 2.0).sqrt() / 2.0_f64.sqrt();
        assert!((law.mean().unwrap() / mean - 1.0).abs() < 1e-13);
        let sd = (9.0 - mean * mean).sqrt();
        assert!((law.sd().unwrap() / sd - 1.0).abs() < 1e-12);
        let one = mean_root_of_squares::<GaussianErrors>(&[1.0]) / std::f64::consts::PI.sqrt();
        assert!(
            (one - (2.0 / std::f64::consts::PI).sqrt()).abs() < 1e-14,
            "{one}"
        );
    }

    #[test]
    fn gaussian_errors_agree_with_simulation_and_are_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let [x, y] = e.normals();
            let [z, _] = e.normals();
            ((x * x + 9.0 * y * y + 4.0 * z * z) / 3.0).sqrt()
        });
        trial::accepts(&Rmse::gaussian(&[1.0, 3.0, 2.0]), &samples);
        trial::rejects(&Rmse::gaussian(&[1.01, 3.03, 2.02]), &samples);
        for scales in [vec![1.0, 3.0, 2.0], vec![0.36, 360.0, 3.0], vec![1.0; 10]] {
            trial::inverts_within(&Rmse::gaussian(&scales), 0.001);
        }
    }
}
