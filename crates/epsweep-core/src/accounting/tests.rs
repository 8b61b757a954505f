//! What holds across methods.

use super::*;
use crate::budget::{Delta, Epsilon, Rho};
use proptest::prelude::*;

fn pure(epsilon: f64) -> Mechanism {
    Mechanism::Pure(Epsilon::new(epsilon).unwrap())
}

fn times(mechanism: Mechanism, count: u64) -> Release {
    Release::repeated(mechanism, count).unwrap()
}

fn of(answer: &Smallest, method: &str) -> f64 {
    let found = answer
        .answers
        .iter()
        .find(|answer| answer.method == method)
        .unwrap();
    found
        .total
        .as_ref()
        .unwrap_or_else(|error| panic!("{method}: {error}"))
        .epsilon
}

#[test]
fn every_method_says_what_it_is() {
    let mut names: Vec<&str> = REGISTRY
        .iter()
        .map(|accountant| accountant.about().name)
        .collect();
    for accountant in REGISTRY {
        let about = accountant.about();
        assert!(
            !about.summary.is_empty() && !about.formula.is_empty() && about.source.contains("20"),
            "{}",
            about.name
        );
        assert_eq!(super::accountant(about.name).unwrap().about(), about);
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), REGISTRY.len());
    for about in rdp::CURVES
        .iter()
        .chain(filter::FILTERS)
        .chain(odometer::ODOMETERS)
    {
        assert!(!about.summary.is_empty() && !about.formula.is_empty() && !about.source.is_empty());
    }
    assert!(super::accountant("none").is_none());
}

/// ε = 0.1, k = 100, δ = 1e-6; the values by 40-digit arithmetic.
#[test]
fn a_hundred_small_releases_agree_with_independent_values() {
    let answer = smallest(&[times(pure(0.1), 100)], 1e-6).unwrap();
    for (method, expected) in HUNDRED {
        let got = of(&answer, method);
        assert!(
            (got / expected - 1.0).abs() < 1e-6,
            "{method}: {got}, not {expected}"
        );
    }
    let optimal = of(&answer, "optimal");
    assert!(
        (of(&answer, "pld") / optimal - 1.0).abs() < 1e-6,
        "{} and {optimal}",
        of(&answer, "pld")
    );
    assert!(
        (answer.epsilon / optimal - 1.0).abs() < 1e-6 && matches!(answer.method, "optimal" | "pld")
    );
    assert_eq!(answer.plain_sum, Some(10.0));
}

#[test]
fn for_three_queries_only_optimal_and_pld_are_not_above_the_sum() {
    for epsilons in [[1.0 / 3.0; 3], [0.5, 0.3, 0.2]] {
        let releases: Vec<Release> = epsilons
            .iter()
            .map(|&epsilon| Release::once(pure(epsilon)))
            .collect();
        let answer = smallest(&releases, 1e-6).unwrap();
        let sum = answer.plain_sum.unwrap();
        assert!((sum - 1.0).abs() < 1e-15);
        for other in &answer.answers {
            let above = matches!(
                other.method,
                "advanced" | "advanced-refined" | "zcdp-simple" | "zcdp" | "rdp"
            );
            assert!(
                !above || other.above_sum.is_some_and(|excess| excess > 0.001),
                "{other:?}"
            );
            if let Ok(total) = &other.total {
                assert!(total.epsilon <= sum || other.above_sum == Some(total.epsilon - sum));
                assert!(answer.epsilon <= total.epsilon * (1.0 + 1e-12));
            }
        }
        assert!(
            answer.epsilon < sum && matches!(answer.method, "optimal" | "pld"),
            "{}",
            answer.method
        );
        let optimal = answer
            .answers
            .iter()
            .find(|other| other.method == "optimal")
            .unwrap();
        match &optimal.total {
            Ok(total) => assert!(total.epsilon <= sum),
            Err(error) => assert!(error.to_string().contains("use pld"), "{error}"),
        }
    }
}

#[test]
fn without_delta_only_what_needs_none_answers() {
    let answer = smallest(&[times(pure(0.25), 4)], 0.0).unwrap();
    assert_eq!((answer.epsilon, answer.method), (1.0, "basic"));
    for other in &answer.answers {
        assert_eq!(
            other.total.is_ok(),
            matches!(other.method, "basic" | "optimal"),
            "{other:?}"
        );
    }
}

#[test]
fn gaussian_releases_are_counted_exactly() {
    let noise = NoiseMultiplier::new(5.0).unwrap();
    let answer = smallest(&[times(Mechanism::Gaussian(noise), 25)], 1e-5).unwrap();
    let exact = gaussian::epsilon(1.0, 1e-5).unwrap();
    assert!((answer.epsilon / exact - 1.0).abs() < 1e-9);
    let rdp = of(&answer, "rdp");
    // the Rényi accountant knows nothing else of it than ρ
    assert!((rdp / of(&answer, "zcdp") - 1.0).abs() < 1e-6 && rdp > exact);
    assert!(answer.plain_sum.is_none());
}

#[test]
fn mixed_currencies_have_an_answer() {
    let releases = [
        times(pure(0.1), 3),
        Release::once(Mechanism::Zcdp(Rho::new(0.01).unwrap())),
        Release::once(Mechanism::Approximate(
            Epsilon::new(0.1).unwrap(),
            Delta::new(1e-7).unwrap(),
        )),
    ];
    let answer = smallest(&releases, 1e-6).unwrap();
    for other in &answer.answers {
        let serves = matches!(other.method, "basic" | "zcdp" | "zcdp-simple" | "rdp");
        assert_eq!(other.total.is_ok(), serves, "{other:?}");
    }
    let error = smallest(&releases, 1e-8).unwrap_err();
    assert!(
        matches!(error, AccountingError::Infeasible { .. }),
        "{error}"
    );
    assert_eq!(smallest(&[], 1e-6).unwrap_err(), AccountingError::Empty);
    assert!(smallest(&releases, 1.0).is_err() && smallest(&releases, f64::NAN).is_err());
}

#[test]
fn extremes_are_finite_and_monotone_or_refused_with_the_limit() {
    for epsilon in [1e-8, 1e-3, 1.0, 1000.0] {
        let mut mechanisms = vec![pure(epsilon)];
        let of = Epsilon::new(epsilon).unwrap();
        mechanisms.extend([Mechanism::Laplace(of), Mechanism::ExponentialMechanism(of)]);
        mechanisms.push(Mechanism::Gaussian(
            NoiseMultiplier::new(1.0 / epsilon).unwrap(),
        ));
        for mechanism in mechanisms {
            for accountant in REGISTRY {
                let mut before = 0.0;
                for delta in [0.5, 1e-3, 1e-10, 1e-100, 1e-300] {
                    match accountant.total(&[times(mechanism, 3)], delta) {
                        Ok(total) => {
                            assert!(
                                total.epsilon.is_finite()
                                    && total.lower.is_none_or(|lower| lower <= total.epsilon)
                            );
                            // certified bounds of two δ may overlap by their gap
                            let slack = if total.lower.is_some() { 1e-3 } else { 1e-9 };
                            assert!(
                                total.epsilon >= before * (1.0 - slack),
                                "{mechanism}, {}, {delta:e}: {} after {before}",
                                accountant.about().name,
                                total.epsilon
                            );
                            before = total.epsilon;
                        }
                        Err(AccountingError::Limit { remedy, .. }) => assert!(!remedy.is_empty()),
                        Err(AccountingError::Unsupported { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn listed_equals_repeated_and_the_best_is_never_above_the_sum(
        sizes in prop::collection::vec((0.001..0.5f64, 1u64..6), 1..4),
        exponent in 2.0..9.0f64,
    ) {
        let delta = libm::pow(10.0, -exponent);
        let repeated: Vec<Release> = sizes.iter().map(|&(epsilon, count)| times(pure(epsilon), count)).collect();
        let listed: Vec<Release> =
            repeated.iter().flat_map(|release| vec![Release::once(release.mechanism()); release.count() as usize]).collect();
        let (one, other) = (smallest(&repeated, delta).unwrap(), smallest(&listed, delta).unwrap());
        prop_assert_eq!(&one, &other);
        prop_assert!(one.epsilon <= one.plain_sum.unwrap() * (1.0 + 1e-12));
        // more δ or less ε never costs more
        let wider = smallest(&repeated, (10.0 * delta).min(0.5)).unwrap();
        prop_assert!(wider.epsilon <= one.epsilon * (1.0 + 1e-9));
        let less: Vec<Release> = sizes.iter().map(|&(epsilon, count)| times(pure(0.9 * epsilon), count)).collect();
        prop_assert!(smallest(&less, delta).unwrap().epsilon <= one.epsilon * (1.0 + 1e-9));
    }
}

const HUNDRED: [(&str, f64); 7] = [
    ("basic", 10.0),
    ("advanced", 6.308230950513408),
    ("advanced-refined", 5.7561055193357324),
    ("optimal", 4.7745675881079865),
    ("zcdp-simple", 5.756521769756932),
    ("zcdp", 5.221534444530169),
    ("rdp", 5.073106174632031),
];

/// No method may call a total finite that is not, or infinite: what leaves the doubles is refused by name, and so is everything at once.
#[test]
fn totals_beyond_the_doubles_are_refused_by_every_method() {
    let laplace = |epsilon: f64| Mechanism::Laplace(Epsilon::new(epsilon).unwrap());
    for delta in [0.0, 1e-6, 1e-300] {
        let releases = [times(laplace(1e308), 10)];
        let error = smallest(&releases, delta).unwrap_err().to_string();
        assert!(error.contains("beyond its limit"), "{error}");
        for accountant in REGISTRY {
            let error = accountant.total(&releases, delta).unwrap_err().to_string();
            assert!(!error.contains("NaN"), "{error}");
        }
    }
    // a thousand million releases, by every method that has a formula
    for (epsilon, most) in [(1e-6, 0.2), (0.1, 1.1e8)] {
        let answer = smallest(&[times(laplace(epsilon), 1_000_000_000)], 1e-6).unwrap();
        assert!(answer.epsilon > 0.0 && answer.epsilon < most, "{answer:?}");
        for answer in &answer.answers {
            assert!(
                answer
                    .total
                    .as_ref()
                    .map_or(true, |total| total.epsilon.is_finite())
            );
        }
    }
}
