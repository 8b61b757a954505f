//! The error of one query under discrete Laplace (two-sided geometric) noise.

use super::symmetric::Symmetric;

/// The law P(X = x) = tanh(a/2)·e^{−a|x|} on the integers, with a = ε/Δ > 0.
///
/// Ghosh, Roughgarden and Sundararajan, SIAM Journal on Computing 41, 2012; the moments are those of geometric series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiscreteLaplace {
    rate: f64,
}

impl DiscreteLaplace {
    /// `rate`: a = ε/Δ; `None` unless it is finite and positive.
    pub fn new(rate: f64) -> Option<Self> {
        (rate > 0.0 && rate < f64::INFINITY).then_some(Self { rate })
    }

    /// P(X = x); 0 where x is no integer.
    pub fn mass(&self, x: f64) -> f64 {
        if x.fract() == 0.0 {
            libm::tanh(0.5 * self.rate) * libm::exp(-self.rate * x.abs())
        } else {
            0.0
        }
    }

    /// ln P(X = x) for an integer x, also where the probability is below the smallest double.
    pub fn log_mass(&self, x: f64) -> f64 {
        libm::log(libm::tanh(0.5 * self.rate)) - self.rate * x.abs()
    }

    /// r = e^{−a}, and 1 − r without cancellation.
    fn ratio(&self) -> (f64, f64) {
        (libm::exp(-self.rate), -libm::expm1(-self.rate))
    }
}

impl Symmetric for DiscreteLaplace {
    /// P(X ≥ m) = e^{−am}/(1 + e^{−a}) at m = ⌊x⌋ + 1.
    fn above(&self, x: f64) -> f64 {
        libm::exp(-self.rate * (x.floor() + 1.0)) / (1.0 + libm::exp(-self.rate))
    }

    fn above_quantile(&self, tail: f64) -> Option<f64> {
        let log = libm::log(tail) + libm::log1p(libm::exp(-self.rate));
        let guess = ((-log / self.rate).ceil() - 1.0).max(0.0);
        settle(guess, |x| self.above(x) <= tail)
    }

    fn density_at(&self, _x: f64) -> Option<f64> {
        None
    }

    /// 1/sinh a
    fn mean_absolute(&self) -> Option<f64> {
        let (r, complement) = self.ratio();
        Some(2.0 * r / (complement * (1.0 + r)))
    }

    /// 1/(2·sinh²(a/2))
    fn second_moment(&self) -> Option<f64> {
        let (r, complement) = self.ratio();
        Some(2.0 * r / complement / complement)
    }

    /// 2r(1 + 10r + r²)/(1 − r)⁴, from Σ x⁴·rˣ = r(1 + r)(1 + 10r + r²)/(1 − r)⁵.
    fn fourth_moment(&self) -> Option<f64> {
        let (r, complement) = self.ratio();
        let square = complement * complement;
        Some(2.0 * r * (1.0 + 10.0 * r + r * r) / square / square)
    }

    fn lattice(&self) -> bool {
        true
    }
}

/// The smallest integer x ≥ 0 that `enough` accepts, from a guess that rounding may have moved by a few steps. `enough` must
/// hold from some integer on. `None` where integers are no longer apart in doubles.
pub(super) fn settle(guess: f64, enough: impl Fn(f64) -> bool) -> Option<f64> {
    if !(0.0..9e15).contains(&guess) {
        return None;
    }
    let mut x = guess;
    while !enough(x) {
        x += 1.0;
    }
    while x > 0.0 && enough(x - 1.0) {
        x -= 1.0;
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_tails_are_the_sums() {
        for rate in [0.05, 0.7, 3.0] {
            let law = DiscreteLaplace::new(rate).unwrap();
            let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
                (-2000..=2000)
                    .map(|x| law.mass(f64::from(x)) * f(f64::from(x)))
                    .sum()
            };
            let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-12, "{a} {b}");
            close(sum(&|_| 1.0), 1.0);
            close(sum(&f64::abs), law.mean_absolute().unwrap());
            close(sum(&|x| x * x), law.second_moment().unwrap());
            close(sum(&|x| x * x * x * x), law.fourth_moment().unwrap());
            close(sum(&|x| f64::from(u8::from(x > 2.0))), law.above(2.0));
            close(sum(&|x| f64::from(u8::from(x >= 2.0))), law.at_least(2.0));
            close(law.log_mass(7.0), libm::log(law.mass(7.0)));
        }
        assert_eq!(DiscreteLaplace::new(1.0).unwrap().mass(0.5), 0.0);
        assert_eq!(DiscreteLaplace::new(0.0), None);
    }

    #[test]
    fn quantiles_are_the_smallest_integers_that_suffice() {
        for rate in [1e-9, 1e-3, 1.0, 40.0] {
            let law = DiscreteLaplace::new(rate).unwrap();
            for tail in [0.5, 0.3, 1e-3, 1e-200] {
                let x = law.above_quantile(tail).unwrap();
                assert!(law.above(x) <= tail && x.fract() == 0.0);
                assert!(x == 0.0 || law.above(x - 1.0) > tail, "{rate} {tail} {x}");
            }
        }
    }
}
