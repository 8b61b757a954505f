//! Numbers that are claimed of the mechanisms, and what is true.

use super::super::trial::problem;
use super::super::{Form, Problem, mechanism};

fn law(name: &str, problem: &Problem) -> Vec<f64> {
    mechanism(name)
        .unwrap()
        .law(problem)
        .unwrap()
        .probabilities()
        .to_vec()
}

fn near(got: f64, expected: f64, digits: f64) {
    assert!(
        (got - expected).abs() <= digits,
        "{got} instead of {expected}"
    );
}

#[test]
fn the_worse_of_two_candidates() {
    let problem = problem(&[0.0, -2.0], 1.0, 1.0);
    for (name, expected) in [
        ("exponential", 0.268_941),
        ("gumbel-noisy-max", 0.268_941),
        ("permute-and-flip", 0.183_940),
        ("exponential-noisy-max", 0.183_940),
        ("laplace-noisy-max", 0.275_910),
    ] {
        near(law(name, &problem)[1], expected, 5e-7);
    }
}

#[test]
fn the_five_dishes() {
    let dishes = problem(&[9.0, 4.0, 7.0, 2.0, 5.0], 1.0, 1.0);
    let weights = [4.5, 2.0, 3.5, 1.0, 2.5].map(libm::exp);
    let total: f64 = weights.iter().sum();
    for (got, weight) in law("exponential", &dishes).iter().zip(weights) {
        near(*got, weight / total, 1e-15);
    }
    assert_eq!(law("exponential", &problem(&[5.0; 4], 1.0, 1.0)), [0.25; 4]);
    let far = law("exponential", &problem(&[-1e6, -1e6 - 1.0], 1.0, 1.0));
    near(far[0], 0.622_46, 5e-6);
    near(far[1], 0.377_54, 5e-6);
    assert_eq!(
        law("exponential", &problem(&[0.0, 1.0, 2.0, 100.0], 1e6, 1.0)),
        [0.0, 0.0, 0.0, 1.0]
    );
}

#[test]
fn the_leader_at_two_budgets_and_the_odds_of_two_sensitivities() {
    let leader = |epsilon| law("exponential", &problem(&[8.0, 7.0, 5.0, 3.0], epsilon, 1.0));
    let expected = 1.0 / (1.0 + libm::exp(-1.0) + libm::exp(-3.0) + libm::exp(-5.0));
    near(leader(2.0)[0], expected, 1e-15);
    near(leader(2.0)[0], 0.70, 0.005);
    assert!(leader(0.1).iter().all(|p| (p - 0.25).abs() < 0.04));
    // a difference of 2Δ at ε = 1 gives odds of e : 1
    let odds = law("exponential", &problem(&[10.0, 0.0], 1.0, 5.0));
    near(odds[0] / odds[1], std::f64::consts::E, 1e-14);
}

#[test]
fn scaling_scores_and_sensitivity_together_changes_nothing() {
    let scores = [93.0, 88.5, 71.25, 60.0];
    // a power of two, so that the scaled scores are exact
    let scaled = scores.map(|score| score / 128.0);
    for mechanism in super::super::REGISTRY {
        let name = mechanism.about().name;
        let before = law(name, &problem(&scores, 1.0, 100.0));
        let after = law(name, &problem(&scaled, 1.0, 100.0 / 128.0));
        if name == "naive-rounding" {
            // rounding has a unit
            assert_ne!(before, after);
        } else {
            assert_eq!(before, after, "{name}");
        }
    }
    // a large Δ makes the choice nearly uniform, a small one nearly certain
    assert!(law("exponential", &problem(&scores, 1.0, 1e4))[0] < 0.251);
    assert!(law("exponential", &problem(&scores, 1.0, 0.1))[0] > 0.999_999);
}

#[test]
fn the_guarantee_does_not_depend_on_the_number_of_candidates_but_the_loss_does() {
    let loss = |n: usize| {
        let scores: Vec<f64> = std::iter::once(10.0)
            .chain(std::iter::repeat_n(0.0, n - 1))
            .collect();
        let problem = problem(&scores, 1.0, 1.0);
        let mechanism = mechanism("exponential").unwrap();
        assert_eq!(
            mechanism.guarantee(problem.calibration()).epsilon,
            Some(1.0)
        );
        let law = mechanism.law(&problem).unwrap();
        (
            law.expected_loss(problem.scores()),
            law.loss_tail(&problem, 0.0).loss,
        )
    };
    let (few, bound_few) = loss(10);
    let (many, bound_many) = loss(1000);
    assert!(few < many);
    near(bound_many - bound_few, 2.0 * libm::log(100.0), 1e-12);
}

#[test]
fn the_monotone_form_doubles_the_exponent() {
    use super::super::{Calibration, Movement, Scores};
    let scores = Scores::new(vec![3.0, 1.0]).unwrap();
    let calibration = Calibration::new(1.0, 1.0, Movement::OneWay, Form::Monotone).unwrap();
    let monotone = Problem::new(scores, calibration).unwrap();
    assert_eq!(
        law("exponential", &monotone),
        law("exponential", &problem(&[3.0, 1.0], 2.0, 1.0))
    );
}
