//! Gaussian noise, calibrated in three ways.
//!
//! σ multiplies the standard normal variate. Its privacy curve depends on μ = Δ₂/σ alone and is exact (Balle and Wang, ICML 2018,
//! theorem 8), whatever formula the σ came from.

use super::calibrated::{Calibrated, Mechanism, normal};
use super::{Noise, NoiseError, NoiseKind, Transform};
use crate::about::About;
use crate::accounting::{AccountingError, classic_gaussian, gaussian};
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::theory::{self, Symmetric};
use std::sync::Arc;

const ABOUT: About = About {
    name: "gaussian",
    summary: "Gaussian noise, scaled to the L2 sensitivity: exact for (ε, δ), or ρ-zCDP",
    formula: "(ε, δ): the smallest σ with Φ(Δ/2σ − εσ/Δ) − e^ε Φ(−Δ/2σ − εσ/Δ) ≤ δ; ρ: σ = Δ/√(2ρ)",
    source: "Balle and Wang, ICML 2018, theorem 8; Bun and Steinke, TCC 2016, proposition 1.6",
};

const CLASSIC: About = About {
    name: "gaussian-classic",
    summary: "Gaussian noise by the classic formula for (ε, δ), refused for ε ≥ 1, where its proof does not hold",
    formula: "σ = Δ √(2 ln(1.25/δ))/ε, 0 < ε < 1",
    source: "Dwork and Roth 2014, theorem A.1",
};

const CONTROL: About = About {
    name: "gaussian-classic-control",
    summary: "a control: the classic formula at any ε; beyond ε < 1 it may break its promise, and its privacy curve shows it",
    formula: "σ = Δ √(2 ln(1.25/δ))/ε",
    source: "Dwork and Roth 2014, theorem A.1, outside its condition",
};

/// How σ follows from (ε, δ): the analytic calibration, the classic formula, or that formula as a control.
pub(super) struct GaussianKind {
    about: &'static About,
    /// σ for (ε, δ, Δ)
    approximate: fn(f64, f64, f64) -> Result<f64, AccountingError>,
    /// whether a budget of ρ is served
    concentrated: bool,
    /// why its promise may not hold
    control: Option<&'static str>,
}

/// `gaussian`
pub(super) static ANALYTIC: GaussianKind = GaussianKind {
    about: &ABOUT,
    approximate: gaussian::sigma,
    concentrated: true,
    control: None,
};

/// `gaussian-classic`
pub(super) static CLASSIC_KIND: GaussianKind = GaussianKind {
    about: &CLASSIC,
    approximate: classic_gaussian::sigma,
    concentrated: false,
    control: None,
};

/// `gaussian-classic-control`
pub(super) static CONTROL_KIND: GaussianKind = GaussianKind {
    about: &CONTROL,
    approximate: classic_gaussian::unchecked_sigma,
    concentrated: false,
    control: Some("the classic formula is proved for ε < 1 alone"),
};

impl GaussianKind {
    fn sigma(&self, sensitivity: f64, budget: Budget) -> Result<f64, NoiseError> {
        let noise = self.about.name;
        let sigma = match budget {
            Budget::Approximate(epsilon, delta) => {
                (self.approximate)(epsilon.get(), delta.get(), sensitivity)
                    .map_err(|error| NoiseError::Calibration { noise, error })?
            }
            // the roots apart: ρ may be so small that 2ρ/Δ² underflows
            Budget::Zcdp(rho) => sensitivity / (2.0 * rho.get()).sqrt(),
            Budget::Pure(_) => f64::NAN,
        };
        normal(sigma, self.about.formula, sensitivity, budget)
    }
}

impl NoiseKind for GaussianKind {
    fn about(&self) -> &'static About {
        self.about
    }

    fn broken_condition(&self, spent: Budget) -> Option<&'static str> {
        match spent {
            Budget::Approximate(epsilon, _) if self.control.is_some() && epsilon.get() >= 1.0 => {
                Some("ε < 1")
            }
            _ => None,
        }
    }

    fn control(&self) -> Option<&'static str> {
        self.control
    }

    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        let served = match spent {
            None | Some(Budget::Approximate(..)) => true,
            Some(Budget::Zcdp(_)) => self.concentrated,
            Some(Budget::Pure(_)) => false,
        };
        if let (false, Some(budget)) = (served, spent) {
            return Err(NoiseError::Budget {
                noise: self.about.name,
                wanted: if self.concentrated {
                    "(ε, δ) with δ > 0, or ρ of zCDP"
                } else {
                    "(ε, δ) with δ > 0"
                },
                budget: budget.to_string(),
            });
        }
        let delta = sensitivity.l2;
        let noise = Calibrated::new(self.about.name, delta, spent, |budget| {
            let sigma = self.sigma(delta, budget)?;
            let law = theory::Normal::new(sigma).ok_or_else(|| NoiseError::Range {
                rule: self.about.formula,
                sensitivity: delta,
                budget: budget.to_string(),
                scale: sigma,
                least: f64::MIN_POSITIVE,
                most: f64::MAX,
            })?;
            Ok(Gaussian {
                sensitivity: delta,
                sigma,
                law: Arc::new(law),
            })
        })?;
        Ok(noise.boxed())
    }
}

/// Gaussian noise σ on a query of sensitivity Δ₂.
#[derive(Clone, Debug)]
struct Gaussian {
    sensitivity: f64,
    sigma: f64,
    law: Arc<theory::Normal>,
}

impl Mechanism for Gaussian {
    const STANDARD: StandardLaw = StandardLaw::Normal;

    fn scale(&self) -> f64 {
        self.sigma
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    fn delta(&self, epsilon: f64) -> f64 {
        gaussian::delta(epsilon, self.sigma, self.sensitivity).unwrap_or(f64::NAN)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Delta, Epsilon, Rho};

    fn approximate(epsilon: f64, delta: f64) -> Budget {
        Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
    }

    fn calibrated(
        kind: &GaussianKind,
        l2: f64,
        budget: Budget,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        // an L1 norm that would show if it were used
        kind.calibrate(Sensitivity { l1: 7.0 * l2, l2 }, Some(budget))
    }

    #[test]
    fn the_analytic_scales_are_those_published() {
        for (epsilon, delta, expected) in [
            (0.1, 1e-5, 30.749566),
            (1.0, 1e-5, 3.7306316),
            (10.0, 1e-5, 0.49988862),
            (1000.0, 1e-6, 0.024850367),
        ] {
            let noise = calibrated(&ANALYTIC, 1.0, approximate(epsilon, delta)).unwrap();
            assert!((noise.scale() / expected - 1.0).abs() < 5e-8, "{epsilon}");
            // the budget is met, and hardly more than that
            let met = noise.delta(epsilon);
            assert!(
                met <= delta && met > delta * (1.0 - 1e-8),
                "{epsilon}: {met:e}"
            );
        }
        let noise = calibrated(&ANALYTIC, 1.0, approximate(1.0, 1e-30)).unwrap();
        assert!((noise.scale() - 11.083).abs() < 5e-4);
        // the range that is promised
        for epsilon in [1e-8, 1e-3, 1000.0] {
            for delta in [1e-300, 1e-100, 0.1] {
                let noise = calibrated(&ANALYTIC, 120.0, approximate(epsilon, delta)).unwrap();
                let met = noise.delta(epsilon);
                assert!(
                    met <= delta && met > delta * (1.0 - 1e-7),
                    "{epsilon} {delta} {met:e}"
                );
            }
        }
    }

    #[test]
    fn concentrated_budgets_scale_the_l2_norm() {
        let rho = Budget::Zcdp(Rho::new(0.5).unwrap());
        assert_eq!(calibrated(&ANALYTIC, 3.0, rho).unwrap().scale(), 3.0);
        let text = calibrated(&CLASSIC_KIND, 3.0, rho).unwrap_err().to_string();
        assert!(
            text.contains("(ε, δ)") && text.contains("ρ = 0.5"),
            "{text}"
        );
    }

    #[test]
    fn the_classic_formula_is_refused_where_its_proof_does_not_hold() {
        let noise = calibrated(&CLASSIC_KIND, 1.0, approximate(0.5, 1e-5)).unwrap();
        assert!((noise.scale() / 9.6896105 - 1.0).abs() < 5e-8);
        assert!(noise.delta(0.5) < 1e-5);
        for epsilon in [1.0, 2.0, 50.0] {
            let text = calibrated(&CLASSIC_KIND, 1.0, approximate(epsilon, 1e-5))
                .unwrap_err()
                .to_string();
            assert!(
                text.contains("ε < 1") && text.contains("analytic"),
                "{text}"
            );
        }
        // as a control it is computed, and its curve shows that it breaks its promise
        let control = calibrated(&CONTROL_KIND, 1.0, approximate(50.0, 1e-5)).unwrap();
        assert_eq!(control.name(), "gaussian-classic-control");
        assert!((control.delta(50.0) / 0.586 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn budgets_that_gaussian_noise_cannot_serve_are_refused() {
        let pure = Budget::Pure(Epsilon::new(1.0).unwrap());
        let text = calibrated(&ANALYTIC, 1.0, pure).unwrap_err().to_string();
        assert!(
            text.contains("ρ of zCDP") && text.contains("ε = 1"),
            "{text}"
        );
        let text = calibrated(&ANALYTIC, 1.0, approximate(1.0, 0.0))
            .unwrap_err()
            .to_string();
        assert!(text.contains("δ") && text.contains("above 0"), "{text}");
        let tiny = Budget::Zcdp(Rho::new(1e-300).unwrap());
        let text = calibrated(&ANALYTIC, 1e200, tiny).unwrap_err().to_string();
        assert!(
            text.contains("Δ = 1e200") && text.contains("ρ = 1e-300"),
            "{text}"
        );
    }
}
