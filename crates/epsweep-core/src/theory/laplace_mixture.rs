//! Errors a + L with Laplace noise L, where shift and scale are chosen at random: E with probability pₖ is aₖ + bₖ·L.

use super::{Law, finite, open_probability};

/// What is measured of the error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// E
    Signed,
    /// |E|
    Absolute,
    /// E²
    Squared,
}

/// A part of a mixture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// its probability
    pub probability: f64,
    /// a
    pub shift: f64,
    /// b, not negative
    pub scale: f64,
}

/// The law of a function of such an error. All its moments are sums of closed forms.
#[derive(Clone, Debug)]
pub struct LaplaceMixture {
    parts: Vec<Part>,
    of: Of,
    /// whether quantiles are computed: not where parts are nodes of a quadrature, of which there are many
    listed: bool,
}

impl LaplaceMixture {
    /// From parts whose probabilities sum to 1.
    pub fn new(parts: Vec<Part>, of: Of) -> LaplaceMixture {
        LaplaceMixture {
            parts,
            of,
            listed: true,
        }
    }

    /// From parts that stand for a continuous mixture: moments alone are given.
    pub fn of_nodes(parts: Vec<Part>, of: Of) -> LaplaceMixture {
        LaplaceMixture {
            listed: false,
            ..LaplaceMixture::new(parts, of)
        }
    }

    fn expect(&self, f: impl Fn(&Part) -> f64) -> Option<f64> {
        let terms: Vec<f64> = (self.parts.iter())
            .map(|part| part.probability * f(part))
            .collect();
        finite(crate::summation::sum(&terms))
    }

    /// E (E²)
    fn second(&self) -> Option<f64> {
        self.expect(|part| part.shift * part.shift + 2.0 * part.scale * part.scale)
    }

    /// P(E ≤ x)
    fn below(&self, x: f64) -> Option<f64> {
        let p = self.expect(|part| {
            let distance = x - part.shift;
            if part.scale == 0.0 {
                return f64::from(u8::from(distance >= 0.0));
            }
            let tail = 0.5 * libm::exp(-distance.abs() / part.scale);
            if distance < 0.0 { tail } else { 1.0 - tail }
        })?;
        Some(p.clamp(0.0, 1.0))
    }
}

impl Law for LaplaceMixture {
    /// Σ p·a; Σ p·(|a| + b·e^{−|a|/b}); Σ p·(a² + 2b²)
    fn mean(&self) -> Option<f64> {
        match self.of {
            Of::Signed => self.expect(|part| part.shift),
            Of::Absolute => self.expect(|part| {
                let a = part.shift.abs();
                match part.scale > 0.0 {
                    true => a + part.scale * libm::exp(-a / part.scale),
                    false => a,
                }
            }),
            Of::Squared => self.second(),
        }
    }

    /// From the second moments, and E (a + bL)⁴ = a⁴ + 12a²b² + 24b⁴.
    fn sd(&self) -> Option<f64> {
        let mean = self.mean()?;
        let square = match self.of {
            Of::Signed | Of::Absolute => self.second()?,
            Of::Squared => self.expect(|part| {
                let (a, b) = (part.shift * part.shift, part.scale * part.scale);
                a * a + 12.0 * a * b + 24.0 * b * b
            })?,
        };
        let variance = square - mean * mean;
        // what is left of a difference of nearly equal numbers is rounding
        (variance > 1e-10 * square)
            .then(|| variance.sqrt())
            .and_then(finite)
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let p = open_probability(p).filter(|_| self.listed)?;
        let reach = |part: &Part| part.shift.abs() + 750.0 * part.scale;
        let reach = self.parts.iter().map(reach).fold(0.0, f64::max);
        let (low, high) = match self.of {
            Of::Signed => (-reach, reach),
            Of::Absolute => (0.0, reach),
            Of::Squared => (0.0, reach * reach),
        };
        let (_, high) =
            crate::numeric::bisect(low, high, |x| self.cdf(x).is_some_and(|below| below >= p));
        finite(high)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        if x.is_nan() || !self.listed {
            return None;
        }
        let within = |x: f64| match x < 0.0 {
            true => Some(0.0),
            false => Some((self.below(x)? - self.below((-x).next_down())?).max(0.0)),
        };
        match self.of {
            Of::Signed => self.below(x),
            Of::Absolute => within(x),
            Of::Squared => within(if x < 0.0 { x } else { x.sqrt() }),
        }
    }

    fn density(&self, _: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Laplace, trial};
    use super::*;

    fn parts() -> Vec<Part> {
        let part = |probability, shift, scale| Part {
            probability,
            shift,
            scale,
        };
        vec![
            part(0.5, -2.0, 1.0),
            part(0.3, 0.5, 0.2),
            part(0.2, 4.0, 3.0),
        ]
    }

    #[test]
    fn one_centred_part_is_laplace() {
        let one = Part {
            probability: 1.0,
            shift: 0.0,
            scale: 2.0,
        };
        let (mixture, law) = (
            LaplaceMixture::new(vec![one], Of::Signed),
            Laplace::new(2.0, 0.0),
        );
        assert!((mixture.sd().unwrap() / law.sd().unwrap() - 1.0).abs() < 1e-14);
        for x in [-3.0, -0.1, 0.0, 2.5] {
            assert!((mixture.cdf(x).unwrap() - law.cdf(x).unwrap()).abs() < 1e-15);
        }
        let absolute = LaplaceMixture::new(vec![one], Of::Absolute);
        assert!((absolute.mean().unwrap() - 2.0).abs() < 1e-15);
        assert!((absolute.quantile(0.5).unwrap() - 2.0 * std::f64::consts::LN_2).abs() < 1e-13);
        let none = LaplaceMixture::new(
            vec![Part {
                scale: 0.0,
                shift: -3.0,
                ..one
            }],
            Of::Absolute,
        );
        assert_eq!(
            (none.mean(), none.cdf(2.9), none.cdf(3.0)),
            (Some(3.0), Some(0.0), Some(1.0))
        );
    }

    #[test]
    fn simulation_agrees_and_other_parts_do_not() {
        for of in [Of::Signed, Of::Absolute, Of::Squared] {
            let samples = trial::samples(|e| {
                let u = libm::exp(-e.next());
                let l = e.next() - e.next();
                let x = match u {
                    u if u < 0.5 => -2.0 + l,
                    u if u < 0.8 => 0.5 + 0.2 * l,
                    _ => 4.0 + 3.0 * l,
                };
                match of {
                    Of::Signed => x,
                    Of::Absolute => x.abs(),
                    Of::Squared => x * x,
                }
            });
            trial::accepts(&LaplaceMixture::new(parts(), of), &samples);
            let mut other = parts();
            other[0].shift = -2.03;
            trial::rejects(&LaplaceMixture::new(other, of), &samples);
        }
    }

    #[test]
    fn of_nodes_only_moments_are_given() {
        let law = LaplaceMixture::of_nodes(parts(), Of::Absolute);
        assert!(law.mean().is_some() && law.sd().is_some());
        assert!(law.quantile(0.5).is_none() && law.cdf(1.0).is_none());
    }
}
