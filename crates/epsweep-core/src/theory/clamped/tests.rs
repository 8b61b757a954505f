use super::super::trial;
use super::reach::{lower_gamma, powers};
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
        let answers = trial::samples(|e| (truth + scale * (e.next() - e.next())).clamp(low, high));
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
        * (2.0 - libm::exp(-97.79097235982081 / 121.12) - libm::exp(-22.20902764017919 / 121.12));
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
