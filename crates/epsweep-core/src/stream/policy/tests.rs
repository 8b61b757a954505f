use super::*;
use crate::random::{Draws, Source, StandardLaw};
use crate::stream::sequence;

const BLOCK: usize = 512;

/// Noise drawn by address, as a runner does.
struct Drawn(Draws, usize);

impl Drawn {
    fn new(seed: u64, law: StandardLaw, horizon: usize, rounds: usize) -> Drawn {
        let sources = [
            Source::new("release", law, horizon * rounds),
            Source::new("test", law, horizon),
        ];
        Drawn(Draws::new(seed, BLOCK, &sources), rounds)
    }
}

impl Rows for Drawn {
    fn release(&self, position: usize, round: usize) -> &[f64] {
        self.0.row(0, position * self.1 + round)
    }

    fn test(&self, position: usize) -> &[f64] {
        self.0.row(1, position)
    }
}

/// Noise of one trial, given: of a round at a position, and of a test.
struct Given {
    releases: Vec<Vec<f64>>,
    tests: Vec<f64>,
}

impl Given {
    fn silent(horizon: usize, rounds: usize) -> Given {
        Given {
            releases: vec![vec![0.0; rounds]; horizon],
            tests: vec![0.0; horizon],
        }
    }
}

impl Rows for Given {
    fn release(&self, position: usize, round: usize) -> &[f64] {
        std::slice::from_ref(&self.releases[position][round])
    }

    fn test(&self, position: usize) -> &[f64] {
        std::slice::from_ref(&self.tests[position])
    }
}

const GUARANTEES: [Guarantee; 4] = [
    Guarantee::Pure { epsilon: 1.0 },
    Guarantee::Zcdp { rho: 0.5 },
    Guarantee::Renyi {
        order: 4.0,
        divergence: 2.0,
    },
    Guarantee::Approximate {
        epsilon: 1.0,
        delta: 1e-6,
    },
];

fn terms(guarantee: Guarantee, horizon: usize) -> Terms {
    let terms = Terms::new(guarantee, 2.0, horizon).unwrap();
    terms.with_threshold(150.0).unwrap()
}

/// The policy with its defaults; a fixed one takes a thirtieth of the budget.
fn policy(family: &Family, terms: &Terms) -> Box<dyn Policy> {
    let fixed = match *terms.guarantee() {
        Guarantee::Approximate { epsilon, .. } => epsilon / 30.0,
        _ => terms.capacity() / 30.0,
    };
    let values: Vec<f64> = (family.parameters.iter())
        .map(|parameter| parameter.default.unwrap_or(fixed))
        .collect();
    family.policy(&values, terms).unwrap()
}

fn answers(name: &str, length: usize) -> Vec<f64> {
    let sequence = sequence::named(name).unwrap();
    let defaults: Vec<f64> = (sequence.parameters().iter())
        .map(|parameter| parameter.default.unwrap())
        .collect();
    sequence.generate(&defaults, 5, length).unwrap()
}

/// One trial of a stream, without noise.
fn silent(policy: &dyn Policy, terms: &Terms, answers: &[f64]) -> Room {
    let mut room = Room::new(1);
    let noise = Given::silent(terms.horizon(), policy.rounds());
    policy.walk(terms, answers, &noise, 1, &mut room);
    room
}

#[test]
fn no_trial_of_any_policy_spends_more_than_its_guarantee() {
    let horizon = 60;
    for (family, sequence) in
        (REGISTRY.iter()).flat_map(|family| sequence::REGISTRY.iter().map(move |s| (family, s)))
    {
        let answers = answers(sequence.about().name, horizon);
        for guarantee in GUARANTEES {
            let terms = terms(guarantee, horizon);
            let policy = policy(family, &terms);
            let noise = Drawn::new(3, guarantee.standard(), horizon, policy.rounds());
            let mut room = Room::new(BLOCK);
            policy.walk(&terms, &answers, &noise, BLOCK, &mut room);
            assert!(room.overspent().iter().all(|over| *over == 0.0));
            let budget = guarantee.filter().unwrap().budget();
            for trial in 0..BLOCK {
                let spent = guarantee.spent(room.most_taken()[trial]);
                assert!(spent > 0.0 && spent <= budget, "{}", family.about.name);
                let taken = |position: usize| room.taken(position)[trial];
                assert!((1..horizon).all(|p| taken(p) >= taken(p - 1)));
                let releases = (0..horizon)
                    .filter(|p| room.granted(*p, 0)[trial] > 0.0)
                    .count();
                assert_eq!(releases as f64, room.answered()[trial]);
            }
            // thirty releases fit, and thirty do not; of advanced composition fewer
            let refuses = room.refused().iter().any(|refused| *refused > 0.0);
            assert_eq!(
                refuses,
                family.about.name == "fixed",
                "{}",
                family.about.name
            );
        }
    }
}

#[test]
fn under_a_window_no_policy_is_refused_and_every_window_holds() {
    let (horizon, window) = (60, 7);
    for family in REGISTRY {
        let whole = terms(GUARANTEES[0], horizon);
        let terms = whole.with_window(window).unwrap();
        if matches!(family.about.name, "decay" | "refinement") {
            let defaults: Vec<f64> = family.parameters.iter().filter_map(|p| p.default).collect();
            let refusal = family.policy(&defaults, &terms).unwrap_err();
            assert!(matches!(refusal, PolicyError::WholeStream { .. }));
            continue;
        }
        for sequence in sequence::REGISTRY {
            let answers = answers(sequence.about().name, horizon);
            let policy = policy(family, &terms);
            let noise = Drawn::new(4, StandardLaw::Laplace, horizon, policy.rounds());
            let mut room = Room::new(BLOCK);
            policy.walk(&terms, &answers, &noise, BLOCK, &mut room);
            assert!(room.overspent().iter().all(|over| *over == 0.0));
            assert!(room.refused().iter().all(|refused| *refused == 0.0));
            for trial in 0..BLOCK {
                for end in window..=horizon {
                    let parts = (end - window..end)
                        .flat_map(|p| (0..room.parts()).map(move |part| (p, part)));
                    let sum: f64 = parts.map(|(p, part)| room.granted(p, part)[trial]).sum();
                    assert!(sum <= 1.0 + 1e-12, "{}", family.about.name);
                }
            }
            // money comes back: more than one window's worth is spent in all
            if family.about.name == "even" {
                assert_eq!(room.answered()[0], horizon as f64);
            }
        }
    }
    let approximate = terms(GUARANTEES[3], horizon).with_window(window);
    assert_eq!(approximate.unwrap_err(), PolicyError::Window);
}

/// Whether the policy grants the same where the truth is another one and the noise makes up for it, so that all that is told is the same.
fn is_blind(family: &Family) -> bool {
    let horizon = 40;
    let terms = terms(GUARANTEES[0], horizon);
    let policy = policy(family, &terms);
    let rounds = policy.rounds();
    let here = answers("bursty", horizon);
    let shift = |position: usize| 30.0 * libm::sin(position as f64);
    let there: Vec<f64> = (here.iter().enumerate())
        .map(|(p, x)| x + shift(p))
        .collect();
    let draws = Drawn::new(9, StandardLaw::Laplace, horizon, rounds);
    let mut room = Room::new(1);
    let noise = Given {
        releases: (0..horizon)
            .map(|p| (0..rounds).map(|r| draws.release(p, r)[0]).collect())
            .collect(),
        tests: (0..horizon).map(|p| draws.test(p)[0]).collect(),
    };
    policy.walk(&terms, &here, &noise, 1, &mut room);
    let granted = |room: &Room| -> Vec<f64> {
        (0..horizon)
            .flat_map(|p| (0..room.parts()).map(move |part| (p, part)))
            .map(|(p, part)| room.granted(p, part)[0])
            .collect()
    };
    let expected = granted(&room);
    let mut other = Given {
        releases: noise.releases.clone(),
        tests: noise.tests.clone(),
    };
    let mut last = terms.start();
    for position in 0..horizon {
        for round in 0..rounds {
            let amount = room.granted(position, round)[0];
            if amount > 0.0 {
                other.releases[position][round] -= shift(position) / terms.scale(amount);
            }
        }
        if policy.tests() {
            let amount = room.granted(position, rounds)[0];
            let moved = (here[position] - last).abs() - (there[position] - last).abs();
            other.tests[position] += moved / terms.scale(amount);
        }
        last = here[position] + room.errors(position)[0];
    }
    policy.walk(&terms, &there, &other, 1, &mut room);
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs();
    expected.iter().zip(&granted(&room)).all(close)
}

#[test]
fn only_an_oracle_sees_more_than_what_is_released_or_paid_for() {
    for family in REGISTRY {
        let oracle = family.nature == Nature::Oracle;
        assert_eq!(is_blind(family), !oracle, "{}", family.about.name);
        assert_eq!(oracle, family.about.name == "oracle");
        let nature = policy(family, &terms(GUARANTEES[0], 5)).nature();
        assert_eq!(nature, family.nature);
        assert_eq!(
            named(family.about.name).map(|f| f.about),
            Some(family.about)
        );
    }
}

#[test]
fn fixed_policies_have_the_scales_of_their_formulas() {
    let horizon = 25;
    let scales = |name: &str, parameters: &[f64], guarantee: Guarantee| -> Vec<f64> {
        let terms = terms(guarantee, horizon);
        let policy = named(name).unwrap().policy(parameters, &terms).unwrap();
        let schedule = schedule(policy.as_ref(), &terms).unwrap();
        assert_eq!(schedule.refused, 0.0);
        let all = schedule.steps.iter().map(|step| step.scale.unwrap());
        all.collect()
    };
    let close = |got: &[f64], expected: &dyn Fn(i32) -> f64| {
        for (i, scale) in got.iter().enumerate() {
            let expected = expected(i as i32);
            assert!(
                (scale / expected - 1.0).abs() < 1e-11,
                "{scale} for {expected}"
            );
        }
    };
    // Δ = 2
    close(&scales("even", &[], GUARANTEES[0]), &|_| 2.0 * 25.0);
    close(&scales("even", &[], GUARANTEES[1]), &|_| {
        2.0 / (2.0 * 0.5 / 25.0_f64).sqrt()
    });
    // a divergence of αρ: ρ = 2/4/25
    close(&scales("even", &[], GUARANTEES[2]), &|_| {
        2.0 / (2.0 * 0.5 / 25.0_f64).sqrt()
    });
    close(&scales("fraction", &[0.2], GUARANTEES[0]), &|i| {
        2.0 / (0.2 * 0.8_f64.powi(i))
    });
    for ratio in [0.9, 1.3] {
        close(&scales("decay", &[ratio], GUARANTEES[0]), &|i| {
            let q: f64 = ratio;
            2.0 * (1.0 - q.powi(25)) / ((1.0 - q) * q.powi(i))
        });
    }
    // by the formula of the filter, √(2 ln(1/δ)·Σε²) + Σε²/2 is what was promised
    let epsilons = scales("even", &[], GUARANTEES[3])
        .into_iter()
        .map(|b| 2.0 / b);
    let squares: f64 = epsilons.map(|epsilon| epsilon * epsilon).sum();
    let total = (2.0 * libm::log(1e6) * squares).sqrt() + 0.5 * squares;
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    let terms = terms(GUARANTEES[0], horizon);
    let adaptive = policy(named("absorption").unwrap(), &terms);
    assert_eq!(schedule(adaptive.as_ref(), &terms), None);
}

#[test]
fn ten_tenths_fit_and_what_is_more_does_not_and_the_last_release_stands() {
    let terms = Terms::new(GUARANTEES[0], 1.0, 12).unwrap();
    let truth: Vec<f64> = (0..12).map(f64::from).collect();
    let room = |amount: f64| {
        let policy = named("fixed").unwrap().policy(&[amount], &terms).unwrap();
        silent(policy.as_ref(), &terms, &truth)
    };
    // the double 0.1 is more than a tenth: what is meant is the tenth
    let tenths = room(0.1);
    assert_eq!((tenths.answered()[0], tenths.refused()[0]), (10.0, 2.0));
    assert!(tenths.most_taken()[0] <= 1.0);
    let errors: Vec<f64> = (0..12).map(|p| tenths.errors(p)[0]).collect();
    assert_eq!(errors[..10], [0.0; 10]);
    assert_eq!(errors[10..], [-1.0, -2.0]);
    let more = room(0.1 * (1.0 + 1e-9));
    assert_eq!((more.answered()[0], more.refused()[0]), (9.0, 3.0));
    // amounts that are no part of the budget are as they are
    let odd = room(0.3);
    assert_eq!(odd.answered()[0], 3.0);
    assert!((odd.most_taken()[0] - 0.9).abs() < 1e-15);
    // an even division into ten parts fits, to the last bit
    let ten = Terms::new(GUARANTEES[0], 1.0, 10).unwrap();
    let even = named("even").unwrap().policy(&[], &ten).unwrap();
    let room = silent(even.as_ref(), &ten, &truth[..10]);
    assert_eq!((room.answered()[0], room.refused()[0]), (10.0, 0.0));
    assert!((room.most_taken()[0] - 1.0).abs() < 1e-15);
}

#[test]
fn gates_do_by_hand_what_the_paper_says() {
    // jumps of 100 between positions 3 and 4, and 7 and 8; without noise a test tells the distance
    let truth: Vec<f64> = (0..12).map(|i| [100.0, 200.0, 300.0][i / 4]).collect();
    let granted = |name: &str, terms: &Terms| -> (Vec<f64>, Vec<f64>) {
        let policy = policy(named(name).unwrap(), terms);
        let room = silent(policy.as_ref(), terms, &truth);
        let part = |part: usize| (0..12).map(|p| room.granted(p, part)[0]).collect();
        (part(0), if policy.tests() { part(1) } else { Vec::new() })
    };
    let check = |got: &[f64], expected: &[(usize, f64)], scale: f64| {
        for (position, amount) in got.iter().enumerate() {
            let of = |(p, amount): &(usize, f64)| (*p == position).then_some(amount * scale);
            let expected = expected.iter().find_map(of).unwrap_or(0.0);
            assert!(
                (amount - expected).abs() < 1e-11,
                "{position}: {amount} for {expected}"
            );
        }
    };
    let whole = Terms::new(Guarantee::Pure { epsilon: 1.0 }, 1.0, 12).unwrap();
    let (releases, tests) = granted("distribution", &whole);
    check(&releases, &[(0, 0.25), (4, 0.125), (8, 0.0625)], 1.0);
    assert!(
        tests
            .iter()
            .all(|amount| (amount - 1.0 / 24.0).abs() < 1e-12)
    );
    // the units of the positions since the last release
    let (releases, _) = granted("absorption", &whole);
    check(&releases, &[(0, 1.0), (4, 4.0), (8, 4.0)], 1.0 / 24.0);
    let (releases, _) = granted("oracle", &whole);
    check(&releases, &[(0, 1.0), (4, 4.0), (8, 4.0)], 1.0 / 12.0);
    // a window of 6: at position 8 three positions more than the one of the release have paid for it, and position 8 is free again
    let windowed = whole.with_window(6).unwrap();
    let (releases, tests) = granted("absorption", &windowed);
    check(&releases, &[(0, 1.0), (4, 4.0), (8, 1.0)], 1.0 / 12.0);
    for (position, amount) in tests.iter().enumerate() {
        let nullified = (5..8).contains(&position);
        assert_eq!(*amount == 0.0, nullified, "{position}");
    }
    // what the first release took is back at position 6
    let (releases, _) = granted("distribution", &windowed);
    check(&releases, &[(0, 0.25), (4, 0.125), (8, 0.1875)], 1.0);
}

#[test]
fn refinement_spends_where_the_decision_is_near() {
    let horizon = 40;
    let guarantee = Guarantee::Pure { epsilon: 40.0 };
    let terms = Terms::new(guarantee, 1.0, horizon).unwrap();
    let terms = terms.with_threshold(100.0).unwrap();
    // near the threshold at every fourth position
    let near = |position: usize| position.is_multiple_of(4);
    let truth: Vec<f64> = (0..horizon)
        .map(|p| if near(p) { 101.0 } else { 300.0 })
        .collect();
    let policy = policy(named("refinement").unwrap(), &terms);
    let noise = Drawn::new(1, StandardLaw::Laplace, horizon, policy.rounds());
    let mut room = Room::new(BLOCK);
    policy.walk(&terms, &truth, &noise, BLOCK, &mut room);
    let mut spent = [0.0; 2];
    for position in 0..horizon {
        for round in 0..policy.rounds() {
            spent[usize::from(near(position))] += room.granted(position, round).iter().sum::<f64>();
        }
    }
    // a quarter of the positions takes well more than half
    assert!(spent[1] > 1.5 * spent[0], "{spent:?}");
    let blind = Terms::new(guarantee, 1.0, horizon).unwrap();
    let refusal = named("refinement")
        .unwrap()
        .policy(&[4.0, 0.25, 2.0], &blind);
    assert!(matches!(
        refusal.unwrap_err(),
        PolicyError::NoThreshold { .. }
    ));
}

#[test]
fn a_trial_does_not_depend_on_its_company() {
    let horizon = 30;
    let answers = answers("bursty", horizon);
    for family in REGISTRY {
        let terms = terms(GUARANTEES[0], horizon);
        let policy = policy(family, &terms);
        let draws = Drawn::new(6, StandardLaw::Laplace, horizon, policy.rounds());
        let mut together = Room::new(BLOCK);
        policy.walk(&terms, &answers, &draws, BLOCK, &mut together);
        let mut alone = Room::new(16);
        for trial in [0, 5, 511] {
            let noise = Given {
                releases: (0..horizon)
                    .map(|p| {
                        let of = |round: usize| draws.release(p, round)[trial];
                        (0..policy.rounds()).map(of).collect()
                    })
                    .collect(),
                tests: (0..horizon).map(|p| draws.test(p)[trial]).collect(),
            };
            policy.walk(&terms, &answers, &noise, 1, &mut alone);
            for position in 0..horizon {
                assert_eq!(alone.errors(position)[0], together.errors(position)[trial]);
                assert_eq!(alone.taken(position)[0], together.taken(position)[trial]);
            }
        }
    }
}

// 512 trials of 40 positions, each error Laplace with b = 80: the mean absolute error of all lies within 4.5 standard errors of b (b/√20480),
// a false alarm of 7e-6; a scale off by 4 % is rejected
#[test]
fn even_errors_have_the_law_of_their_schedule() {
    let horizon = 40;
    let terms = terms(GUARANTEES[0], horizon);
    let even = policy(named("even").unwrap(), &terms);
    let noise = Drawn::new(8, StandardLaw::Laplace, horizon, 1);
    let mut room = Room::new(BLOCK);
    even.walk(
        &terms,
        &answers("drifting", horizon),
        &noise,
        BLOCK,
        &mut room,
    );
    let sum: f64 = (0..horizon)
        .flat_map(|p| room.errors(p).to_vec())
        .map(f64::abs)
        .sum();
    let n = (horizon * BLOCK) as f64;
    let step = schedule(even.as_ref(), &terms).unwrap().steps[7];
    let z = |scale: f64| (sum / n - scale) / (scale / n.sqrt());
    assert!((step.scale.unwrap() - 80.0).abs() < 1e-12);
    assert!(z(80.0).abs() < 4.5 && z(83.2).abs() > 4.5, "{}", z(80.0));
    assert!((step.taken - 8.0 / 40.0).abs() < 1e-15);
}

#[test]
fn terms_and_parameters_that_cannot_serve_are_refused() {
    assert!(Terms::new(Guarantee::Pure { epsilon: 0.0 }, 1.0, 3).is_err());
    assert!(Terms::new(GUARANTEES[0], f64::NAN, 3).is_err());
    assert_eq!(
        Terms::new(GUARANTEES[0], 1.0, 0).unwrap_err(),
        PolicyError::Horizon
    );
    let terms = Terms::new(GUARANTEES[0], 1.0, 3).unwrap();
    assert!(terms.with_window(0).is_err() && terms.with_window(4).is_err());
    assert!(terms.with_start(f64::INFINITY).is_err() && terms.with_threshold(f64::NAN).is_err());
    for family in REGISTRY {
        let nothing = family.policy(&[], &terms);
        assert_eq!(nothing.is_err(), !family.parameters.is_empty());
    }
    let error = named("fraction")
        .unwrap()
        .policy(&[1.0], &terms)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`part` of `fraction` is 1.0, but must be a number above 0 and below 1"
    );
}
