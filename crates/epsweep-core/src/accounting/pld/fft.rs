//! A small fast Fourier transform for lengths that are powers of two.
//!
//! Own code rather than a crate because its bits must not depend on the machine: crates for this choose instructions at run time and
//! take sines from the platform.

use std::f64::consts::PI;

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

impl std::ops::Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Complex {
    /// The power by repeated squaring.
    pub(super) fn power(self, mut exponent: u64) -> Complex {
        let mut base = self;
        let mut result = Complex { re: 1.0, im: 0.0 };
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base;
            }
            base = base * base;
            exponent >>= 1;
        }
        result
    }
}

/// Transforms of one length.
pub(super) struct Fft {
    length: usize,
    /// e^(−2πi j/length) for j below half the length
    roots: Vec<Complex>,
}

impl Fft {
    /// For a length that is a power of two.
    pub(super) fn new(length: usize) -> Fft {
        debug_assert!(length.is_power_of_two());
        let roots = (0..length / 2)
            .map(|j| {
                let (sin, cos) = libm::sincos(-2.0 * PI * j as f64 / length as f64);
                Complex { re: cos, im: sin }
            })
            .collect();
        Fft { length, roots }
    }

    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// In place: X_j = Σ x_k e^(−2πi jk/n). By decimation in frequency with the output in bit-reversed order, which products of transforms do not mind.
    pub(super) fn forward(&self, data: &mut [Complex]) {
        let mut half = self.length / 2;
        let mut stride = 1;
        while half > 0 {
            for block in data.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (j, (a, b)) in low.iter_mut().zip(high.iter_mut()).enumerate() {
                    let difference = Complex {
                        re: a.re - b.re,
                        im: a.im - b.im,
                    };
                    *a = Complex {
                        re: a.re + b.re,
                        im: a.im + b.im,
                    };
                    *b = difference * self.roots[j * stride];
                }
            }
            half /= 2;
            stride *= 2;
        }
    }

    /// The inverse of `forward`, from bit-reversed order.
    pub(super) fn inverse(&self, data: &mut [Complex]) {
        let mut half = 1;
        let mut stride = self.length / 2;
        while half < self.length {
            for block in data.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (j, (a, b)) in low.iter_mut().zip(high.iter_mut()).enumerate() {
                    let root = self.roots[j * stride];
                    let turned = *b
                        * Complex {
                            re: root.re,
                            im: -root.im,
                        };
                    *b = Complex {
                        re: a.re - turned.re,
                        im: a.im - turned.im,
                    };
                    *a = Complex {
                        re: a.re + turned.re,
                        im: a.im + turned.im,
                    };
                }
            }
            half *= 2;
            stride /= 2;
        }
        let scale = 1.0 / self.length as f64;
        for value in data {
            value.re *= scale;
            value.im *= scale;
        }
    }

    /// The linear convolution of two real sequences whose lengths sum to at most the transform's plus 1: (a + ib)² has 2ab as its
    /// imaginary part, so that two transforms do.
    pub(super) fn convolve(&self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let mut data = vec![Complex::default(); self.length];
        a.iter()
            .zip(&mut data)
            .for_each(|(value, slot)| slot.re = *value);
        b.iter()
            .zip(&mut data)
            .for_each(|(value, slot)| slot.im = *value);
        self.forward(&mut data);
        data.iter_mut().for_each(|value| *value = *value * *value);
        self.inverse(&mut data);
        data.truncate(a.len() + b.len() - 1);
        data.iter().map(|value| 0.5 * value.im).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transform_comes_back_and_convolves() {
        let a: Vec<f64> = (0..37).map(|j| f64::from(j * j % 11) / 11.0).collect();
        let b: Vec<f64> = (0..28).map(|j| f64::from(j * 5 % 7) - 2.0).collect();
        let fft = Fft::new(64);
        let fast = fft.convolve(&a, &b);
        for (index, value) in fast.iter().enumerate() {
            let slow: f64 = (0..a.len())
                .filter(|&j| j <= index && index - j < b.len())
                .map(|j| a[j] * b[index - j])
                .sum();
            assert!((slow - value).abs() < 1e-13);
        }
        let mut data: Vec<Complex> = (0..64)
            .map(|j| Complex {
                re: f64::from(j),
                im: 1.0,
            })
            .collect();
        let before = data.clone();
        fft.forward(&mut data);
        assert!((data[0].re - 2016.0).abs() < 1e-9, "the first is the sum");
        fft.inverse(&mut data);
        for (x, y) in data.iter().zip(&before) {
            assert!((x.re - y.re).abs() < 1e-12 && (x.im - y.im).abs() < 1e-12);
        }
    }

    #[test]
    fn powers_multiply() {
        let z = Complex { re: 0.6, im: 0.8 };
        let mut product = Complex { re: 1.0, im: 0.0 };
        for exponent in 0..20 {
            let power = z.power(exponent);
            assert!((power.re - product.re).abs() < 1e-14 && (power.im - product.im).abs() < 1e-14);
            product = product * z;
        }
    }
}
