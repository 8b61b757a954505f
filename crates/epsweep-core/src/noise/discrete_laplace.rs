//! Discrete Laplace (two-sided geometric) noise for integer-valued queries.

use super::calibrated::{Calibrated, Mechanism, integer, pure};
use super::transform::{FINE, each};
use super::{Noise, NoiseError, NoiseKind, Transform};
use crate::about::About;
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::theory::{self, Symmetric};
use std::sync::Arc;

const ABOUT: About = About {
    name: "discrete-laplace",
    summary: "integer noise with a two-sided geometric law, for integer answers: pure ε-differential privacy",
    formula: "P(X = x) = tanh(a/2) e^{−a|x|}, a = ε/Δ",
    source: "Ghosh, Roughgarden and Sundararajan, SIAM J. Comput. 41, 2012; Canonne, Kamath and Steinke, NeurIPS 2020, algorithm 2",
};

/// The largest scale whose errors are exact integers in doubles: they stay below 37·2⁴⁶ < 2⁵².
const LARGEST: f64 = 70_368_744_177_664.0;

/// The kind of discrete Laplace noise.
pub(super) struct DiscreteLaplaceKind;

impl NoiseKind for DiscreteLaplaceKind {
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
        let delta = sensitivity.l1;
        let epsilon = pure(ABOUT.name, spent)?;
        integer(ABOUT.name, delta)?;
        let noise = Calibrated::new(ABOUT.name, delta, epsilon, |epsilon| {
            DiscreteLaplace::new(delta, epsilon)
        })?;
        Ok(noise.boxed())
    }
}

/// Integer noise of rate a = ε/Δ.
#[derive(Clone, Debug)]
struct DiscreteLaplace {
    sensitivity: f64,
    epsilon: f64,
    law: Arc<theory::DiscreteLaplace>,
    map: Map,
}

impl DiscreteLaplace {
    fn new(sensitivity: f64, epsilon: f64) -> Result<Self, NoiseError> {
        let (scale, rate) = (sensitivity / epsilon, epsilon / sensitivity);
        let law =
            theory::DiscreteLaplace::new(rate).filter(|_| scale.is_normal() && scale <= LARGEST);
        let law = law.ok_or_else(|| NoiseError::Range {
            rule: "Δ/ε",
            sensitivity,
            budget: format!("ε = {epsilon:?}"),
            scale,
            least: f64::MIN_POSITIVE,
            most: LARGEST,
        })?;
        Ok(Self {
            sensitivity,
            epsilon,
            law: Arc::new(law),
            map: Map::new(rate),
        })
    }
}

impl Mechanism for DiscreteLaplace {
    const STANDARD: StandardLaw = StandardLaw::Laplace;

    fn scale(&self) -> f64 {
        self.sensitivity / self.epsilon
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    /// The privacy loss a(|x − Δ| − |x|) falls from ε at x ≤ 0 to −ε at x ≥ Δ, by 2a a step: it exceeds `epsilon` up to the last
    /// integer k below (Δ − epsilon/a)/2, and δ = P(X ≤ k) − e^epsilon·P(X ≤ k − Δ).
    fn delta(&self, epsilon: f64) -> f64 {
        if epsilon >= self.epsilon {
            return 0.0;
        }
        let rate = self.epsilon / self.sensitivity;
        let last = (0.5 * (self.sensitivity - epsilon / rate)).ceil() - 1.0;
        let other = libm::exp(epsilon) * self.law.at_least(self.sensitivity - last);
        (1.0 - self.law.above(last) - other).max(0.0)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        Some(&self.map)
    }
}

/// From Laplace variates to integers.
///
/// P(X ≥ m) = e^{−am}/(1 + e^{−a}) for m ≥ 1 is the tail ½e^{−y} of a standard Laplace variate at y = am − c with
/// c = ln(2/(1 + e^{−a})), so that X = ±⌊(|variate| + c)/a⌋: increasing, and exact for an exact variate.
#[derive(Clone, Copy, Debug)]
struct Map {
    rate: f64,
    shift: f64,
}

impl Map {
    fn new(rate: f64) -> Self {
        Self {
            rate,
            shift: std::f64::consts::LN_2 - libm::log1p(libm::exp(-rate)),
        }
    }

    #[inline(always)]
    fn of(self, variate: f64, stretch: f64) -> f64 {
        let magnitude = small_floor((variate.abs() + self.shift) / self.rate * stretch);
        // −0 becomes 0
        magnitude.copysign(variate) + 0.0
    }
}

/// ⌊x⌋ for 0 ≤ x < 2⁵², without an instruction that not every machine has.
#[inline(always)]
pub(super) fn small_floor(x: f64) -> f64 {
    const TWO_52: f64 = 4_503_599_627_370_496.0;
    let nearest = (x + TWO_52) - TWO_52;
    nearest - if nearest > x { 1.0 } else { 0.0 }
}

impl Transform for Map {
    fn sources(&self) -> &'static [StandardLaw] {
        if self.rate * FINE >= 1.0 {
            &[StandardLaw::Laplace]
        } else {
            &[StandardLaw::Laplace, StandardLaw::Uniform]
        }
    }

    fn apply(&self, standard: &[&[f64]], out: &mut [f64]) {
        let map = *self;
        each(self.sources().len(), standard, out, |variate, stretch| {
            map.of(variate, stretch)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_masses_match, averaged_error, drawn, total_variation};
    use super::*;
    use crate::budget::Epsilon;

    fn noise(delta: f64, epsilon: f64) -> Result<Box<dyn Noise>, NoiseError> {
        let budget = Budget::Pure(Epsilon::new(epsilon).unwrap());
        DiscreteLaplaceKind.calibrate(Sensitivity::scalar(delta).unwrap(), Some(budget))
    }

    /// P(L > y) of a standard Laplace variate.
    fn tail(y: f64) -> f64 {
        0.5 * libm::exp(-y)
    }

    #[test]
    fn the_fast_path_has_the_law_in_total_variation() {
        for rate in [0.004, 0.013_7, 1.0 / 3.0, 1.0, 2.7, 40.0] {
            let law = theory::DiscreteLaplace::new(rate).unwrap();
            let map = Map::new(rate);
            let distance = total_variation(&law, tail, 37.0, |variate| map.of(variate, 1.0));
            assert!(distance < 1e-12, "{rate}: {distance:e}");
            // a shift that is wrong by 1e−9 shows
            let wrong = Map {
                shift: map.shift * (1.0 + 1e-9) + 1e-9,
                ..map
            };
            let distance = total_variation(&law, tail, 37.0, |variate| wrong.of(variate, 1.0));
            assert!(distance > 1e-10 || rate > 20.0, "{rate}: {distance:e}");
        }
    }

    #[test]
    fn a_second_row_averages_the_rounding_out() {
        let rate = 1.0 / 30_011.0;
        let map = Map::new(rate);
        assert_eq!(map.sources().len(), 2);
        let law = theory::DiscreteLaplace::new(rate).unwrap();
        let apply = |variate: f64, uniform: f64| {
            let mut out = [0.0];
            map.apply(&[&[variate], &[uniform]], &mut out);
            out[0]
        };
        let between = |from: f64, to: f64| -0.5 * libm::exp(-from) * libm::expm1(from - to);
        let fine = averaged_error(|x| law.mass(x), between, 30.0, 1000, apply);
        let coarse = averaged_error(|x| law.mass(x), between, 30.0, 1, apply);
        assert!(fine < 1e-12 && coarse > 4.0 * fine, "{fine:e} {coarse:e}");
    }

    #[test]
    fn draws_have_the_masses() {
        for (delta, epsilon) in [(1.0, 1.0), (120.0, 1.0 / 3.0), (3.0, 6.0)] {
            let noise = noise(delta, epsilon).unwrap();
            let law = theory::DiscreteLaplace::new(epsilon / delta).unwrap();
            let wrong = theory::DiscreteLaplace::new(epsilon / delta * 1.06).unwrap();
            assert_masses_match(&drawn(&*noise), |x| law.mass(x), |x| wrong.mass(x));
        }
    }

    #[test]
    fn only_integers_are_noised() {
        let text = noise(0.12, 1.0).unwrap_err().to_string();
        assert!(text.contains("0.12") && text.contains("count"), "{text}");
        let text = noise(1.0, 1e-14).unwrap_err().to_string();
        assert!(
            text.contains("ε = 1e-14") && text.contains("7.0368744177664e13"),
            "{text}"
        );
        assert!(noise(1.0, 700.0).is_ok() && noise(1.0, 1e-9).is_ok());
    }

    #[test]
    fn small_floors_are_floors() {
        for x in [
            0.0,
            0.49,
            0.5,
            0.999_999_999_999,
            1.0,
            1.5,
            2.5,
            3.5,
            1e15 + 0.875,
            4.4e15,
        ] {
            assert_eq!(small_floor(x), x.floor());
        }
    }
}
