//! Discrete Gaussian noise for integer-valued queries.

use super::calibrated::{Calibrated, Mechanism, integer};
use super::discrete_laplace::small_floor;
use super::transform::{FINE, each};
use super::{Noise, NoiseError, NoiseKind, Transform};
use crate::about::About;
use crate::accounting::{gaussian, zcdp};
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::statistics::normal_quantile;
use crate::theory::{self, Symmetric};
use std::fmt;
use std::sync::{Arc, OnceLock};

const ABOUT: About = About {
    name: "discrete-gaussian",
    summary: "integer noise with a discrete Gaussian law, for integer answers: exact for (ε, δ), or ρ-zCDP",
    formula: "P(X = x) ∝ e^{−x²/2σ²}; ρ: σ = Δ/√(2ρ); (ε, δ): the least σ from which on P(X > εσ²/Δ − Δ/2) − e^ε P(X > εσ²/Δ + Δ/2) ≤ δ",
    source: "Canonne, Kamath and Steinke, NeurIPS 2020, theorems 4 and 7",
};

/// The largest σ whose errors are exact integers in doubles: they stay below 8.6·2⁴⁸ < 2⁵².
const LARGEST: f64 = 281_474_976_710_656.0;

/// The kind of discrete Gaussian noise.
pub(super) struct DiscreteGaussianKind;

impl NoiseKind for DiscreteGaussianKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn discrete(&self) -> bool {
        true
    }

    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        let delta = sensitivity.l2;
        if let Some(Budget::Pure(_)) = spent {
            return Err(NoiseError::Budget {
                noise: ABOUT.name,
                wanted: "(ε, δ) with δ > 0, or ρ of zCDP",
                budget: spent.map(|budget| budget.to_string()).unwrap_or_default(),
            });
        }
        let one_number = sensitivity.l1.total_cmp(&delta).is_le();
        // of whole answers, the L2 distance is a root: only where one number moves alone is it whole itself
        if one_number {
            integer(ABOUT.name, delta)?;
        } else if let Some(budget @ Budget::Approximate(..)) = spent {
            return Err(NoiseError::Budget {
                noise: ABOUT.name,
                wanted: "ρ of zCDP where one record moves several numbers (the theorem on (ε, δ) is about a single one): composition = \"zcdp\"",
                budget: budget.to_string(),
            });
        }
        let noise = Calibrated::new(ABOUT.name, delta, spent, |budget| {
            let sigma = sigma(delta, budget)?;
            DiscreteGaussian::new(delta, one_number, sigma)
                .ok_or_else(|| range(delta, budget, sigma))
        })?;
        Ok(noise.boxed())
    }
}

fn range(sensitivity: f64, budget: Budget, sigma: f64) -> NoiseError {
    NoiseError::Range {
        rule: ABOUT.formula,
        sensitivity,
        budget: budget.to_string(),
        scale: sigma,
        least: f64::MIN_POSITIVE,
        most: LARGEST,
    }
}

/// σ for a budget of ρ or (ε, δ).
fn sigma(sensitivity: f64, budget: Budget) -> Result<f64, NoiseError> {
    let (epsilon, delta) = match budget {
        Budget::Zcdp(rho) => return Ok(sensitivity / (2.0 * rho.get()).sqrt()),
        Budget::Approximate(epsilon, delta) => (epsilon.get(), delta.get()),
        Budget::Pure(_) => return Ok(f64::NAN),
    };
    // that of continuous noise, which is near by for all but small σ
    let start =
        gaussian::sigma(epsilon, delta, sensitivity).map_err(|error| NoiseError::Calibration {
            noise: ABOUT.name,
            error,
        })?;
    let met = |sigma: f64| -> Result<bool, NoiseError> {
        let noise = DiscreteGaussian::new(sensitivity, true, sigma)
            .ok_or_else(|| range(sensitivity, budget, sigma))?;
        Ok(noise.delta(epsilon) <= delta)
    };
    let mut high = start;
    while !met(high)? {
        high *= 1.25;
    }
    let mut low = high / 1.25;
    while low > 1e-3 && met(low)? {
        (low, high) = (low / 1.25, low);
    }
    // `high` always meets the budget, whatever rounding says of the steps
    while high - low > 1e-13 * high {
        let middle = low + 0.5 * (high - low);
        if middle <= low || middle >= high {
            break;
        }
        if met(middle)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(high)
}

/// Integer noise of parameter σ.
#[derive(Clone, Debug)]
struct DiscreteGaussian {
    sensitivity: f64,
    /// whether one record moves a single number, by which Δ is whole
    one_number: bool,
    law: Arc<theory::DiscreteGaussian>,
    map: Map,
}

impl DiscreteGaussian {
    fn new(sensitivity: f64, one_number: bool, sigma: f64) -> Option<Self> {
        let law = Arc::new(theory::DiscreteGaussian::new(sigma).filter(|_| sigma <= LARGEST)?);
        Some(Self {
            sensitivity,
            one_number,
            map: Map {
                law: law.clone(),
                // an ulp off does not show: thresholds move by less than their own rounding
                factor: sigma / (1.0 + 1.0 / (24.0 * sigma * sigma)),
                thresholds: OnceLock::new(),
            },
            law,
        })
    }
}

impl Mechanism for DiscreteGaussian {
    const STANDARD: StandardLaw = StandardLaw::Normal;

    fn scale(&self) -> f64 {
        self.law.sigma()
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    /// The privacy loss (2xΔ + Δ²)/(2σ²) exceeds `epsilon` for x > epsilon·σ²/Δ − Δ/2. Of several numbers, the δ of Δ²/2σ²-zCDP, which
    /// is an upper bound: Rényi divergences of independent coordinates add up, by theorem 4 to α·Δ²/2σ² with Δ in the L2 norm.
    fn delta(&self, epsilon: f64) -> f64 {
        let sigma = self.law.sigma();
        if !self.one_number {
            let ratio = self.sensitivity / sigma;
            return zcdp::log_delta(0.5 * ratio * ratio, epsilon).map_or(1.0, libm::exp);
        }
        let centre = epsilon * sigma / self.sensitivity * sigma;
        let first = (centre - 0.5 * self.sensitivity).floor() + 1.0;
        let other = self.law.tail(first + self.sensitivity);
        // e^ε may overflow where the tail vanishes
        let weighted = if other > 0.0 {
            libm::exp(epsilon + libm::log(other))
        } else {
            0.0
        };
        (self.law.tail(first) - weighted).clamp(0.0, 1.0)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        Some(&self.map)
    }
}

/// From normal variates to integers: X ≥ m where the variate is at least z_m with P(Z > z_m) = P(X ≥ m).
///
/// For σ ≤ 256 the z_m are tabled. Above, they are ((m − ½) + (m − ½)/(24σ²))/σ but for terms of order σ⁻⁴ (from the
/// Euler–Maclaurin formula of the tail), which are below 1e−12 in total variation.
#[derive(Clone)]
struct Map {
    law: Arc<theory::DiscreteGaussian>,
    factor: f64,
    /// 0, z_1, z_2, …, ∞
    thresholds: OnceLock<Vec<f64>>,
}

/// Without the table.
impl fmt::Debug for Map {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Map")
            .field("law", &self.law)
            .finish_non_exhaustive()
    }
}

impl Map {
    fn thresholds(&self) -> &[f64] {
        self.thresholds.get_or_init(|| {
            let mut thresholds = vec![0.0];
            for m in 1.. {
                // the standard normal variates end at 8.58, which has a tail of 5e−18
                let tail = self.law.tail(f64::from(m));
                let threshold = match normal_quantile(tail) {
                    Ok(quantile) if tail > 1e-19 => -quantile,
                    _ => break,
                };
                thresholds.push(threshold);
            }
            thresholds.push(f64::INFINITY);
            thresholds
        })
    }
}

/// The integer that the thresholds give a variate, from the nearest one of the continuous law.
#[inline(always)]
fn tabled(thresholds: &[f64], sigma: f64, variate: f64) -> f64 {
    let size = variate.abs();
    // the last threshold is infinite
    let mut m = ((size * sigma + 0.5) as usize).min(thresholds.len().saturating_sub(2));
    while m > 0 && thresholds[m] > size {
        m -= 1;
    }
    while m + 1 < thresholds.len() && thresholds[m + 1] <= size {
        m += 1;
    }
    (m as f64).copysign(variate) + 0.0
}

#[inline(always)]
fn smooth(factor: f64, variate: f64, stretch: f64) -> f64 {
    small_floor(variate.abs() * factor * stretch + 0.5).copysign(variate) + 0.0
}

impl Transform for Map {
    fn sources(&self) -> &'static [StandardLaw] {
        if self.law.sigma() <= FINE {
            &[StandardLaw::Normal]
        } else {
            &[StandardLaw::Normal, StandardLaw::Uniform]
        }
    }

    fn apply(&self, standard: &[&[f64]], out: &mut [f64]) {
        let sigma = self.law.sigma();
        if sigma <= FINE {
            let thresholds = self.thresholds();
            each(1, standard, out, |variate, _| {
                tabled(thresholds, sigma, variate)
            });
        } else {
            let factor = self.factor;
            each(2, standard, out, |variate, stretch| {
                smooth(factor, variate, stretch)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_masses_match, averaged_error, drawn, total_variation};
    use super::*;
    use crate::budget::{Delta, Epsilon, Rho};
    use crate::statistics::{normal_cdf, normal_density};

    fn noise(delta: f64, budget: Budget) -> Result<Box<dyn Noise>, NoiseError> {
        DiscreteGaussianKind.calibrate(Sensitivity::scalar(delta).unwrap(), Some(budget))
    }

    fn approximate(epsilon: f64, delta: f64) -> Budget {
        Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
    }

    fn tail(z: f64) -> f64 {
        normal_cdf(-z)
    }

    #[test]
    fn the_fast_path_has_the_law_in_total_variation() {
        for sigma in [0.05, 0.3, 0.5, 1.0, 3.7, 40.0, 256.0, 257.0] {
            let noise = DiscreteGaussian::new(1.0, true, sigma).unwrap();
            let apply = |variate: f64| {
                let mut out = [0.0];
                noise.map.apply(&[&[variate], &[0.5]], &mut out);
                out[0]
            };
            let distance = total_variation(&*noise.law, tail, 8.6, apply);
            assert!(distance < 1e-12, "{sigma}: {distance:e}");
            if sigma > 0.3 {
                let wrong = |variate: f64| apply(variate * (1.0 + 1e-9));
                let distance = total_variation(&*noise.law, tail, 8.6, wrong);
                assert!(distance > 1e-11, "{sigma}: {distance:e}");
            }
        }
        // rounding a continuous variate is another law
        let law = theory::DiscreteGaussian::new(1.0).unwrap();
        let distance = total_variation(&law, tail, 8.6, |variate| smooth(1.0, variate, 1.0));
        assert!(distance > 1e-3, "{distance}");
    }

    #[test]
    fn a_second_row_averages_the_rounding_out() {
        let noise = DiscreteGaussian::new(1.0, true, 50_021.3).unwrap();
        assert_eq!(noise.map.sources().len(), 2);
        let apply = |variate: f64, uniform: f64| {
            let mut out = [0.0];
            noise.map.apply(&[&[variate], &[uniform]], &mut out);
            out[0]
        };
        // Simpson's rule errs by the fourth power of the distance
        let between = |from: f64, to: f64| {
            let middle = normal_density(0.5 * (from + to));
            (to - from) * (normal_density(from) + 4.0 * middle + normal_density(to)) / 6.0
        };
        let fine = averaged_error(|x| noise.law.mass(x), between, 7.5, 1000, apply);
        let coarse = averaged_error(|x| noise.law.mass(x), between, 7.5, 1, apply);
        assert!(fine < 1e-12 && coarse > 4.0 * fine, "{fine:e} {coarse:e}");
    }

    #[test]
    fn draws_have_the_masses() {
        for sigma in [0.6, 3.0, 300.0] {
            let rho = Budget::Zcdp(Rho::new(0.5 / (sigma * sigma)).unwrap());
            let noise = noise(1.0, rho).unwrap();
            assert!((noise.scale() / sigma - 1.0).abs() < 1e-14);
            let law = theory::DiscreteGaussian::new(sigma).unwrap();
            let wrong = theory::DiscreteGaussian::new(1.06 * sigma).unwrap();
            assert_masses_match(&drawn(&*noise), |x| law.mass(x), |x| wrong.mass(x));
        }
    }

    #[test]
    fn calibration_meets_the_budget_and_no_less() {
        for (delta, epsilon, target) in [
            (1.0, 1.0, 1e-6),
            (3.0, 0.1, 1e-9),
            (1.0, 20.0, 1e-6),
            (120.0, 1.0, 1e-5),
        ] {
            let budget = approximate(epsilon, target);
            let noise = noise(delta, budget).unwrap();
            assert!(noise.delta(epsilon) <= target);
            let slightly_less =
                DiscreteGaussian::new(delta, true, noise.scale() * (1.0 - 1e-9)).unwrap();
            assert!(slightly_less.delta(epsilon) > target, "{delta} {epsilon}");
            if noise.scale() > 2.0 {
                let continuous = gaussian::sigma(epsilon, target, delta).unwrap();
                assert!((noise.scale() / continuous - 1.0).abs() < 0.1);
            }
        }
    }

    #[test]
    fn budgets_and_sensitivities_that_do_not_fit_are_refused() {
        let pure = Budget::Pure(Epsilon::new(1.0).unwrap());
        assert!(noise(1.0, pure).unwrap_err().to_string().contains("zCDP"));
        let text = noise(0.5, approximate(1.0, 1e-6)).unwrap_err().to_string();
        assert!(text.contains("0.5") && text.contains("integers"), "{text}");
        let text = noise(1.0, Budget::Zcdp(Rho::new(1e-40).unwrap()))
            .unwrap_err()
            .to_string();
        assert!(text.contains("ρ = 1e-40"), "{text}");
    }

    /// One record moves two bins of a histogram by 1 each where it is replaced: Δ₂ = √2.
    #[test]
    fn vectors_of_whole_numbers_have_their_rho_and_no_more() {
        let histogram = Sensitivity {
            l1: 2.0,
            l2: std::f64::consts::SQRT_2,
        };
        let of = |budget| DiscreteGaussianKind.calibrate(histogram, Some(budget));
        let rho = 0.125;
        let noise = of(Budget::Zcdp(Rho::new(rho).unwrap())).unwrap();
        assert!((noise.scale() - std::f64::consts::SQRT_2 / 0.5).abs() < 1e-14);
        // δ by sums over both coordinates, Σ max(0, P(x) − e^ε·P(x − 1)): below the bound of ρ, and far above that of less noise
        let direct = |sigma: f64, epsilon: f64| {
            let law = theory::DiscreteGaussian::new(sigma).unwrap();
            let mut total = 0.0;
            for x in -60..=60 {
                for y in -60..=60 {
                    let (x, y) = (f64::from(x), f64::from(y));
                    let here = law.mass(x) * law.mass(y);
                    let there = law.mass(x - 1.0) * law.mass(y - 1.0);
                    total += (here - libm::exp(epsilon) * there).max(0.0);
                }
            }
            total
        };
        for epsilon in [0.0, 0.5, 1.0, 2.0] {
            let (has, bound) = (direct(noise.scale(), epsilon), noise.delta(epsilon));
            assert!(
                has <= bound && bound < 1.0 + 1e-15,
                "{epsilon}: {has} {bound}"
            );
            assert!(direct(0.4 * noise.scale(), epsilon) > bound, "{epsilon}");
        }
        let refused = of(approximate(1.0, 1e-6)).unwrap_err().to_string();
        assert!(refused.contains("moves several numbers"), "{refused}");
        // one bin by 1 where a record comes or goes
        let alone = Sensitivity { l1: 1.0, l2: 1.0 };
        let noise = DiscreteGaussianKind.calibrate(alone, Some(approximate(1.0, 1e-6)));
        assert!(noise.is_ok());
    }
}
