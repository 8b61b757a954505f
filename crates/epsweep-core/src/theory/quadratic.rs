//! Squared lengths of normal vectors: V = c + Σ aᵢ(mᵢ + sᵢZᵢ)², and √V.

use super::quadrature::log_trapezoid;
use super::{Law, finite};

/// The law of V, or of √V. Its mean and its standard deviation are known; its quantiles are not computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    offset: f64,
    /// (aᵢ, mᵢ, sᵢ)
    terms: Vec<(f64, f64, f64)>,
    root: bool,
}

impl Quadratic {
    /// The law of c + Σ aᵢ(mᵢ + sᵢZᵢ)², from c and the triples (a, m, s), a and s not negative.
    pub fn new(offset: f64, terms: Vec<(f64, f64, f64)>) -> Quadratic {
        let valid = offset.is_finite()
            && (terms.iter())
                .all(|(a, m, s)| *a >= 0.0 && *s >= 0.0 && (a + m * m + s * s).is_finite());
        Quadratic {
            offset: if valid { offset } else { f64::NAN },
            terms,
            root: false,
        }
    }

    /// The law of ‖m + sZ‖₂, from the pairs (m, s).
    pub fn length(pairs: impl IntoIterator<Item = (f64, f64)>) -> Quadratic {
        let terms = pairs.into_iter().map(|(m, s)| (1.0, m, s)).collect();
        Quadratic {
            root: true,
            ..Quadratic::new(0.0, terms)
        }
    }

    /// E V
    fn first(&self) -> f64 {
        let sum: f64 = (self.terms.iter())
            .map(|(a, m, s)| a * (m * m + s * s))
            .sum();
        self.offset + sum
    }

    /// Var V
    fn variance(&self) -> f64 {
        let term = |(a, m, s): &(f64, f64, f64)| 2.0 * a * a * s * s * (s * s + 2.0 * m * m);
        self.terms.iter().map(term).sum()
    }

    /// E √V = (1/2√π) ∫ (1 − E e^{−tV}) t^{−3/2} dt, in x = 1/√t relative to √(E V).
    fn mean_root(&self) -> Option<f64> {
        let unit = finite(self.first())?;
        if unit == 0.0 {
            return Some(0.0);
        }
        let log_transform = |t: f64| -> f64 {
            let term = |(a, m, s): &(f64, f64, f64)| {
                let spread = 2.0 * a * s * s * t / unit;
                -0.5 * libm::log1p(spread) - a * m * m * t / unit / (1.0 + spread)
            };
            self.terms.iter().map(term).sum()
        };
        // both ends fall like √t and 1/√t; 1e-18 of the whole is left out at each
        let [integral] = log_trapezoid(-84.0, 84.0, 1.0 / 16.0, |t| {
            [-libm::expm1(log_transform(t)) / t.sqrt()]
        });
        finite(unit.sqrt() * integral / (2.0 * std::f64::consts::PI.sqrt()))
    }
}

impl Law for Quadratic {
    fn mean(&self) -> Option<f64> {
        match self.root {
            false => finite(self.first()),
            true => self.mean_root(),
        }
    }

    fn sd(&self) -> Option<f64> {
        finite(self.offset)?;
        if !self.root {
            return finite(self.variance().sqrt());
        }
        let mean = self.mean_root()?;
        let variance = self.first() - mean * mean;
        // where V hardly varies, the difference is rounding
        (variance > 1e-10 * self.first())
            .then(|| variance.sqrt())
            .and_then(finite)
    }

    fn quantile(&self, _: f64) -> Option<f64> {
        None
    }

    fn cdf(&self, _: f64) -> Option<f64> {
        None
    }

    fn density(&self, _: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rmse, trial};
    use super::*;
    use crate::statistics::Moments;

    #[test]
    fn central_lengths_are_chi_laws() {
        // two of one scale: Rayleigh
        let law = Quadratic::length([(0.0, 3.0), (0.0, 3.0)]);
        let mean = 3.0 * (std::f64::consts::PI / 2.0).sqrt();
        assert!((law.mean().unwrap() / mean - 1.0).abs() < 1e-12);
        assert!((law.sd().unwrap() / (18.0 - mean * mean).sqrt() - 1.0).abs() < 1e-11);
        // and of several by another way
        let scales = [1.0, 3.0, 2.0, 0.1];
        let other = Rmse::gaussian(&scales).mean().unwrap() * 2.0;
        let law = Quadratic::length(scales.map(|s| (0.0, s)));
        assert!((law.mean().unwrap() / other - 1.0).abs() < 1e-12);
    }

    #[test]
    fn without_noise_it_is_the_length() {
        let law = Quadratic::length([(3.0, 0.0), (4.0, 0.0)]);
        assert!((law.mean().unwrap() / 5.0 - 1.0).abs() < 1e-12);
        assert_eq!(Quadratic::length([(0.0, 0.0)]).mean(), Some(0.0));
        assert_eq!(Quadratic::new(2.0, Vec::new()).mean(), Some(2.0));
        assert_eq!(Quadratic::new(f64::NAN, Vec::new()).mean(), None);
        assert_eq!(Quadratic::new(0.0, vec![(-1.0, 0.0, 1.0)]).sd(), None);
    }

    #[test]
    fn moments_agree_with_simulation_and_wrong_ones_do_not() {
        let terms = vec![(1.0, 0.5, 1.0), (2.0, -1.0, 0.3), (0.25, 0.0, 4.0)];
        let (square, root) = (
            Quadratic::new(0.0, terms.clone()),
            Quadratic::length(terms.iter().map(|(a, m, s)| (a.sqrt() * m, a.sqrt() * s))),
        );
        let samples = trial::samples(|e| {
            let ([x, y], [z, _]) = (e.normals(), e.normals());
            let (x, y, z) = (0.5 + x, -1.0 + 0.3 * y, 4.0 * z);
            x * x + 2.0 * y * y + 0.25 * z * z
        });
        let moments = Moments::from_values(&samples);
        let n = samples.len() as f64;
        let sd = square.sd().unwrap();
        // 5 standard errors: a false alarm in 1e6 seeds, and the seed is fixed
        let z = (moments.mean - square.mean().unwrap()) / (sd / n.sqrt());
        assert!(z.abs() < 5.0, "{z}");
        let variance = moments.m2 / n;
        let spread = ((moments.m4 / n - variance * variance) / n).sqrt();
        assert!((variance - sd * sd).abs() < 5.0 * spread);
        let lengths: Vec<f64> = samples.iter().map(|v| v.sqrt()).collect();
        let lengths = Moments::from_values(&lengths);
        let error = (lengths.m2 / n).sqrt() / n.sqrt();
        assert!((lengths.mean - root.mean().unwrap()).abs() < 5.0 * error);
        // a shift that is left out is seen
        let wrong = Quadratic::length([
            (0.0, 1.0),
            (-2.0_f64.sqrt(), 0.3 * 2.0_f64.sqrt()),
            (0.0, 2.0),
        ]);
        assert!((lengths.mean - wrong.mean().unwrap()).abs() > 5.0 * error);
    }
}
