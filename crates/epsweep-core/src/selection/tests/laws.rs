//! The exact laws, against independent computations and against choices made by definition.

use super::super::trial::{agree, count, problem, stream};
use super::super::{Mechanism, Problem, REGISTRY, SelectionError, mechanism, uniforms};
use crate::random::StandardLaw;
use proptest::prelude::*;

const NEVER: f64 = f64::NEG_INFINITY;

fn probabilities(name: &str, problem: &Problem) -> Vec<f64> {
    mechanism(name)
        .unwrap()
        .law(problem)
        .unwrap()
        .probabilities()
        .to_vec()
}

fn near(got: f64, expected: f64, relative: f64) {
    assert!(
        (got / expected - 1.0).abs() <= relative,
        "{got} instead of {expected}"
    );
}

#[test]
fn names_are_unique_and_all_is_described() {
    for (place, mechanism) in REGISTRY.iter().enumerate() {
        let about = mechanism.about();
        assert!(!about.summary.is_empty() && !about.formula.is_empty() && !about.source.is_empty());
        assert!(
            !REGISTRY[..place]
                .iter()
                .any(|other| other.about().name == about.name)
        );
        assert_eq!(super::super::mechanism(about.name).unwrap().about(), about);
    }
    assert!(mechanism("roulette").is_none());
}

fn check_hard(
    mechanism: &dyn Mechanism,
    scores: &[f64],
    epsilon: f64,
    sensitivity: f64,
    expected: &[f64],
) {
    let name = mechanism.about().name;
    let problem = problem(scores, epsilon, sensitivity);
    match mechanism.law(&problem) {
        Ok(law) => {
            for (got, expected) in law.probabilities().iter().zip(expected) {
                assert!(
                    (got - expected).abs() < 1e-12,
                    "{name} {scores:?}: {:?}",
                    law.probabilities()
                );
            }
            for (log, p) in law.log_probabilities().iter().zip(law.probabilities()) {
                assert!(
                    (libm::exp(*log) - p).abs() < 1e-13 && !log.is_nan(),
                    "{name}: {log} {p}"
                );
            }
            assert!(law.expected_loss(problem.scores()) >= 0.0);
        }
        Err(error) => assert!(
            matches!(error, SelectionError::LawTooLarge { .. }) && name == "naive-rounding",
            "{name}: {error}"
        ),
    }
    // by definition, too, only what can happen happens
    let mut draw = uniforms(stream(name, StandardLaw::Uniform));
    for _ in 0..50 {
        let chosen = mechanism.choose(&problem, &mut draw);
        assert!(expected[chosen] > 0.0, "{name} {scores:?}: {chosen}");
    }
}

#[test]
fn hard_scores_are_chosen_from_rightly_by_every_mechanism() {
    for &mechanism in REGISTRY {
        let check = |scores: &[f64], epsilon, expected: &[f64]| {
            check_hard(mechanism, scores, epsilon, 1.0, expected);
        };
        check(&[42.0], 1.0, &[1.0]);
        check(&[5.0; 4], 1.0, &[0.25; 4]);
        check(&[1e308, -1e308], 1.0, &[1.0, 0.0]);
        check(&[-1e308, -1e308, NEVER], 1.0, &[0.5, 0.5, 0.0]);
        check(&[0.0, 1.0, 2.0, 100.0], 1e6, &[0.0, 0.0, 0.0, 1.0]);
        // ε = 0: uniform among those that are permitted
        check(
            &[1e308, -1e308, NEVER, 0.0],
            0.0,
            &[1.0 / 3.0, 1.0 / 3.0, 0.0, 1.0 / 3.0],
        );
        check(&[NEVER, 3.0, NEVER], 1.0, &[0.0, 1.0, 0.0]);
        // Δ = 0: the scores do not depend on the data
        check_hard(mechanism, &[1.0, 2.0, 2.0], 1.0, 0.0, &[0.0, 0.5, 0.5]);
    }
}

#[test]
fn choices_by_definition_follow_the_exact_law() {
    // 20 000 trials each; wrong laws: ε taken a quarter too large
    let cases: [(&[f64], f64); 3] = [
        (&[9.0, 4.0, 7.0, 2.0, 5.0], 1.0),
        (&[3.0, 3.0, 1.0, 0.0, NEVER], 2.0),
        (&[0.2, 0.4, -1.3, 2.6, 2.5, 1.0, 0.0, -3.0], 1.7),
    ];
    for mechanism in REGISTRY {
        let name = mechanism.about().name;
        for (number, (scores, epsilon)) in cases.into_iter().enumerate() {
            let problem = problem(scores, epsilon, 1.0);
            let wrong = super::super::trial::problem(scores, epsilon * 1.25, 1.0);
            let law = mechanism.law(&problem).unwrap();
            let mut draw = uniforms(stream(&format!("{name}/{number}"), StandardLaw::Uniform));
            let counts = count(scores.len(), 20_000, || {
                mechanism.choose(&problem, &mut draw)
            });
            agree(
                name,
                &counts,
                law.probabilities(),
                mechanism.law(&wrong).unwrap().probabilities(),
            );
        }
    }
}

/// P(i) of permute-and-flip as the literal sum over all orders.
fn over_permutations(heads: &[f64], visited: &mut Vec<usize>, reached: f64, total: &mut [f64]) {
    let left: Vec<usize> = (0..heads.len()).filter(|i| !visited.contains(i)).collect();
    for &next in &left {
        let here = reached / left.len() as f64;
        total[next] += here * heads[next];
        visited.push(next);
        over_permutations(heads, visited, here * (1.0 - heads[next]), total);
        visited.pop();
    }
}

/// P(i) = ∫ f(x − uᵢ) Πⱼ≠ᵢ F(x − uⱼ) dx by Simpson's rule between all kinks, without any of the tricks of the library.
fn over_noise(
    locations: &[f64],
    density: impl Fn(f64) -> f64,
    below: impl Fn(f64) -> f64,
) -> Vec<f64> {
    let mut edges = locations.to_vec();
    edges.extend([-60.0, 60.0]);
    edges.sort_by(f64::total_cmp);
    (0..locations.len())
        .map(|i| {
            let f = |x: f64| {
                let others = locations.iter().enumerate().filter(|(j, _)| *j != i);
                density(x - locations[i]) * others.map(|(_, u)| below(x - u)).product::<f64>()
            };
            let mut total = 0.0;
            for edge in edges.windows(2) {
                let steps = 16_000;
                // a hair inside, where densities jump at the kinks
                let (low, high) = (edge[0] + 1e-13, edge[1] - 1e-13);
                let h = (high - low) / f64::from(steps);
                for step in 0..=steps {
                    let weight = match step {
                        0 => 1.0,
                        _ if step == steps => 1.0,
                        _ if step % 2 == 1 => 4.0,
                        _ => 2.0,
                    };
                    total += weight * h / 3.0 * f(low + h * f64::from(step));
                }
            }
            total
        })
        .collect()
}

const SCORES: [f64; 6] = [0.0, -1.0, -0.25, -4.0, -1.0, -7.5];

#[test]
fn permute_and_flip_is_its_sum_over_orders_and_the_law_of_exponential_noise() {
    // ε = 2 and Δ = 1: gaps are differences of scores
    let problem = problem(&SCORES, 2.0, 1.0);
    let law = probabilities("permute-and-flip", &problem);
    let heads: Vec<f64> = SCORES.iter().map(|&u| libm::exp(u)).collect();
    let mut literal = vec![0.0; heads.len()];
    over_permutations(&heads, &mut Vec::new(), 1.0, &mut literal);
    let noise = over_noise(
        &SCORES,
        |x| if x < 0.0 { 0.0 } else { libm::exp(-x) },
        |x| if x < 0.0 { 0.0 } else { -libm::expm1(-x) },
    );
    for ((&got, literal), noise) in law.iter().zip(literal).zip(noise) {
        near(got, literal, 1e-13);
        near(got, noise, 1e-9);
    }
    assert_eq!(law, probabilities("exponential-noisy-max", &problem));
}

#[test]
fn laplace_and_gumbel_noise_have_the_laws_of_their_integrals() {
    let problem = problem(&SCORES, 2.0, 1.0);
    let laplace = over_noise(
        &SCORES,
        |x| 0.5 * libm::exp(-x.abs()),
        |x| {
            if x < 0.0 {
                0.5 * libm::exp(x)
            } else {
                1.0 - 0.5 * libm::exp(-x)
            }
        },
    );
    for (&got, expected) in probabilities("laplace-noisy-max", &problem)
        .iter()
        .zip(laplace)
    {
        near(got, expected, 1e-9);
    }
    let gumbel = over_noise(
        &SCORES,
        |x| libm::exp(-x - libm::exp(-x)),
        |x| libm::exp(-libm::exp(-x)),
    );
    for (&got, expected) in probabilities("gumbel-noisy-max", &problem)
        .iter()
        .zip(gumbel)
    {
        near(got, expected, 1e-9);
    }
    assert_eq!(
        probabilities("gumbel-noisy-max", &problem),
        probabilities("exponential", &problem)
    );
}

#[test]
fn two_candidates_under_laplace_noise_have_a_closed_form_at_every_distance() {
    for gap in [1e-12, 1e-3, 0.5, 1.0, 30.0, 60.0, 500.0, 1e6, 1e15] {
        // the difference of two standard Laplace variates exceeds d with probability e^(−d)·(1 + d/2)/2
        let law = mechanism("laplace-noisy-max").unwrap();
        let law = law.law(&problem(&[0.0, -gap], 2.0, 1.0)).unwrap();
        let expected = libm::log(0.5 + 0.25 * gap) - gap;
        let got = law.log_probabilities()[1];
        assert!(
            (got - expected).abs() < 1e-13 * (1.0 + gap),
            "{gap}: {got} {expected}"
        );
        near(law.probabilities()[0], 1.0 - libm::exp(expected), 1e-13);
    }
}

#[test]
fn probabilities_sum_to_one_with_many_candidates_of_all_kinds() {
    let spread = |n: usize, width: f64| -> Vec<f64> {
        // a fixed irregular pattern
        (0..n)
            .map(|i| -width * ((i as f64 * 0.618_033_988_75) % 1.0))
            .collect()
    };
    for mechanism in REGISTRY {
        for (n, width) in [
            (2, 1.0),
            (300, 10.0),
            (300, 1e-3),
            (1000, 200.0),
            (1000, 0.0),
        ] {
            let problem = problem(&spread(n, width), 2.0, 1.0);
            let law = mechanism.law(&problem).unwrap();
            let total: f64 = law.probabilities().iter().sum();
            assert!(
                (total - 1.0).abs() < 1e-12,
                "{} {n} {width}: {total}",
                mechanism.about().name
            );
        }
    }
    // a leader far ahead of a crowd, and a crowd of leaders
    for scores in [
        [vec![0.0], vec![-30.0; 10_000]].concat(),
        [vec![0.0; 10_000], vec![-3.0; 5]].concat(),
        [
            vec![0.0],
            spread(2000, 1e-9).iter().map(|x| x - 1e6).collect(),
        ]
        .concat(),
    ] {
        let law = mechanism("laplace-noisy-max").unwrap();
        let law = law.law(&problem(&scores, 2.0, 1.0)).unwrap();
        let total: f64 = law.probabilities().iter().sum();
        assert!((total - 1.0).abs() < 1e-11, "{total}");
    }
}

#[test]
fn a_law_that_costs_too_much_is_refused_and_says_so() {
    let scores: Vec<f64> = (0..20_000).map(|i| -1e-4 * f64::from(i)).collect();
    let problem = problem(&scores, 1.0, 1.0);
    for name in ["laplace-noisy-max", "naive-rounding"] {
        let error = mechanism(name).unwrap().law(&problem).unwrap_err();
        assert!(matches!(error, SelectionError::LawTooDear { .. }));
        assert!(error.to_string().contains(name), "{error}");
    }
    // permute-and-flip has no such limit
    let total: f64 = probabilities("permute-and-flip", &problem).iter().sum();
    assert!((total - 1.0).abs() < 1e-12);
}

proptest! {
    #[test]
    fn permute_and_flip_is_never_worse_than_the_exponential_mechanism(
        scores in prop::collection::vec(-20.0..20.0f64, 1..12),
        epsilon in 0.01..10.0f64,
    ) {
        let problem = problem(&scores, epsilon, 1.0);
        let loss = |name: &str| mechanism(name).unwrap().law(&problem).unwrap().expected_loss(problem.scores());
        prop_assert!(loss("permute-and-flip") <= loss("exponential") * (1.0 + 1e-12) + 1e-15);
    }

    #[test]
    fn the_bound_on_the_loss_holds(
        scores in prop::collection::vec(prop_oneof![-20.0..20.0f64, (-3..3i32).prop_map(f64::from)], 1..30),
        epsilon in 0.01..10.0f64,
        t in 0.0..5.0f64,
    ) {
        let problem = problem(&scores, epsilon, 1.0);
        for name in ["exponential", "permute-and-flip"] {
            let tail = mechanism(name).unwrap().law(&problem).unwrap().loss_tail(&problem, t);
            prop_assert!(tail.probability <= tail.bound * (1.0 + 1e-12), "{name}: {tail:?}");
        }
    }

    #[test]
    fn better_scores_are_likelier(scores in prop::collection::vec(-9.0..9.0f64, 2..9), epsilon in 0.01..5.0f64) {
        let problem = problem(&scores, epsilon, 1.0);
        for mechanism in REGISTRY {
            let law = mechanism.law(&problem).unwrap();
            for (u, p) in scores.iter().zip(law.probabilities()) {
                for (v, q) in scores.iter().zip(law.probabilities()) {
                    prop_assert!(u < v || *p >= q * (1.0 - 1e-10));
                }
            }
        }
    }
}
