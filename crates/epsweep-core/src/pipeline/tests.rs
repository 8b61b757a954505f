//! The pipeline, against its definition, its exact laws and its promise.

use super::{Answer, Bound, PipelineError, Stages};
use crate::budget::{Epsilon, Shares};
use crate::data::{Bounds, Column, Table};
use crate::statistics::Moments;
use crate::theory::{Law, Of};

/// Skewed values from 0 to 100.
fn values(records: usize) -> Vec<f64> {
    (0..records)
        .map(|i| {
            let u = (i as f64 + 0.5) / records as f64;
            (-8.0 * libm::log(u)).min(100.0)
        })
        .collect()
}

fn table(values: Vec<f64>) -> Table {
    let bounds = Bounds::new(0.0, 100.0).unwrap();
    Table::new(vec![Column::number("x", values, Some(bounds)).unwrap()]).unwrap()
}

fn stages(values: Vec<f64>, bound: Bound, epsilon: f64, shares: [f64; 3]) -> Stages {
    try_stages(values, bound, epsilon, shares).unwrap()
}

fn try_stages(
    values: Vec<f64>,
    bound: Bound,
    epsilon: f64,
    shares: [f64; 3],
) -> Result<Stages, PipelineError> {
    let shares = Shares::new(shares.to_vec()).unwrap();
    Stages::new(
        &table(values),
        "x",
        bound,
        Epsilon::new(epsilon).unwrap(),
        &shares,
    )
}

const CHOSEN: Bound = Bound::Quantile {
    order: 0.9,
    points: 26,
};

#[test]
fn bias_and_scale_are_those_of_the_clipped_sum() {
    let data = values(200);
    let stages = stages(data.clone(), CHOSEN, 2.0, [0.2, 0.5, 0.3]);
    assert_eq!(stages.bounds().len(), 26);
    for (place, bound) in stages.bounds().iter().enumerate() {
        let clipped: f64 = data.iter().map(|x| x.min(*bound)).sum();
        let truth: f64 = data.iter().sum();
        assert!((stages.biases()[place] - (clipped - truth)).abs() < 1e-10);
        // Δ = B at ε₂ = 1
        assert_eq!(stages.scales()[place], *bound);
    }
    assert!((stages.count_scale() * 0.6 - 1.0).abs() < 1e-15);
    let sum: f64 = stages.probabilities().iter().sum();
    assert!((sum - 1.0).abs() < 1e-12);
    // by the definition, at the true bound nothing is clipped
    let last = stages.bounds().len() - 1;
    assert_eq!(stages.biases()[last], 0.0);
    let error = stages.error(Answer::Mean, last, 3.0, -2.0);
    let expected = (data.iter().sum::<f64>() + 300.0) / (200.0 - 2.0 / 0.6);
    assert!((error - (expected - stages.truth(Answer::Mean))).abs() < 1e-12);
}

#[test]
fn a_record_moves_the_clipped_sum_by_no_more_than_the_noise_is_made_for() {
    let data = values(30);
    let whole = stages(data.clone(), CHOSEN, 1.0, [0.2, 0.4, 0.4]);
    for left_out in 0..data.len() {
        let mut fewer = data.clone();
        fewer.remove(left_out);
        let neighbour = stages(fewer, CHOSEN, 1.0, [0.2, 0.4, 0.4]);
        for place in 0..whole.bounds().len() {
            let sum = |s: &Stages| s.truth(Answer::Sum) + s.biases()[place];
            let moved = (sum(&whole) - sum(&neighbour)).abs();
            assert!(moved <= whole.bounds()[place] * (1.0 + 1e-12) + 1e-12);
            // ε₁ = 0.2 bounds every ratio of probabilities
            let ratio = whole.probabilities()[place] / neighbour.probabilities()[place];
            assert!(libm::log(ratio).abs() <= 0.2 * (1.0 + 1e-9), "{ratio}");
        }
    }
}

#[test]
fn errors_follow_their_exact_laws_and_not_those_of_other_shares() {
    let stages_of = |shares| stages(values(150), CHOSEN, 0.8, shares);
    let (right, wrong) = (stages_of([0.2, 0.5, 0.3]), stages_of([0.2, 0.48, 0.32]));
    let trials = 400_000;
    for answer in Answer::ALL {
        let errors = right.simulate(*answer, 3, trials);
        for of in [Of::Absolute, Of::Squared] {
            let values: Vec<f64> = errors
                .iter()
                .map(|e| match of {
                    Of::Squared => e * e,
                    _ => e.abs(),
                })
                .collect();
            let moments = Moments::from_values(&values);
            let error = (moments.m2 / moments.n as f64 / moments.n as f64).sqrt();
            let off = |stages: &Stages| {
                (moments.mean - stages.law(*answer, of).mean().unwrap()).abs() / error
            };
            // 5 standard errors in 6 means: a false alarm in 2e5 seeds, and the seed is fixed
            assert!(off(&right) < 5.0, "{answer:?} {of:?}: {}", off(&right));
            // means are compared by the larger share of the noise: shares that are 4 % off
            if *answer != Answer::Mean && of == Of::Absolute {
                assert!(off(&wrong) > 5.0, "{answer:?} {of:?}: {}", off(&wrong));
            }
        }
        // the signed error's spread as well
        let moments = Moments::from_values(&errors);
        let sd = right.law(*answer, Of::Signed).sd().unwrap();
        let n = moments.n as f64;
        let variance = moments.m2 / n;
        let spread = ((moments.m4 / n - variance * variance) / n).sqrt();
        assert!((variance - sd * sd).abs() < 5.0 * spread, "{answer:?}");
    }
}

#[test]
fn a_declared_bound_is_kept() {
    let stages = stages(values(50), Bound::Declared(40.0), 1.0, [0.0, 0.5, 0.5]);
    assert_eq!(
        (stages.bounds(), stages.probabilities()),
        (&[40.0][..], &[1.0][..])
    );
    assert_eq!(stages.choose(0.7), 0);
    assert_eq!(stages.sources().len(), 2);
    assert_eq!(stages.scales(), [80.0]);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let refused = |bound, shares| {
        try_stages(values(20), bound, 1.0, shares)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(CHOSEN, [0.0, 0.5, 0.5]).contains("choosing has no share"));
    assert!(refused(CHOSEN, [0.5, 0.0, 0.5]).contains("the sum has no share"));
    assert!(refused(CHOSEN, [0.5, 0.5, 0.0]).contains("the count has no share"));
    let declared = Bound::Declared(40.0);
    assert!(refused(declared, [0.2, 0.4, 0.4]).contains("costs nothing"));
    assert!(refused(Bound::Declared(140.0), [0.0, 0.5, 0.5]).contains("outside"));
    let order = Bound::Quantile {
        order: 1.5,
        points: 10,
    };
    assert!(matches!(
        try_stages(values(20), order, 1.0, [0.2, 0.4, 0.4]),
        Err(PipelineError::Selection(_))
    ));
}

/// Noise far above the count: 1/C then changes within a small part of a stretch of the noise. The numbers were computed in another program,
/// by the exponential integrals of E 1/C and by quadrature of many digits.
#[test]
fn means_are_exact_also_where_the_noise_is_larger_than_the_count() {
    let data = vec![1.5, 1.5, 7.25, 2.0, 3.0, 9.75, 1.5];
    let few = stages(data, Bound::Declared(5.0), 0.01, [0.0, 0.9, 0.1]);
    let mean = |of| few.law(Answer::Mean, of).mean().unwrap();
    assert!((mean(Of::Signed) / 5.967_978_398_8 - 1.0).abs() < 1e-9);
    assert!((mean(Of::Absolute) / 279.3041 - 1.0).abs() < 1e-6);
    // against Simpson's rule in ln C, for counts of all sizes beside their noise
    for (records, epsilon) in [(1, 0.1), (7, 0.01), (100, 0.03), (1000, 0.1), (1000, 3.0)] {
        let data = vec![2.0; records];
        let one = stages(data, Bound::Declared(4.0), epsilon, [0.0, 0.5, 0.5]);
        let (n, b) = (records as f64, one.count_scale());
        let rule = |from: f64, to: f64, power: i32| -> f64 {
            let steps = 40_000;
            let h = (to - from) / f64::from(steps);
            let f = |i: i32| {
                let count = libm::exp(from + h * f64::from(i));
                let density = libm::exp(-(count - n).abs() / b) / (2.0 * b);
                density * count.powi(1 - power)
            };
            let inner: f64 = (1..steps).map(|i| f64::from(2 + 2 * (i % 2)) * f(i)).sum();
            h / 3.0 * (f(0) + inner + f(steps))
        };
        let moment = |power| {
            let (low, middle) = (libm::log((n - 60.0 * b).max(1.0)), libm::log(n));
            let high = libm::log(n + 60.0 * b);
            let at_one = 0.5 * libm::exp(-(n - 1.0) / b);
            at_one + rule(low, middle, power) + rule(middle, high, power)
        };
        let sum = 2.0 * n;
        let found = one.law(Answer::Mean, Of::Signed).mean().unwrap();
        let bias = sum * moment(1) - 2.0;
        assert!(
            (found - bias).abs() < 1e-9 * sum,
            "{records} {epsilon}: {found} {bias}"
        );
        let squared = one.law(Answer::Mean, Of::Squared).mean().unwrap();
        let noise = 2.0 * one.scales()[0] * one.scales()[0];
        let wanted = (sum * sum + noise) * moment(2) - 4.0 * sum * moment(1) + 4.0;
        assert!(
            (squared / wanted - 1.0).abs() < 1e-7,
            "{records} {epsilon}: {squared} {wanted}"
        );
    }
}
