//! Complex arithmetic, as far as the contours need it.

use std::ops::{Add, Mul, Sub};

/// re + i·im.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

impl Complex {
    pub const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    pub fn new(re: f64, im: f64) -> Self {
        Self { re, im }
    }

    pub fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }

    pub fn scale(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }

    /// e^self.
    pub fn exp(self) -> Self {
        let size = libm::exp(self.re);
        Self::new(size * libm::cos(self.im), size * libm::sin(self.im))
    }

    /// The root with a positive real part (or on the imaginary axis).
    pub fn sqrt(self) -> Self {
        let size = libm::hypot(self.re, self.im);
        let large = (0.5 * (size + self.re.abs())).sqrt();
        if large == 0.0 {
            return Self::new(0.0, 0.0);
        }
        let small = 0.5 * self.im.abs() / large;
        let (re, im) = if self.re >= 0.0 {
            (large, small)
        } else {
            (small, large)
        };
        Self::new(re, if self.im < 0.0 { -im } else { im })
    }

    /// 1/self, scaled so that |self|² neither overflows nor underflows.
    pub fn reciprocal(self) -> Self {
        let size = self.re.abs().max(self.im.abs());
        let (re, im) = (self.re / size, self.im / size);
        let norm = (re * re + im * im) * size;
        Self::new(re / norm, -im / norm)
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl Sub for Complex {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_times_its_reciprocal_is_one() {
        for (re, im) in [(3.0, -4.0), (1e300, 1e299), (-1e-300, 2e-300), (0.0, 2.0)] {
            let number = Complex::new(re, im);
            let one = number * number.reciprocal() - Complex::ONE;
            assert!(one.re.abs() < 1e-15 && one.im.abs() < 1e-15, "{number:?}");
        }
    }

    #[test]
    fn the_exponential_turns() {
        let minus_one = Complex::new(0.0, std::f64::consts::PI).exp();
        assert!((minus_one + Complex::ONE).im.abs() < 1e-15 && (minus_one.re + 1.0).abs() < 1e-15);
        assert_eq!(Complex::new(1.0, 2.0).conjugate(), Complex::new(1.0, -2.0));
    }
}
