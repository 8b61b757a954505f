//! Mergeable moments up to the fourth order.

/// Count, mean and central moment *sums* of a sample: `m2` is Σ(x − mean)², and so on.
///
/// Two samples are merged without looking at their values again (Chan, Golub and LeVeque 1979 for the second order; Pébay,
/// SAND2008-6212, equations 2.1 and 3.1 for the third and fourth). Merging is associative only up to rounding, so whoever
/// wants the same bits twice merges along the same tree twice, the earlier part on the left.
///
/// Sums of fourth powers leave the range of an `f64` for values beyond about 1e77 or below about 1e-81. Estimates that need
/// them are then NaN or infinite, never a plausible wrong number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// number of values
    pub n: u64,
    /// arithmetic mean
    pub mean: f64,
    /// Σ(x − mean)²
    pub m2: f64,
    /// Σ(x − mean)³
    pub m3: f64,
    /// Σ(x − mean)⁴
    pub m4: f64,
}

impl Moments {
    /// Of `n` values that all equal `value`.
    pub fn constant(n: u64, value: f64) -> Moments {
        if n == 0 {
            return Moments::default();
        }
        Moments {
            n,
            mean: value,
            ..Moments::default()
        }
    }

    /// Of one sample held in memory: two passes, the mean corrected once for its own rounding. NaN values make every
    /// moment NaN; leave them out first.
    pub fn from_values(values: &[f64]) -> Moments {
        let n = values.len() as f64;
        if values.is_empty() {
            return Moments::default();
        }
        let pivot = values[0];
        let first = pivot + values.iter().map(|x| x - pivot).sum::<f64>() / n;
        let mean = first + values.iter().map(|x| x - first).sum::<f64>() / n;
        let mut sums = Moments {
            n: values.len() as u64,
            mean,
            ..Moments::default()
        };
        for x in values {
            let d = x - mean;
            let square = d * d;
            sums.m2 += square;
            sums.m3 += square * d;
            sums.m4 += square * square;
        }
        sums
    }

    /// From sums of powers about a pivot: s₁ = Σ(x − pivot), …, s₄ = Σ(x − pivot)⁴. Exact in real arithmetic; in floats it
    /// is good as long as the pivot is within a few standard deviations of the mean.
    pub fn from_power_sums(n: u64, pivot: f64, sums: [f64; 4]) -> Moments {
        if n == 0 {
            return Moments::default();
        }
        let count = n as f64;
        let [s1, s2, s3, s4] = sums;
        let shift = s1 / count;
        let shift2 = shift * shift;
        let m2 = s2 - count * shift2;
        Moments {
            n,
            mean: pivot + shift,
            // rounding can take a vanishing variance a hair below zero; NaN stays NaN
            m2: if m2 < 0.0 { 0.0 } else { m2 },
            m3: s3 - 3.0 * shift * s2 + 2.0 * count * shift2 * shift,
            m4: s4 - 4.0 * shift * s3 + 6.0 * shift2 * s2 - 3.0 * count * shift2 * shift2,
        }
    }

    /// The moments of both samples together; `self` is the earlier one. Source: see the type.
    #[must_use]
    pub fn merge(&self, later: &Moments) -> Moments {
        if self.n == 0 {
            return *later;
        }
        if later.n == 0 {
            return *self;
        }
        let (na, nb) = (self.n as f64, later.n as f64);
        let n = na + nb;
        let step = (later.mean - self.mean) / n;
        let step2 = step * step;
        // Σ over both parts of (part mean − common mean)², times n·step
        let between = (later.mean - self.mean) * step * na * nb;
        Moments {
            n: self.n + later.n,
            mean: self.mean + nb * step,
            m2: self.m2 + later.m2 + between,
            m3: self.m3
                + later.m3
                + between * step * (na - nb)
                + 3.0 * step * (na * later.m2 - nb * self.m2),
            m4: self.m4
                + later.m4
                + between * step2 * (na * na - na * nb + nb * nb)
                + 6.0 * step2 * (na * na * later.m2 + nb * nb * self.m2)
                + 4.0 * step * (na * later.m3 - nb * self.m3),
        }
    }

    /// Of `scale`·x + `shift` in place of x. A scale of zero yields the moments of a constant, whatever the old ones were.
    #[must_use]
    pub fn affine(&self, scale: f64, shift: f64) -> Moments {
        if self.n == 0 || scale == 0.0 {
            return Moments::constant(self.n, shift);
        }
        let square = scale * scale;
        // a spread that vanishes only because it left the floats is unknown, not zero
        let scaled = |sum: f64, factor: f64| match factor * sum {
            0.0 if sum != 0.0 => f64::NAN,
            product => product,
        };
        Moments {
            n: self.n,
            mean: scale * self.mean + shift,
            m2: scaled(self.m2, square),
            m3: scaled(self.m3, square * scale),
            m4: scaled(self.m4, square * square),
        }
    }

    /// Unbiased variance, with divisor n − 1. NaN for fewer than two values.
    pub fn variance(&self) -> f64 {
        if self.n < 2 {
            return f64::NAN;
        }
        self.m2 / (self.n - 1) as f64
    }

    /// Standard deviation: the root of [`Moments::variance`].
    pub fn sd(&self) -> f64 {
        self.variance().sqrt()
    }

    /// Skewness g₁ = (m3/n) / (m2/n)^{3/2}. NaN where there is no spread.
    pub fn skewness(&self) -> f64 {
        if self.m2.is_nan() || self.m2 <= 0.0 {
            return f64::NAN;
        }
        let n = self.n as f64;
        let variance = self.m2 / n;
        self.m3 / n / variance / variance.sqrt()
    }

    /// Excess kurtosis g₂ = (m4/n) / (m2/n)² − 3: 0 for the normal law, 3 for the Laplace law. NaN where there is no spread.
    pub fn excess_kurtosis(&self) -> f64 {
        self.kurtosis() - 3.0
    }

    fn kurtosis(&self) -> f64 {
        if self.m2.is_nan() || self.m2 <= 0.0 {
            return f64::NAN;
        }
        let n = self.n as f64;
        let variance = self.m2 / n;
        self.m4 / n / variance / variance
    }

    /// Monte Carlo standard error of the mean, sd/√n. NaN for fewer than two values.
    pub fn mcse_mean(&self) -> f64 {
        self.sd() / (self.n as f64).sqrt()
    }

    /// Monte Carlo standard error of the standard deviation, by the delta method with the sample's own fourth moment:
    /// σ·√((κ − 1)/(4n)) with κ = μ₄/σ⁴ (Koehler, Brown and Haneuse, The American Statistician 63(2), 2009; Kendall and
    /// Stuart, vol. 1, §10.5). The familiar σ/√(2n) is this for κ = 3, the normal law; for the Laplace law, κ = 6, it is 1.6
    /// times too small. Zero where there is no spread; NaN for fewer than two values.
    pub fn mcse_sd(&self) -> f64 {
        if self.n < 2 {
            return f64::NAN;
        }
        if self.m2 == 0.0 {
            return 0.0;
        }
        // κ ≥ 1 holds for every sample. Rounding may miss it by a hair for two-point samples of equal size; by more, the
        // fourth powers have left the range of an f64
        let excess = match self.kurtosis() - 1.0 {
            tiny if tiny.abs() < 1e-9 => tiny.max(0.0),
            low if low < 0.0 => f64::NAN,
            excess => excess,
        };
        let n = self.n as f64;
        (self.m2 / n).sqrt() * (excess / (4.0 * n)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) -> bool {
        (a - b).abs() <= relative * a.abs().max(b.abs()).max(1e-300)
    }

    fn same(a: &Moments, b: &Moments, relative: f64) -> bool {
        a.n == b.n
            && close(a.mean, b.mean, relative)
            && close(a.m2, b.m2, relative)
            && close(a.m3, b.m3, relative)
            && close(a.m4, b.m4, relative)
    }

    /// Skewed, far from symmetric about zero, and with different scales in it.
    fn sample() -> Vec<f64> {
        (0..97u32)
            .map(|i| {
                let u = f64::from(i * 37 % 97) + 0.5;
                -libm::log(u / 97.0) * f64::from(1 + i % 5) + 3.0
            })
            .collect()
    }

    #[test]
    fn the_textbook_numbers() {
        // exact rationals: mean 5, Σ(x − 5)² = 32, g₁ = 21/32, g₂ = −7/32
        let m = Moments::from_values(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(m.mean, 5.0);
        assert!(close(m.variance(), 32.0 / 7.0, 1e-15));
        assert!(close(m.mcse_mean(), (32.0f64 / 7.0 / 8.0).sqrt(), 1e-15));
        assert!(close(m.skewness(), 0.65625, 1e-14));
        assert!(close(m.excess_kurtosis(), -0.21875, 1e-14));
    }

    #[test]
    fn large_offsets_keep_the_variance() {
        // the example with which Welford's method is usually shown: variance 30 whatever the offset
        for offset in [0.0, 1e6, 1e9] {
            let x = [4.0, 7.0, 13.0, 16.0].map(|v: f64| v + offset);
            assert!(close(Moments::from_values(&x).variance(), 30.0, 1e-12));
            let d = x.map(|v| v - x[0]);
            let sums = [1, 2, 3, 4].map(|k| d.iter().map(|v| v.powi(k)).sum());
            let m = Moments::from_power_sums(4, x[0], sums);
            assert!(close(m.variance(), 30.0, 1e-12));
            assert_eq!(m.mean, offset + 10.0);
        }
    }

    #[test]
    fn merging_at_every_split_is_the_whole() {
        let x = sample();
        let whole = Moments::from_values(&x);
        for cut in 0..=x.len() {
            let (a, b) = x.split_at(cut);
            let merged = Moments::from_values(a).merge(&Moments::from_values(b));
            assert!(same(&merged, &whole, 1e-11), "{cut}: {merged:?} {whole:?}");
        }
        // one value at a time
        let one = x.iter().fold(Moments::default(), |m, v| {
            m.merge(&Moments::constant(1, *v))
        });
        assert!(same(&one, &whole, 1e-11));
    }

    #[test]
    fn affine_maps_commute_with_taking_moments() {
        let x = sample();
        let m = Moments::from_values(&x);
        let y: Vec<f64> = x.iter().map(|v| -2.5 * v + 7.0).collect();
        assert!(same(&m.affine(-2.5, 7.0), &Moments::from_values(&y), 1e-11));
        assert_eq!(m.affine(0.0, 3.0), Moments::constant(97, 3.0));
    }

    #[test]
    fn no_spread_and_too_few() {
        let flat = Moments::from_values(&[7.25; 6]);
        assert_eq!(
            (flat.sd(), flat.mcse_mean(), flat.mcse_sd()),
            (0.0, 0.0, 0.0)
        );
        assert!(flat.skewness().is_nan() && flat.excess_kurtosis().is_nan());
        let one = Moments::constant(1, 3.0);
        assert!(one.sd().is_nan() && one.mcse_sd().is_nan() && one.mcse_mean().is_nan());
        assert!(Moments::default().mcse_mean().is_nan());
        assert_eq!(Moments::constant(0, 3.0), Moments::default());
    }

    #[test]
    fn the_error_of_the_sd_uses_the_fourth_moment() {
        // quantiles of an exponential law: κ tends to 9, so the error is twice the normal formula's
        let n = 200_000u32;
        let x: Vec<f64> = (0..n)
            .map(|i| -libm::log((f64::from(i) + 0.5) / f64::from(n)))
            .collect();
        let m = Moments::from_values(&x);
        let normal = m.sd() / (2.0 * f64::from(n)).sqrt();
        assert!(close(m.mcse_sd() / normal, 2.0, 2e-3));
    }

    #[test]
    fn out_of_range_is_never_a_plausible_number() {
        for scale in [1e-200, 1e200] {
            let m = Moments::from_values(&[1.0, 2.0, 5.0]).affine(scale, 0.0);
            assert!(!m.sd().is_finite() && !m.mcse_mean().is_finite() && !m.mcse_sd().is_finite());
        }
        let infinite = Moments::from_power_sums(2, 0.0, [f64::INFINITY; 4]);
        assert!(!infinite.sd().is_finite());
        for scale in [1e-100, 1e100] {
            let m = Moments::from_values(&[1.0, 2.0, 5.0]).affine(scale, 0.0);
            assert!(!m.mcse_sd().is_finite());
            assert!(close(m.sd() / scale, (13.0f64 / 3.0).sqrt(), 1e-12));
        }
    }
}
