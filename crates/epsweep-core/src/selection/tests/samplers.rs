//! Every path to a law gives that law.

use super::super::sampler::{AliasTable, InverseCdf, NoisyMax, Race, Roulette};
use super::super::trial::{agree, count, problem, stream, stream_with};
use super::super::{Problem, REGISTRY, mechanism};
use crate::random::{Level, StandardLaw};

/// More than one block, of many sizes, with some that are never chosen.
fn long() -> Vec<f64> {
    (0..2500)
        .map(|i| match i % 7 {
            6 => f64::NEG_INFINITY,
            _ => 6.0 * ((f64::from(i) * 0.618_033_988_75) % 1.0),
        })
        .collect()
}

const SHORT: [f64; 7] = [9.0, 4.0, 7.0, f64::NEG_INFINITY, 5.0, 7.0, -1e308];

/// Sums over cells of like scores in either half, so that chi-square has enough in each.
fn fold(scores: &[f64], values: &[f64]) -> Vec<f64> {
    if values.len() < 25 {
        return values.to_vec();
    }
    let mut cells = vec![0.0; 25];
    for (index, (score, value)) in scores.iter().zip(values).enumerate() {
        let cell = match *score {
            f64::NEG_INFINITY => 24,
            score => 2 * (2.0 * score) as usize + 2 * index / values.len(),
        };
        cells[cell] += value;
    }
    cells
}

/// Counts must not hit what has probability 0, and agree with the law; the wrong one has twice the ε.
fn check(what: &str, name: &str, scores: &[f64], trials: usize, draw: impl FnMut() -> usize) {
    let mechanism = mechanism(name).unwrap();
    let law = mechanism.law(&problem(scores, 1.0, 1.0)).unwrap();
    let wrong = mechanism.law(&problem(scores, 2.0, 1.0)).unwrap();
    let counts = count(scores.len(), trials, draw);
    for (count, p) in counts.iter().zip(law.probabilities()) {
        assert!(
            *p > 0.0 || *count == 0.0,
            "{what}: a candidate that is never chosen"
        );
    }
    let fold = |values: &[f64]| fold(scores, values);
    agree(
        what,
        &fold(&counts),
        &fold(law.probabilities()),
        &fold(wrong.probabilities()),
    );
}

#[test]
fn alias_and_inverse_draws_follow_every_law() {
    for mechanism in REGISTRY {
        let name = mechanism.about().name;
        let scores = [9.0, 4.0, 7.0, f64::NEG_INFINITY, 5.0, 7.0];
        let problem = problem(&scores, 1.0, 1.0);
        let law = mechanism.law(&problem).unwrap();
        let table = AliasTable::new(&law);
        let mut words = stream("alias", StandardLaw::Bits);
        let mut word = [0.0];
        check("alias", name, &scores, 50_000, || {
            words.fill(&mut word);
            table.draw(word[0].to_bits())
        });
        let inverse = InverseCdf::new(&problem, &law);
        let mut uniforms = stream("inverse", StandardLaw::Uniform);
        check("inverse", name, &scores, 50_000, || {
            uniforms.fill(&mut word);
            inverse.draw(word[0])
        });
    }
}

#[test]
fn races_roulettes_and_noisy_maxima_follow_their_laws() {
    for (scores, trials) in [(&SHORT[..], 50_000), (&long()[..], 10_000)] {
        let problem = problem(scores, 1.0, 1.0);
        let mut race = Race::new(&problem);
        let mut exponentials = stream("race", StandardLaw::Exponential);
        check("race", "exponential", scores, trials, || {
            race.choose(&mut exponentials)
        });

        let mut roulette = Roulette::default();
        let mut uniforms = stream("roulette", StandardLaw::Uniform);
        check("roulette", "exponential", scores, trials, || {
            let mut uniform = [0.0];
            uniforms.fill(&mut uniform);
            roulette.choose(problem.scores(), problem.calibration(), uniform[0])
        });

        for mechanism in REGISTRY {
            let Some(law) = mechanism.noise() else {
                continue;
            };
            let mut sampler = NoisyMax::new(&problem);
            let mut noise = stream("noisy max", law);
            let name = mechanism.about().name;
            check(name, name, scores, trials, || sampler.choose(&mut noise));
        }
    }
}

#[test]
fn a_table_stands_for_its_law_to_the_last_bits() {
    let exponential = mechanism("exponential").unwrap();
    let equal = vec![1.0; 1000];
    for scores in [
        &SHORT[..],
        &long(),
        &[1.0],
        &[1.0, 1.0],
        &equal,
        &[0.0, -40.0, -700.0],
    ] {
        let law = exponential.law(&problem(scores, 1.0, 1.0)).unwrap();
        let implied = AliasTable::new(&law).implied();
        assert!((implied.iter().sum::<f64>() - 1.0).abs() < 1e-13);
        for (got, p) in implied.iter().zip(law.probabilities()) {
            // heights are rounded to 2⁻⁵⁰ or so, and summed up in as many steps as a column is an alias
            assert!((got - p).abs() <= 4e-16 + 1e-13 * p, "{got} {p}");
            assert!(*p > 0.0 || *got == 0.0);
        }
    }
}

#[test]
fn the_ends_of_the_words_and_of_the_unit_interval_are_candidates_that_can_be_chosen() {
    let problem = problem(&SHORT, 1.0, 1.0);
    let law = mechanism("exponential").unwrap().law(&problem).unwrap();
    let table = AliasTable::new(&law);
    let inverse = InverseCdf::new(&problem, &law);
    let mut roulette = Roulette::default();
    for word in [0, 1, u64::MAX / 7 * 3, u64::MAX / 7 * 3 + 9, u64::MAX] {
        assert!(law.probabilities()[table.draw(word)] > 0.0);
    }
    for uniform in [f64::MIN_POSITIVE, 1.0 - f64::EPSILON / 2.0] {
        assert!(law.probabilities()[inverse.draw(uniform)] > 0.0);
        let chosen = roulette.choose(problem.scores(), problem.calibration(), uniform);
        assert!(law.probabilities()[chosen] > 0.0);
    }
    let mut rows = [0; 3];
    table.draw_row(
        &[0.0, f64::from_bits(1), f64::from_bits(u64::MAX)],
        &mut rows,
    );
    assert_eq!(
        rows.map(|chosen| chosen as usize),
        [table.draw(0), table.draw(1), table.draw(u64::MAX)]
    );
    inverse.draw_row(&[0.1, 0.5, 0.9], &mut rows);
    assert_eq!(
        rows.map(|chosen| chosen as usize),
        [0.1, 0.5, 0.9].map(|u| inverse.draw(u))
    );
}

#[test]
fn common_variates_give_losses_that_fall_with_the_budget() {
    let at = |epsilon: f64| {
        let problem = problem(&SHORT, epsilon, 1.0);
        let law = mechanism("exponential").unwrap().law(&problem).unwrap();
        (InverseCdf::new(&problem, &law), problem)
    };
    let ((low, problem), (high, _)) = (at(0.5), at(2.0));
    for step in 0..1000 {
        let uniform = (f64::from(step) + 0.5) / 1000.0;
        let loss = |sampler: &InverseCdf| problem.scores().loss(sampler.draw(uniform));
        assert!(loss(&high) <= loss(&low));
    }
}

#[test]
fn choices_do_not_depend_on_the_instruction_set() {
    let scores = long();
    let problem = problem(&scores, 1.0, 1.0);
    let extreme = super::super::trial::problem(&[1e308, -1e308, 0.0, -1e307], 1.0, 1e308);
    let choices = |level: Level| {
        let mut race = Race::with_level(level, &problem, 1.0);
        let mut noisy = NoisyMax::with_level(level, &problem);
        let mut roulette = Roulette::with_level(level);
        let mut exponentials = stream_with(level, "same", StandardLaw::Exponential);
        let mut gumbels = stream_with(level, "same", StandardLaw::Gumbel);
        let choose = |step: i32| {
            let uniform = (f64::from(step) + 0.5) / 50.0;
            let mut roulette = |problem: &Problem| {
                roulette.choose(problem.scores(), problem.calibration(), uniform)
            };
            [
                race.choose(&mut exponentials),
                noisy.choose(&mut gumbels),
                roulette(&problem),
                roulette(&extreme),
            ]
        };
        (0..50).map(choose).collect::<Vec<_>>()
    };
    let expected = choices(Level::best());
    assert!(expected.iter().any(|chosen| chosen[3] == 1));
    for level in Level::available() {
        assert_eq!(choices(level), expected, "{}", level.name());
    }
}

#[test]
fn a_roulette_without_budget_is_uniform() {
    let scores = [1e308, f64::NEG_INFINITY, 5.0, -1e308];
    let problem = problem(&scores, 0.0, 1.0);
    let mut roulette = Roulette::default();
    let mut counts = [0; 4];
    for step in 0..300 {
        let uniform = (f64::from(step) + 0.5) / 300.0;
        counts[roulette.choose(problem.scores(), problem.calibration(), uniform)] += 1;
    }
    assert_eq!(counts, [100, 0, 100, 100]);
}
