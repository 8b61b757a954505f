//! The Kolmogorov–Smirnov test of a sample against a law.

use super::error::{StatisticsError, sound};

/// The largest distances between an empirical and a theoretical distribution function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KsStatistic {
    /// number of values
    pub n: usize,
    /// max(i/n − F(xᵢ))
    pub plus: f64,
    /// max(F(xᵢ) − (i−1)/n)
    pub minus: f64,
}

impl KsStatistic {
    /// The larger of both.
    pub fn distance(&self) -> f64 {
        self.plus.max(self.minus)
    }

    /// P(D ≥ observed) by the exact law where that is affordable (n·D < 100), otherwise by the limit.
    pub fn p_value(&self) -> f64 {
        let d = self.distance();
        let n = self.n as f64;
        if n * d < 100.0 || n * d * d > EITHER_SIDE && self.n <= 100_000 {
            exact_p(self.n, d)
        } else {
            asymptotic_p(self.n, d)
        }
    }
}

/// The statistic of a sample against the distribution function `cdf`.
///
/// # Errors
/// [`StatisticsError`] if there is no value, or if a value, or `cdf` of one, is NaN
pub fn ks_statistic(
    data: &[f64],
    cdf: impl Fn(f64) -> f64,
) -> Result<KsStatistic, StatisticsError> {
    sound("a Kolmogorov–Smirnov test", data, 1)?;
    let mut sorted = data.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let (mut plus, mut minus) = (0.0_f64, 0.0_f64);
    for (i, x) in sorted.iter().enumerate() {
        let f = cdf(*x);
        if f.is_nan() {
            return Err(StatisticsError::NotANumber { index: i });
        }
        plus = plus.max((i + 1) as f64 / n - f);
        minus = minus.max(f - i as f64 / n);
    }
    Ok(KsStatistic {
        n: sorted.len(),
        plus,
        minus,
    })
}

/// Where n·D² is larger, both sides at once are so improbable (e^(−6nD²) relative) that P(D ≥ d) = 2·P(D⁺ ≥ d) in doubles.
const EITHER_SIDE: f64 = 5.5;

/// P(D ≥ d) for `n` values: Marsaglia, Tsang & Wang ("Evaluating Kolmogorov's distribution", JSS 2003), whose cost grows like
/// (n·d)³·log n; in the far tail, where their 1 − P(D < d) has no digits left, twice the one-sided probability of Birnbaum & Tingey
/// (1951), as Simard & L'Ecuyer (JSS 2011) do.
pub fn exact_p(n: usize, d: f64) -> f64 {
    let size = n as f64;
    if !(d > 0.5 / size) {
        return 1.0;
    }
    if d >= 1.0 {
        return 0.0;
    }
    if d >= 0.5 || size * d * d > EITHER_SIDE {
        return (2.0 * one_sided_p(n, d)).min(1.0);
    }
    (1.0 - below(n, d)).clamp(0.0, 1.0)
}

/// P(D⁺ ≥ d) = d·Σⱼ C(n,j)·(d + j/n)^(j−1)·(1 − d − j/n)^(n−j), j ≤ n(1−d): all terms are positive.
fn one_sided_p(n: usize, d: f64) -> f64 {
    let size = n as f64;
    let mut log_choose = 0.0; // ln C(n, j)
    let mut sum = 0.0;
    for j in 0..=n {
        let step = j as f64;
        let rest = 1.0 - d - step / size;
        if rest < 0.0 {
            break;
        }
        if j > 0 {
            log_choose += libm::log((size - step + 1.0) / step);
        }
        let power = if j == n {
            0.0
        } else {
            (size - step) * libm::log(rest)
        };
        sum += libm::exp(log_choose + (step - 1.0) * libm::log(d + step / size) + power);
    }
    d * sum
}

/// P(D < d) as n!/nⁿ times an entry of the n-th power of a matrix (Durbin 1973).
fn below(n: usize, d: f64) -> f64 {
    let size = n as f64;
    let k = (size * d).floor() as usize + 1;
    let m = 2 * k - 1;
    let h = k as f64 - size * d;
    let mut matrix = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..m.min(i + 2) {
            matrix[i * m + j] = 1.0;
        }
    }
    for i in 0..m {
        matrix[i * m] -= h.powi(i as i32 + 1);
        matrix[(m - 1) * m + i] -= h.powi((m - i) as i32);
    }
    if 2.0 * h > 1.0 {
        matrix[(m - 1) * m] += (2.0 * h - 1.0).powi(m as i32);
    }
    for i in 0..m {
        for j in 0..m.min(i + 1) {
            for g in 1..=(i + 1 - j) {
                matrix[i * m + j] /= g as f64;
            }
        }
    }
    let (power, mut exponent) = matrix_power(&matrix, m, n);
    let mut value = power[(k - 1) * m + k - 1];
    for i in 1..=n {
        value *= i as f64 / size;
        if value < 1e-140 {
            value *= 1e140;
            exponent -= 140;
        }
    }
    value * libm::pow(10.0, f64::from(exponent))
}

/// matrixⁿ as (mantissa, power of ten).
fn matrix_power(matrix: &[f64], m: usize, n: usize) -> (Vec<f64>, i32) {
    let mut result: Vec<f64> = (0..m * m)
        .map(|i| f64::from(u8::from(i / m == i % m)))
        .collect();
    let (mut base, mut base_exponent, mut exponent) = (matrix.to_vec(), 0, 0);
    let mut left = n;
    let centre = (m / 2) * m + m / 2;
    while left > 0 {
        if left % 2 == 1 {
            result = product(&result, &base, m);
            exponent += base_exponent;
            shrink(&mut result, &mut exponent, centre);
        }
        left /= 2;
        if left > 0 {
            base = product(&base, &base, m);
            base_exponent *= 2;
            shrink(&mut base, &mut base_exponent, centre);
        }
    }
    (result, exponent)
}

fn shrink(matrix: &mut [f64], exponent: &mut i32, centre: usize) {
    if matrix[centre] > 1e140 {
        matrix.iter_mut().for_each(|x| *x *= 1e-140);
        *exponent += 140;
    }
}

fn product(a: &[f64], b: &[f64], m: usize) -> Vec<f64> {
    let mut c = vec![0.0; m * m];
    for i in 0..m {
        for k in 0..m {
            let x = a[i * m + k];
            for j in 0..m {
                c[i * m + j] += x * b[k * m + j];
            }
        }
    }
    c
}

/// The limit of P(D ≥ d) for large `n`: 2·Σ(−1)^(k−1)·e^(−2k²nd²) (Kolmogorov 1933), without a correction for small samples.
pub fn asymptotic_p(n: usize, d: f64) -> f64 {
    let lambda = n as f64 * d * d;
    if lambda < 0.04 {
        return 1.0; // the sum is 1 to 1e-12 and converges slowly
    }
    let mut sum = 0.0;
    for k in 1..=60 {
        let k = f64::from(k);
        let term = libm::exp(-2.0 * k * k * lambda);
        sum += if k % 2.0 == 1.0 { term } else { -term };
        if term < 1e-18 * sum.abs() {
            break;
        }
    }
    (2.0 * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_law_is_that_of_the_paper() {
        // Marsaglia, Tsang & Wang: K(10, 0.274) = 0.6284796154565 0…; K(1, d) = 2d − 1
        assert!((below(10, 0.274) - 0.628479615456504).abs() < 1e-12);
        assert!((exact_p(1, 0.75) - 0.5).abs() < 1e-15);
        // the limit, and both ways where they meet
        let d = (5.4_f64 / 900.0).sqrt();
        let one_sided = 2.0 * one_sided_p(900, d);
        assert!((exact_p(900, d) / one_sided - 1.0).abs() < 1e-7);
        assert!((asymptotic_p(900, d) / one_sided - 1.0).abs() < 0.2);
    }

    #[test]
    fn right_laws_pass_and_wrong_ones_do_not() {
        // midpoints of a uniform law are as close to it as can be
        let even: Vec<f64> = (0..500).map(|i| (f64::from(i) + 0.5) / 500.0).collect();
        let right = ks_statistic(&even, |x| x).unwrap();
        assert!(right.p_value() > 0.999);
        let wrong = ks_statistic(&even, |x| x * x).unwrap();
        assert!(wrong.p_value() < 1e-20, "{}", wrong.p_value());
        assert!(ks_statistic(&[], |x| x).is_err());
    }
}
