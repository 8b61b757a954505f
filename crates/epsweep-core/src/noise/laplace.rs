//! Laplace noise.

use super::{Noise, NoiseError, NoiseKind};
use crate::about::About;
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::theory::{self, Law};
use std::sync::Arc;

const ABOUT: About = About {
    name: "laplace",
    summary: "Laplace noise, scaled to the L1 sensitivity: pure ε-differential privacy",
    formula: "b = Δ/ε, density exp(−|x|/b)/(2b)",
    source: "Dwork, McSherry, Nissim and Smith, TCC 2006, proposition 1",
};

/// The kind of [`Laplace`].
pub(super) struct LaplaceKind;

impl NoiseKind for LaplaceKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        Laplace::calibrate(sensitivity, spent).map(|noise| Box::new(noise) as Box<dyn Noise>)
    }
}

/// Laplace noise of scale b = Δ/ε.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplace {
    scale: f64,
    /// Δ/b as it was meant: the ε spent, 0 without noise or budget
    epsilon: f64,
}

impl Laplace {
    /// As [`NoiseKind::calibrate`], with Δ in the L1 norm.
    ///
    /// # Errors
    /// [`NoiseError`] if Δ is NaN, infinite or negative, if the budget is not pure ε, or if Δ/ε is no normal double
    pub fn calibrate(sensitivity: Sensitivity, spent: Option<Budget>) -> Result<Self, NoiseError> {
        let delta = sensitivity.l1;
        if !(0.0..f64::INFINITY).contains(&delta) {
            return Err(NoiseError::Sensitivity { value: delta });
        }
        let epsilon = match spent {
            None => 0.0,
            Some(Budget::Pure(epsilon)) => epsilon.get(),
            Some(other) => {
                return Err(NoiseError::Budget {
                    noise: ABOUT.name,
                    wanted: "pure ε",
                    budget: other.to_string(),
                });
            }
        };
        if delta == 0.0 {
            return Ok(Self {
                scale: 0.0,
                epsilon: 0.0,
            });
        }
        if spent.is_none() {
            return Ok(Self {
                scale: f64::INFINITY,
                epsilon,
            });
        }
        let scale = delta / epsilon;
        if !scale.is_normal() {
            return Err(NoiseError::Scale {
                rule: "b = Δ/ε",
                sensitivity: delta,
                epsilon,
                scale,
            });
        }
        Ok(Self { scale, epsilon })
    }
}

impl Noise for Laplace {
    fn name(&self) -> &'static str {
        ABOUT.name
    }

    fn scale(&self) -> f64 {
        self.scale
    }

    fn standard(&self) -> StandardLaw {
        StandardLaw::Laplace
    }

    /// 2b²
    fn variance(&self) -> f64 {
        2.0 * self.scale * self.scale
    }

    /// b·ln(1/(1 − level)): b·ln 20 at 95 %.
    fn half_width(&self, level: f64) -> f64 {
        if !(level > 0.0 && level < 1.0) {
            return f64::NAN;
        }
        // an exact interval has no width, whatever the level
        if self.scale == 0.0 {
            return 0.0;
        }
        -self.scale * libm::log1p(-level)
    }

    /// max(0, 1 − exp((`epsilon` − Δ/b)/2)) (Balle, Barthe and Gaboardi, NeurIPS 2018, theorem 3).
    fn delta(&self, epsilon: f64) -> f64 {
        if epsilon >= self.epsilon {
            0.0
        } else {
            -libm::expm1(0.5 * (epsilon - self.epsilon))
        }
    }

    fn answer_law(&self, truth: f64) -> Arc<dyn Law> {
        Arc::new(theory::Laplace::new(self.scale, truth))
    }

    fn abs_error_law(&self) -> Arc<dyn Law> {
        Arc::new(theory::Exponential::new(self.scale))
    }

    fn squared_error_law(&self) -> Arc<dyn Law> {
        Arc::new(theory::SquaredError::new(self.scale))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Epsilon, Rho};

    fn laplace(delta: f64, epsilon: f64) -> Result<Laplace, NoiseError> {
        Laplace::calibrate(
            Sensitivity {
                l1: delta,
                l2: delta,
            },
            Some(Budget::Pure(Epsilon::new(epsilon).unwrap())),
        )
    }

    #[test]
    fn the_scale_is_the_sensitivity_over_the_budget() {
        let noise = laplace(120.0, 1.0 / 3.0).unwrap();
        assert!((noise.scale() - 360.0).abs() < 1e-12);
        // b·ln 20
        assert!((noise.half_width(0.95) / (360.0 * libm::log(20.0)) - 1.0).abs() < 1e-14);
        assert!(noise.half_width(1.0).is_nan() && noise.half_width(f64::NAN).is_nan());
    }

    #[test]
    fn the_privacy_curve_starts_at_the_total_variation() {
        // the overlap of two Laplace laws a distance Δ apart is e^{−Δ/2b}
        let noise = laplace(2.0, 0.8).unwrap();
        assert!((noise.delta(0.0) - (1.0 - libm::exp(-0.4))).abs() < 1e-15);
    }

    #[test]
    fn the_privacy_curve_is_the_hockey_stick_divergence() {
        // ∫ max(0, p − e^ε·q) by the midpoint rule
        let (noise, epsilon) = (laplace(1.0, 1.5).unwrap(), 0.6);
        let (p, q) = (noise.answer_law(0.0), noise.answer_law(1.0));
        let step = 1e-4;
        let integral: f64 = (0..400_000)
            .map(|i| {
                let x = -20.0 + step * (f64::from(i) + 0.5);
                (p.density(x).unwrap() - libm::exp(epsilon) * q.density(x).unwrap()).max(0.0) * step
            })
            .sum();
        assert!((noise.delta(epsilon) - integral).abs() < 1e-6);
    }

    #[test]
    fn scales_beyond_the_range_are_refused_with_their_cause() {
        for (delta, epsilon) in [(1e300, 1e-300), (1e-300, 1e300), (1e-300, 1e9)] {
            let text = laplace(delta, epsilon).unwrap_err().to_string();
            assert!(
                text.contains(&format!("Δ = {delta:?} and ε = {epsilon:?}"))
                    && text.contains("b = Δ/ε"),
                "{text}"
            );
        }
        for epsilon in [1e-9, 1e9] {
            assert!(laplace(120.0, epsilon).is_ok());
        }
    }

    #[test]
    fn other_kinds_of_budget_are_refused() {
        let rho = Some(Budget::Zcdp(Rho::new(0.5).unwrap()));
        let text = Laplace::calibrate(Sensitivity { l1: 1.0, l2: 1.0 }, rho)
            .unwrap_err()
            .to_string();
        assert!(
            text.contains("pure ε") && text.contains("ρ = 0.5"),
            "{text}"
        );
    }
}
