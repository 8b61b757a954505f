use super::*;
use crate::accounting::optimal::Equal;
use crate::accounting::release::SamplingProbability;
use crate::accounting::gaussian;
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
    assert!(bounds.upper - bounds.lower < gap, "{what}: {bounds:?} are too far apart for {exact}");
}

#[test]
fn gaussian_totals_are_bracketed() {
    for (noise, count) in [(4.0, 1), (1.0, 1), (50.0, 1000), (0.2, 3), (1e4, 10)] {
        for delta in [0.1, 1e-3, 1e-6, 1e-12, 1e-100, 1e-300] {
            let mu = (count as f64).sqrt() / noise;
            let exact = gaussian::epsilon(mu, delta).unwrap();
            let bounds = epsilon(&[times(normal(noise), count)], delta).unwrap();
            brackets(&format!("σ = {noise}, k = {count}, δ = {delta:e}"), bounds, exact, 1e-3_f64.min(0.01 * exact + 1e-5));
        }
    }
}

#[test]
fn equal_releases_are_bracketed_by_optimal_composition() {
    for (count, each) in [(1, 1.0), (3, 0.3333), (10, 0.1), (100, 0.1), (1000, 0.01), (50, 2.0), (20, 1e-8)] {
        let equal = Equal::new(count, each, 0.0).unwrap();
        for delta in [1e-3, 1e-6, 1e-10, 1e-100] {
            let exact = equal.epsilon(delta).unwrap().unwrap();
            let bounds = epsilon(&[times(pure(each), count)], delta).unwrap();
            brackets(&format!("k = {count}, ε = {each}, δ = {delta:e}"), bounds, exact, 1e-3);
        }
    }
}

/// Two groups of equal releases, which share no lattice: the exact δ is a double sum over binomial laws.
#[test]
fn unequal_releases_are_bracketed_by_the_exact_double_sum() {
    let (first, second) = ((40_u64, 0.1), (60_u64, 0.0377));
    let probability = |(count, each): (u64, f64), l: u64| {
        let log_p = -libm::log1p(libm::exp(-each));
        libm::exp(numeric::log_choose(count, l) + count as f64 * log_p - l as f64 * each)
    };
    let exact_delta = |target: f64| {
        let mut sum = 0.0;
        for i in 0..=first.0 {
            for j in 0..=second.0 {
                let loss = (first.0 as f64 - 2.0 * i as f64) * first.1 + (second.0 as f64 - 2.0 * j as f64) * second.1;
                if loss > target {
                    sum += probability(first, i) * probability(second, j) * -libm::expm1(target - loss);
                }
            }
        }
        sum
    };
    let releases = [times(pure(first.1), first.0), times(pure(second.1), second.0)];
    for target in [1e-3, 1e-6, 1e-12] {
        let exact = numeric::bisect(0.0, 7.0, |epsilon| exact_delta(epsilon) <= target).1;
        brackets(&format!("δ = {target:e}"), epsilon(&releases, target).unwrap(), exact, 1e-3);
    }
    for at in [0.5, 1.5, 3.0] {
        let exact = exact_delta(at);
        brackets(&format!("ε = {at}"), delta(&releases, at).unwrap(), exact, 2e-3 * exact);
    }
}

/// δ(ε′) = 1 − e^((ε′−ε)/2) for one release with Laplace noise.
#[test]
fn one_laplace_release_is_bracketed() {
    for each in [0.01, 1.0, 5.0] {
        for delta in [1e-4_f64, 1e-9, 1e-200] {
            let exact = each + 2.0 * libm::log1p(-delta);
            brackets(&format!("ε = {each}, δ = {delta:e}"), epsilon(&[times(laplace(each), 1)], delta).unwrap(), exact, 1e-4);
        }
    }
}

/// By two other programs with this method.
#[test]
fn training_with_sampling_agrees_with_other_programs() {
    for (probability, noise, steps, target, published) in [
        (0.004266666666666667, 1.1, 14_062, 1e-5, 2.381686),
        (0.05, 0.8, 1, 1e-6, 2.5560557),
    ] {
        let mechanism = Mechanism::SubsampledGaussian(
            SamplingProbability::new(probability).unwrap(),
            NoiseMultiplier::new(noise).unwrap(),
        );
        let bounds = epsilon(&[times(mechanism, steps)], target).unwrap();
        // their own lattices are coarser: they are above the true value by up to 2e-4
        assert!(bounds.lower <= published + 1e-6 && bounds.upper > published - 1e-3, "{bounds:?} for {published}");
        assert!(bounds.upper - bounds.lower < 1e-3, "{bounds:?}");
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
    println!("1000 mixed releases, no two alike: {bounds:?} in {:?}", start.elapsed());
    assert!(bounds.upper - bounds.lower < 1e-3, "{bounds:?}");
    // the Rényi accountant, which is valid too, cannot be below the lower bound for the same pairs
    let pairs: Vec<Release> = mixed()
        .iter()
        .map(|release| match release.mechanism() {
            Mechanism::ExponentialMechanism(epsilon) => Release::once(Mechanism::Pure(epsilon)),
            _ => *release,
        })
        .collect();
    let other = crate::accounting::rdp::best_order(&pairs, 1e-6).unwrap().epsilon;
    assert!(other > bounds.upper && other < 1.1 * bounds.upper, "{other} for {bounds:?}");
}

#[test]
fn totals_rise_as_delta_falls_and_listed_equals_repeated() {
    let releases = [times(laplace(0.3), 5), times(pure(0.2), 7), times(normal(3.0), 2)];
    let listed: Vec<Release> =
        releases.iter().flat_map(|release| vec![Release::once(release.mechanism()); release.count() as usize]).collect();
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
    brackets("with δ", epsilon(&releases, 0.01).unwrap(), equal.epsilon(0.01).unwrap().unwrap(), 1e-3);
    let exact = equal.delta(0.8).unwrap();
    brackets("with δ", delta(&releases, 0.8).unwrap(), exact, 1e-3 * exact);
    let error = epsilon(&releases, 0.001).unwrap_err();
    assert!(matches!(error, AccountingError::Infeasible { .. }), "{error}");
    assert_eq!(delta(&releases, 100.0).unwrap().upper, equal.delta(100.0).unwrap());
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
                    assert!(bounds.lower > 500.0 && width < 1e-2 * bounds.upper, "{releases:?} at {target}: {bounds:?}");
                }
                Err(error) => assert!(matches!(error, AccountingError::Limit { .. }), "{error}"),
            }
        }
    }
}
