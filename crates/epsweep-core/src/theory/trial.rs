//! What the tests of every law share: simulation from independent draws, and consistency of a law with itself.
//!
//! Each simulation checks up to 12 statistics against the law with a threshold of 5.5 standard errors (two-sided
//! 3.8e−8 each for a normal statistic). With 16 laws the suite would raise a false alarm with probability below 2e−5 over the choice of
//! the seed, which is fixed. A law whose scales are 1 % off moves some
//! statistic by 9 standard errors or more, so `rejects` misses it with probability below 1e−3 (and not at this seed).

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::Law;

const SAMPLES: usize = 1_000_000;
const THRESHOLD: f64 = 5.5;

/// Standard exponentials from xoshiro256++ by inversion.
pub(super) struct Exponentials(Xoshiro256PlusPlus);

impl Exponentials {
    pub(super) fn next(&mut self) -> f64 {
        // 53 bits, centred in their cells: never 0 or 1
        let uniform = ((self.0.next_u64() >> 11) as f64 + 0.5) / libm::exp2(53.0);
        -libm::log(uniform)
    }

    /// Two standard normals by Box and Muller, from a radius and a uniform angle.
    pub(super) fn normals(&mut self) -> [f64; 2] {
        let radius = (2.0 * self.next()).sqrt();
        let angle = 2.0 * std::f64::consts::PI * libm::exp(-self.next());
        [radius * libm::cos(angle), radius * libm::sin(angle)]
    }
}

/// Independent values of a measure.
pub(super) fn samples(mut measure: impl FnMut(&mut Exponentials) -> f64) -> Vec<f64> {
    let mut source = Exponentials(Xoshiro256PlusPlus::seed_from_u64(20_240_611));
    (0..SAMPLES).map(|_| measure(&mut source)).collect()
}

/// The largest |z| over mean, sd, and the fractions below nine quantiles, as far as the law knows them.
fn largest_z(law: &dyn Law, samples: &[f64]) -> f64 {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let central = |power: i32| samples.iter().map(|x| (x - mean).powi(power)).sum::<f64>() / n;
    let (variance, fourth) = (central(2), central(4));
    let (exact_mean, exact_sd) = (law.mean().unwrap(), law.sd().unwrap());
    let mut largest = ((mean - exact_mean) / (variance / n).sqrt()).abs();
    let variance_error = ((fourth - variance * variance) / n).sqrt();
    largest = largest.max(((variance - exact_sd * exact_sd) / variance_error).abs());
    for p in [0.01, 0.05, 0.25, 0.4, 0.5, 0.75, 0.9, 0.95, 0.99] {
        if let Some(quantile) = law.quantile(p) {
            let below = samples.iter().filter(|&&x| x <= quantile).count() as f64 / n;
            largest = largest.max(((below - p) / (p * (1.0 - p) / n).sqrt()).abs());
        }
    }
    largest
}

pub(super) fn accepts(law: &dyn Law, samples: &[f64]) {
    let z = largest_z(law, samples);
    assert!(z < THRESHOLD, "{law:?} differs by {z} standard errors");
}

pub(super) fn rejects(law: &dyn Law, samples: &[f64]) {
    let z = largest_z(law, samples);
    assert!(
        z > THRESHOLD,
        "{law:?} is wrong, but passes with {z} standard errors"
    );
}

/// [`inverts_within`] from the 1e−6-quantile to its mirror image.
pub(super) fn inverts(law: &dyn Law) {
    inverts_within(law, 1e-6);
}

/// cdf(quantile(p)) = p for p from `least` to 1 − `least`, quantiles rise, and the density is the slope of the distribution
/// function.
pub(super) fn inverts_within(law: &dyn Law, least: f64) {
    let mut last = f64::NEG_INFINITY;
    let inner = [0.01, 0.05, 0.25, 0.45, 0.5, 0.55, 0.75, 0.95, 0.99];
    for p in [least].into_iter().chain(inner).chain([1.0 - least]) {
        let x = law.quantile(p).unwrap();
        assert!(
            x > last,
            "quantile({p}) = {x} is not above {last} in {law:?}"
        );
        last = x;
        let back = law.cdf(x).unwrap();
        let error = (back - p).abs() / p;
        assert!(error < 1e-9, "cdf(quantile({p})) = {back} in {law:?}");
        // The central difference errs by O(h²) and by rounding of 1e−12/h.
        let h = 1e-4 * x.abs().min(law.sd().unwrap());
        if inner.contains(&p) {
            let slope = (law.cdf(x + h).unwrap() - law.cdf(x - h).unwrap()) / (2.0 * h);
            let density = law.density(x).unwrap();
            assert!(
                (slope / density - 1.0).abs() < 1e-4,
                "density({x}) = {density}, slope {slope} in {law:?}"
            );
        }
    }
    assert_eq!(
        (law.quantile(0.0), law.quantile(1.0), law.quantile(f64::NAN)),
        (None, None, None)
    );
}

/// A law of invalid parameters knows nothing.
pub(super) fn silent(law: &dyn Law) {
    assert_eq!(
        (
            law.mean(),
            law.sd(),
            law.quantile(0.5),
            law.cdf(1.0),
            law.density(1.0)
        ),
        (None, None, None, None, None),
        "{law:?}"
    );
}
