//! What the mechanisms promise, on neighbouring scores.

use super::super::trial::problem;
use super::super::{Calibration, Form, Guarantee, Movement, Problem, REGISTRY, Scores, mechanism};
use proptest::prelude::*;

fn of_form(scores: &[f64], epsilon: f64, movement: Movement, form: Form) -> Problem {
    let calibration = Calibration::new(epsilon, 1.0, movement, form).unwrap();
    Problem::new(Scores::new(scores.to_vec()).unwrap(), calibration).unwrap()
}

/// ln(P/P′) of every outcome.
fn log_ratios(name: &str, problem: &Problem, neighbour: &Problem) -> Vec<f64> {
    let mechanism = mechanism(name).unwrap();
    let (law, other) = (
        mechanism.law(problem).unwrap(),
        mechanism.law(neighbour).unwrap(),
    );
    let pairs = law
        .log_probabilities()
        .iter()
        .zip(other.log_probabilities());
    pairs.map(|(p, q)| p - q).collect()
}

fn largest(ratios: &[f64]) -> f64 {
    ratios
        .iter()
        .fold(0.0, |largest, ratio| ratio.abs().max(largest))
}

fn range(ratios: &[f64]) -> f64 {
    let high = ratios.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    high - ratios.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Scores with moves of every score in [−1, 1], often extreme.
fn neighbours() -> impl Strategy<Value = Vec<(f64, f64)>> {
    let step = prop_oneof![Just(-1.0), Just(1.0), Just(0.0), -1.0..1.0f64];
    prop::collection::vec((-8.0..8.0f64, step), 1..8)
}

proptest! {
    #[test]
    fn ratios_on_neighbours_stay_within_what_is_promised(
        pairs in neighbours(),
        epsilon in prop_oneof![0.01..0.2f64, 0.2..6.0f64],
    ) {
        for (movement, form) in [(Movement::AnyWay, Form::General), (Movement::OneWay, Form::Monotone)] {
            let scores: Vec<f64> = pairs.iter().map(|(score, _)| *score).collect();
            let moved: Vec<f64> = pairs
                .iter()
                .map(|(score, step)| score + if form == Form::Monotone { step.abs() } else { *step })
                .collect();
            let problem = of_form(&scores, epsilon, movement, form);
            let neighbour = of_form(&moved, epsilon, movement, form);
            for mechanism in REGISTRY {
                let name = mechanism.about().name;
                let guarantee = mechanism.guarantee(problem.calibration());
                let ratios = log_ratios(name, &problem, &neighbour);
                if let Some(epsilon) = guarantee.epsilon {
                    prop_assert!(largest(&ratios) <= epsilon * (1.0 + 1e-9) + 1e-10, "{name} {form:?}: {ratios:?}");
                }
                if let Some(eta) = guarantee.bounded_range {
                    prop_assert!(range(&ratios) <= eta * (1.0 + 1e-9) + 1e-10, "{name} {form:?}: {ratios:?}");
                }
            }
        }
    }
}

#[test]
fn without_the_factor_two_scores_that_move_both_ways_break_the_promise() {
    // many candidates rise, one falls: the normaliser moves, too, and the ratio comes near e^(2ε)
    let scores = [vec![0.0], vec![0.0; 5000]].concat();
    let moved = [vec![-1.0], vec![1.0; 5000]].concat();
    let epsilon = 1.0;
    for name in ["exponential", "permute-and-flip", "laplace-noisy-max"] {
        let ratio = |movement, form| {
            let problem = of_form(&scores, epsilon, movement, form);
            let neighbour = of_form(&moved, epsilon, movement, form);
            largest(&log_ratios(name, &problem, &neighbour))
        };
        // as though the scores moved one way
        let wrong = ratio(Movement::OneWay, Form::Monotone);
        assert!(wrong > 1.9 * epsilon, "{name}: {wrong}");
        let right = ratio(Movement::AnyWay, Form::General);
        assert!(right <= epsilon * (1.0 + 1e-9), "{name}: {right}");
    }
}

#[test]
fn permute_and_flip_has_no_bounded_range_as_the_exponential_mechanism_has() {
    let epsilon = 2.0;
    let scores = problem(&[0.0, 0.0, -6.0], epsilon, 1.0);
    let moved = problem(&[1.0, -1.0, -7.0], epsilon, 1.0);
    assert!(range(&log_ratios("exponential", &scores, &moved)) <= epsilon * (1.0 + 1e-12));
    let scores = problem(&[0.0, 0.0], epsilon, 1.0);
    let moved = problem(&[1.0, -1.0], epsilon, 1.0);
    let spread = range(&log_ratios("permute-and-flip", &scores, &moved));
    assert!(spread > epsilon * 1.05, "{spread}");
    for name in [
        "permute-and-flip",
        "exponential-noisy-max",
        "laplace-noisy-max",
    ] {
        let guarantee = mechanism(name).unwrap().guarantee(scores.calibration());
        assert_eq!(guarantee, Guarantee::pure(epsilon));
        // ε²/2, not ε²/8
        assert_eq!(guarantee.zcdp(), Some(2.0));
    }
    let guarantee = mechanism("exponential")
        .unwrap()
        .guarantee(scores.calibration());
    assert_eq!(guarantee.zcdp(), Some(0.5));
    assert_eq!(
        mechanism("naive-rounding")
            .unwrap()
            .guarantee(scores.calibration())
            .zcdp(),
        None
    );
}

proptest! {
    #[test]
    fn rounding_keeps_whole_scores_within_epsilon(
        pairs in prop::collection::vec((-5..5i32, -1..=1i32), 1..6),
        epsilon in 0.3..4.0f64,
    ) {
        // whole scores and Δ = 1: noise that is rounded is noise, too
        let scores: Vec<f64> = pairs.iter().map(|(score, _)| f64::from(*score)).collect();
        let moved: Vec<f64> = pairs.iter().map(|(score, step)| f64::from(score + step)).collect();
        let ratios = log_ratios("naive-rounding", &problem(&scores, epsilon, 1.0), &problem(&moved, epsilon, 1.0));
        prop_assert!(largest(&ratios) <= epsilon * (1.0 + 1e-9) + 1e-10, "{ratios:?}");
    }
}
