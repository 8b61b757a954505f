//! The weighted mean of the squared errors of several queries within one trial.

use std::marker::PhantomData;

use super::component::{Component, GaussianErrors, LaplaceErrors};
use super::{Law, Scales, finite, squares, valid_scale};

/// The law of Σ w_i·e_i²/Σ w_i, e_i Laplace or Gaussian with scale b_i. Under Laplace noise: mean 2Σwb²/Σw, variance
/// 20Σw²b⁴/(Σw)² since Var e² = 24b⁴ − 4b⁴; under Gaussian noise: mean Σwσ²/Σw, variance 2Σw²σ⁴/(Σw)².
/// Distribution, density and quantiles (from 0.001 to 0.999) come from the inversion of the transform, with an error below
/// 1e−12 in probability; where two quadratures disagree (a hundred queries and more) they are withheld.
#[derive(Clone, Debug)]
pub struct WeightedMse<C: Component = LaplaceErrors> {
    /// √(w_i/Σw)·b_i of the queries that have a weight
    contributions: Option<Scales>,
    component: PhantomData<C>,
}

impl WeightedMse {
    /// `scales`: the Laplace scale of each query; `weights`: as many, not negative. A query of weight 0 is left out, whatever
    /// its scale.
    pub fn new(scales: &[f64], weights: &[f64]) -> Self {
        Self::of(scales, weights)
    }
}

impl WeightedMse<GaussianErrors> {
    /// As [`WeightedMse::new`], for Gaussian noise of standard deviations `sigmas`.
    pub fn gaussian(sigmas: &[f64], weights: &[f64]) -> Self {
        Self::of(sigmas, weights)
    }
}

impl<C: Component> WeightedMse<C> {
    fn of(scales: &[f64], weights: &[f64]) -> Self {
        Self {
            contributions: contributions(scales, weights),
            component: PhantomData,
        }
    }

    /// The law if no more than one query contributes.
    fn single(&self) -> Option<Box<dyn Law>> {
        let contributions = self.contributions.as_ref()?;
        (contributions.relative.len() <= 1).then(|| C::squared(contributions.unit))
    }
}

fn contributions(scales: &[f64], weights: &[f64]) -> Option<Scales> {
    if scales.len() != weights.len() {
        return None;
    }
    let mut largest = 0.0_f64;
    for &weight in weights {
        largest = largest.max(valid_scale(weight)?);
    }
    // relative to the largest weight, so that the sum does not overflow; no weight at all gives NaN and so `None`
    let total: f64 = weights.iter().map(|weight| weight / largest).sum();
    let weighted: Vec<f64> = (scales.iter().zip(weights))
        .filter(|&(_, &weight)| weight > 0.0)
        .map(|(scale, weight)| scale * (weight / largest / total).sqrt())
        .collect();
    Scales::new(&weighted)
}

impl<C: Component> Law for WeightedMse<C> {
    fn mean(&self) -> Option<f64> {
        let Scales { unit, relative, .. } = self.contributions.as_ref()?;
        let squares: f64 = relative.iter().map(|b| b * b).sum();
        finite(C::MOMENTS[0] * squares * unit * unit)
    }

    fn sd(&self) -> Option<f64> {
        let Scales { unit, relative, .. } = self.contributions.as_ref()?;
        let fourths: f64 = relative.iter().map(|b| b * b * b * b).sum();
        let [second, fourth] = C::MOMENTS;
        finite(((fourth - second * second) * fourths).sqrt() * unit * unit)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.quantile(p);
        }
        let Scales { unit, relative, .. } = self.contributions.as_ref()?;
        finite(squares::quantile::<C>(relative, p)? * unit * unit)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.cdf(x);
        }
        let Scales { unit, relative, .. } = self.contributions.as_ref()?;
        if x <= 0.0 {
            return Some(0.0);
        }
        Some(squares::distribution::<C>(relative, x / unit / unit)?.0)
    }

    fn density(&self, x: f64) -> Option<f64> {
        if let Some(law) = self.single() {
            return law.density(x);
        }
        let Scales { unit, relative, .. } = self.contributions.as_ref()?;
        if x <= 0.0 {
            return Some(0.0);
        }
        Some(squares::distribution::<C>(relative, x / unit / unit)?.1 / x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SquaredError, trial};
    use super::*;

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let (x, y, z) = (e.next(), 3.0 * e.next(), 2.0 * e.next());
            (5.0 * x * x + y * y + 2.0 * z * z) / 8.0
        });
        let weights = [5.0, 1.0, 2.0];
        trial::accepts(&WeightedMse::new(&[1.0, 3.0, 2.0], &weights), &samples);
        trial::rejects(&WeightedMse::new(&[1.01, 3.03, 2.02], &weights), &samples);
        trial::rejects(&WeightedMse::new(&[1.0, 3.0, 2.0], &[1.0; 3]), &samples);
        trial::inverts_within(&WeightedMse::new(&[1.0, 3.0, 2.0], &weights), 0.001);
    }

    #[test]
    fn a_query_without_weight_is_left_out() {
        let law = WeightedMse::new(&[2.0, f64::INFINITY], &[3.0, 0.0]);
        assert_eq!(law.mean(), Some(8.0));
        assert_eq!(law.quantile(0.9), SquaredError::new(2.0).quantile(0.9));
    }

    #[test]
    fn has_edges() {
        let none = WeightedMse::new(&[0.0, 0.0], &[1.0, 1.0]);
        assert_eq!((none.mean(), none.sd()), (Some(0.0), Some(0.0)));
        trial::silent(&WeightedMse::new(&[1.0], &[1.0, 1.0]));
        trial::silent(&WeightedMse::new(&[1.0], &[0.0]));
        trial::silent(&WeightedMse::new(&[f64::INFINITY], &[1.0]));
        trial::silent(&WeightedMse::new(&[1.0], &[f64::NAN]));
    }

    #[test]
    fn gaussian_errors_agree_with_simulation_and_are_told_from_a_wrong_scale() {
        let samples = trial::samples(|e| {
            let [x, y] = e.normals();
            let [z, _] = e.normals();
            (5.0 * x * x + 9.0 * y * y + 2.0 * 4.0 * z * z) / 8.0
        });
        let law = WeightedMse::gaussian(&[1.0, 3.0, 2.0], &[5.0, 1.0, 2.0]);
        trial::accepts(&law, &samples);
        trial::inverts_within(&law, 0.001);
        let wrong = WeightedMse::gaussian(&[1.01, 3.03, 2.02], &[5.0, 1.0, 2.0]);
        trial::rejects(&wrong, &samples);
    }
}
