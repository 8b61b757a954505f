//! What holds for every kind of noise, and what the tests of single kinds share.
//!
//! Draws are compared with their law by chi-square tests (fixed seeds; a right law is rejected with probability below 1e−7 each) and
//! Kolmogorov–Smirnov tests (√n·D < 2.8: 3e−7); there are about ten of each. Laws whose scale is some percent off are rejected.

use super::*;
use crate::budget::{Budget, Delta, Epsilon, Rho};
use crate::random::{Draws, Source};
use crate::statistics::ks_statistic;
use crate::theory::Symmetric;
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::collections::BTreeMap;

const DRAWS: usize = 400_000;

/// Errors as a procedure draws them, block by block.
pub(super) fn drawn(noise: &dyn Noise) -> Vec<f64> {
    let sources: Vec<Source> = match noise.transform() {
        Some(transform) => {
            assert_eq!(transform.sources()[0], noise.standard());
            let named = |(i, law): (usize, &StandardLaw)| Source::new(&format!("row {i}"), *law, 1);
            transform.sources().iter().enumerate().map(named).collect()
        }
        None => vec![Source::new("row 0", noise.standard(), 1)],
    };
    let draws = Draws::new(20_240_817, DRAWS, &sources);
    let mut errors = vec![0.0; DRAWS];
    for (block, out) in errors.chunks_mut(512).enumerate() {
        let from = 512 * block;
        let rows: Vec<&[f64]> = (0..sources.len())
            .map(|source| &draws.row(source, 0)[from..from + out.len()])
            .collect();
        match noise.transform() {
            Some(transform) => transform.apply(&rows, out),
            None => {
                for (error, variate) in out.iter_mut().zip(rows[0]) {
                    *error = noise.scale() * variate;
                }
            }
        }
    }
    errors
}

/// The p-value of the chi-square test of integer draws against a probability mass function; rare values are pooled.
pub(super) fn chi_square(draws: &[f64], mass: impl Fn(f64) -> f64) -> f64 {
    let mut counts: BTreeMap<i64, f64> = BTreeMap::new();
    for &x in draws {
        assert_eq!(x.fract(), 0.0);
        assert!(x != 0.0 || x.is_sign_positive(), "a negative zero");
        *counts.entry(x as i64).or_default() += 1.0;
    }
    let n = draws.len() as f64;
    let (mut statistic, mut cells, mut seen, mut expected_so_far) = (0.0, 0.0, 0.0, 0.0);
    let (first, last) = (
        *counts.keys().next().unwrap(),
        *counts.keys().next_back().unwrap(),
    );
    // cells of at least 20 expected draws; what is left in the tails makes the last one
    let (mut observed, mut expected) = (0.0, 0.0);
    for x in first..=last {
        observed += counts.get(&x).copied().unwrap_or(0.0);
        expected += n * mass(x as f64);
        if expected >= 20.0 {
            statistic += (observed - expected) * (observed - expected) / expected;
            cells += 1.0;
            seen += observed;
            expected_so_far += expected;
            (observed, expected) = (0.0, 0.0);
        }
    }
    let rest = n - expected_so_far;
    if rest >= 1.0 {
        let difference = (n - seen) - rest;
        statistic += difference * difference / rest;
        cells += 1.0;
    }
    ChiSquared::new(cells - 1.0).unwrap().sf(statistic)
}

pub(super) fn assert_masses_match(
    draws: &[f64],
    right: impl Fn(f64) -> f64,
    wrong: impl Fn(f64) -> f64,
) {
    let p = chi_square(draws, right);
    assert!(p > 1e-7, "the law is rejected: {p:e}");
    let p = chi_square(draws, wrong);
    assert!(p < 1e-7, "a wrong law passes: {p:e}");
}

/// Kolmogorov–Smirnov of continuous draws.
pub(super) fn assert_law_matches(draws: &[f64], right: &dyn Law, wrong: &dyn Law) {
    let distance = |law: &dyn Law| {
        let statistic = ks_statistic(draws, |x| law.cdf(x).unwrap()).unwrap();
        statistic.distance() * (draws.len() as f64).sqrt()
    };
    let (accepted, rejected) = (distance(right), distance(wrong));
    assert!(accepted < 2.8, "the law is rejected: {accepted}");
    assert!(rejected > 2.8, "a wrong law passes: {rejected}");
}

/// The place between doubles from which on the increasing map gives at least `m`, between 0 and `end`; `None` if it does not.
fn threshold(m: f64, end: f64, map: &dyn Fn(f64) -> f64) -> Option<f64> {
    let (mut low, mut high) = (0_u64, end.to_bits());
    if map(end) < m {
        return None;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if map(f64::from_bits(middle)) >= m {
            high = middle;
        } else {
            low = middle;
        }
    }
    // an exact variate is rounded to one of the two doubles
    Some(0.5 * (f64::from_bits(low) + f64::from_bits(high)))
}

/// The total variation between an integer law and what an odd, increasing map makes of a symmetric standard variate with
/// tail P(> y), of magnitudes up to `end`: ½·Σ|p − q|, every value and its mirror image.
pub(super) fn total_variation(
    law: &dyn Symmetric,
    tail: fn(f64) -> f64,
    end: f64,
    map: impl Fn(f64) -> f64,
) -> f64 {
    let (mut sum, mut exact, mut got) = (0.0, 0.5, 0.5);
    for m in 1.. {
        let m = f64::from(m);
        let reached = threshold(m, end, &map);
        let (next_exact, next_got) = (law.at_least(m), reached.map_or(0.0, tail));
        // P(X = m − 1), where at 0 both halves are summed
        sum += ((exact - next_exact) - (got - next_got)).abs();
        (exact, got) = (next_exact, next_got);
        if reached.is_none() {
            return sum + (exact - got).abs();
        }
    }
    sum
}

/// An estimate of the total variation for a map that takes a uniform variate, too, from 200 values up to what a variate of `end` gives.
/// `between(a, b)` is the probability of a standard variate from a to b, of which the one of a value is averaged over `spread`
/// uniform variates. Differences of tails would not do: their rounding is as large as what is looked for.
pub(super) fn averaged_error(
    mass: impl Fn(f64) -> f64,
    between: fn(f64, f64) -> f64,
    end: f64,
    spread: u32,
    apply: impl Fn(f64, f64) -> f64,
) -> f64 {
    let largest = apply(end, 0.5);
    let values = 200;
    let mut sum = 0.0;
    for i in 0..values {
        let m = 1.0 + (largest * (f64::from(i) + 0.37) / f64::from(values)).floor();
        let mut got = 0.0;
        for j in 0..spread {
            // multiples of the golden section are spread evenly
            let uniform = (0.618_033_988_749_894_9 * f64::from(j) + 0.5).fract();
            let map = |variate: f64| apply(variate, uniform);
            let [from, to] = [m, m + 1.0].map(|m| threshold(m, 1.1 * end, &map).unwrap());
            got += between(from, to);
        }
        sum += (got / f64::from(spread) - mass(m)).abs();
    }
    sum / f64::from(values) * largest
}

/// A budget that the kind takes.
fn budget(kind: &dyn NoiseKind) -> Budget {
    let epsilon = Epsilon::new(0.5).unwrap();
    let budgets = [
        Budget::Pure(epsilon),
        Budget::Approximate(epsilon, Delta::new(1e-3).unwrap()),
    ];
    let taken = |budget: &Budget| {
        let sensitivity = Sensitivity { l1: 3.0, l2: 3.0 };
        kind.calibrate(sensitivity, Some(*budget)).is_ok()
    };
    budgets.into_iter().find(taken).unwrap()
}

/// Every kind, at Δ = 3 and ε = 1/2.
fn each() -> impl Iterator<Item = (&'static dyn NoiseKind, Box<dyn Noise>, Budget)> {
    kinds().map(|kind| {
        let budget = budget(kind);
        let noise = kind.calibrate(Sensitivity { l1: 3.0, l2: 3.0 }, Some(budget));
        (kind, noise.unwrap(), budget)
    })
}

/// Whether errors are integers: their law has no density.
fn lattice(noise: &dyn Noise) -> bool {
    noise.error_law().density(1.0).is_none()
}

#[test]
fn discrete_kinds_are_those_without_a_density() {
    for (kind, noise, _) in each() {
        assert_eq!(kind.discrete(), lattice(&*noise), "{}", kind.about().name);
    }
}

#[test]
fn names_are_unique_and_found() {
    let all: Vec<_> = kinds().collect();
    assert_eq!(all.len(), REGISTRY.len() + TRANSFORMED.len());
    for (index, kind_) in all.iter().enumerate() {
        let name = kind_.about().name;
        assert_eq!(kind(name).unwrap().about().name, kind_.about().name);
        assert!(all[..index].iter().all(|other| other.about().name != name));
        let about = kind_.about();
        assert!(!about.summary.is_empty() && !about.source.is_empty() && !about.formula.is_empty());
    }
    assert!(kind("lapalce").is_none());
}

#[test]
fn only_the_transformed_kinds_have_a_transform() {
    for (kind, noise, _) in each() {
        let listed = TRANSFORMED
            .iter()
            .any(|other| other.about().name == kind.about().name);
        assert_eq!(noise.transform().is_some(), listed, "{}", kind.about().name);
        assert!(noise.scale().is_finite() && noise.scale() > 0.0);
    }
}

#[test]
fn transforms_are_odd_and_increasing_and_tell_trials_apart() {
    for (kind, noise, _) in each() {
        let Some(transform) = noise.transform() else {
            continue;
        };
        let variates: Vec<f64> = (1..4000)
            .map(|i| match noise.standard() {
                StandardLaw::Uniform => f64::from(i) / 4000.0,
                _ => (f64::from(i) - 2000.0) / 250.0,
            })
            .collect();
        let middle = vec![0.5; variates.len()];
        let rows = [variates.as_slice(), middle.as_slice()];
        let mut errors = vec![f64::NAN; variates.len()];
        transform.apply(&rows, &mut errors);
        let name = kind.about().name;
        assert!(errors.windows(2).all(|pair| pair[0] <= pair[1]), "{name}");
        let mirrored = errors.iter().rev();
        assert!(
            errors
                .iter()
                .zip(mirrored)
                .all(|(a, b)| (a + b).abs() <= 1e-9 * a.abs()),
            "{name}"
        );
        // block by block is the same
        let mut again = vec![f64::NAN; variates.len()];
        for (i, out) in again.chunks_mut(100).enumerate() {
            let from = 100 * i;
            let block = rows.map(|row| &row[from..from + out.len()]);
            transform.apply(&block, out);
        }
        assert_eq!(again, errors, "{name}");
        // too few rows write nothing
        let mut untouched = [7.0];
        transform.apply(&[], &mut untouched);
        assert_eq!(untouched, [7.0]);
    }
}

#[test]
fn draws_follow_the_law() {
    for (kind, noise, budget) in each() {
        let draws = drawn(&*noise);
        // a 4 % larger sensitivity; integers allow only a larger step
        let l1 = if lattice(&*noise) { 4.0 } else { 3.12 };
        let wrong = kind
            .calibrate(Sensitivity { l1, l2: l1 }, Some(budget))
            .unwrap();
        if lattice(&*noise) {
            let mass =
                |law: Arc<dyn Law>| move |x: f64| law.cdf(x).unwrap() - law.cdf(x - 1.0).unwrap();
            assert_masses_match(&draws, mass(noise.error_law()), mass(wrong.error_law()));
        } else {
            assert_law_matches(&draws, &*noise.error_law(), &*wrong.error_law());
        }
    }
}

#[test]
fn the_laws_of_a_noise_agree_with_each_other() {
    for (kind, noise, _) in each() {
        assert_eq!(noise.name(), kind.about().name);
        let error = noise.error_law();
        let sd = error.sd().unwrap();
        assert!((sd * sd / noise.variance() - 1.0).abs() < 1e-12);
        assert_eq!(error.mean(), Some(0.0));
        for level in [0.5, 0.95, 0.999] {
            let half_width = noise.half_width(level);
            let below = if lattice(&*noise) {
                half_width + 1.0
            } else {
                half_width
            };
            let inside = |half_width: f64, below: f64| {
                error.cdf(half_width).unwrap() - error.cdf(-below).unwrap()
            };
            let got = inside(half_width, below);
            if lattice(&*noise) {
                // the smallest integer that covers enough
                assert!(got >= level && inside(half_width - 1.0, below - 1.0) < level);
            } else {
                assert!((got - level).abs() < 1e-9, "{} {got} {level}", noise.name());
            }
            let abs_error = noise.abs_error_law().cdf(half_width).unwrap();
            assert!((abs_error - got).abs() < 1e-9);
            let squared = noise
                .squared_error_law()
                .cdf(half_width * half_width * (1.0 + 1e-15))
                .unwrap();
            assert!((squared - got).abs() < 1e-9);
        }
        for p in [0.001, 0.3, 0.5, 0.8] {
            let x = error.quantile(p).unwrap();
            let below = error.cdf(x).unwrap();
            assert!(below >= p - 1e-12, "{} {p}", noise.name());
            if lattice(&*noise) {
                assert!(error.cdf(x - 1.0).unwrap() < p);
            } else {
                assert!(below < p + 1e-12);
            }
        }
        let answer = noise.answer_law(40.0);
        assert_eq!(answer.mean(), Some(40.0));
        assert!(
            (answer.quantile(0.9).unwrap() - 40.0 - error.quantile(0.9).unwrap()).abs()
                < 1e-12 * 40.0
        );
    }
}

#[test]
fn the_privacy_curve_meets_the_budget() {
    for (_, noise, budget) in each() {
        let name = noise.name();
        let allowed = match budget {
            Budget::Approximate(_, delta) => delta.get(),
            _ => 1e-12,
        };
        let met = noise.delta(0.5);
        assert!(met <= allowed, "{name}: {met:e}");
        // and no less, but where the calibration is known to be loose
        if !matches!(
            name,
            "gaussian-classic" | "gaussian-classic-control" | "student-t"
        ) {
            assert!(noise.delta(0.45) > allowed * 1.05, "{name}");
        }
        let curve: Vec<f64> = (0..10).map(|i| noise.delta(0.06 * f64::from(i))).collect();
        assert!(curve.windows(2).all(|pair| pair[0] >= pair[1]), "{name}");
        assert!(curve[0] > 0.01);
    }
}

/// ∫ max(0, p − e^ε·q) by the midpoint rule (which errs by half a step at each edge of a staircase), or the sum over the
/// integers, of answers Δ = 3 apart.
#[test]
fn the_privacy_curve_is_the_hockey_stick_divergence() {
    for (_, noise, _) in each() {
        let (p, q) = (noise.answer_law(0.0), noise.answer_law(3.0));
        let whole = lattice(&*noise);
        let step = if whole { 1.0 } else { 1e-3 };
        let value = |law: &dyn Law, x: f64| {
            if whole {
                law.cdf(x).unwrap() - law.cdf(x - 1.0).unwrap()
            } else {
                law.density(x).unwrap()
            }
        };
        for epsilon in [0.0, 0.1, 0.3, 0.45] {
            let places = if whole {
                -1000..1000
            } else {
                -400_000..100_000
            };
            let integral: f64 = places
                .map(|i| {
                    let x = step * (f64::from(i) + if whole { 0.0 } else { 0.5 });
                    (value(&*p, x) - libm::exp(epsilon) * value(&*q, x)).max(0.0) * step
                })
                .sum();
            let curve = noise.delta(epsilon);
            assert!(
                (curve - integral).abs() < 5e-4 * curve + 1e-9,
                "{}: {curve} {integral}",
                noise.name()
            );
        }
    }
}

#[test]
fn without_sensitivity_there_is_no_noise_and_without_budget_no_release() {
    for kind in kinds() {
        let budget = Some(budget(kind));
        for spent in [None, budget] {
            let noise = kind
                .calibrate(Sensitivity { l1: 0.0, l2: 0.0 }, spent)
                .unwrap();
            assert_eq!((noise.scale(), noise.variance()), (0.0, 0.0));
            assert_eq!((noise.half_width(0.95), noise.delta(0.0)), (0.0, 0.0));
            assert!(noise.transform().is_none());
            assert_eq!(noise.answer_law(2.5).quantile(0.3), Some(2.5));
            assert_eq!(noise.squared_error_law().mean(), Some(0.0));
        }
        let noise = kind
            .calibrate(Sensitivity { l1: 1.0, l2: 1.0 }, None)
            .unwrap();
        assert_eq!(
            (noise.scale(), noise.half_width(0.95)),
            (f64::INFINITY, f64::INFINITY)
        );
        assert_eq!(noise.delta(0.0), 0.0);
        assert_eq!(noise.error_law().sd(), None);
        assert!(noise.transform().is_none());
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let refused = kind
                .calibrate(Sensitivity { l1: bad, l2: bad }, budget)
                .unwrap_err();
            assert!(refused.to_string().contains("Δ"), "{refused}");
        }
    }
}

#[test]
fn rho_is_taken_by_gaussian_noise_alone() {
    let rho = Some(Budget::Zcdp(Rho::new(0.125).unwrap()));
    let takers: Vec<&str> = kinds()
        .filter(|kind| {
            kind.calibrate(Sensitivity { l1: 3.0, l2: 3.0 }, rho)
                .is_ok()
        })
        .map(|kind| kind.about().name)
        .collect();
    assert_eq!(takers, ["gaussian", "discrete-gaussian"]);
}
