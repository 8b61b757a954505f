use super::*;
use crate::allocation::{self, Allocation};
use crate::theory::{Law, Maximum};

const ARTICLE: [f64; 3] = [0.12, 120.0, 1.0];

fn queries<'a>(sensitivities: &'a [f64], weights: &'a [f64]) -> Queries<'a> {
    Queries {
        sensitivities,
        weights,
        numbers: None,
        magnitudes: None,
        bounds: None,
    }
}

/// Sensitivities over some decades with weights, magnitudes and bounds: the cases of the conditions below.
struct Case {
    sensitivities: Vec<f64>,
    weights: Vec<f64>,
    magnitudes: Vec<f64>,
    numbers: Option<Vec<usize>>,
    bounds: Option<Vec<Bounds>>,
}

impl Case {
    fn queries(&self) -> Queries<'_> {
        Queries {
            sensitivities: &self.sensitivities,
            weights: &self.weights,
            numbers: self.numbers.as_deref(),
            magnitudes: Some(&self.magnitudes),
            bounds: self.bounds.as_deref(),
        }
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for bounded in [false, true] {
        for (count, decades) in [(1, 0.0), (2, 0.3), (3, 3.0), (7, 1.0), (40, 4.0)] {
            let spread = |step: usize| -> Vec<f64> {
                (0..count)
                    .map(|i| libm::pow(10.0, decades * ((i * step) % count) as f64 / count as f64))
                    .collect()
            };
            let even = 1.0 / count as f64;
            let bounds = (0..count)
                .map(|i| Bounds {
                    floor: if i % 3 == 0 { 0.3 * even } else { 0.0 },
                    cap: if i % 4 == 1 { 1.2 * even } else { 1.0 },
                })
                .collect();
            cases.push(Case {
                sensitivities: spread(1),
                weights: spread(3),
                magnitudes: spread(2),
                // half of the cases with vectors
                numbers: bounded.then(|| (0..count).map(|i| 1 + 7 * (i % 3)).collect()),
                bounds: bounded.then_some(bounds),
            });
        }
    }
    cases
}

#[test]
fn names_are_unique_and_found() {
    for (index, objective) in REGISTRY.iter().enumerate() {
        let about = objective.about();
        assert_eq!(named(about.name).unwrap().about().name, about.name);
        assert!((REGISTRY[..index].iter()).all(|other| other.about().name != about.name));
        assert!(!about.summary.is_empty() && !about.formula.is_empty() && !about.source.is_empty());
    }
    assert!(named("largest").is_none());
}

/// Of a difference, on the axis of ln s.
const STEP: f64 = 1e-3;

/// The Karush–Kuhn–Tucker conditions, with pulls from differences of the objective itself: equal where a share is free, not larger at a
/// floor, not smaller at a cap.
#[test]
fn the_smooth_optima_meet_the_conditions() {
    for case in cases() {
        for setting in Setting::ALL {
            for objective in REGISTRY {
                if matches!(
                    objective.form(setting.law(), &case.queries()),
                    Ok(Form::Largest { .. })
                ) {
                    continue;
                }
                let name = objective.about().name;
                let solution = solve(*objective, setting, &case.queries()).unwrap();
                assert!(solution.gap < 1e-11, "{name} {setting}: {solution:?}");
                let shares = solution.shares.as_slice();
                let value = |index: usize, factor: f64| {
                    // a share alone is moved: f is known off the simplex through scales
                    let mut sensitivities = case.sensitivities.clone();
                    sensitivities[index] /= libm::pow(factor, setting.exponent());
                    let moved = Queries {
                        sensitivities: &sensitivities,
                        ..case.queries()
                    };
                    evaluate(*objective, setting, &moved, &solution.shares, 1.0).unwrap()
                };
                let whole = value(0, 1.0);
                // twice the difference, so that the error falls with the fourth power of the step (Richardson): far in a tail the pull
                // changes like a high power of the share
                let slope = |index: usize, step: f64| {
                    (value(index, libm::exp(-step)) - value(index, libm::exp(step))) / (2.0 * step)
                };
                let pulls: Vec<f64> = (0..shares.len())
                    .map(|index| {
                        let (coarse, fine) = (slope(index, STEP), slope(index, 0.5 * STEP));
                        (4.0 * fine - coarse) / 3.0 / shares[index] / whole
                    })
                    .collect();
                let bounds = case.queries().all_bounds();
                let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
                for ((share, pull), bound) in shares.iter().zip(&pulls).zip(&bounds) {
                    // a difference of values near 1 knows a small query's pull less well
                    let slack = 1e-3 * pull.abs() + 1e-11 / share;
                    if *share < bound.cap * (1.0 - 1e-9) {
                        most = most.max(pull - slack);
                    }
                    if *share > bound.floor * (1.0 + 1e-9) {
                        least = least.min(pull + slack);
                    }
                }
                assert!(most <= least, "{name} {setting}: {most} {least}");
            }
        }
    }
}

/// At the optimum of a largest value, all that is free attains it, and nothing that exceeds it could be helped by another split.
#[test]
fn the_largest_values_are_levelled() {
    for case in cases() {
        for setting in Setting::ALL {
            for objective in [&LargestScale as &dyn Objective, &LargestMse] {
                let Ok(Form::Largest {
                    power,
                    coefficients,
                }) = objective.form(setting.law(), &case.queries())
                else {
                    panic!("another form")
                };
                let solution = solve(objective, setting, &case.queries()).unwrap();
                let values: Vec<f64> = (0..coefficients.len())
                    .map(|index| {
                        let scale = setting
                            .scale(case.sensitivities[index], solution.shares.as_slice()[index]);
                        coefficients[index] * libm::pow(scale, power)
                    })
                    .collect();
                let bounds = case.queries().all_bounds();
                let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
                for ((share, value), bound) in
                    solution.shares.as_slice().iter().zip(&values).zip(&bounds)
                {
                    if *share < bound.cap * (1.0 - 1e-9) {
                        most = most.max(*value);
                    }
                    if *share > bound.floor * (1.0 + 1e-9) {
                        least = least.min(*value);
                    }
                }
                assert!(most <= least * (1.0 + 1e-12));
            }
        }
    }
}

#[test]
fn no_other_split_is_better() {
    let mut worse = 0;
    for case in cases().iter().filter(|case| case.bounds.is_none()) {
        let count = case.sensitivities.len();
        for setting in Setting::ALL {
            for objective in REGISTRY {
                let solution = solve(*objective, setting, &case.queries()).unwrap();
                let value = |shares: &Shares| {
                    evaluate(*objective, setting, &case.queries(), shares, 0.7).unwrap()
                };
                let best = value(&solution.shares);
                for trial in 0..20 {
                    let weights: Vec<f64> = (solution.shares.as_slice().iter().enumerate())
                        .map(|(index, share)| {
                            let size = libm::exp2(-f64::from(trial % 10));
                            share * libm::exp(size * libm::sin((trial * 7) as f64 + index as f64))
                        })
                        .collect();
                    let other = value(&Shares::from_weights(&weights).unwrap());
                    assert!(
                        other >= best * (1.0 - 1e-13),
                        "{objective:?} {setting} {count}"
                    );
                    worse += usize::from(other > best * 1.001);
                }
            }
        }
    }
    assert!(
        worse > 500,
        "the other splits are no mere rounding: {worse}"
    );
}

#[test]
fn the_article_can_do_better_than_the_cube_root() {
    let queries = queries(&ARTICLE, &[1.0; 3]);
    let value = |objective: &dyn Objective, allocation: &dyn Allocation| {
        let problem = Problem {
            sensitivities: &ARTICLE,
            weights: &[1.0; 3],
            numbers: None,
            setting: Setting::LaplacePure,
        };
        let shares = allocation.shares(&problem).unwrap();
        evaluate(objective, Setting::LaplacePure, &queries, &shares, 1.0).unwrap()
    };
    // computed independently with high precision
    assert!((value(&ExpectedLargest, &allocation::OptimalMse) - 131.0595).abs() < 5e-5);
    assert!((value(&ExpectedLargest, &allocation::OptimalMae) - 135.8362).abs() < 5e-5);
    assert!((value(&ExpectedLargest, &allocation::Proportional) - 222.0533).abs() < 5e-5);
    assert!((value(&QuantileLargest, &allocation::Even) - 1078.4636).abs() < 5e-5);
    assert!((value(&QuantileLargest, &allocation::OptimalMse) - 377.8599).abs() < 5e-5);
    // found besides by a descent with differences in another program
    assert!((value(&ExpectedLargest, &allocation::OptimalMax) - 130.878_049_708_476).abs() < 1e-10);
    assert!(
        (value(&QuantileLargest, &allocation::OptimalQ95Max) - 369.527_770_057_807).abs() < 1e-9
    );
    let found = solve(&ExpectedLargest, Setting::LaplacePure, &queries).unwrap();
    assert!(found.gap < 1e-12 && found.steps < 30, "{found:?}");
}

/// A count beside a histogram of sixteen bins, by the law of the maximum of all seventeen errors.
#[test]
fn every_number_of_a_vector_counts_where_the_largest_error_does() {
    let (sensitivities, weights) = ([1.0, 1.0], [1.0, 1.0]);
    let numbers = [1, 16];
    let vectors = Queries {
        numbers: Some(&numbers),
        ..queries(&sensitivities, &weights)
    };
    let law = |share: f64| {
        let mut scales = vec![1.0 / (1.0 - share); 16];
        scales.push(1.0 / share);
        Maximum::new(&scales)
    };
    let mean = |share: f64| law(share).mean().unwrap();
    let q95 = |share: f64| law(share).quantile(0.95).unwrap();
    // the shares were found besides by a search over quadratures in another program
    type Known<'a> = (&'a dyn Objective, &'a dyn Fn(f64) -> f64, f64);
    let objectives: [Known<'_>; 2] = [
        (&ExpectedLargest, &mean, 0.313_626),
        (&QuantileLargest, &q95, 0.364_098),
    ];
    for (objective, value, known) in objectives {
        let found = solve(objective, Setting::LaplacePure, &vectors).unwrap();
        let share = found.shares.as_slice()[0];
        assert!((share - known).abs() < 2e-6, "{share}");
        let reached = evaluate(
            objective,
            Setting::LaplacePure,
            &vectors,
            &found.shares,
            1.0,
        );
        assert!((value(share) / reached.unwrap() - 1.0).abs() < 1e-12);
        assert!(found.gap < 1e-11, "{}", found.gap);
        for other in [0.9 * share, 1.1 * share, 0.999 * share, 1.001 * share] {
            assert!(value(other) > value(share), "{share} {other}");
        }
        // taken for one number, it would get as much as the count, and the largest error would be a sixth larger
        let one = solve(
            objective,
            Setting::LaplacePure,
            &queries(&sensitivities, &weights),
        );
        let even = one.unwrap().shares.as_slice()[0];
        assert!((even - 0.5).abs() < 1e-9 && value(even) > 1.14 * value(share));
    }
    // means are of queries, and there a vector counts once
    let found = solve(&WeightedMse, Setting::LaplacePure, &vectors).unwrap();
    assert!((found.shares.as_slice()[0] - 0.5).abs() < 1e-15);
    for (numbers, cause) in [
        (&[1][..], "1 numbers for 2 queries"),
        (&[0, 1], "query 1 tells 0 numbers"),
    ] {
        let wrong = Queries {
            numbers: Some(numbers),
            ..vectors
        };
        let error = solve(&ExpectedLargest, Setting::LaplacePure, &wrong).unwrap_err();
        assert!(error.to_string().contains(cause), "{error}");
    }
}

#[test]
fn many_queries_over_many_decades_are_solved_in_few_steps() {
    let sensitivities: Vec<f64> = (0..300).map(|i| libm::exp2(f64::from(i % 20))).collect();
    for setting in Setting::ALL {
        for objective in [&ExpectedLargest as &dyn Objective, &QuantileLargest] {
            let found = solve(objective, setting, &queries(&sensitivities, &[1.0; 300])).unwrap();
            assert!(
                found.gap < 1e-11 && found.steps < 60,
                "{setting} {objective:?} {} {}",
                found.gap,
                found.steps
            );
        }
    }
}

#[test]
fn what_does_not_count_gets_its_floor() {
    let weights = [1.0, 0.0, 2.0];
    let plain = solve(
        &WeightedMse,
        Setting::LaplacePure,
        &queries(&ARTICLE, &weights),
    )
    .unwrap();
    assert_eq!(plain.shares.as_slice()[1], 0.0);
    let limits = [Bounds {
        floor: 0.2,
        cap: 1.0,
    }; 3];
    let bounded = Queries {
        bounds: Some(&limits),
        ..queries(&ARTICLE, &weights)
    };
    let found = solve(&WeightedMse, Setting::LaplacePure, &bounded).unwrap();
    assert!((found.shares.as_slice()[1] - 0.2).abs() < 1e-15);
    let free = solve(
        &ExpectedLargest,
        Setting::LaplacePure,
        &queries(&[1.0, 0.0, 2.0], &weights),
    )
    .unwrap();
    assert_eq!(free.shares.as_slice()[1], 0.0);
    let value = evaluate(
        &WeightedMse,
        Setting::LaplacePure,
        &queries(&ARTICLE, &weights),
        &plain.shares,
        1.0,
    );
    assert!(value.unwrap().is_finite());
    let infinite = evaluate(
        &ExpectedLargest,
        Setting::LaplacePure,
        &queries(&ARTICLE, &weights),
        &plain.shares,
        1.0,
    );
    assert_eq!(infinite, Ok(f64::INFINITY));
}

#[test]
fn what_cannot_be_solved_is_refused_with_its_cause() {
    let refused = |objective: &dyn Objective, queries: Queries<'_>| {
        solve(objective, Setting::LaplacePure, &queries)
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&Relative, queries(&ARTICLE, &[1.0; 3])).contains("magnitude of every answer"));
    let with = |magnitudes: &'static [f64]| Queries {
        magnitudes: Some(magnitudes),
        ..queries(&ARTICLE, &[1.0; 3])
    };
    assert!(refused(&Relative, with(&[1.0, 0.0, 1.0])).contains("magnitude of query 2 is 0.0"));
    assert!(refused(&Relative, with(&[1.0, 1.0, f64::NAN])).contains("query 3 is NaN"));
    assert!(refused(&Relative, with(&[1.0])).contains("1 magnitudes for 3 queries"));
    assert!(refused(&WeightedMse, queries(&ARTICLE, &[0.0; 3])).contains("0 whatever the shares"));
    assert!(
        refused(&ExpectedLargest, queries(&[0.0; 3], &[1.0; 3])).contains("0 whatever the shares")
    );
    assert!(refused(&WeightedMse, queries(&[1.0, f64::NAN], &[1.0; 2])).contains("query 2 is NaN"));
    assert!(refused(&WeightedMse, queries(&[], &[])).contains("no query"));
    let bounded = |floor: f64, cap: f64| {
        let limits = [Bounds { floor, cap }; 3];
        refused(
            &WeightedMse,
            Queries {
                bounds: Some(&limits),
                ..queries(&ARTICLE, &[1.0; 3])
            },
        )
    };
    assert!(bounded(0.4, 1.0).contains("floors of all shares sum to"));
    assert!(bounded(0.0, 0.3).contains("caps of all shares sum to"));
    assert!(bounded(0.5, 0.4).contains("between 0.5 and 0.4"));
    assert!(bounded(f64::NAN, 1.0).contains("between NaN"));
    assert!(
        refused(&ExpectedLargest, queries(&[1e300, 1e-300], &[1.0; 2]))
            .contains("query 2 is too small")
    );
    let shares = Shares::from_weights(&[1.0; 3]).unwrap();
    for total in [0.0, f64::NAN, f64::INFINITY] {
        let error = evaluate(
            &WeightedMse,
            Setting::LaplacePure,
            &queries(&ARTICLE, &[1.0; 3]),
            &shares,
            total,
        );
        assert!(error.unwrap_err().to_string().contains("the budget is"));
    }
}

#[test]
fn root_weight_by_sensitivity_is_optimal_under_zcdp_and_not_under_pure_epsilon() {
    let weights = [5.0, 1.0, 2.0];
    let regret = |setting: Setting| {
        let problem = Problem {
            sensitivities: &ARTICLE,
            weights: &weights,
            numbers: None,
            setting,
        };
        let queries = queries(&ARTICLE, &weights);
        let value =
            |shares: &Shares| evaluate(&WeightedMse, setting, &queries, shares, 1.0).unwrap();
        let best = solve(&WeightedMse, setting, &queries).unwrap();
        value(&allocation::SqrtWeighted.shares(&problem).unwrap()) / value(&best.shares) - 1.0
    };
    assert!(regret(Setting::GaussianZcdp).abs() < 1e-14);
    assert!(regret(Setting::LaplacePure) > 0.5);
}
