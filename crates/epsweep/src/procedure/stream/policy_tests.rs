//! Policies: exact laws beside what is simulated, the rule of admission, the audit, and the same bits however the work is divided.

use super::tests::{simulate, try_simulate, z};
use super::*;
use crate::procedure::Streams;
use crate::study::stream::{Group, PolicyCell};
use crate::tally::{CellTally, OutcomeTally};
use epsweep_core::accounting::filter::{Filter, Pure, Spend};
use epsweep_core::accounting::ledger::Ledger;
use epsweep_core::budget::{Budget, Epsilon};
use epsweep_core::stream::policy::{self, Guarantee, Nature, Terms};
use epsweep_core::stream::sequence;

const PURE: Guarantee = Guarantee::Pure { epsilon: 1.0 };

fn answers(name: &str, positions: usize) -> Arc<Vec<f64>> {
    let sequence = sequence::named(name).unwrap();
    let defaults: Vec<f64> = (sequence.parameters().iter())
        .map(|parameter| parameter.default.unwrap())
        .collect();
    Arc::new(sequence.generate(&defaults, 3, positions).unwrap())
}

fn cell(name: &str, parameters: &[f64], guarantee: Guarantee, sequence: &str) -> StreamCell {
    let positions = 24;
    let terms = Terms::new(guarantee, 1.0, positions).unwrap();
    let terms = terms.with_threshold(150.0).unwrap();
    let family = policy::named(name).unwrap();
    let set: Vec<f64> = match parameters {
        [] => family.parameters.iter().filter_map(|p| p.default).collect(),
        given => given.to_vec(),
    };
    let policy = family.policy(&set, &terms).unwrap();
    StreamCell {
        id: format!("policy={name} sequence={sequence} guarantee={guarantee:?}"),
        guarantee: guarantee.spent(terms.capacity()),
        method: Method::Policy(Arc::new(PolicyCell {
            schedule: policy::schedule(policy.as_ref(), &terms).map(Arc::new),
            policy: Arc::from(policy),
            terms,
            answers: answers(sequence, positions),
            groups: Group::divide(positions, 5),
        })),
    }
}

fn all(guarantee: Guarantee, sequence: &str) -> Vec<StreamCell> {
    (policy::REGISTRY.iter())
        .map(|family| {
            let parameters: &[f64] = if family.about.name == "fixed" {
                &[0.07]
            } else {
                &[]
            };
            cell(family.about.name, parameters, guarantee, sequence)
        })
        .collect()
}

fn outcome<'a>(tally: &'a CellTally, measure: &str, subject: &str) -> &'a OutcomeTally {
    let found = |o: &&OutcomeTally| o.measure == measure && o.subject == subject;
    tally.outcomes.iter().find(found).unwrap()
}

// P(|z| > 5) = 6e-7 for each of some 180 means: a false alarm of 1e-4 in all under a change of the seed
#[test]
fn what_is_known_in_advance_has_its_exact_mean() {
    let guarantees = [
        PURE,
        Guarantee::Zcdp { rho: 0.5 },
        Guarantee::Renyi {
            order: 4.0,
            divergence: 1.0,
        },
        Guarantee::Approximate {
            epsilon: 1.0,
            delta: 1e-6,
        },
    ];
    let mut checked = 0;
    for guarantee in guarantees {
        let cells = all(guarantee, "drifting");
        for (cell, tally) in cells
            .iter()
            .zip(simulate(&cells, &[], 4000, 2, Streams::Common))
        {
            let fixed = cell.policy().unwrap().policy.nature() == Nature::Fixed;
            for outcome in &tally.outcomes {
                assert!(fixed || outcome.law.is_none());
                let Some(z) = z(outcome) else { continue };
                let name = format!("{} {} {}", cell.id, outcome.measure, outcome.subject);
                assert!(z.abs() < 5.0, "{name}: z = {z}");
                checked += 1;
            }
            // errors by group, `all`; spent by group and in all; answered; refused; misjudged
            assert_eq!(tally.outcomes.len(), 6 + 5 + 1 + 1 + 1 + 1);
        }
    }
    assert!(checked > 150, "{checked}");
    // the errors of one policy under the law of another
    let mut wrong = cell("even", &[], PURE, "drifting");
    let other = cell("decay", &[0.9], PURE, "drifting");
    if let (Method::Policy(wrong), Method::Policy(other)) = (&mut wrong.method, &other.method) {
        Arc::get_mut(wrong).unwrap().schedule = other.schedule.clone();
    }
    let tally = &simulate(&[wrong], &[], 4000, 1, Streams::Common)[0];
    let group = outcome(tally, "stream_error", "1-4");
    assert!(z(group).unwrap().abs() > 8.0);
}

#[test]
fn ten_tenths_are_granted_in_the_run_as_by_filter_and_ledger() {
    let tenths = cell("fixed", &[0.1], PURE, "drifting");
    let positions = tenths.method.queries();
    let mut filter = Pure::new(1.0).unwrap();
    let mut ledger = Ledger::new(Budget::Pure(Epsilon::new(1.0).unwrap()));
    // the double 0.1 is more than a tenth, and a filter takes nine of it; the policy takes the largest of which there are ten
    let tenth = Spend::Pure(0.1_f64.next_down());
    let by_filter = (0..positions)
        .filter(|_| filter.offer(tenth).unwrap())
        .count();
    let by_ledger = (0..positions)
        .filter(|_| ledger.spend("one", tenth).is_ok())
        .count();
    assert_eq!((by_filter, by_ledger), (10, 10));
    let mut strict = Pure::new(1.0).unwrap();
    let taken = (0..positions).filter(|_| strict.offer(Spend::Pure(0.1)).unwrap());
    assert_eq!(taken.count(), 9);
    let tally = &simulate(std::slice::from_ref(&tenths), &[], 1000, 2, Streams::Common)[0];
    for (measure, expected) in [
        ("answered", 10.0),
        ("refused", positions as f64 - 10.0),
        ("spent", filter.spent()),
    ] {
        let outcome = outcome(tally, measure, "all");
        assert!((outcome.min - expected).abs() < 1e-15 && outcome.min == outcome.max);
        let exact = outcome.law.as_ref().unwrap().mean().unwrap();
        assert!((exact - expected).abs() < 1e-15, "{measure}");
    }
    // where the release is repeated no law of it alone is known
    assert!(outcome(tally, "stream_error", "1-4").law.is_some());
    assert!(outcome(tally, "stream_error", "20-24").law.is_none());
}

#[test]
fn neither_threads_nor_company_change_a_bit_though_trials_draw_different_amounts() {
    let mut cells = all(PURE, "bursty");
    cells.extend(all(Guarantee::Zcdp { rho: 0.5 }, "adversarial"));
    let pairs: Vec<(usize, usize)> = (1..8).map(|a| (a, 0)).collect();
    for streams in [Streams::Common, Streams::Independent] {
        let whole = simulate(&cells, &pairs, 2500, 1, streams);
        let answered = outcome(&whole[5], "answered", "all");
        assert!(
            answered.min < answered.max,
            "trials differ in what they ask for"
        );
        for jobs in [2, 5] {
            let threads = simulate(&cells, &pairs, 2500, jobs, streams);
            for (a, b) in whole.iter().zip(&threads) {
                assert_eq!(a.digest(), b.digest());
            }
        }
        for (cell, tally) in cells.iter().zip(&whole) {
            let alone = &simulate(std::slice::from_ref(cell), &[], 2500, 1, streams)[0];
            for (o, same) in tally.outcomes.iter().zip(&alone.outcomes) {
                assert_eq!((o.moments, &o.histogram), (same.moments, &same.histogram));
            }
        }
    }
    // paired with the baseline, group by group
    let tally = &simulate(&cells, &pairs, 2500, 2, Streams::Common)[5];
    let subjects: Vec<&str> = tally
        .pairs
        .iter()
        .map(|pair| pair.subject.as_str())
        .collect();
    assert!(
        subjects.contains(&"1-4") && subjects.contains(&"all"),
        "{subjects:?}"
    );
}

#[test]
fn a_trial_beyond_what_the_cell_guarantees_ends_the_run() {
    let mut cells = all(PURE, "bursty");
    cells[2].guarantee = 0.5;
    let error = try_simulate(&cells, &[], 600, 2, Streams::Common).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("policy=fraction") && message.contains("a trial spent"),
        "{message}"
    );
}
