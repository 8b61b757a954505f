//! Staircase noise.

use super::calibrated::{Calibrated, Mechanism, normal, pure};
use super::transform::each;
use super::{Noise, NoiseError, NoiseKind, Transform};
use crate::about::About;
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::theory::{self, Symmetric};
use std::sync::Arc;

const ABSOLUTE_ABOUT: About = About {
    name: "staircase",
    summary: "staircase noise, of all ε-private noise that with the least mean absolute error",
    formula: "steps of width Δ and ratio e^{−ε}, of which a part γ = 1/(1 + e^{ε/2}) is high",
    source: "Geng and Viswanath, ISIT 2014, theorem 4",
};

const SQUARED_ABOUT: About = About {
    name: "staircase-mse",
    summary: "staircase noise, of all ε-private noise that with the least mean squared error",
    formula: "as staircase, with γ = (∛(b(1 + b)/2) − b)/(1 − b), b = e^{−ε}",
    source: "Geng and Viswanath, ISIT 2014, theorem 5",
};

/// A kind of staircase noise, by the error that it minimises.
pub(super) struct StaircaseKind {
    about: &'static About,
    gamma: fn(f64) -> f64,
}

/// `staircase`
pub(super) static ABSOLUTE: StaircaseKind = StaircaseKind {
    about: &ABSOLUTE_ABOUT,
    gamma: theory::Staircase::best_for_absolute_error,
};

/// `staircase-mse`
pub(super) static SQUARED: StaircaseKind = StaircaseKind {
    about: &SQUARED_ABOUT,
    gamma: theory::Staircase::best_for_squared_error,
};

impl NoiseKind for StaircaseKind {
    fn about(&self) -> &'static About {
        self.about
    }

    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        let delta = sensitivity.l1;
        let epsilon = pure(self.about.name, spent)?;
        let noise = Calibrated::new(self.about.name, delta, epsilon, |epsilon| {
            let scale = normal(delta / epsilon, "Δ/ε", delta, format!("ε = {epsilon:?}"))?;
            let gamma = (self.gamma)(epsilon);
            let law =
                theory::Staircase::new(delta, epsilon, gamma).ok_or_else(|| NoiseError::Range {
                    rule: "γ",
                    sensitivity: delta,
                    budget: format!("ε = {epsilon:?}"),
                    scale: gamma,
                    least: f64::MIN_POSITIVE,
                    most: 1.0,
                })?;
            Ok(Staircase {
                sensitivity: delta,
                epsilon,
                scale,
                law: Arc::new(law),
                map: Map { law },
            })
        })?;
        Ok(noise.boxed())
    }
}

/// Staircase noise of step Δ.
#[derive(Clone, Debug)]
struct Staircase {
    sensitivity: f64,
    epsilon: f64,
    scale: f64,
    law: Arc<theory::Staircase>,
    map: Map,
}

impl Mechanism for Staircase {
    const STANDARD: StandardLaw = StandardLaw::Laplace;

    /// Δ/ε, the scale of the Laplace noise that it replaces.
    fn scale(&self) -> f64 {
        self.scale
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    /// Between answers Δ apart the densities have the ratios e^{±ε} and 1. The ratio is e^ε below the first answer, and over
    /// the shorter part of the step after it: δ = P(there)·(1 − e^{epsilon − ε}). Answers nearer to each other cross
    /// fewer edges.
    fn delta(&self, epsilon: f64) -> f64 {
        if epsilon >= self.epsilon {
            return 0.0;
        }
        let gamma = self.law.gamma();
        let top = self.law.density_at(0.0).unwrap_or(f64::NAN);
        let there = 0.5 + top * self.sensitivity * gamma.min(1.0 - gamma);
        -there * libm::expm1(epsilon - self.epsilon)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        Some(&self.map)
    }
}

/// From Laplace variates, whose magnitude is exponential, to magnitudes of the staircase with the same sign.
#[derive(Clone, Copy, Debug)]
struct Map {
    law: theory::Staircase,
}

impl Transform for Map {
    fn sources(&self) -> &'static [StandardLaw] {
        &[StandardLaw::Laplace]
    }

    fn apply(&self, standard: &[&[f64]], out: &mut [f64]) {
        each(1, standard, out, |variate, _| {
            self.law.magnitude(variate.abs()).copysign(variate)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_law_matches, drawn};
    use super::*;
    use crate::budget::Epsilon;

    fn noise(kind: &StaircaseKind, delta: f64, epsilon: f64) -> Box<dyn Noise> {
        let budget = Budget::Pure(Epsilon::new(epsilon).unwrap());
        let sensitivity = Sensitivity::scalar(delta).unwrap();
        kind.calibrate(sensitivity, Some(budget)).unwrap()
    }

    #[test]
    fn each_kind_beats_laplace_noise_and_the_other_in_its_own_error() {
        for epsilon in [0.1, 1.0, 3.0, 10.0] {
            let [absolute, squared] = [&ABSOLUTE, &SQUARED].map(|kind| noise(kind, 2.0, epsilon));
            let laplace = 2.0 / epsilon;
            let mean = |noise: &dyn Noise| noise.abs_error_law().mean().unwrap();
            assert!(mean(&*absolute) < mean(&*squared) && mean(&*absolute) < laplace);
            assert!(squared.variance() < absolute.variance());
            assert!(squared.variance() < 2.0 * laplace * laplace);
        }
    }

    #[test]
    fn draws_have_the_law() {
        for kind in [&ABSOLUTE, &SQUARED] {
            let (right, wrong) = (noise(kind, 3.0, 2.0), noise(kind, 3.12, 2.0));
            assert_law_matches(&drawn(&*right), &*right.error_law(), &*wrong.error_law());
        }
    }

    #[test]
    fn nearer_answers_are_no_easier_to_tell_apart() {
        let noise = noise(&ABSOLUTE, 1.0, 1.5);
        let (p, step) = (noise.answer_law(0.0), 1e-3);
        for distance in [0.2, 0.5, 0.9] {
            let q = noise.answer_law(distance);
            for epsilon in [0.0, 0.7, 1.4] {
                let integral: f64 = (0..40_000)
                    .map(|i| {
                        let x = -20.0 + step * (f64::from(i) + 0.5);
                        let loss =
                            p.density(x).unwrap() - libm::exp(epsilon) * q.density(x).unwrap();
                        loss.max(0.0) * step
                    })
                    .sum();
                assert!(integral < noise.delta(epsilon), "{distance} {epsilon}");
            }
        }
    }
}
