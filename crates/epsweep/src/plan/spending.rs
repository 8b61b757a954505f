//! What shares divide, and what a part of it buys.

use crate::config::budget::{BudgetSpec, Composition};
use crate::config::diagnostic::Sink;
use crate::config::noise::NoiseSpec;
use epsweep_core::accounting::zcdp;
use epsweep_core::allocation::Setting;
use epsweep_core::budget::{Budget, Delta, Epsilon, Rho};
use epsweep_core::noise::smooth::SmoothNoise;
use epsweep_core::noise::{Noise, NoiseError};
use epsweep_core::random::StandardLaw;
use epsweep_core::sensitivity::Sensitivity;

/// The total in the unit that is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spending {
    /// ε, by basic composition
    Pure(f64),
    /// ε and δ in the same parts, by basic composition
    Approximate(f64, f64),
    /// ρ
    Rho(f64),
}

impl Spending {
    /// Of `[budget]`; what cannot be divided is a fault.
    pub fn new(budget: &BudgetSpec, sink: &Sink) -> Option<Spending> {
        match (budget.budget, budget.composition) {
            (Budget::Zcdp(rho), _) => Some(Spending::Rho(rho.get())),
            (Budget::Pure(epsilon), _) => Some(Spending::Pure(epsilon.get())),
            (Budget::Approximate(epsilon, delta), Composition::Basic) => {
                Some(Spending::Approximate(epsilon.get(), delta.get()))
            }
            (Budget::Approximate(epsilon, delta), Composition::Zcdp) => {
                let rho = rho_of(epsilon.get(), delta.get());
                if rho.is_none() {
                    let message = format!("no ρ was found whose zCDP promises {}", budget.budget);
                    sink.fault(budget.span, message)
                        .remedy("give `rho` itself")
                        .report();
                }
                rho.map(Spending::Rho)
            }
        }
    }

    /// The total of what shares divide.
    pub fn total(self) -> f64 {
        match self {
            Spending::Pure(total) | Spending::Approximate(total, _) | Spending::Rho(total) => total,
        }
    }

    /// The letter of what shares divide.
    pub fn currency(self) -> &'static str {
        match self {
            Spending::Pure(_) | Spending::Approximate(..) => "ε",
            Spending::Rho(_) => "ρ",
        }
    }

    /// How an error depends on a share, where a rule is known for it.
    pub fn setting(self, gaussian: bool) -> Option<Setting> {
        match (self, gaussian) {
            (Spending::Pure(_), _) | (Spending::Approximate(..), false) => {
                Some(Setting::LaplacePure)
            }
            (Spending::Approximate(..), true) => None,
            (Spending::Rho(_), true) => Some(Setting::GaussianZcdp),
            (Spending::Rho(_), false) => Some(Setting::LaplaceZcdp),
        }
    }

    /// The budgets that a part of the total can be taken for, the one that says more first: ε is also (ε, δ) for every δ (and so is
    /// spent by noise of pure privacy), and √(2ρ) is the ε whose own ρ that is (Bun and Steinke, TCC 2016, proposition 1.4).
    fn budgets(self, part: f64) -> Result<Vec<Budget>, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let pure = |epsilon: f64| Epsilon::new(epsilon).map_err(|error| text(&error));
        Ok(match self {
            Spending::Pure(_) => vec![Budget::Pure(pure(part)?)],
            Spending::Approximate(epsilon, delta) => {
                let delta = Delta::new(delta * (part / epsilon)).map_err(|error| text(&error))?;
                let epsilon = pure(part)?;
                vec![Budget::Approximate(epsilon, delta), Budget::Pure(epsilon)]
            }
            Spending::Rho(_) => {
                let rho = Rho::new(part).map_err(|error| text(&error))?;
                vec![
                    Budget::Zcdp(rho),
                    Budget::Pure(pure(zcdp::pure_epsilon_of(part))?),
                ]
            }
        })
    }

    /// Noise for a part of the total, of a kind that is scaled to the global sensitivity.
    pub fn noise(
        self,
        noise: NoiseSpec,
        sensitivity: Sensitivity,
        part: f64,
    ) -> Result<Box<dyn Noise>, String> {
        let NoiseSpec::Global(kind) = noise else {
            return Err(format!(
                "{} noise needs the data at hand",
                noise.about().name
            ));
        };
        if part == 0.0 {
            return kind
                .calibrate(sensitivity, None)
                .map_err(|error| error.to_string());
        }
        let mut first = None;
        for budget in self.budgets(part)? {
            match kind.calibrate(sensitivity, Some(budget)) {
                Ok(noise) => return Ok(noise),
                // another form of the budget may do
                Err(error @ NoiseError::Budget { .. }) => {
                    first.get_or_insert(error);
                }
                Err(error) => return Err(error.to_string()),
            }
        }
        Err(first.map_or_else(String::new, |error| error.to_string()))
    }

    /// Noise for a part of the total, scaled to the smooth bound that `smooth` gives for β, and the bound.
    pub fn smooth_noise(
        self,
        noise: SmoothNoise,
        part: f64,
        smooth: impl Fn(f64) -> Result<f64, String>,
    ) -> Result<(Box<dyn Noise>, f64), String> {
        let mut first = None;
        for budget in self.budgets(part)? {
            match noise.beta(budget) {
                Ok(beta) => {
                    let bound = smooth(beta)?;
                    let noise = noise
                        .calibrate(bound, beta, budget)
                        .map_err(|error| error.to_string())?;
                    return Ok((noise, bound));
                }
                Err(error) => {
                    first.get_or_insert(error.to_string());
                }
            }
        }
        Err(first.unwrap_or_default())
    }
}

/// Whether the noise is Gaussian, of real numbers or of integers: scaled to the L2 sensitivity.
pub(super) fn is_gaussian(noise: NoiseSpec) -> bool {
    let NoiseSpec::Global(kind) = noise else {
        return false;
    };
    let none = Sensitivity { l1: 0.0, l2: 0.0 };
    kind.calibrate(none, None)
        .is_ok_and(|noise| noise.standard() == StandardLaw::Normal)
}

/// The largest ρ, to within a relative 1e−12, whose zCDP promises (ε, δ).
fn rho_of(epsilon: f64, delta: f64) -> Option<f64> {
    let bits = -libm::log(delta);
    let promises = |rho: f64| {
        zcdp::log_delta(rho, epsilon).is_ok_and(|log_delta| log_delta <= libm::log(delta))
    };
    // ρ + 2√(ρ ln 1/δ) ≤ ε promises it (Bun and Steinke, TCC 2016, proposition 1.3); (√(ε + L) − √L)² without cancellation
    let root = epsilon / ((epsilon + bits).sqrt() + bits.sqrt());
    let mut low = root * root * (1.0 - 1e-12);
    if !(low > 0.0) || !promises(low) {
        return None;
    }
    let mut high = 2.0 * low;
    while promises(high) {
        (low, high) = (high, 2.0 * high);
        if !high.is_finite() {
            return None;
        }
    }
    while high - low > 1e-12 * low {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if promises(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rho_is_the_largest_that_promises() {
        for (epsilon, delta) in [(1.0, 1e-6), (0.01, 1e-10), (10.0, 1e-3)] {
            let rho = rho_of(epsilon, delta).unwrap();
            let met = |rho| zcdp::tight(rho, delta).unwrap().epsilon;
            assert!(met(rho) <= epsilon * (1.0 + 1e-9), "{epsilon} {delta}");
            assert!(met(rho * (1.0 + 1e-6)) > epsilon, "{epsilon} {delta}");
            // more than the simple conversion allows
            let root = (epsilon - libm::log(delta)).sqrt() - (-libm::log(delta)).sqrt();
            assert!(rho > root * root);
        }
    }

    #[test]
    fn pure_noise_spends_other_budgets_as_theorems_allow() {
        let laplace = NoiseSpec::Global(epsweep_core::noise::REGISTRY[0]);
        let gaussian = NoiseSpec::Global(epsweep_core::noise::REGISTRY[1]);
        let one = Sensitivity { l1: 1.0, l2: 1.0 };
        let scale = |spending: Spending, noise, part| {
            spending.noise(noise, one, part).map(|noise| noise.scale())
        };
        assert_eq!(scale(Spending::Rho(2.0), laplace, 0.5), Ok(1.0));
        assert_eq!(scale(Spending::Rho(2.0), gaussian, 0.5), Ok(1.0));
        assert_eq!(
            scale(Spending::Approximate(1.0, 1e-6), laplace, 0.25),
            Ok(4.0)
        );
        assert!(scale(Spending::Pure(1.0), gaussian, 1.0).is_err());
        assert!(is_gaussian(gaussian) && !is_gaussian(laplace));
    }
}
