//! Noise multipliers, against independent values and the accountants.

use super::super::schedule::{self, Progress, Schedule};
use super::super::{Currency, NoisePlan, TrainingError, releases};
use crate::accounting::rdp::best_order;
use crate::accounting::{Accountant, SamplingProbability, rdp, zcdp};
use crate::budget::{Budget, Delta, Epsilon, Rho};

fn both(epsilon: f64, delta: f64) -> Budget {
    Budget::Approximate(Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
}

fn q(value: f64) -> SamplingProbability {
    SamplingProbability::new(value).unwrap()
}

fn plan(name: &str, steps: usize, sampling: f64, budget: Budget) -> NoisePlan {
    let schedule = schedule::schedule(name).unwrap();
    let ratio = schedule.ratio().unwrap_or(1.0);
    NoisePlan::new(schedule, ratio, steps, q(sampling), budget).unwrap()
}

#[test]
fn without_sampling_the_multiplier_is_that_of_the_total_rho() {
    for steps in [1, 7, 100] {
        let rho = plan("even", steps, 1.0, Budget::Zcdp(Rho::new(0.5).unwrap()));
        // T/(2σ²) = ρ
        let expected = (steps as f64).sqrt();
        for multiplier in rho.multipliers() {
            assert!((multiplier / expected - 1.0).abs() < 1e-14);
        }
        assert_eq!(rho.currency(), Currency::Concentrated);
    }
    // a total of (1, 1e-5) by the accountant of zCDP
    for name in ["even", "growing", "decaying"] {
        let plan = plan(name, 100, 1.0, both(1.0, 1e-5));
        let sum: f64 = plan.multipliers().iter().map(|m| 0.5 / m / m).sum();
        let epsilon = zcdp::tight(sum, 1e-5).unwrap().epsilon;
        assert!((epsilon - 1.0).abs() < 1e-9, "{name}: {epsilon}");
        assert!(epsilon <= 1.0 + 1e-12);
    }
}

#[test]
fn every_schedule_meets_the_guarantee_exactly_with_sampling() {
    for (name, epsilon) in [("even", 0.5), ("even", 8.0), ("growing", 2.0)] {
        let plan = plan(name, 9, 0.05, both(epsilon, 1e-5));
        let Currency::Renyi { order } = plan.currency() else {
            panic!("sampling is counted in Rényi divergences");
        };
        let listed = releases(plan.multipliers(), q(0.05)).unwrap();
        // at the plan's own order, by the accountant's formula
        let sum: f64 = plan.costs().iter().sum();
        let own = rdp::improved(order, sum, 1e-5);
        assert!((own / epsilon - 1.0).abs() < 1e-9, "{name}: {own}");
        // and at the order that the accountant finds by looking at all of them
        let best = best_order(&listed, 1e-5).unwrap();
        assert!(
            (best.epsilon / epsilon - 1.0).abs() < 1e-9,
            "{name}: {best:?}"
        );
        assert_eq!(best.order, order);
    }
}

/// Noise multipliers at which 1000 steps with q = 0.01 are (ε, 1e-5)-private, by the improved conversion over integer orders from 2 to 256, by a separate
/// computation in 50-digit arithmetic (Python's decimal module: the binomial sum of Mironov, Talwar and Zhang, section 3.3, bisected to 12 digits).
const INDEPENDENT: [(f64, f64); 3] = [
    (1.0, 1.513122162608),
    (2.0, 1.022889746337),
    (4.0, 0.786508616091),
];

#[test]
fn multipliers_with_sampling_agree_with_independent_values() {
    for (epsilon, expected) in INDEPENDENT {
        let plan = plan("even", 1000, 0.01, both(epsilon, 1e-5));
        let got = plan.multipliers()[0];
        // ours may use fractional orders as well: never more noise, and less by the gap between integers alone
        assert!(
            got <= expected * (1.0 + 1e-8),
            "ε = {epsilon}: {got}, not {expected}"
        );
        assert!(
            got > expected * 0.98,
            "ε = {epsilon}: {got}, not {expected}"
        );
    }
}

#[test]
fn ratios_are_those_of_the_budgets() {
    let growing = plan("growing", 11, 1.0, both(1.0, 1e-6));
    let decaying = plan("decaying", 11, 1.0, both(1.0, 1e-6));
    let first_to_last = growing.costs()[10] / growing.costs()[0];
    assert!((first_to_last - 10.0).abs() < 1e-12, "{first_to_last}");
    for (a, b) in growing
        .multipliers()
        .iter()
        .zip(decaying.multipliers().iter().rev())
    {
        assert!((a / b - 1.0).abs() < 1e-14);
    }
    let even = plan("even", 11, 1.0, both(1.0, 1e-6));
    assert!(
        even.multipliers()
            .iter()
            .all(|m| *m == even.multipliers()[0])
    );
}

#[test]
fn no_trial_spends_more_than_the_guarantee_whatever_is_released() {
    for (sampling, budget) in [(1.0, both(1.0, 1e-6)), (0.1, both(3.0, 1e-5))] {
        for schedule in schedule::REGISTRY {
            let name = schedule.about().name;
            let plan = plan(name, 40, sampling, budget);
            // always noise, never noise, and a pattern
            for pattern in [u64::MAX, 0, 0x5A5A_1234_9876_ABCD] {
                let mut spender = plan.spender();
                let (mut steps, mut costs) = (0, Vec::new());
                while let Some(multiplier) = spender.pay() {
                    let place = plan.multipliers().iter().position(|m| *m == multiplier);
                    costs.push(plan.costs()[place.unwrap()]);
                    let noisy = pattern >> (steps % 64) & 1 == 1;
                    spender.released(&Progress {
                        length: if noisy { 1.9 } else { 2.1 },
                        noise: 1.0,
                    });
                    steps += 1;
                }
                let total: f64 = costs.iter().sum();
                assert!(total <= plan.budget() * (1.0 + 1e-12), "{name}: {total}");
                assert!(spender.spent() <= 1.0, "{name}: {}", spender.spent());
                assert!((spender.spent() - total / plan.budget()).abs() < 1e-12);
                if plan.adapts() {
                    // what is left in the end is less than the distance between two rungs, which is large where divergences rise steeply
                    assert!(spender.spent() > 0.75, "{}", spender.spent());
                    // at once from rung to rung: fewer steps, each dearer; or all of them
                    assert!(pattern != u64::MAX || steps < 40, "{steps}");
                    assert!(pattern != 0 || steps == 40, "{steps}");
                } else {
                    assert_eq!(steps, 40, "{name}: the plan is taken whole");
                    assert!(spender.spent() > 1.0 - 1e-9);
                }
                assert!(spender.pay().is_none());
            }
        }
    }
}

#[test]
fn what_gaussian_noise_cannot_promise_is_refused() {
    let even = schedule::schedule("even").unwrap();
    let pure = Budget::Pure(Epsilon::new(1.0).unwrap());
    let rho = Budget::Zcdp(Rho::new(1.0).unwrap());
    for (steps, sampling, budget, word) in [
        (10, 1.0, pure, "not purely private"),
        (10, 0.5, rho, "not amplified"),
        (0, 1.0, rho, "at least 1"),
    ] {
        let error = NoisePlan::new(even, 1.0, steps, q(sampling), budget).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
    let tiny = NoisePlan::new(even, 1.0, 10, q(0.5), both(1e9, 1e-5));
    assert!(tiny.is_err() || tiny.is_ok_and(|plan| plan.multipliers()[0] > 0.0));
    assert!(matches!(
        NoisePlan::new(even, 1.0, 0, q(1.0), rho),
        Err(TrainingError::Parameter { .. })
    ));
}

#[test]
fn schedules_are_found_by_name_and_say_what_they_are() {
    for known in schedule::REGISTRY {
        let about = known.about();
        let found = schedule::schedule(about.name).map(|found: &dyn Schedule| found.about());
        assert_eq!(found, Some(about));
        assert!(!about.summary.is_empty() && !about.formula.is_empty() && !about.source.is_empty());
        let budgets = known.budgets(9, known.ratio().unwrap_or(1.0));
        assert!(budgets.iter().all(|budget| *budget > 0.0));
        assert!(known.raises().is_some() || budgets.len() == 9);
    }
    assert!(schedule::schedule("evn").is_none());
    let accountant: &dyn Accountant = &rdp::Rdp;
    assert_eq!(accountant.about().name, "rdp");
}
