//! The error of one query under staircase noise.

use super::symmetric::Symmetric;

/// The staircase law of Geng and Viswanath, ISIT 2014, definition 1: with b = e^{−ε}, its density is a·bᵏ on
/// kΔ ≤ |x| < (k + γ)Δ and a·bᵏ⁺¹ on (k + γ)Δ ≤ |x| < (k + 1)Δ, where a = (1 − b)/(2Δ(γ + b(1 − γ))).
///
/// |X|/Δ is a geometric number of whole steps plus an independent place within a step, from which the moments follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Staircase {
    sensitivity: f64,
    epsilon: f64,
    gamma: f64,
}

impl Staircase {
    /// `sensitivity` Δ and `epsilon` finite and positive, `gamma` in (0, 1); otherwise `None`.
    pub fn new(sensitivity: f64, epsilon: f64, gamma: f64) -> Option<Self> {
        let positive = |x: f64| x > 0.0 && x < f64::INFINITY;
        (positive(sensitivity) && positive(epsilon) && gamma > 0.0 && gamma < 1.0).then_some(Self {
            sensitivity,
            epsilon,
            gamma,
        })
    }

    /// The γ that minimises E|X|: 1/(1 + e^{ε/2}) (theorem 4).
    pub fn best_for_absolute_error(epsilon: f64) -> f64 {
        let root = libm::exp(-0.5 * epsilon);
        root / (1.0 + root)
    }

    /// The γ that minimises E X²: (∛(b(1 + b)/2) − b)/(1 − b) with b = e^{−ε}, which is theorem 5 with its polynomial
    /// b − 2b² + 2b⁴ − b⁵ = b(1 + b)(1 − b)³ taken apart.
    pub fn best_for_squared_error(epsilon: f64) -> f64 {
        let complement = -libm::expm1(-epsilon);
        // the cube root over b, less 1
        let log = libm::log1p(-0.5 * complement) + 2.0 * epsilon;
        if epsilon > 300.0 {
            // b and all its powers vanish beside ∛(b/2)
            return libm::exp(-epsilon / 3.0) / libm::cbrt(2.0);
        }
        libm::exp(-epsilon) * libm::expm1(log / 3.0) / complement
    }

    /// γ, the part of a step that is high.
    pub fn gamma(&self) -> f64 {
        self.gamma
    }

    /// b = e^{−ε}, 1 − b, and γ + b(1 − γ).
    fn parts(&self) -> (f64, f64, f64) {
        let b = libm::exp(-self.epsilon);
        let complement = -libm::expm1(-self.epsilon);
        (b, complement, self.gamma + b * (1.0 - self.gamma))
    }

    /// P(|X|/Δ − k ≤ place | k) within a step.
    fn within_step(&self, place: f64) -> f64 {
        let (b, _, norm) = self.parts();
        let low = (place - self.gamma).max(0.0);
        (place.min(self.gamma) + b * low) / norm
    }

    /// The magnitude |X| for a standard exponential variate: the decreasing tail P(|X| > x) = e^{−variate} solved for x. Whole
    /// steps are whole multiples of ε.
    pub fn magnitude(&self, exponential: f64) -> f64 {
        let (b, complement, norm) = self.parts();
        let steps = (exponential / self.epsilon).floor();
        let rest = (exponential - steps * self.epsilon).max(0.0);
        let mass = (-libm::expm1(-rest) / complement).min(1.0) * norm;
        let place = if mass <= self.gamma {
            mass
        } else {
            // where b vanishes, so does this part's probability
            (self.gamma + (mass - self.gamma) / b).min(1.0)
        };
        self.sensitivity * (steps + place)
    }

    /// E|X|ⁿ for n ≤ 4, from the factorial moments of the number of steps and the moments of the place.
    fn moment(&self, order: usize) -> f64 {
        const BINOMIAL: [[f64; 5]; 5] = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0, 0.0],
            [1.0, 3.0, 3.0, 1.0, 0.0],
            [1.0, 4.0, 6.0, 4.0, 1.0],
        ];
        let (b, complement, norm) = self.parts();
        let q = b / complement;
        let steps = [
            1.0,
            q,
            q * (1.0 + 2.0 * q),
            q * (1.0 + q * (6.0 + 6.0 * q)),
            q * (1.0 + q * (14.0 + q * (36.0 + 24.0 * q))),
        ];
        let sum: f64 = (0..=order)
            .map(|i| {
                let power = order - i + 1;
                let high = self.gamma.powi(power as i32);
                let place = (high + b * (1.0 - high)) / (norm * power as f64);
                BINOMIAL[order][i] * steps[i] * place
            })
            .sum();
        sum * self.sensitivity.powi(order as i32)
    }
}

impl Symmetric for Staircase {
    fn above(&self, x: f64) -> f64 {
        let (_, complement, _) = self.parts();
        let steps = (x / self.sensitivity).floor();
        if steps * self.epsilon > 800.0 {
            return 0.0;
        }
        let place = x / self.sensitivity - steps;
        0.5 * libm::exp(-self.epsilon * steps) * (1.0 - complement * self.within_step(place))
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        Some(self.magnitude(-libm::log(2.0 * tail).min(0.0)))
    }

    fn density_at(&self, x: f64) -> Option<f64> {
        let (_, complement, norm) = self.parts();
        let steps = (x / self.sensitivity).floor();
        let low = x / self.sensitivity - steps >= self.gamma;
        let exponent = if low { steps + 1.0 } else { steps };
        let top = complement / (2.0 * self.sensitivity * norm);
        Some(top * libm::exp(-self.epsilon * exponent))
    }

    fn mean_absolute(&self) -> Option<f64> {
        Some(self.moment(1))
    }

    fn second_moment(&self) -> Option<f64> {
        Some(self.moment(2))
    }

    fn fourth_moment(&self) -> Option<f64> {
        Some(self.moment(4))
    }
}

#[cfg(test)]
mod tests {
    use super::super::symmetric::{Absolute, Answer, Squared};
    use super::super::trial;
    use super::*;
    use std::sync::Arc;

    #[test]
    fn the_least_errors_are_those_of_the_paper() {
        for epsilon in [1e-6, 0.1, 1.0, 5.0, 20.0] {
            let law = |gamma| Staircase::new(3.0, epsilon, gamma).unwrap();
            // theorem 4: Δ·e^{ε/2}/(e^ε − 1)
            let gamma = Staircase::best_for_absolute_error(epsilon);
            let least = 3.0 * libm::exp(0.5 * epsilon) / libm::expm1(epsilon);
            let got = law(gamma).mean_absolute().unwrap();
            assert!((got / least - 1.0).abs() < 1e-12, "{epsilon} {got} {least}");
            let square = Staircase::best_for_squared_error(epsilon);
            for other in [0.9, 0.99, 1.01, 1.1] {
                assert!(law(gamma * other).mean_absolute().unwrap() >= got);
                let least = law(square).second_moment().unwrap();
                assert!(law(square * other).second_moment().unwrap() >= least * (1.0 - 1e-15));
            }
            let b = libm::exp(-epsilon);
            if epsilon > 0.05 {
                let polynomial = b - 2.0 * b * b + 2.0 * b.powi(4) - b.powi(5);
                let paper = -b / (1.0 - b) + libm::cbrt(polynomial / 2.0) / ((1.0 - b) * (1.0 - b));
                assert!((square / paper - 1.0).abs() < 1e-9, "{epsilon}");
            }
        }
        let (near, far) = (299.999_999_9, 300.000_000_1);
        let ratio =
            Staircase::best_for_squared_error(near) / Staircase::best_for_squared_error(far);
        assert!((ratio - 1.0).abs() < 1e-7);
    }

    #[test]
    fn agrees_with_simulation_and_is_told_from_a_wrong_scale() {
        // definition: a geometric number of steps, and within a step the high part with odds γ : b(1 − γ)
        let (epsilon, gamma) = (1.3_f64, 0.3);
        let b = libm::exp(-epsilon);
        let high = gamma / (gamma + b * (1.0 - gamma));
        let samples = trial::samples(|e| {
            let steps = (e.next() / epsilon).floor();
            let (choice, place) = (libm::exp(-e.next()), libm::exp(-e.next()));
            let place = if choice < high {
                gamma * place
            } else {
                gamma + (1.0 - gamma) * place
            };
            2.0 * (steps + place)
        });
        let law = |scale| Arc::new(Staircase::new(scale, epsilon, gamma).unwrap());
        trial::accepts(&Absolute::new(law(2.0)), &samples);
        trial::rejects(&Absolute::new(law(2.02)), &samples);
        let squared: Vec<f64> = samples.iter().map(|x| x * x).collect();
        trial::accepts(&Squared::new(law(2.0)), &squared);
        trial::rejects(&Squared::new(law(2.02)), &squared);
        trial::inverts(&Absolute::new(law(2.0)));
        trial::inverts(&Answer::new(law(2.0), 7.0));
    }

    #[test]
    fn the_parameters_must_make_a_law() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(Staircase::new(bad, 1.0, 0.3).is_none());
            assert!(Staircase::new(1.0, bad, 0.3).is_none());
            assert!(Staircase::new(1.0, 1.0, bad).is_none());
        }
        assert!(Staircase::new(1.0, 1.0, 1.0).is_none());
    }
}
