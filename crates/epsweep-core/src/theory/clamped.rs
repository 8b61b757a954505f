//! Laplace noise after clamping to an interval.
//!
//! The answer t + Z, with Z of the Laplace law of scale b, is moved to the nearer end of [low, high] where it lies outside. Its
//! law is that of t + Z inside and has an atom at each end. Without an upper end (counts that are not negative) high is infinite.
//!
//! Let ℓ be the distance of t to the interval (0 inside). With probability ½ each the noise leads to either side, where the error is at
//! least ℓ and at most the distance d to the end of that side: its size there is min(max(E, ℓ), d) with E exponential of mean b. So
//! the size has the moments
//!
//! E(|X − t| − ℓ)ᵏ = Σ ½·e^{−ℓ/b}·k·bᵏ·γ(k, (d − ℓ)/b) over both sides,
//!
//! with the lower incomplete gamma function γ. All terms are positive: nothing cancels, however large the noise is beside the
//! interval.

use super::{Law, finite, open_probability, valid_scale};

/// Truth, scale and interval of a clamped answer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    scale: f64,
    truth: f64,
    low: f64,
    high: f64,
}

/// How far a clamped answer is from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reach {
    /// the scale of the noise
    scale: f64,
    /// the least error: the distance from the truth to the interval
    least: f64,
    /// the largest errors that the noise downwards and upwards can make; infinite without an end
    ends: [f64; 2],
    /// where the answer is if the noise leads out of the interval by the nearer way: −1 below the truth, 1 above it
    side: f64,
}

impl Setting {
    fn valid(self) -> Option<Self> {
        valid_scale(self.scale)?;
        finite(self.truth)?;
        finite(self.low)?;
        (self.low <= self.high).then_some(self)
    }

    fn reach(self) -> Option<Reach> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.valid()?;
        // outside, the half of the noise that leads away changes nothing
        let (least, ends, side) = if truth < low {
            (low - truth, [low - truth, high - truth], 1.0)
        } else if truth > high {
            (truth - high, [truth - low, truth - high], -1.0)
        } else {
            (0.0, [truth - low, high - truth], 0.0)
        };
        Some(Reach {
            scale,
            least,
            ends,
            side,
        })
    }
}

impl Reach {
    /// exp(−x/b).
    fn decay(&self, x: f64) -> f64 {
        if x == 0.0 {
            1.0
        } else {
            libm::exp(-x / self.scale)
        }
    }

    /// E(|X − t| − ℓ)ᵏ over the noise of either side, for k from 1 to 4.
    fn halves(&self, k: i32) -> [f64; 2] {
        if self.scale == 0.0 {
            return [0.0; 2];
        }
        let factor = 0.5 * self.decay(self.least) * f64::from(k);
        self.ends.map(|end| {
            let width = (end - self.least) / self.scale;
            factor * powers(self.scale, k) * lower_gamma(k, width)
        })
    }

    /// E(|X − t| − ℓ)ᵏ.
    fn beyond(&self, k: i32) -> f64 {
        let [down, up] = self.halves(k);
        down + up
    }
}

/// xᵏ by multiplications.
fn powers(x: f64, k: i32) -> f64 {
    (0..k).fold(1.0, |power, _| power * x)
}

/// γ(k, x) = ∫₀ˣ y^{k−1}e^{−y} dy for k from 1 to 4 and x ≥ 0 (Abramowitz and Stegun 6.5.4 and 6.5.29, and 6.5.13 for whole k).
fn lower_gamma(k: i32, x: f64) -> f64 {
    if x < 2.0 {
        // x^k·e^{−x}·Σ xⁿ/(k(k+1)…(k+n))
        let mut term = 1.0 / f64::from(k);
        let mut sum = term;
        let mut n = k;
        while term > 1e-18 * sum {
            n += 1;
            term *= x / f64::from(n);
            sum += term;
        }
        return powers(x, k) * libm::exp(-x) * sum;
    }
    let factorial = (1..k).fold(1.0, |product, j| product * f64::from(j));
    if x > 745.0 {
        return factorial;
    }
    // (k−1)!·(1 − e^{−x}·Σ xʲ/j!)
    let mut term = 1.0;
    let mut sum = term;
    for j in 1..k {
        term *= x / f64::from(j);
        sum += term;
    }
    factorial * (1.0 - libm::exp(-x) * sum)
}

/// The answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedLaplace(Setting);

impl ClampedLaplace {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
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
        let reach = self.0.reach()?;
        let [down, up] = reach.halves(1);
        finite(match reach.side {
            0.0 => up - down,
            side => side * (reach.least + down + up),
        })
    }
}

impl Law for ClampedLaplace {
    fn mean(&self) -> Option<f64> {
        finite(self.0.truth + self.bias()?)
    }

    fn sd(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        let [down, up] = reach.halves(1);
        let first = match reach.side {
            0.0 => up - down,
            _ => up + down,
        };
        finite((reach.beyond(2) - first * first).max(0.0).sqrt())
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

    /// That of the noise between the ends, which are atoms without a density.
    fn density(&self, x: f64) -> Option<f64> {
        let Setting {
            scale,
            truth,
            low,
            high,
        } = self.0.valid()?;
        if x == low || x == high {
            None
        } else if low < x && x < high {
            super::Laplace::new(scale, truth).density(x)
        } else {
            (!x.is_nan()).then_some(0.0)
        }
    }
}

/// The absolute error of the answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedAbsError(Setting);

impl ClampedAbsError {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedAbsError(Setting {
            scale,
            truth,
            low,
            high,
        })
    }
}

impl Law for ClampedAbsError {
    fn mean(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        finite(reach.least + reach.beyond(1))
    }

    fn sd(&self) -> Option<f64> {
        let reach = self.0.reach()?;
        let first = reach.beyond(1);
        finite((reach.beyond(2) - first * first).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let Reach {
            scale, least, ends, ..
        } = self.0.reach()?;
        let p = open_probability(p)?;
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
        let reach = self.0.reach()?;
        if x.is_nan() {
            return None;
        }
        if x < reach.least {
            return Some(0.0);
        }
        if reach.scale == 0.0 {
            return Some(1.0);
        }
        let ends = reach.ends;
        let above: f64 = ends
            .iter()
            .filter(|&&end| x < end)
            .map(|_| 0.5 * reach.decay(x))
            .sum();
        // 1 − e^{−x/b} loses digits near 0
        Some(if x < ends[0] && x < ends[1] {
            -libm::expm1(-x / reach.scale)
        } else {
            1.0 - above
        })
    }

    /// That of each half of the noise up to its end; the ends, and a least error above 0, are atoms without a density.
    fn density(&self, x: f64) -> Option<f64> {
        let reach = self.0.reach()?;
        let atom = reach.ends.contains(&x) || (x == reach.least && (x > 0.0 || reach.scale == 0.0));
        if x.is_nan() || atom {
            return None;
        }
        if x < reach.least || reach.scale == 0.0 {
            return Some(0.0);
        }
        let halves = reach.ends.iter().filter(|&&end| x < end).count();
        finite(0.5 * halves as f64 * reach.decay(x) / reach.scale)
    }
}

/// The squared error of the answer under Laplace noise, clamped to [low, high].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClampedSquaredError(ClampedAbsError);

impl ClampedSquaredError {
    /// Scale b = Δ/ε, true answer, and the interval, in the units of the answer; `high` may be infinite.
    pub fn new(scale: f64, truth: f64, low: f64, high: f64) -> Self {
        ClampedSquaredError(ClampedAbsError::new(scale, truth, low, high))
    }
}

impl Law for ClampedSquaredError {
    fn mean(&self) -> Option<f64> {
        let reach = self.0.0.reach()?;
        let least = reach.least;
        finite(least * least + 2.0 * least * reach.beyond(1) + reach.beyond(2))
    }

    /// Of (ℓ + Y)² = ℓ² + 2ℓY + Y²: the standard deviation of 2ℓY + Y².
    fn sd(&self) -> Option<f64> {
        let reach = self.0.0.reach()?;
        let twice = 2.0 * reach.least;
        let [first, second, third, fourth] = [1, 2, 3, 4].map(|k| reach.beyond(k));
        let mean = twice * first + second;
        let square = twice * twice * second + 2.0 * twice * third + fourth;
        finite((square - mean * mean).max(0.0).sqrt())
    }

    fn quantile(&self, p: f64) -> Option<f64> {
        let root = self.0.quantile(p)?;
        finite(root * root)
    }

    fn cdf(&self, x: f64) -> Option<f64> {
        self.0.cdf(if x < 0.0 { -1.0 } else { x.sqrt() })
    }

    fn density(&self, x: f64) -> Option<f64> {
        if x < 0.0 {
            return self.0.density(-1.0);
        }
        // −0 would make it negative
        let root = x.abs().sqrt();
        Some(self.0.density(root)? / (2.0 * root))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial;
    use super::*;

    /// (truth, low, high): inside, at an end, and outside on either side; without an upper end, too.
    const SETTINGS: [(f64, f64, f64); 9] = [
        (40.0, 0.0, f64::INFINITY),
        (0.0, 0.0, f64::INFINITY),
        (-30.0, 0.0, f64::INFINITY),
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
            let squares: Vec<f64> = errors.iter().map(|error| error * error).collect();
            for (factor, expected) in [(1.0, true), (1.02, false)] {
                let square = ClampedSquaredError::new(factor * scale, truth, low, high);
                agrees(&square, &squares, expected);
            }
        }
    }

    /// Whether mean, variance and the distribution function at points off the atoms are within 5.5 standard errors, as the
    /// shared checks have it; those compare at quantiles, which here may be atoms. 27 samples with 9 statistics: a false alarm
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
            let laws: [Box<dyn Law>; 3] = [
                Box::new(ClampedSquaredError::new(30.0, truth, low, high)),
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
    fn densities_are_slopes_off_the_atoms() {
        for (truth, low, high) in SETTINGS {
            let laws: [Box<dyn Law>; 3] = [
                Box::new(ClampedLaplace::new(30.0, truth, low, high)),
                Box::new(ClampedAbsError::new(30.0, truth, low, high)),
                Box::new(ClampedSquaredError::new(30.0, truth, low, high)),
            ];
            for law in laws {
                for x in [-7.3, 3.1, 17.7, 61.3, 83.9, 111.1, 333.3] {
                    let step = 1e-4;
                    let slope =
                        (law.cdf(x + step).unwrap() - law.cdf(x - step).unwrap()) / (2.0 * step);
                    let density = law.density(x).unwrap();
                    assert!(
                        (density - slope).abs() < 1e-9,
                        "{law:?} {x} {density} {slope}"
                    );
                }
            }
            assert_eq!(
                ClampedLaplace::new(30.0, truth, low, high).density(low),
                None
            );
            let error = ClampedAbsError::new(30.0, truth, low, high);
            assert_eq!(error.density((truth - low).abs()), None);
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

    /// Noise so large that each answer is at an end with probability ½ up to a part in 10¹²: the moments of a fair coin, which a
    /// difference of terms of the size of the noise's square would lose. And noise of the interval's size against quadrature.
    #[test]
    fn moments_keep_their_digits_beside_any_noise() {
        for scale in [1e14, 1e60] {
            let (truth, low, high) = (40.0, 0.0, 120.0);
            let answer = ClampedLaplace::new(scale, truth, low, high);
            assert!((answer.mean().unwrap() - 60.0).abs() < 1e-9);
            assert!((answer.sd().unwrap() - 60.0).abs() < 1e-9);
            let error = ClampedAbsError::new(scale, truth, low, high);
            assert!((error.mean().unwrap() - 60.0).abs() < 1e-9);
            assert!((error.sd().unwrap() - 20.0).abs() < 1e-9);
            let square = ClampedSquaredError::new(scale, truth, low, high);
            assert!((square.mean().unwrap() - 4000.0).abs() < 1e-8);
            assert!((square.sd().unwrap() - 2400.0).abs() < 1e-8);
        }
        // E|X − t|ᵏ = ∫ k·xᵏ⁻¹·P(|X − t| > x) dx by the midpoint rule
        for scale in [3.0, 40.0, 59.9, 60.1, 1000.0] {
            for (truth, low, high) in [(40.0, 0.0, 120.0), (-15.0, 0.0, 120.0)] {
                let law = ClampedAbsError::new(scale, truth, low, high);
                // from the least error on, so that no step of the rule holds an atom
                let least = (low - truth).max(0.0);
                let end = (high - truth).max(truth - low);
                let steps = 400_000;
                let width = (end - least) / f64::from(steps);
                let mut moments = [1, 2, 3, 4].map(|k| powers(least, k));
                for step in 0..steps {
                    let x = least + (f64::from(step) + 0.5) * width;
                    let above = (1.0 - law.cdf(x).unwrap()) * width;
                    for (k, moment) in moments.iter_mut().enumerate() {
                        *moment += (k as f64 + 1.0) * powers(x, k as i32) * above;
                    }
                }
                let [first, second, _, fourth] = moments;
                let square = ClampedSquaredError::new(scale, truth, low, high);
                for (exact, expected) in [
                    (law.mean(), first),
                    (law.sd(), (second - first * first).sqrt()),
                    (square.mean(), second),
                    (square.sd(), (fourth - second * second).sqrt()),
                ] {
                    let exact = exact.unwrap();
                    assert!(
                        (exact / expected - 1.0).abs() < 2e-5,
                        "{law:?} {exact} {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_incomplete_gamma_function_joins_at_its_seam() {
        for k in 1..=4 {
            let (below, above) = (lower_gamma(k, 2.0 - 1e-15), lower_gamma(k, 2.0));
            assert!((below / above - 1.0).abs() < 1e-13, "{k} {below} {above}");
        }
        // 1 − 5/e² for k = 3: γ(3, 2) = 2·(1 − 5e⁻²)
        assert!((lower_gamma(3, 2.0) - 2.0 * (1.0 - 5.0 * libm::exp(-2.0))).abs() < 1e-15);
        assert_eq!(
            (lower_gamma(4, 0.0), lower_gamma(4, f64::INFINITY)),
            (0.0, 6.0)
        );
        // x⁴/4 for small x
        assert!((lower_gamma(4, 1e-9) / 2.5e-37 - 1.0).abs() < 1e-8);
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
            trial::silent(&ClampedSquaredError::new(scale, truth, low, high));
        }
    }
}
