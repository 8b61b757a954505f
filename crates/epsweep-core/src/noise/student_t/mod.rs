//! Student-t noise: polynomial tails, as smooth sensitivity needs them for pure differential privacy.

mod table;

use self::table::Table;
use super::calibrated::{Calibrated, Mechanism, normal, pure};
use super::transform::each;
use super::{Noise, NoiseError, NoiseKind, Transform};
use crate::about::About;
use crate::budget::Budget;
use crate::random::StandardLaw;
use crate::sensitivity::Sensitivity;
use crate::statistics::t_tail;
use crate::theory::{self, Symmetric};
use std::sync::Arc;

const ABOUT: About = About {
    name: "student-t",
    summary: "Student-t noise with 3 degrees of freedom, scaled to the L1 sensitivity: pure ε, with heavy tails",
    formula: "scale (ν + 1)Δ/(2√ν ε), ν = 3",
    source: "Bun and Steinke, Average-Case Averages, NeurIPS 2019, the section on Student's t noise; with β = 0 the scale is the steepest slope of the log density per unit",
};

/// The degrees of freedom of the kind `student-t`: the fewest whole ones with a finite variance.
const FREEDOM: f64 = 3.0;

/// The scale of Student-t noise for ε and a β-smooth bound S on the sensitivity: (ν + 1)/(2√ν)·S/(ε − max(1, ν)·β). With β = 0, S is
/// the global sensitivity.
///
/// The logarithm of the density −(ν + 1)/2·ln(1 + x²/ν) changes by at most (ν + 1)/(2√ν) per unit of a shift, and by at most max(1, ν)
/// per unit of ln of a dilation (−1 + (ν + 1)·x²/(ν + x²) is between −1 and ν). Neighbours shift by at most S and dilate by at most e^β.
/// NaN or not positive where ε ≤ max(1, ν)·β.
pub fn student_t_scale(smooth: f64, epsilon: f64, beta: f64, freedom: f64) -> f64 {
    (freedom + 1.0) / (2.0 * freedom.sqrt()) * smooth / (epsilon - freedom.max(1.0) * beta)
}

/// The kind of [`StudentT`].
pub(super) struct StudentTKind;

impl NoiseKind for StudentTKind {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn calibrate(
        &self,
        sensitivity: Sensitivity,
        spent: Option<Budget>,
    ) -> Result<Box<dyn Noise>, NoiseError> {
        let delta = sensitivity.l1;
        let epsilon = pure(ABOUT.name, spent)?;
        let noise = Calibrated::new(ABOUT.name, delta, epsilon, |epsilon| {
            let scale = student_t_scale(delta, epsilon, 0.0, FREEDOM);
            let scale = normal(scale, ABOUT.formula, delta, format!("ε = {epsilon:?}"))?;
            let shape = StudentT::new(scale, FREEDOM).ok_or_else(|| NoiseError::Range {
                rule: ABOUT.formula,
                sensitivity: delta,
                budget: format!("ε = {epsilon:?}"),
                scale,
                least: f64::MIN_POSITIVE,
                most: f64::MAX,
            })?;
            Ok(Global {
                sensitivity: delta,
                shape,
            })
        })?;
        Ok(noise.boxed())
    }
}

/// Student-t noise of a scale: its law, and how to draw it.
#[derive(Clone, Debug)]
pub struct StudentT {
    scale: f64,
    freedom: f64,
    law: Arc<theory::StudentT>,
    table: Arc<Table>,
}

impl StudentT {
    /// `None` unless the scale is finite and positive and the degrees of freedom are between 1 and 1000.
    pub fn new(scale: f64, freedom: f64) -> Option<Self> {
        let law = theory::StudentT::new(scale, freedom)?;
        if !(1.0..=1000.0).contains(&freedom) {
            return None;
        }
        Some(Self {
            scale,
            freedom,
            law: Arc::new(law),
            table: Table::shared(freedom),
        })
    }

    /// The scale, in the units of the answer.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The law of the error.
    pub fn law(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    /// The hockey-stick divergence at `epsilon` between answers `distance` apart. Where p/q = ((ν + (x − s)²)/(ν + x²))^{(ν+1)/2}
    /// exceeds e^epsilon is between the roots of a quadratic equation.
    fn divergence(&self, epsilon: f64, distance: f64) -> f64 {
        let (s, nu) = (distance / self.scale, self.freedom);
        let below = |x: f64| {
            if x < 0.0 {
                t_tail(-x, nu)
            } else {
                1.0 - t_tail(x, nu)
            }
        };
        let excess = libm::expm1(2.0 * epsilon / (nu + 1.0));
        if excess == 0.0 {
            return below(0.5 * s) - below(-0.5 * s);
        }
        let discriminant = s * s * (1.0 + excess) - nu * excess * excess;
        // nor is a NaN, of an infinite excess
        let exceeded = discriminant > 0.0 && excess.is_finite();
        if !exceeded {
            return 0.0;
        }
        let root = discriminant.sqrt();
        let left = -(s + root) / excess;
        let right = (s * s - nu * excess) / (s + root);
        let p = below(right) - below(left);
        let q = below(right - s) - below(left - s);
        (p - libm::exp(epsilon) * q).max(0.0)
    }
}

impl Transform for StudentT {
    fn sources(&self) -> &'static [StandardLaw] {
        &[StandardLaw::Uniform]
    }

    fn apply(&self, standard: &[&[f64]], out: &mut [f64]) {
        each(1, standard, out, |uniform, _| {
            self.scale * self.table.quantile(uniform)
        });
    }
}

/// Student-t noise for a global sensitivity.
#[derive(Clone, Debug)]
struct Global {
    sensitivity: f64,
    shape: StudentT,
}

impl Mechanism for Global {
    const STANDARD: StandardLaw = StandardLaw::Uniform;

    fn scale(&self) -> f64 {
        self.shape.scale
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.shape.law()
    }

    fn delta(&self, epsilon: f64) -> f64 {
        self.shape.divergence(epsilon, self.sensitivity)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        Some(&self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_law_matches, drawn};
    use super::*;
    use crate::budget::Epsilon;

    fn noise(delta: f64, epsilon: f64) -> Box<dyn Noise> {
        let budget = Budget::Pure(Epsilon::new(epsilon).unwrap());
        let sensitivity = Sensitivity::scalar(delta).unwrap();
        StudentTKind.calibrate(sensitivity, Some(budget)).unwrap()
    }

    #[test]
    fn draws_have_the_law() {
        let (right, wrong) = (noise(3.0, 2.0), noise(3.12, 2.0));
        assert_law_matches(&drawn(&*right), &*right.error_law(), &*wrong.error_law());
    }

    #[test]
    fn the_scale_bounds_the_loss_of_shift_and_dilation_together() {
        // the definition itself: ln of the density against that of the shifted and dilated noise
        for freedom in [1.0, 3.0, 8.0] {
            let (epsilon, beta) = (1.0, 0.4 / freedom);
            let scale = student_t_scale(1.0, epsilon, beta, freedom);
            let log_density = |x: f64, scale: f64| {
                -0.5 * (freedom + 1.0) * libm::log1p(x / scale * (x / scale) / freedom)
                    - libm::log(scale)
            };
            let mut largest = 0.0_f64;
            for i in -4000..=4000 {
                let x = 0.02 * f64::from(i) * scale;
                for shift in [-1.0, 0.0, 1.0] {
                    for dilation in [-beta, 0.0, beta] {
                        let other = log_density(x - shift, scale * libm::exp(dilation));
                        largest = largest.max((log_density(x, scale) - other).abs());
                    }
                }
            }
            // no more than ε, and the two bounds are not both met at one place
            assert!(
                largest <= epsilon && largest > 0.6 * epsilon,
                "{freedom} {largest}"
            );
        }
        assert!(student_t_scale(1.0, 1.0, 0.5, 3.0) < 0.0);
    }
}
