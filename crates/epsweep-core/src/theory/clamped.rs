//! Laplace noise after clamping to an interval.
//!
//! The answer t + Z, with Z of the Laplace law of scale b, is moved to the nearer end of [low, high] where it lies outside. Its
//! law is that of t + Z inside and has an atom at each end. With S(x) = P(t + Z > x), G(x) = ∫ₓ^∞ S and H(x) = ∫ₓ^∞ G,
//!
//! E X = low + G(low) − G(high) and E (X − low)² = 2·(H(low) − H(high) − (high − low)·G(high)).
//!
//! Where t lies inside, the absolute error is min(E, d) with E exponential of mean b and d the distance to the end on the side of the
//! noise: a mixture of two censored exponentials with weights ½. Where t lies outside, the error is at least the distance
//! to the interval, and Laplace beyond that.

use super::{Law, finite, open_probability, valid_scale};

/// Truth, scale and interval of a clamped answer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    scale: f64,
    truth: f64,
    low: f64,
    high: f64,
}

impl Setting {
    fn valid(self) -> Option<Self> {
        valid_scale(self.scale)?;
        for value in [self.truth, self.low, self.high] {
            finite(value)?;
        }
        (self.low <= self.high).then_some(self)
    }
}

/// The answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedLaplace(Setting);

impl ClampedLaplace {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedLaplace(Setting {
            scale,
            truth,
            low,
            high,
        })
    }

    /// The mean less the truth: what clamping adds to an unbiased answer.
    pub fn bias(&self) -> Option<f64> {
        Some(self.mean()? - self.0.truth)
    }

    /// P(t + Z > x), ∫ of it beyond x, and ∫ of that.
    fn tails(&self, x: f64) -> [f64; 3] {
        let Setting { scale, truth, .. } = self.0;
        let distance = (x - truth).abs();
        let decay = if scale > 0.0 {
            libm::exp(-distance / scale)
        } else if distance == 0.0 {
            1.0
        } else {
            0.0
        };
        let tails = [
            0.5 * decay,
            0.5 * scale * decay,
            0.5 * scale * scale * decay,
        ];
        if x >= truth {
            return tails;
        }
        [
            1.0 - tails[0],
            distance + tails[1],
            0.5 * distance * distance + scale * scale - tails[2],
        ]
    }
}

impl Law for ClampedLaplace {
    fn mean(&self) -> Option<f64> {
        let Setting { low, high, .. } = self.0.valid()?;
        finite(low + (self.tails(low)[1] - self.tails(high)[1]))
    }

    fn sd(&self) -> Option<f64> {
        let Setting { low, high, .. } = self.0.valid()?;
        let ([_, g_low, h_low], [_, g_high, h_high]) = (self.tails(low), self.tails(high));
        let first = g_low - g_high;
        let second = 2.0 * (h_low - h_high - (high - low) * g_high);
        finite((second - first * first).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        let free = super::Laplace::new(scale, truth).quantile(p)?;
        Some(free.clamp(low, high))
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        if x.is_nan() {
            None
        } else if x < low {
            Some(0.0)
        } else if x >= high {
            Some(1.0)
        } else {
            super::Laplace::new(scale, truth).cdf(x)
        }
    }

    /// There is none: the ends are atoms.
    fn density(&self, _: f64) -> Option<f64> {
        None
    }
}

/// The absolute error of the answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedAbsError(Setting);

impl ClampedAbsError {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedAbsError(Setting {
            scale,
            truth,
            low,
            high,
        })
    }

    /// The least error, and the largest errors that each half of the noise can make.
    fn reach(&self) -> Option<(f64, [f64; 2])> {
        let Setting {
            truth, low, high, ..
        } = self.0.valid()?;
        // outside, the half of the noise that leads away changes nothing
        Some(if truth < low {
            (low - truth, [low - truth, high - truth])
        } else if truth > high {
            (truth - high, [truth - high, truth - low])
        } else {
            (0.0, [truth - low, high - truth])
        })
    }

    /// exp(−x/b).
    fn decay(&self, x: f64) -> f64 {
        if x == 0.0 {
            1.0
        } else {
            libm::exp(-x / self.0.scale)
        }
    }
}

impl Law for ClampedAbsError {
    fn mean(&self) -> Option<f64> {
        let (least, ends) = self.reach()?;
        let half = |end: f64| 0.5 * self.0.scale * (self.decay(least) - self.decay(end));
        finite(least + half(ends[0]) + half(ends[1]))
    }

    fn sd(&self) -> Option<f64> {
        let (least, ends) = self.reach()?;
        let scale = self.0.scale;
        // of the error beyond the least one: ∫ 2y·½e^{−(least + y)/b} dy up to the end
        let half = |end: f64| {
            let width = end - least;
            let reached = self.decay(end) * (scale + width);
            scale * (self.decay(least) * scale - if reached > 0.0 { reached } else { 0.0 })
        };
        let first = self.mean()? - least;
        let second = half(ends[0]) + half(ends[1]);
        finite((second - first * first).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let (least, ends) = self.reach()?;
        let p = open_probability(p)?;
        let scale = self.0.scale;
        if scale == 0.0 {
            return Some(least);
        }
        let (near, far) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        // 1 − p is exact for p above one half, and −ln(1 − p) is log1p below
        let both = -scale * libm::log1p(-p);
        let one = -scale * libm::log(2.0 * (1.0 - p));
        Some(if least == 0.0 && both < near {
            both
        } else {
            one.clamp(near, far)
        })
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        let (least, ends) = self.reach()?;
        if x.is_nan() {
            return None;
        }
        if x < least {
            return Some(0.0);
        }
        if self.0.scale == 0.0 {
            return Some(1.0);
        }
        let above: f64 = ends
            .iter()
            .filter(|&&end| x < end)
            .map(|_| 0.5 * self.decay(x))
            .sum();
        // 1 − e^{−x/b} loses digits near 0
        Some(if x < ends[0] && x < ends[1] {
            -libm::expm1(-x / self.0.scale)
        } else {
            1.0 - above
        })
    }

    /// There is none: the ends are atoms.
    fn density(&self, _: f64) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    /// (truth, low, high): inside, at an end, and outside on either side.
    const SETTINGS: [(f64, f64, f64); 6] = [
        (40.0, 0.0, 120.0),
        (97.8, 0.0, 120.0),
        (0.0, 0.0, 120.0),
        (60.0, 0.0, 120.0),
        (-5.0, 0.0, 120.0),
        (130.0, 0.0, 120.0),
    ];

    #[test]
    fn agree_with_simulation_and_are_told_from_wrong_laws() {
        for (truth, low, high) in SETTINGS {
            let scale = 50.0;
            let answers =
                trial::samples(|e| (truth + scale * (e.next() - e.next())).clamp(low, high));
            let errors: Vec<f64> = answers.iter().map(|x| (x - truth).abs()).collect();
            let answer = ClampedLaplace::new(scale, truth, low, high);
            let error = ClampedAbsError::new(scale, truth, low, high);
            agrees(&answer, &answers, true);
            agrees(&error, &errors, true);
            agrees(
                &ClampedLaplace::new(1.02 * scale, truth, low, high),
                &answers,
                false,
            );
            agrees(
                &ClampedAbsError::new(1.02 * scale, truth, low, high),
                &errors,
                false,
            );
        }
    }

    /// Whether mean, variance and the distribution function at points off the atoms are within 5.5 standard errors, as the
    /// shared checks have it; those compare at quantiles, which here may be atoms. 12 samples with 9 statistics: a false alarm
    /// has probability below 1e-5.
    #[track_caller]
    fn agrees(law: &dyn Law, samples: &[f64], expected: bool) {
        let n = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / n;
        let central = |power| samples.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
        let (variance, fourth) = (central(2), central(4));
        let sd = law.sd().unwrap();
        let mut z = vec![
            (mean - law.mean().unwrap()) / (variance / n).sqrt(),
            (variance - sd * sd) / ((fourth - variance * variance) / n).sqrt(),
        ];
        for x in [7.3, 11.9, 23.1, 37.7, 61.3, 83.9, 111.1] {
            let exact = law.cdf(x).unwrap();
            let below = samples.iter().filter(|&&value| value <= x).count() as f64 / n;
            if exact > 0.0 && exact < 1.0 {
                z.push((below - exact) / (exact * (1.0 - exact) / n).sqrt());
            } else {
                assert_eq!(below, exact);
            }
        }
        let largest = z.iter().fold(0.0, |most: f64, z| most.max(z.abs()));
        assert_eq!(
            largest < 5.5,
            expected,
            "{law:?}: {largest} standard errors"
        );
    }

    #[test]
    fn quantiles_invert_the_distribution_function() {
        for (truth, low, high) in SETTINGS {
            let laws: [Box<dyn Law>; 2] = [
                Box::new(ClampedLaplace::new(30.0, truth, low, high)),
                Box::new(ClampedAbsError::new(30.0, truth, low, high)),
            ];
            for law in laws {
                let mut last = f64::NEG_INFINITY;
                for step in 1..400 {
                    let p = f64::from(step) / 400.0;
                    let x = law.quantile(p).unwrap();
                    assert!(x >= last);
                    last = x;
                    // the least x with P(X ≤ x) ≥ p
                    let room = 1e-9 * x.abs().max(1.0);
                    assert!(law.cdf(x + room).unwrap() >= p - 1e-12, "{law:?} {p} {x}");
                    assert!(law.cdf(x - room).unwrap() <= p + 1e-12, "{law:?} {p} {x}");
                }
                assert_eq!((law.quantile(0.0), law.quantile(1.0)), (None, None));
            }
        }
    }

    #[test]
    fn a_wide_interval_changes_nothing_and_a_point_leaves_nothing() {
        let wide = ClampedAbsError::new(2.0, 5.0, -1e6, 1e6);
        assert!((wide.mean().unwrap() - 2.0).abs() < 1e-12);
        assert!((wide.sd().unwrap() - 2.0).abs() < 1e-12);
        let answer = ClampedLaplace::new(2.0, 5.0, -100.0, 110.0);
        assert!((answer.mean().unwrap() - 5.0).abs() < 1e-12);
        assert!((answer.sd().unwrap() - 8.0_f64.sqrt()).abs() < 1e-9);
        assert!(answer.bias().unwrap().abs() < 1e-12);
        let point = ClampedAbsError::new(2.0, 5.0, 5.0, 5.0);
        assert_eq!((point.mean(), point.sd()), (Some(0.0), Some(0.0)));
        let silent = ClampedAbsError::new(0.0, 5.0, 0.0, 10.0);
        assert_eq!(
            (silent.mean(), silent.quantile(0.9)),
            (Some(0.0), Some(0.0))
        );
        assert_eq!(silent.cdf(0.0), Some(1.0));
    }

    /// The article's max query at ε = 1 under the proportional split: noise of scale 121.12 on ages from 0 to 120. Independent
    /// value: ½·b·(2 − e^{−97.79…/b} − e^{−22.2…/b}), computed by hand from the two exponentials.
    #[test]
    fn clamping_ages_to_their_bounds() {
        let law = ClampedAbsError::new(121.12, 97.79097235982081, 0.0, 120.0);
        let expected = 60.56
            * (2.0
                - libm::exp(-97.79097235982081 / 121.12)
                - libm::exp(-22.20902764017919 / 121.12));
        assert!((law.mean().unwrap() - expected).abs() < 1e-10);
        assert!(law.mean().unwrap() < 45.0);
    }

    #[test]
    fn are_silent_about_bad_parameters() {
        for (scale, truth, low, high) in [
            (f64::NAN, 0.0, 0.0, 1.0),
            (-1.0, 0.0, 0.0, 1.0),
            (1.0, f64::NAN, 0.0, 1.0),
            (1.0, 0.0, 1.0, 0.0),
            (1.0, 0.0, f64::NEG_INFINITY, 0.0),
        ] {
            trial::silent(&ClampedLaplace::new(scale, truth, low, high));
            trial::silent(&ClampedAbsError::new(scale, truth, low, high));
        }
    }
}
