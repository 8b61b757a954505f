use super::*;
use crate::accounting::gaussian;
use crate::accounting::optimal::Equal;
use crate::accounting::release::SamplingProbability;
use crate::budget::{Delta, Epsilon, Rho};

fn pure(epsilon: f64) -> Mechanism {
    Mechanism::Pure(Epsilon::new(epsilon).unwrap())
}

fn laplace(epsilon: f64) -> Mechanism {
    Mechanism::Laplace(Epsilon::new(epsilon).unwrap())
}

fn normal(noise: f64) -> Mechanism {
    Mechanism::Gaussian(NoiseMultiplier::new(noise).unwrap())
}

fn times(mechanism: Mechanism, count: u64) -> Release {
    Release::repeated(mechanism, count).unwrap()
}

/// The bounds hold the exact value and lie within the gap that is allowed.
fn brackets(what: &str, bounds: Bounds, exact: f64, gap: f64) {
    assert!(
        bounds.lower <= exact * (1.0 + 1e-11) && exact <= bounds.upper * (1.0 + 1e-11),
        "{what}: {bounds:?} does not hold {exact}"
    );
    assert!(
        bounds.upper - bounds.lower < gap,
        "{what}: {bounds:?} are too far apart for {exact}"
    );
}

#[test]
fn gaussian_totals_are_bracketed() {
    for (noise, count) in [(4.0, 1), (1.0, 1), (50.0, 1000), (0.2, 3), (1e4, 10)] {
        for delta in [0.1, 1e-3, 1e-6, 1e-12, 1e-100, 1e-300] {
            let mu = (count as f64).sqrt() / noise;
            let exact = gaussian::epsilon(mu, delta).unwrap();
            let bounds = epsilon(&[times(normal(noise), count)], delta).unwrap();
            brackets(
                &format!("σ = {noise}, k = {count}, δ = {delta:e}"),
                bounds,
                exact,
                1e-3_f64.min(0.01 * exact + 1e-5),
            );
        }
    }
}

#[test]
fn equal_releases_are_bracketed_by_optimal_composition() {
    for (count, each) in [
        (1, 1.0),
        (3, 0.3333),
        (10, 0.1),
        (100, 0.1),
        (1000, 0.01),
        (50, 2.0),
        (20, 1e-8),
    ] {
        let equal = Equal::new(count, each, 0.0).unwrap();
        for delta in [1e-3, 1e-6, 1e-10, 1e-100] {
            let exact = equal.epsilon(delta).unwrap().unwrap();
            let bounds = epsilon(&[times(pure(each), count)], delta).unwrap();
            brackets(
                &format!("k = {count}, ε = {each}, δ = {delta:e}"),
                bounds,
                exact,
                1e-3,
            );
        }
    }
}

const GROUPS: [(u64, f64); 2] = [(40, 0.1), (60, 0.0377)];

/// Two groups of equal releases, which share no lattice: the exact δ is a double sum over binomial laws.
fn double_sum(target: f64) -> f64 {
    let [first, second] = GROUPS;
    let probability = |(count, each): (u64, f64), l: u64| {
        let log_p = -libm::log1p(libm::exp(-each));
        libm::exp(numeric::log_choose(count, l) + count as f64 * log_p - l as f64 * each)
    };
    let loss = |(count, each): (u64, f64), l: u64| (count as f64 - 2.0 * l as f64) * each;
    let mut sum = 0.0;
    for i in 0..=first.0 {
        for j in 0..=second.0 {
            let above = loss(first, i) + loss(second, j) - target;
            if above > 0.0 {
                sum += probability(first, i) * probability(second, j) * -libm::expm1(-above);
            }
        }
    }
    sum
}

#[test]
fn unequal_releases_are_bracketed_by_the_exact_double_sum() {
    let releases = GROUPS.map(|(count, each)| times(pure(each), count));
    for target in [1e-3, 1e-6, 1e-12] {
        let exact = numeric::bisect(0.0, 7.0, |epsilon| double_sum(epsilon) <= target).1;
        let bounds = epsilon(&releases, target).unwrap();
        brackets(&format!("δ = {target}"), bounds, exact, 1e-3);
    }
    for at in [0.5, 1.5, 3.0] {
        let exact = double_sum(at);
        let bounds = delta(&releases, at).unwrap();
        brackets(&format!("ε = {at}"), bounds, exact, 2e-3 * exact);
    }
}

/// The bounds must hold on any lattice, also on one so coarse that they lie far apart; there the lattice alone would be wrong by more than
/// the lower bound concedes if its correction were left out.
#[test]
fn bounds_hold_on_coarse_lattices() {
    let groups: Vec<(Mechanism, u64)> = GROUPS
        .iter()
        .map(|&(count, each)| (pure(each), count))
        .collect();
    let mut lattice_above_truth = 0;
    for step in [0.0013, 0.0071, 0.019, 0.03] {
        for theta in [1.0, 3.0, 8.0] {
            let leaves: Vec<_> = groups
                .iter()
                .map(|&(mechanism, count)| {
                    let leaf = loss::leaf(mechanism, Direction::Remove, theta, step).unwrap();
                    (leaf, count)
                })
                .collect();
            let length = 1 << 14;
            let (first, outside) = lattice::window(&leaves, theta, step, length).unwrap();
            let composed = composed::compose(leaves, theta, step, length, first, outside);
            for at in [0.3, 0.77, 1.21, 2.0, 3.3] {
                let (bounds, exact) = (composed.delta_bounds(at), double_sum(at));
                let what = format!("step {step}, θ = {theta}, ε = {at}");
                brackets(&what, bounds, exact, f64::INFINITY);
                lattice_above_truth += i32::from(bounds.upper > exact * (1.0 + 1e-4));
            }
        }
    }
    assert!(lattice_above_truth > 20, "{lattice_above_truth}");
}

/// δ(ε′) = 1 − e^((ε′−ε)/2) for one release with Laplace noise.
#[test]
fn one_laplace_release_is_bracketed() {
    for each in [0.01, 1.0, 5.0] {
        for delta in [1e-4_f64, 1e-9, 1e-200] {
            let exact = each + 2.0 * libm::log1p(-delta);
            brackets(
                &format!("ε = {each}, δ = {delta:e}"),
                epsilon(&[times(laplace(each), 1)], delta).unwrap(),
                exact,
                1e-4,
            );
        }
    }
}

/// By two other programs with this method, whose lattices are coarser: they are above the true value by up to 1e-3. The gap grows with
/// the number of steps, because every step may be rounded by as much as a lattice step.
#[test]
fn training_with_sampling_agrees_with_other_programs() {
    for (probability, noise, steps, target, published, gap) in [
        (0.004266666666666667, 1.1, 14_062, 1e-5, 2.381686, 4e-3),
        (0.05, 0.8, 1, 1e-6, 2.5560557, 1e-3),
        (0.001, 0.7, 200_000, 1e-7, 6.5793915, 0.1),
    ] {
        let mechanism = Mechanism::SubsampledGaussian(
            SamplingProbability::new(probability).unwrap(),
            NoiseMultiplier::new(noise).unwrap(),
        );
        let bounds = epsilon(&[times(mechanism, steps)], target).unwrap();
        assert!(
            bounds.lower <= published + 1e-6 && bounds.upper > published - 1e-3,
            "{bounds:?} for {published}"
        );
        assert!(
            bounds.upper < published + 5e-3,
            "{bounds:?} for {published}"
        );
        assert!(bounds.upper - bounds.lower < gap, "{bounds:?}");
    }
}

fn mixed() -> Vec<Release> {
    (0..1000_u32)
        .map(|index| {
            let size = 0.02 + 1e-4 * f64::from(index);
            let epsilon = Epsilon::new(size).unwrap();
            Release::once(match index % 5 {
                0 => Mechanism::Laplace(epsilon),
                1 => normal(1.0 / size),
                2 => Mechanism::ExponentialMechanism(epsilon),
                3 => Mechanism::RandomisedResponse(epsilon),
                _ => Mechanism::Pure(epsilon),
            })
        })
        .collect()
}

#[test]
fn a_thousand_mixed_releases_have_near_bounds() {
    let start = std::time::Instant::now();
    let bounds = epsilon(&mixed(), 1e-6).unwrap();
    println!(
        "1000 mixed releases, no two alike: {bounds:?} in {:?}",
        start.elapsed()
    );
    assert!(bounds.upper - bounds.lower < 1e-3, "{bounds:?}");
    // the Rényi accountant, which is valid too, cannot be below the lower bound for the same pairs
    let pairs: Vec<Release> = mixed()
        .iter()
        .map(|release| match release.mechanism() {
            Mechanism::ExponentialMechanism(epsilon) => Release::once(Mechanism::Pure(epsilon)),
            _ => *release,
        })
        .collect();
    let other = crate::accounting::rdp::best_order(&pairs, 1e-6)
        .unwrap()
        .epsilon;
    assert!(
        other > bounds.upper && other < 1.1 * bounds.upper,
        "{other} for {bounds:?}"
    );
}

#[test]
fn totals_rise_as_delta_falls_and_listed_equals_repeated() {
    let releases = [
        times(laplace(0.3), 5),
        times(pure(0.2), 7),
        times(normal(3.0), 2),
    ];
    let listed: Vec<Release> = releases
        .iter()
        .flat_map(|release| vec![Release::once(release.mechanism()); release.count() as usize])
        .collect();
    let mut before = 0.0;
    for target in [0.3, 1e-2, 1e-5, 1e-18, 1e-150, 1e-300] {
        let bounds = epsilon(&releases, target).unwrap();
        assert_eq!(bounds, epsilon(&listed, target).unwrap());
        assert!(bounds.lower > before, "{bounds:?} after {before}");
        assert!(bounds.upper - bounds.lower < 1e-3, "{bounds:?}");
        before = bounds.upper;
    }
}

#[test]
fn epsilon_and_delta_invert_each_other() {
    let releases = [times(laplace(0.5), 8), times(pure(0.25), 8)];
    for target in [1e-2, 1e-6, 1e-40] {
        let bounds = epsilon(&releases, target).unwrap();
        assert!(delta(&releases, bounds.upper).unwrap().lower <= target);
        assert!(delta(&releases, bounds.lower).unwrap().upper >= target);
    }
}

#[test]
fn failing_outright_is_paid_for() {
    let own = Mechanism::Approximate(Epsilon::new(0.4).unwrap(), Delta::new(0.001).unwrap());
    let equal = Equal::new(5, 0.4, 0.001).unwrap();
    let releases = [times(own, 5)];
    brackets(
        "with δ",
        epsilon(&releases, 0.01).unwrap(),
        equal.epsilon(0.01).unwrap().unwrap(),
        1e-3,
    );
    let exact = equal.delta(0.8).unwrap();
    brackets(
        "with δ",
        delta(&releases, 0.8).unwrap(),
        exact,
        1e-3 * exact,
    );
    let error = epsilon(&releases, 0.001).unwrap_err();
    assert!(
        matches!(error, AccountingError::Infeasible { .. }),
        "{error}"
    );
    assert_eq!(
        delta(&releases, 100.0).unwrap().upper,
        equal.delta(100.0).unwrap()
    );
}

/// The exponential mechanism is composed as randomised response, which is worse: rdp, by its bounded range, promises less than what would be called
/// a lower bound. The true δ of one at ε = 0 is tanh(ε/4), by the worst pair of a bounded range.
#[test]
fn what_is_dominated_and_not_attained_has_no_lower_bound() {
    let of = |mechanism: fn(Epsilon) -> Mechanism, epsilon, count| {
        times(mechanism(Epsilon::new(epsilon).unwrap()), count)
    };
    let choice = of(Mechanism::ExponentialMechanism, 0.3, 10);
    let total = Pld.total(&[choice], 1e-7).unwrap();
    assert_eq!(total.lower, None);
    let listed = crate::accounting::REGISTRY.iter();
    let range = listed
        .copied()
        .find(|accountant| accountant.about().name == "rdp")
        .unwrap();
    let known = range.total(&[choice], 1e-7).unwrap().epsilon;
    assert!(known < epsilon(&[choice], 1e-7).unwrap().lower, "{known}");
    for mechanism in [Mechanism::ExponentialMechanism, Mechanism::PermuteAndFlip] {
        let one = of(mechanism, 1.0, 1);
        let found = Pld.at_epsilon(&[one], 0.0).unwrap();
        assert!(found.lower.is_none() && found.delta > libm::tanh(0.25));
        let mixed = [of(Mechanism::Laplace, 0.1, 3), one];
        assert_eq!(Pld.total(&mixed, 1e-7).unwrap().lower, None);
    }
    for mechanism in [
        Mechanism::Pure,
        Mechanism::RandomisedResponse,
        Mechanism::Laplace,
    ] {
        assert!(
            Pld.total(&[of(mechanism, 0.3, 10)], 1e-7)
                .unwrap()
                .lower
                .is_some()
        );
    }
}

#[test]
fn what_cannot_be_served_is_refused_by_name() {
    let zcdp = Release::once(Mechanism::Zcdp(Rho::new(0.1).unwrap()));
    let error = epsilon(&[zcdp], 1e-6).unwrap_err().to_string();
    assert!(error.contains("zcdp or rdp"), "{error}");
    assert!(epsilon(&[times(pure(1.0), 1)], 0.0).is_err());
    assert!(epsilon(&[], 1e-6).is_err());
}

#[test]
fn large_epsilon_is_finite() {
    for releases in [
        vec![times(pure(1000.0), 1)],
        vec![times(laplace(1000.0), 3), times(pure(1e-3), 100)],
        vec![times(normal(0.0225), 1)],
        vec![times(normal(0.0225), 1), times(laplace(0.01), 10)],
    ] {
        for target in [1e-3, 1e-300] {
            match epsilon(&releases, target) {
                Ok(bounds) => {
                    let width = bounds.upper - bounds.lower;
                    assert!(
                        bounds.lower > 500.0 && width < 1e-2 * bounds.upper,
                        "{releases:?} at {target}: {bounds:?}"
                    );
                }
                Err(error) => assert!(matches!(error, AccountingError::Limit { .. }), "{error}"),
            }
        }
    }
}

/// δ of releases of two losses by all their outcomes.
fn by_enumeration(epsilons: &[f64], target: f64) -> f64 {
    let mut sum = 0.0;
    for outcome in 0..1_u32 << epsilons.len() {
        let (mut loss, mut log_mass) = (0.0, 0.0);
        for (index, &each) in epsilons.iter().enumerate() {
            let up = outcome >> index & 1 == 0;
            loss += if up { each } else { -each };
            log_mass -= libm::log1p(libm::exp(-each)) + if up { 0.0 } else { each };
        }
        if loss > target {
            sum += libm::exp(log_mass) * -libm::expm1(target - loss);
        }
    }
    sum
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]

    #[test]
    fn any_few_releases_are_bracketed_by_all_their_outcomes(
        epsilons in proptest::collection::vec(0.001..2.0f64, 1..9),
        exponent in 0.3..14.0f64,
        part in 0.0..0.98f64,
    ) {
        let releases: Vec<Release> = epsilons.iter().map(|&each| times(pure(each), 1)).collect();
        let sum: f64 = epsilons.iter().sum();
        let target = libm::pow(10.0, -exponent);
        let exact = if by_enumeration(&epsilons, 0.0) <= target {
            0.0
        } else {
            numeric::bisect(0.0, sum, |at| by_enumeration(&epsilons, at) <= target).1
        };
        let bounds = epsilon(&releases, target).unwrap();
        // the exact value itself is rounded where the target is near the rounding of a sum
        let slack = 1e-12 * (1.0 + sum);
        proptest::prop_assert!(bounds.lower <= exact + slack && exact <= bounds.upper + slack, "{bounds:?} {exact}");
        proptest::prop_assert!(bounds.upper - bounds.lower < 2e-3, "{bounds:?} {exact}");
        let at = part * sum;
        let exact = by_enumeration(&epsilons, at);
        let bounds = delta(&releases, at).unwrap();
        proptest::prop_assert!(bounds.lower <= exact * (1.0 + 1e-11) && exact <= bounds.upper * (1.0 + 1e-11), "{bounds:?} {exact}");
    }
}
