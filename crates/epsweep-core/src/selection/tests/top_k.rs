//! Ordered choices of several candidates.

use super::super::top_k::{REGISTRY, Slots, guarantees, mechanism};
use super::super::trial::{agree, count, problem, stream};
use super::super::{
    Problem, SelectionError, mechanism as single,
    sampler::{Race, Successive},
    uniforms,
};
use crate::budget::Shares;
use crate::random::StandardLaw;
use std::collections::HashMap;

fn orders(name: &str, problem: &Problem, slots: &Slots) -> (HashMap<Vec<usize>, usize>, Vec<f64>) {
    let mut places = HashMap::new();
    let mut law = Vec::new();
    let exact = mechanism(name).unwrap().law(problem, slots).unwrap();
    exact
        .for_each(|order, probability| {
            places.insert(order.to_vec(), law.len());
            law.push(probability);
        })
        .unwrap();
    (places, law)
}

#[test]
fn peeling_and_one_shot_gumbel_and_the_race_have_the_same_ordered_law() {
    // 20 000 trials each; the wrong law is that of an ε half as large again
    let scores = [4.0, 2.0, 5.0, 1.0, f64::NEG_INFINITY, 4.0];
    let (problem, wrong) = (
        problem(&scores, 3.0, 1.0),
        super::super::trial::problem(&scores, 4.5, 1.0),
    );
    let slots = Slots::even(3, &problem).unwrap();
    for mechanism in REGISTRY {
        let name = mechanism.about().name;
        let (places, law) = orders(name, &problem, &slots);
        let (_, wrong) = orders(name, &wrong, &slots);
        assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        let mut draw = uniforms(stream(name, StandardLaw::Uniform));
        let mut counts = vec![0.0; law.len()];
        for _ in 0..20_000 {
            let order = mechanism.choose(&problem, &slots, &mut draw).unwrap();
            counts[places[&order]] += 1.0;
        }
        agree(name, &counts, &law, &wrong);

        let mut race = Race::top(&problem, 3);
        let mut exponentials = stream("top race", StandardLaw::Exponential);
        let mut counts = vec![0.0; law.len()];
        for _ in 0..20_000 {
            counts[places[&race.choose_several(3, &mut exponentials)]] += 1.0;
        }
        agree("race", &counts, &law, &wrong);
    }
}

#[test]
fn peeling_shares_the_budget_among_the_slots_as_asked() {
    let scores = [4.0, 2.0, 5.0, 1.0];
    let problem = problem(&scores, 3.0, 1.0);
    let shares = Shares::new(vec![0.8, 0.2]).unwrap();
    let slots = Slots::shared(&shares, &problem).unwrap();
    let (places, law) = orders("peeling", &problem, &slots);
    let even = Slots::even(2, &problem).unwrap();
    let (_, wrong) = orders("peeling", &problem, &even);
    let mut draw = uniforms(stream("uneven", StandardLaw::Uniform));
    let mut counts = vec![0.0; law.len()];
    for _ in 0..20_000 {
        let order = mechanism("peeling")
            .unwrap()
            .choose(&problem, &slots, &mut draw)
            .unwrap();
        counts[places[&order]] += 1.0;
    }
    agree("uneven peeling", &counts, &law, &wrong);
    let spent: Vec<f64> = guarantees(problem.calibration(), &slots)
        .iter()
        .map(|slot| slot.bounded_range.unwrap())
        .collect();
    assert!((spent[0] - 2.4).abs() < 1e-15 && (spent[1] - 0.6).abs() < 1e-15);
    let one_shot = mechanism("one-shot-gumbel").unwrap();
    assert!(matches!(
        one_shot.choose(&problem, &slots, &mut draw),
        Err(SelectionError::UnevenSlots { .. })
    ));
    assert!(one_shot.law(&problem, &slots).is_err());
}

#[test]
fn one_slot_is_the_exponential_mechanism_and_all_slots_take_everyone() {
    let scores = [4.0, 2.0, 5.0, 1.0, f64::NEG_INFINITY];
    let problem = problem(&scores, 1.0, 1.0);
    let exponential = single("exponential").unwrap().law(&problem).unwrap();
    for mechanism in REGISTRY {
        let one = Slots::even(1, &problem).unwrap();
        let law = mechanism.law(&problem, &one).unwrap();
        for (got, expected) in law
            .inclusion()
            .unwrap()
            .iter()
            .zip(exponential.probabilities())
        {
            assert!((got - expected).abs() < 1e-15);
        }
        let all = Slots::even(4, &problem).unwrap();
        let law = mechanism.law(&problem, &all).unwrap();
        let included = law.inclusion().unwrap();
        assert!(included[..4].iter().all(|p| (p - 1.0).abs() < 1e-13) && included[4] == 0.0);
        let mut draw = uniforms(stream("all", StandardLaw::Uniform));
        let mut chosen = mechanism.choose(&problem, &all, &mut draw).unwrap();
        chosen.sort_unstable();
        assert_eq!(chosen, [0, 1, 2, 3]);
        assert_eq!(law.probability(&[0, 0]), 0.0);
        assert_eq!(law.probability(&[4]), 0.0);
        assert_eq!(law.probability(&[9]), 0.0);
        assert_eq!(law.probability(&[0, 1, 2, 3, 0]), 0.0);
    }
}

#[test]
fn slots_that_cannot_be_filled_and_laws_that_are_too_long_are_refused() {
    let problem = problem(&[1.0, 2.0, f64::NEG_INFINITY], 1.0, 1.0);
    for count in [0, 3] {
        assert_eq!(
            Slots::even(count, &problem).unwrap_err(),
            SelectionError::Slots {
                slots: count,
                candidates: 2
            }
        );
    }
    let many = super::super::trial::problem(&[0.0; 100], 1.0, 1.0);
    let slots = Slots::even(10, &many).unwrap();
    let error = mechanism("peeling")
        .unwrap()
        .law(&many, &slots)
        .unwrap()
        .inclusion()
        .unwrap_err();
    assert!(matches!(error, SelectionError::LawTooDear { .. }));
}

#[test]
fn scores_far_apart_leave_the_order_of_the_scores() {
    // at the larger ε, all gaps but the first overflow
    for epsilon in [1.0, 1e6] {
        let problem = problem(&[1e308, -1e308, 0.0, -1e307], epsilon, 1.0);
        let slots = Slots::even(4, &problem).unwrap();
        for mechanism in REGISTRY {
            let mut draw = uniforms(stream("far", StandardLaw::Uniform));
            for _ in 0..20 {
                let order = mechanism.choose(&problem, &slots, &mut draw).unwrap();
                assert_eq!(order, [0, 2, 3, 1], "{}", mechanism.about().name);
            }
            let law = mechanism.law(&problem, &slots).unwrap();
            assert_eq!(law.probability(&[0, 2, 3, 1]), 1.0);
        }
        let mut race = Race::top(&problem, 4);
        let mut exponentials = stream("far", StandardLaw::Exponential);
        for _ in 0..20 {
            assert_eq!(race.choose_several(4, &mut exponentials), [0, 2, 3, 1]);
        }
    }
}

#[test]
fn the_race_ranks_what_is_beyond_its_range_fairly() {
    // 2000 trials: the second and third place are a fair coin, 300 or more of 2000 off with a probability below 1e-40
    let problem = problem(&[0.0, -9000.0, -9000.0, f64::NEG_INFINITY], 1.0, 1.0);
    let mut race = Race::top(&problem, 2);
    let mut exponentials = stream("beyond", StandardLaw::Exponential);
    let mut seconds = [0; 4];
    for _ in 0..2000 {
        let order = race.choose_several(2, &mut exponentials);
        assert_eq!((order.len(), order[0]), (2, 0));
        seconds[order[1]] += 1;
    }
    assert!(
        seconds[0] + seconds[3] == 0 && (700..1300).contains(&seconds[1]),
        "{seconds:?}"
    );
    assert_eq!(race.choose_several(9, &mut exponentials).len(), 3);
}

/// The sampler by the inverse distribution function has peeling's law: chi-square over all ordered choices, for even and uneven shares, ties
/// and a candidate that is never chosen.
#[test]
fn successive_draws_have_the_law_of_peeling() {
    let scores = [3.0, f64::NEG_INFINITY, 1.0, 3.0, 0.5, -2.0];
    let problem = problem(&scores, 3.0, 1.0);
    for (shares, other) in [
        ([0.5, 0.5], [0.9, 0.1]),
        ([0.8, 0.2], [0.2, 0.8]),
        ([1.0, 0.0], [0.5, 0.5]),
    ] {
        let slots = |shares: [f64; 2]| {
            Slots::shared(&Shares::new(shares.to_vec()).unwrap(), &problem).unwrap()
        };
        let law = |slots: &Slots| {
            let mut law = vec![0.0; 36];
            let ordered = mechanism("peeling").unwrap();
            let ordered = ordered.law(&problem, slots).unwrap();
            (ordered.for_each(|order, p| law[order[0] * 6 + order[1]] += p)).unwrap();
            law
        };
        let (slots, wrong) = (slots(shares), law(&slots(other)));
        let sampler = Successive::new(&problem, &slots);
        let mut uniforms = uniforms(stream("successive", StandardLaw::Uniform));
        let counts = count(36, 200_000, || {
            let drawn = [uniforms(), uniforms()];
            let mut chosen = [0; 2];
            sampler.draw(|slot| drawn[slot], &mut chosen);
            chosen[0] as usize * 6 + chosen[1] as usize
        });
        agree(&format!("{shares:?}"), &counts, &law(&slots), &wrong);
    }
}

/// Where the best is so far ahead that the others have no weight beside it, the slots behind it are still filled by their own odds.
#[test]
fn successive_draws_do_not_underflow() {
    let problem = problem(&[1e308, -1e308, -1e308, 5.0, 4.0], 2.0, 1.0);
    let slots = Slots::even(3, &problem).unwrap();
    let sampler = Successive::new(&problem, &slots);
    let mut first = 0;
    for step in 0..1000 {
        let uniform = (f64::from(step) + 0.5) / 1000.0;
        let mut chosen = [0; 3];
        sampler.draw(|_| uniform, &mut chosen);
        assert_eq!(chosen[0], 0);
        first += u32::from(chosen[1] == 3);
        assert!(chosen[1..].contains(&3) && chosen[1..].contains(&4));
    }
    // 1/(1 + e^(−1/3)) = 0.5826 of an even grid
    assert_eq!(first, 583);
    // all that there is, in some order
    let slots = Slots::even(5, &problem).unwrap();
    let sampler = Successive::new(&problem, &slots);
    let mut chosen = [0; 5];
    sampler.draw(|_| 0.999_999, &mut chosen);
    chosen.sort_unstable();
    assert_eq!(chosen, [0, 1, 2, 3, 4]);
}
