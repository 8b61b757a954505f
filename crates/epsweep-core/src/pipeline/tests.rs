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
