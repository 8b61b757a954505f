use super::*;
use proptest::prelude::*;

fn shares(allocation: &dyn Allocation, sensitivities: &[f64], weights: &[f64]) -> Vec<f64> {
    let problem = Problem {
        sensitivities,
        weights,
        numbers: None,
        setting: Setting::LaplacePure,
    };
    allocation.shares(&problem).unwrap().as_slice().to_vec()
}

fn refusal(allocation: &dyn Allocation, sensitivities: &[f64], weights: &[f64]) -> AllocationError {
    let problem = Problem {
        sensitivities,
        weights,
        numbers: None,
        setting: Setting::LaplacePure,
    };
    allocation.shares(&problem).unwrap_err()
}

/// Those that weights drive.
const BY_WEIGHT: &[&dyn Allocation] = &[&SqrtWeighted, &OptimalMse, &OptimalMae, &Minimax];

#[test]
fn names_are_unique_and_found() {
    for (index, allocation) in REGISTRY.iter().enumerate() {
        let about = allocation.about();
        assert_eq!(named(about.name).unwrap().about().name, about.name);
        assert!((REGISTRY[..index].iter()).all(|other| other.about().name != about.name));
        assert!(!about.summary.is_empty() && !about.formula.is_empty() && !about.source.is_empty());
    }
    assert!(named("evn").is_none());
}

#[test]
fn malformed_problems_are_refused_by_all() {
    let custom = Custom::new("mine", Shares::new(vec![1.0]).unwrap());
    let all = (REGISTRY.iter().copied()).chain([&custom as &dyn Allocation]);
    for allocation in all {
        assert_eq!(refusal(allocation, &[], &[]), AllocationError::Empty);
        let text = refusal(allocation, &[1.0], &[1.0, 1.0]).to_string();
        assert!(text.contains("2 weights for 1 queries"), "{text}");
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let text = refusal(allocation, &[bad], &[1.0]).to_string();
            assert!(
                text.contains(&format!("sensitivity of query 1 is {bad:?}")),
                "{text}"
            );
            let text = refusal(allocation, &[1.0], &[bad]).to_string();
            assert!(
                text.contains(&format!("weight of query 1 is {bad:?}")),
                "{text}"
            );
        }
    }
}

#[test]
fn nothing_to_divide_by_is_refused_with_the_reason() {
    for allocation in &REGISTRY[1..] {
        let text = refusal(*allocation, &[0.0, 0.0], &[1.0, 1.0]).to_string();
        assert!(text.contains("0 for every query") && text.contains(allocation.about().formula));
    }
    for allocation in BY_WEIGHT {
        refusal(*allocation, &[1.0, 0.0], &[0.0, 1.0]);
    }
    assert_eq!(shares(&Even, &[0.0, 0.0], &[0.0, 0.0]), [0.5, 0.5]);
}

#[test]
fn zero_weights_and_sensitivities_get_nothing_where_they_drive_the_share() {
    for allocation in &REGISTRY[1..] {
        let parts = shares(*allocation, &[0.0, 1.0, 3.0], &[1.0; 3]);
        assert!(parts[0] == 0.0 && parts[1] > 0.0 && parts[2] > parts[1]);
    }
    for allocation in BY_WEIGHT {
        assert_eq!(shares(*allocation, &[1.0, 2.0], &[0.0, 1.0]), [0.0, 1.0]);
    }
    assert_eq!(
        shares(&Proportional, &[1.0, 3.0], &[0.0, 1.0]),
        [0.25, 0.75]
    );
}

#[test]
fn any_size_of_numbers_is_divided_or_refused() {
    for allocation in REGISTRY {
        for size in [f64::MAX, 1e300, 1e-300] {
            let parts = shares(*allocation, &[size; 4], &[size; 4]);
            assert_eq!(parts, [0.25; 4], "{allocation:?} {size}");
        }
    }
    // the ratio of the sensitivities leaves the range of doubles, the root of it does not
    let roots = shares(&OptimalMae, &[1e300, 1e-300], &[1.0, 1.0]);
    assert!(roots[0] == 1.0 && (roots[1] / 1e-300 - 1.0).abs() < 1e-12);
    // the products are equal, though each factor's ratio leaves the range
    let even = shares(&Minimax, &[1e300, 1e-300], &[1e-300, 1e300]);
    assert!((even[0] - 0.5).abs() < 1e-14);
    let text = refusal(&Proportional, &[1e300, 1e-300], &[1.0, 1.0]).to_string();
    assert!(text.contains("query 2 (Δ = 1e-300"), "{text}");
}

#[test]
fn custom_shares_are_kept_as_given() {
    let custom = Custom::new("mine", Shares::new(vec![0.3, 0.7]).unwrap());
    assert_eq!(custom.name(), "mine");
    assert_eq!(shares(&custom, &[1.0, 5.0], &[1.0, 1.0]), [0.3, 0.7]);
    let text = refusal(&custom, &[1.0; 3], &[1.0; 3]).to_string();
    assert!(text.contains("2 shares for 3 queries"), "{text}");
}

/// An objective of the shares s at ε = 1: Σ or max over the queries of `term(w, Δ/s)`.
type Objective = fn(&[f64], &[f64], &[f64]) -> f64;

fn terms<'a>(
    sensitivities: &'a [f64],
    weights: &'a [f64],
    shares: &'a [f64],
) -> impl Iterator<Item = (f64, f64)> + 'a {
    (sensitivities.iter().zip(weights).zip(shares))
        .map(|((delta, &weight), share)| (weight, delta / share))
}

const OBJECTIVES: [(&dyn Allocation, Objective); 4] = [
    (&OptimalMse, |d, w, s| {
        terms(d, w, s).map(|(w, b)| 2.0 * w * b * b).sum()
    }),
    (&OptimalMae, |d, w, s| {
        terms(d, w, s).map(|(w, b)| w * b).sum()
    }),
    (&Minimax, |d, w, s| {
        terms(d, w, s).map(|(w, b)| w * b).fold(0.0, f64::max)
    }),
    (&SqrtWeighted, |d, w, s| {
        terms(d, w, s).map(|(w, b)| w * b * b).fold(0.0, f64::max)
    }),
];

proptest! {
    /// What an allocation claims to minimise never falls when budget is moved from one query to another, or when all shares are
    /// perturbed and normalised again.
    #[test]
    fn no_other_division_does_better(
        queries in prop::collection::vec((1e-3..1e3f64, 1e-3..1e3f64, 0.5..2.0f64), 2..8),
        from in 0..8usize, to in 0..8usize, part in 1e-4..0.9f64,
    ) {
        let sensitivities: Vec<f64> = queries.iter().map(|query| query.0).collect();
        let weights: Vec<f64> = queries.iter().map(|query| query.1).collect();
        for (allocation, objective) in OBJECTIVES {
            let best = shares(allocation, &sensitivities, &weights);
            let value = objective(&sensitivities, &weights, &best);
            let mut moved = best.clone();
            let amount = moved[from % queries.len()] * part;
            moved[from % queries.len()] -= amount;
            moved[to % queries.len()] += amount;
            let changed: Vec<f64> = best.iter().zip(&queries).map(|(share, query)| share * query.2).collect();
            let total: f64 = changed.iter().sum();
            let changed: Vec<f64> = changed.iter().map(|share| share / total).collect();
            for other in [moved, changed] {
                prop_assert!(objective(&sensitivities, &weights, &other) >= value * (1.0 - 1e-12));
            }
        }
    }
}

proptest! {
    /// Any doubles at all: shares that sum to 1, or a refusal.
    #[test]
    fn any_numbers_are_divided_or_refused(
        queries in prop::collection::vec((prop_oneof![any::<f64>(), 0.0..1e300f64, Just(0.0), Just(f64::MAX)], any::<f64>().prop_map(f64::abs)), 0..6)
    ) {
        let sensitivities: Vec<f64> = queries.iter().map(|query| query.0.abs()).collect();
        let weights: Vec<f64> = queries.iter().map(|query| query.1).collect();
        for allocation in REGISTRY {
            if let Ok(shares) = allocation.shares(&Problem { sensitivities: &sensitivities, weights: &weights, numbers: None, setting: Setting::LaplacePure }) {
                prop_assert!((shares.as_slice().iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn the_optimum_is_told_from_a_near_miss() {
    // the check above has power: what is optimal for one objective is beaten in another
    let (sensitivities, weights) = ([0.12, 120.0, 1.0], [5.0, 1.0, 2.0]);
    for (allocation, objective) in OBJECTIVES {
        let best = objective(
            &sensitivities,
            &weights,
            &shares(allocation, &sensitivities, &weights),
        );
        for (other, _) in OBJECTIVES {
            if other.about().name != allocation.about().name {
                let value = objective(
                    &sensitivities,
                    &weights,
                    &shares(other, &sensitivities, &weights),
                );
                assert!(value > 1.01 * best, "{other:?} against {allocation:?}");
            }
        }
    }
}
