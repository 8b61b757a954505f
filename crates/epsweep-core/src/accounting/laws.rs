//! Laws that every accountant keeps, whatever it counts: tested on random lists of releases.
//!
//! A bound may be loose but never wrong in direction, and how releases are listed must not matter.

use super::*;
use crate::audit::{Verdict, certify, reading};
use crate::budget::{Delta, Epsilon, Rho};
use crate::random::{Draws, Level, Source, StandardLaw};
use proptest::prelude::*;

/// A release of a kind, of a size that rises with `size`, and how often it runs.
type Drawn = (u8, f64, u64);

const KINDS: u8 = 8;

/// The mechanism of a kind: its ε, or what stands for it, is `size`.
fn mechanism(kind: u8, size: f64) -> Mechanism {
    let epsilon = Epsilon::new(size).unwrap();
    match kind % KINDS {
        0 => Mechanism::Pure(epsilon),
        1 => Mechanism::Laplace(epsilon),
        2 => Mechanism::RandomisedResponse(epsilon),
        3 => Mechanism::ExponentialMechanism(epsilon),
        4 => Mechanism::PermuteAndFlip(epsilon),
        5 => Mechanism::Gaussian(NoiseMultiplier::new(1.0 / size).unwrap()),
        6 => Mechanism::Zcdp(Rho::new(size * size / 2.0).unwrap()),
        _ => Mechanism::Approximate(epsilon, Delta::new(1e-12).unwrap()),
    }
}

fn releases(drawn: &[Drawn], factor: f64) -> Vec<Release> {
    (drawn.iter())
        .map(|&(kind, size, count)| {
            Release::repeated(mechanism(kind, factor * size), count).unwrap()
        })
        .collect()
}

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    prop::collection::vec((0..KINDS, 0.01..0.6f64, 1u64..5), 1..4)
}

/// What is left to rounding, and to the lattice of a numerical accountant.
const SLACK: f64 = 1e-9;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// k runs of one mechanism cost what k releases of it cost that are listed one by one, in any order.
    #[test]
    fn self_composed_equals_listed(drawn in drawn(), exponent in 2.0..9.0f64, turn in any::<prop::sample::Index>()) {
        let delta = libm::pow(10.0, -exponent);
        let repeated = releases(&drawn, 1.0);
        let mut listed: Vec<Release> = (repeated.iter())
            .flat_map(|release| vec![Release::once(release.mechanism()); release.count() as usize])
            .collect();
        let middle = turn.index(listed.len());
        listed.rotate_left(middle);
        for accountant in REGISTRY {
            let (one, other) = (accountant.total(&repeated, delta), accountant.total(&listed, delta));
            match (one, other) {
                (Ok(one), Ok(other)) => prop_assert!(
                    (one.epsilon - other.epsilon).abs() <= SLACK * one.epsilon,
                    "{}: {} and {}", accountant.about().name, one.epsilon, other.epsilon
                ),
                (one, other) => prop_assert!(one.is_err() && other.is_err(), "{}", accountant.about().name),
            }
        }
    }

    /// More δ, smaller releases or fewer of them never cost more.
    #[test]
    fn totals_are_monotone(drawn in drawn(), exponent in 2.0..9.0f64) {
        let delta = libm::pow(10.0, -exponent);
        let all = releases(&drawn, 1.0);
        let smaller = releases(&drawn, 0.9);
        let fewer = &all[..all.len().max(2) - 1];
        for accountant in REGISTRY {
            let name = accountant.about().name;
            let Ok(total) = accountant.total(&all, delta) else { continue };
            let most = total.epsilon * (1.0 + SLACK);
            for (what, less) in [
                ("δ", accountant.total(&all, 10.0 * delta)),
                ("ε", accountant.total(&smaller, delta)),
                ("number", accountant.total(fewer, delta)),
            ] {
                if let Ok(less) = less {
                    prop_assert!(less.epsilon <= most, "{name}, {what}: {} above {}", less.epsilon, total.epsilon);
                }
            }
            if let Some(lower) = total.lower {
                prop_assert!(lower <= most, "{name}: {lower} above {}", total.epsilon);
            }
        }
    }

    /// A method that exceeds the plain sum says by how much, and the answer of all methods never does.
    #[test]
    fn what_is_above_the_plain_sum_says_so(drawn in drawn(), exponent in 2.0..9.0f64) {
        let answer = smallest(&releases(&drawn, 1.0), libm::pow(10.0, -exponent)).unwrap();
        let Some(sum) = answer.plain_sum else { return Ok(()) };
        prop_assert!(answer.epsilon <= sum * (1.0 + 1e-12));
        for method in &answer.answers {
            let Ok(total) = &method.total else { continue };
            let above = total.epsilon - sum;
            prop_assert_eq!(method.above_sum, (above > 0.0).then_some(above), "{}", method.method);
        }
    }

    /// σ to δ and back, μ to ε and back, ρ to ε and back, and the numerical accountant both ways.
    #[test]
    fn conversions_round_trip(size in 0.05..3.0f64, exponent in 2.0..9.0f64, count in 1u64..6) {
        let delta = libm::pow(10.0, -exponent);
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-7 * b.abs();
        let sigma = gaussian::sigma(size, delta, 2.0).unwrap();
        prop_assert!(close(gaussian::delta(size, sigma, 2.0).unwrap(), delta));
        let epsilon = gaussian::epsilon(size, delta).unwrap();
        if epsilon > 0.0 {
            prop_assert!(close(gaussian::log_delta(epsilon, size).unwrap(), libm::log(delta)));
            // ε, σ of that ε, and the ε of that σ
            let sigma = gaussian::sigma(epsilon, delta, 1.0).unwrap();
            prop_assert!(close(gaussian::epsilon(1.0 / sigma, delta).unwrap(), epsilon));
        }
        let rho = size * size / 2.0;
        prop_assert!(close(zcdp::pure_epsilon_of(rho), size));
        let converted = zcdp::tight(rho, delta).unwrap().epsilon;
        if converted > 0.0 {
            prop_assert!(close(zcdp::log_delta(rho, converted).unwrap(), libm::log(delta)));
        }
        let equal = optimal::Equal::new(count, size, 0.0).unwrap();
        let epsilon = equal.epsilon(delta).unwrap().unwrap();
        let back = equal.delta(epsilon).unwrap();
        // near the largest loss L, δ is m(1 − e^(ε−L)): an ulp of ε weighs 1/(L − ε) there
        let slack = 1e-8 + 1e-14 / -libm::expm1(epsilon - count as f64 * size);
        prop_assert!(back <= delta * (1.0 + slack), "{} {}", back / delta - 1.0, epsilon);
        if epsilon > 0.0 {
            prop_assert!(back >= delta * (1.0 - slack), "{} {}", back / delta - 1.0, epsilon);
        }
        let releases = [Release::repeated(mechanism(1, size), count).unwrap()];
        let bounds = pld::epsilon(&releases, delta).unwrap();
        let back = pld::delta(&releases, bounds.upper).unwrap();
        prop_assert!(back.lower <= delta * (1.0 + 1e-9), "{} {delta}", back.lower);
        if bounds.lower > 0.0 {
            let back = pld::delta(&releases, bounds.lower).unwrap();
            prop_assert!(back.upper >= delta * (1.0 - 1e-9), "{} {delta}", back.upper);
        }
    }
}

/// Runs of each of two inputs in an audit.
const RUNS: usize = 40_960;
/// Runs that draw at once.
const CHUNK: usize = 4096;

/// Privacy losses of `count` runs of a mechanism together, on the one input (`side` 1) or the other (−1). Of Laplace noise of ε it is
/// |x − 1| − |x| in scales of 1/ε; of Gaussian noise μ·z + μ²/2 towards the input that it is on.
fn losses(law: StandardLaw, size: f64, count: u64, side: f64, seed: u64) -> Vec<f64> {
    let purpose = format!("loss/{side}");
    let source = Source::new(&purpose, law, count as usize);
    let mut draws = Draws::with_level(Level::best(), seed, CHUNK, &[source]);
    let mut losses = Vec::with_capacity(RUNS);
    for chunk in 0..(RUNS / CHUNK) as u64 {
        draws.go_to(chunk);
        let mut sums = vec![0.0; CHUNK];
        for row in 0..count as usize {
            for (sum, noise) in sums.iter_mut().zip(draws.row(0, row)) {
                *sum += match law {
                    StandardLaw::Laplace => side * ((noise + side * size).abs() - noise.abs()),
                    _ => size * noise + side * size * size / 2.0,
                };
            }
        }
        losses.extend(sums);
    }
    losses
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The δ at an ε is one at which the total is that ε, and no less would do.
    #[test]
    fn delta_at_epsilon_turns_the_total_round(drawn in drawn(), share in 0.2..0.9f64) {
        let releases = releases(&drawn, 1.0);
        let sum = smallest(&releases, 1e-3).unwrap().epsilon;
        let epsilon = share * sum;
        for accountant in REGISTRY {
            let Ok(found) = accountant.at_epsilon(&releases, epsilon) else {
                prop_assert!(accountant.total(&releases, 0.5).is_err(), "{:?}", accountant);
                continue;
            };
            prop_assert!((0.0..=1.0).contains(&found.delta), "{accountant:?}: {found:?}");
            prop_assert!(found.lower.is_none_or(|lower| lower <= found.delta));
            if !(1e-200..0.5).contains(&found.delta) {
                continue;
            }
            let at = |delta: f64| accountant.total(&releases, delta).map(|total| total.epsilon);
            let (enough, less) = (at(1.01 * found.delta).unwrap(), at(0.99 * found.delta));
            prop_assert!(enough <= epsilon * (1.0 + 1e-3), "{accountant:?}: {enough} above {epsilon}");
            prop_assert!(less.is_err() || less.clone().unwrap() >= epsilon * (1.0 - 1e-3), "{accountant:?}: {less:?} below {epsilon}");
        }
    }
}

/// An audit's lower bound is of the releases as they are: no accountant may promise less. Each bound is wrong with probability at most 1e-4, all 24
/// with at most 0.3 %; the seeds are fixed. That the bounds have force is seen by claiming half of what is spent.
#[test]
fn no_accountant_is_below_an_audit() {
    let mut caught = 0;
    for (law, size) in [
        (StandardLaw::Laplace, 0.3),
        (StandardLaw::Laplace, 1.0),
        (StandardLaw::Normal, 0.5),
        (StandardLaw::Normal, 1.0),
    ] {
        let kind = if law == StandardLaw::Laplace { 1 } else { 5 };
        for count in [1, 4] {
            let releases = [Release::repeated(mechanism(kind, size), count).unwrap()];
            let seed = count + 10 * kind as u64;
            let [on, off] = [1.0, -1.0].map(|side| losses(law, size, count, side, seed));
            for delta in [1e-3, 1e-2, 0.1] {
                // the event that theory calls the best: a loss above ε(δ) of all the releases
                let answer = smallest(&releases, delta).unwrap();
                let hits = [&on, &off].map(|losses| {
                    losses
                        .iter()
                        .filter(|loss| **loss > answer.epsilon - 0.2)
                        .count() as u64
                });
                let of = |epsilon: f64| {
                    let stated = reading::stated_by(&["epsilon", "delta"]).unwrap();
                    let stated = stated.of(&[epsilon, delta]).unwrap();
                    certify(&*stated, hits, RUNS as u64, 0.9999).unwrap()
                };
                for method in &answer.answers {
                    let Ok(total) = &method.total else { continue };
                    let finding = of(total.epsilon);
                    assert_ne!(
                        finding.verdict,
                        Verdict::Violated,
                        "{}: {} is below the audit's {} ({count} × {size}, δ = {delta})",
                        method.method,
                        total.epsilon,
                        finding.bound
                    );
                }
                caught += u32::from(of(answer.epsilon / 2.0).verdict == Verdict::Violated);
            }
        }
    }
    assert!(caught >= 12, "{caught} of 24 halved totals are found");
}
