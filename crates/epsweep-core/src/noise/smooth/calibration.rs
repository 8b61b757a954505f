//! Noise for a smooth bound on the sensitivity, as the theorems allow.

use super::SmoothError;
use crate::about::About;
use crate::budget::Budget;
use crate::noise::calibrated::{Calibrated, Mechanism, normal};
use crate::noise::{Noise, NoiseError, StudentT, Transform, student_t_scale};
use crate::random::StandardLaw;
use crate::theory::{self, Symmetric};
use std::sync::Arc;

const LAPLACE: About = About {
    name: "laplace",
    summary: "Laplace noise of a smooth sensitivity: (ε, δ)-differential privacy",
    formula: "scale 2S/ε, β ≤ ε/(2 ln(2/δ))",
    source: "Nissim, Raskhodnikova and Smith, STOC 2007, corollary 2.4",
};

const STUDENT_T: About = About {
    name: "student-t",
    summary: "Student-t noise of a smooth sensitivity: pure ε-differential privacy",
    formula: "scale (ν + 1)S/(2√ν (ε − max(1, ν)β)) with β = ε/(2·max(1, ν)), half of what the theorem allows",
    source: "Bun and Steinke, NeurIPS 2019, Student's t noise",
};

/// A law of noise that bears a scale which depends on the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SmoothNoise {
    /// for (ε, δ) with δ > 0
    Laplace,
    /// for pure ε
    StudentT {
        /// degrees of freedom ν, from 1 to 1000
        freedom: f64,
    },
}

impl SmoothNoise {
    /// Name, formula and source.
    pub fn about(self) -> &'static About {
        match self {
            SmoothNoise::Laplace => &LAPLACE,
            SmoothNoise::StudentT { .. } => &STUDENT_T,
        }
    }

    /// The β at which the smooth sensitivity is to be computed: for Laplace noise the largest that is private, for Student-t noise the
    /// one that leaves half of ε to the shift.
    ///
    /// # Errors
    /// [`SmoothError::Noise`] for a budget of another kind
    pub fn beta(self, budget: Budget) -> Result<f64, SmoothError> {
        match self {
            SmoothNoise::Laplace => {
                let (epsilon, delta) = approximate(budget)?;
                Ok(largest_beta(epsilon, delta))
            }
            SmoothNoise::StudentT { freedom } => Ok(0.5 * pure(budget)? / freedom.max(1.0)),
        }
    }

    /// The noise for a β-smooth bound `smooth` on the sensitivity, in the units of the answer. Its privacy curve is what the theorem
    /// promises, (ε, δ), and what follows from that for smaller ε; not that of noise of a fixed scale.
    ///
    /// # Errors
    /// [`SmoothError`] if the bound is not finite and at least 0, β is beyond what the noise bears, or the budget is of
    /// another kind
    pub fn calibrate(
        self,
        smooth: f64,
        beta: f64,
        budget: Budget,
    ) -> Result<Box<dyn Noise>, SmoothError> {
        let refused = |rule| SmoothError::Beta { value: beta, rule };
        if beta.is_nan() || beta < 0.0 {
            return Err(refused("at least 0"));
        }
        match self {
            SmoothNoise::Laplace => {
                let (epsilon, delta) = approximate(budget)?;
                if beta > largest_beta(epsilon, delta) * (1.0 + 1e-12) {
                    return Err(refused("at most ε/(2 ln(2/δ)) for Laplace noise"));
                }
                let noise = Calibrated::new(LAPLACE.name, smooth, Some(()), |()| {
                    let scale = 2.0 * smooth / epsilon;
                    let scale = normal(scale, LAPLACE.formula, smooth, budget)?;
                    Ok(SmoothLaplace {
                        scale,
                        promise: Promise { epsilon, delta },
                        law: Arc::new(theory::Laplace::new(scale, 0.0)),
                    })
                })?;
                Ok(noise.boxed())
            }
            SmoothNoise::StudentT { freedom } => {
                let epsilon = pure(budget)?;
                // a NaN is not borne either
                let borne = freedom.max(1.0) * beta < epsilon;
                if !borne {
                    return Err(refused("below ε/max(1, ν) for Student-t noise"));
                }
                let noise = Calibrated::new(STUDENT_T.name, smooth, Some(()), |()| {
                    let scale = student_t_scale(smooth, epsilon, beta, freedom);
                    let scale = normal(scale, STUDENT_T.formula, smooth, budget)?;
                    let shape = StudentT::new(scale, freedom).ok_or_else(|| NoiseError::Range {
                        rule: "ν",
                        sensitivity: smooth,
                        budget: budget.to_string(),
                        scale: freedom,
                        least: 1.0,
                        most: 1000.0,
                    })?;
                    Ok(SmoothStudentT {
                        shape,
                        promise: Promise {
                            epsilon,
                            delta: 0.0,
                        },
                    })
                })?;
                Ok(noise.boxed())
            }
        }
    }
}

/// The largest β for Laplace noise of scale 2S/ε: that of the corollary where it suffices.
///
/// Neighbours dilate the noise by at most e^β; the density then falls by more than e^{ε/2} only where
/// |z| > (ε/2 + β)/(e^β − 1), which has probability e^{−(ε/2 + β)/(e^β − 1)}. This must be at most δ; at large ε it needs a smaller β than the
/// corollary says. Dilations to a wider law cost a factor of at most e^β, which must not exceed e^{ε/2} either; the shift costs the
/// other half of ε.
fn largest_beta(epsilon: f64, delta: f64) -> f64 {
    let bits = -libm::log(delta);
    let suffices =
        |beta: f64| beta <= 0.5 * epsilon && 0.5 * epsilon + beta >= bits * libm::expm1(beta);
    let textbook = 0.5 * epsilon / (std::f64::consts::LN_2 + bits);
    if suffices(textbook) {
        return textbook;
    }
    // the condition holds near 0 and fails at the textbook's value
    let (mut low, mut high) = (0.0, textbook);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if suffices(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn approximate(budget: Budget) -> Result<(f64, f64), NoiseError> {
    match budget {
        Budget::Approximate(epsilon, delta) if delta.get() > 0.0 => {
            Ok((epsilon.get(), delta.get()))
        }
        other => Err(NoiseError::Budget {
            noise: LAPLACE.name,
            wanted: "(ε, δ) with δ > 0 when its sensitivity is smooth",
            budget: other.to_string(),
        }),
    }
}

fn pure(budget: Budget) -> Result<f64, NoiseError> {
    match budget {
        Budget::Pure(epsilon) => Ok(epsilon.get()),
        other => Err(NoiseError::Budget {
            noise: STUDENT_T.name,
            wanted: "pure ε",
            budget: other.to_string(),
        }),
    }
}

/// What a theorem says of a mechanism: (ε, δ).
#[derive(Clone, Copy, Debug)]
struct Promise {
    epsilon: f64,
    delta: f64,
}

impl Promise {
    /// δ at a smaller ε: δ + (1 − δ)(e^ε − e^epsilon)/(1 + e^ε) (Kairouz, Oh and Viswanath, IEEE Transactions on Information
    /// Theory 63, 2017, remark A.1).
    fn at(self, epsilon: f64) -> f64 {
        if epsilon >= self.epsilon {
            return self.delta;
        }
        let less = -libm::expm1(epsilon - self.epsilon) / (1.0 + libm::exp(-self.epsilon));
        self.delta + (1.0 - self.delta) * less
    }
}

#[derive(Clone, Debug)]
struct SmoothLaplace {
    scale: f64,
    promise: Promise,
    law: Arc<theory::Laplace>,
}

impl Mechanism for SmoothLaplace {
    const STANDARD: StandardLaw = StandardLaw::Laplace;

    fn scale(&self) -> f64 {
        self.scale
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.law.clone()
    }

    fn delta(&self, epsilon: f64) -> f64 {
        self.promise.at(epsilon)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        None
    }
}

#[derive(Clone, Debug)]
struct SmoothStudentT {
    shape: StudentT,
    promise: Promise,
}

impl Mechanism for SmoothStudentT {
    const STANDARD: StandardLaw = StandardLaw::Uniform;

    fn scale(&self) -> f64 {
        self.shape.scale()
    }

    fn error(&self) -> Arc<dyn Symmetric> {
        self.shape.law()
    }

    fn delta(&self, epsilon: f64) -> f64 {
        self.promise.at(epsilon)
    }

    fn transform(&self) -> Option<&dyn Transform> {
        Some(&self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::{Delta, Epsilon, Rho};
    use crate::noise::tests::{assert_law_matches, drawn};

    fn approximate_budget(epsilon: f64, delta: f64) -> Budget {
        Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
    }

    fn pure_budget(epsilon: f64) -> Budget {
        Budget::Pure(Epsilon::new(epsilon).unwrap())
    }

    const STUDENT: SmoothNoise = SmoothNoise::StudentT { freedom: 3.0 };

    /// ∫ max(0, p − e^ε·q) for the noise at data of smooth sensitivity 1 and at a neighbour's.
    fn divergence(one: &dyn Noise, other: &dyn Noise, shift: f64, epsilon: f64, reach: f64) -> f64 {
        let (p, q) = (one.answer_law(0.0), other.answer_law(shift));
        let steps = 200_000;
        let step = 2.0 * reach / f64::from(steps);
        (0..steps)
            .map(|i| {
                let x = -reach + step * (f64::from(i) + 0.5);
                (p.density(x).unwrap() - libm::exp(epsilon) * q.density(x).unwrap()).max(0.0) * step
            })
            .sum()
    }

    #[test]
    fn neighbours_are_as_hard_to_tell_apart_as_promised() {
        for (kind, budget, epsilon, delta) in [
            (
                SmoothNoise::Laplace,
                approximate_budget(1.0, 1e-3),
                1.0,
                1e-3,
            ),
            (
                SmoothNoise::Laplace,
                approximate_budget(20.0, 1e-2),
                20.0,
                1e-2,
            ),
            (STUDENT, pure_budget(1.0), 1.0, 0.0),
        ] {
            let beta = kind.beta(budget).unwrap();
            let here = kind.calibrate(1.0, beta, budget).unwrap();
            let mut largest = 0.0_f64;
            for dilation in [-beta, -0.5 * beta, 0.5 * beta, beta] {
                let there = kind.calibrate(libm::exp(dilation), beta, budget).unwrap();
                let reach = 60.0 * here.scale();
                for shift in [0.0, libm::exp(dilation).min(1.0)] {
                    largest = largest.max(divergence(&*here, &*there, shift, epsilon, reach));
                }
            }
            assert!(largest <= delta + 1e-12, "{kind:?}: {largest:e}");
            assert!((here.delta(epsilon) - delta).abs() < 1e-15);
            assert!(here.delta(0.5 * epsilon) > delta);
        }
        // three times the β: the noise is told apart too well
        let budget = approximate_budget(1.0, 1e-3);
        let wide = SmoothNoise::Laplace.calibrate(1.0, 0.0, budget).unwrap();
        let beta = 3.0 * SmoothNoise::Laplace.beta(budget).unwrap();
        let narrow = SmoothNoise::Laplace
            .calibrate(libm::exp(-beta), 0.0, budget)
            .unwrap();
        assert!(divergence(&*wide, &*narrow, libm::exp(-beta), 1.0, 60.0 * wide.scale()) > 1e-3);
    }

    #[test]
    fn beta_is_that_of_the_corollary_where_it_suffices() {
        let textbook = |epsilon: f64, delta: f64| 0.5 * epsilon / libm::log(2.0 / delta);
        for (epsilon, delta) in [(0.1, 1e-6), (1.0, 1e-6), (0.5, 1e-3)] {
            let beta = SmoothNoise::Laplace
                .beta(approximate_budget(epsilon, delta))
                .unwrap();
            assert!((beta / textbook(epsilon, delta) - 1.0).abs() < 1e-14);
        }
        let beta = SmoothNoise::Laplace
            .beta(approximate_budget(20.0, 1e-6))
            .unwrap();
        assert!(beta < 0.95 * textbook(20.0, 1e-6) && beta > 0.3, "{beta}");
        assert!((STUDENT.beta(pure_budget(1.2)).unwrap() - 0.2).abs() < 1e-15);
    }

    #[test]
    fn the_scales_follow_the_rules_and_draws_the_law() {
        let budget = approximate_budget(0.5, 1e-6);
        let noise = SmoothNoise::Laplace.calibrate(3.0, 0.01, budget).unwrap();
        assert_eq!((noise.name(), noise.scale()), ("laplace", 12.0));
        let wrong = SmoothNoise::Laplace.calibrate(3.12, 0.01, budget).unwrap();
        assert_law_matches(&drawn(&*noise), &*noise.error_law(), &*wrong.error_law());
        assert!((noise.variance() / 288.0 - 1.0).abs() < 1e-14);
        assert!((noise.half_width(0.95) / (12.0 * libm::log(20.0)) - 1.0).abs() < 1e-13);

        let noise = STUDENT.calibrate(3.0, 0.1, pure_budget(1.0)).unwrap();
        // 4/(2√3)·3/0.7
        assert!((noise.scale() / (2.0 / 3.0_f64.sqrt() * 3.0 / 0.7) - 1.0).abs() < 1e-14);
        let wrong = STUDENT.calibrate(3.12, 0.1, pure_budget(1.0)).unwrap();
        assert_law_matches(&drawn(&*noise), &*noise.error_law(), &*wrong.error_law());
        // data that cannot change the answer need no noise
        assert_eq!(
            STUDENT
                .calibrate(0.0, 0.1, pure_budget(1.0))
                .unwrap()
                .scale(),
            0.0
        );
    }

    #[test]
    fn what_the_theorems_do_not_cover_is_refused() {
        let text = |result: Result<Box<dyn Noise>, SmoothError>| result.unwrap_err().to_string();
        let approximate = approximate_budget(1.0, 1e-6);
        assert!(text(SmoothNoise::Laplace.calibrate(1.0, 0.5, approximate)).contains("β is 0.5"));
        assert!(
            text(SmoothNoise::Laplace.calibrate(1.0, 0.01, pure_budget(1.0))).contains("δ > 0")
        );
        assert!(text(STUDENT.calibrate(1.0, 0.4, pure_budget(1.0))).contains("ε/max(1, ν)"));
        assert!(text(STUDENT.calibrate(1.0, f64::NAN, pure_budget(1.0))).contains("NaN"));
        assert!(text(STUDENT.calibrate(f64::NAN, 0.1, pure_budget(1.0))).contains("NaN"));
        let rho = Budget::Zcdp(Rho::new(1.0).unwrap());
        assert!(STUDENT.beta(rho).is_err() && SmoothNoise::Laplace.beta(rho).is_err());
        let odd = SmoothNoise::StudentT { freedom: 0.5 };
        assert!(text(odd.calibrate(1.0, 0.1, pure_budget(1.0))).contains("ν is 0.5"));
    }
}
