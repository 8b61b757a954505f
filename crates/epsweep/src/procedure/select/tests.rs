//! Every mechanism by every path against its exact law, pairing, and the same bits however the work is divided.

use super::*;
use crate::engine::{Kept, Progress};
use crate::measure::{self, Measure};
use crate::procedure::{OnError, Quantiles, Streams, Task};
use crate::study::select::{Chooser, ExactLaw, OTHERS, Path, Ranking};
use crate::tally::{CellTally, OutcomeTally};
use epsweep_core::selection::top_k::Slots;
use epsweep_core::selection::{self, Calibration, Problem, top_k};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// kebab, jelly, stinky tofu, fried chicken, sweet soup, best first
const SCORES: [f64; 5] = [9.0, 7.0, 5.0, 4.0, 2.0];

fn ranking(scores: &[f64], shown: usize) -> Arc<Ranking> {
    Arc::new(Ranking::new(scores, shown, |place| format!("c{place}")).unwrap())
}

fn problem(ranking: &Ranking, epsilon: f64) -> Problem {
    let calibration = Calibration::general(epsilon, 1.0).unwrap();
    Problem::new(ranking.scores().clone(), calibration).unwrap()
}

fn one(ranking: &Arc<Ranking>, name: &str, path: Path, epsilon: f64) -> Option<SelectCell> {
    let mechanism = selection::mechanism(name).unwrap();
    let problem = problem(ranking, epsilon);
    let law = mechanism.law(&problem).unwrap();
    Some(SelectCell {
        id: format!("mechanism={name} path={} epsilon={epsilon}", path.name()),
        ranking: ranking.clone(),
        slots: 1,
        chooser: Chooser::One(mechanism),
        path,
        sampler: Arc::new(Sampler::one(path, mechanism, problem, &law)?),
        law: Arc::new(ExactLaw::One(law.probabilities().to_vec())),
    })
}

fn several(ranking: &Arc<Ranking>, name: &str, path: Path, k: usize) -> Option<SelectCell> {
    let mechanism = top_k::mechanism(name).unwrap();
    let problem = problem(ranking, 2.0);
    let slots = Slots::even(k, &problem).unwrap();
    let law = ExactLaw::several(
        &mechanism.law(&problem, &slots).unwrap(),
        k,
        ranking.scores().permitted(),
    );
    Some(SelectCell {
        id: format!("mechanism={name} path={} k={k}", path.name()),
        ranking: ranking.clone(),
        slots: k,
        chooser: Chooser::Several(mechanism),
        path,
        sampler: Arc::new(Sampler::several(path, mechanism, problem, slots)?),
        law: Arc::new(law),
    })
}

fn simulate(
    cells: &[SelectCell],
    pairs: &[(usize, usize)],
    trials: u64,
    jobs: usize,
    streams: Streams,
) -> Vec<CellTally> {
    let measures: Vec<&'static dyn Measure> = measure::REGISTRY.to_vec();
    let task = Task {
        seed: 42,
        trials,
        jobs,
        pairs,
        measures: &measures,
        streams,
        level: 0.95,
        quantiles: Quantiles::Histogram,
        until: None,
        kept: Kept::default(),
        // a loss beyond the range of doubles is no number
        on_error: OnError::Record,
    };
    let tallies = Mutex::new(Vec::new());
    let keep = |tally: CellTally| tallies.lock().unwrap().push(tally);
    let outcome = run(
        cells,
        &task,
        &Progress::default(),
        &AtomicBool::new(false),
        &keep,
    )
    .unwrap();
    assert_eq!((outcome.finished, outcome.stopped), (cells.len(), false));
    let mut tallies = tallies.into_inner().unwrap();
    tallies.sort_by_key(|tally| tally.cell);
    tallies
}

fn outcome<'a>(cell: &'a CellTally, subject: &str, measure: &str) -> &'a OutcomeTally {
    let mut found = cell.outcomes.iter();
    let found = found.find(|o| o.subject == subject && o.measure == measure);
    found.unwrap_or_else(|| panic!("no {measure} of {subject}"))
}

/// All 20 combinations that there are. P(|z| > 5) = 6e-7 for each of some 200 frequencies and means, and the p value of a chi-square is below
/// 1e-6 as often: a false alarm of 1.4e-4 in all under a change of the seed.
#[test]
fn every_path_has_the_law_of_its_mechanism() {
    let ranking = ranking(&SCORES, 5);
    let mut cells = Vec::new();
    for path in Path::ALL {
        cells.extend(
            (selection::REGISTRY.iter()).filter_map(|m| one(&ranking, m.about().name, *path, 1.0)),
        );
        cells.extend(
            (top_k::REGISTRY.iter()).filter_map(|m| several(&ranking, m.about().name, *path, 2)),
        );
    }
    assert_eq!(cells.len(), 6 + 6 + 4 + 6 + 2 + 2 + 2);
    let trials = 40_000;
    let tallies = simulate(&cells, &[], trials, 2, Streams::Common);
    let mut checked = 0;
    for (cell, tally) in cells.iter().zip(&tallies) {
        for o in &tally.outcomes {
            let law = o.law.as_ref().unwrap_or_else(|| panic!("{}", cell.id));
            let (mean, sd) = (law.mean().unwrap(), law.sd().unwrap());
            let z = (o.moments.mean - mean) / (sd / (trials as f64).sqrt());
            assert!(
                z.abs() < 5.0,
                "{} {} {}: z = {z}",
                cell.id,
                o.subject,
                o.measure
            );
            assert_eq!(o.histogram.total(), trials);
            checked += 1;
        }
        match cell.slots {
            1 => assert!(tally.fit.unwrap().p_value() > 1e-6, "{}", cell.id),
            _ => assert_eq!(tally.fit, None),
        }
    }
    assert!(checked > 190, "{checked}");
    // a law that is a little off is noticed: the exponential mechanism's frequencies under permute-and-flip's
    let wrong = one(&ranking, "permute-and-flip", Path::InverseCdf, 1.0).unwrap();
    let mut mixed = one(&ranking, "exponential", Path::InverseCdf, 1.0).unwrap();
    mixed.law = wrong.law;
    let tally = &simulate(&[mixed], &[], trials, 1, Streams::Common)[0];
    assert!(tally.fit.unwrap().p_value() < 1e-12);
}

#[test]
fn neither_threads_nor_company_nor_order_change_a_bit() {
    let ranking = ranking(&SCORES, 3);
    let cells: Vec<SelectCell> = [0.5, 1.0, 2.0]
        .into_iter()
        .flat_map(|epsilon| {
            [Path::InverseCdf, Path::Alias, Path::NoisyMax, Path::Literal]
                .map(|path| one(&ranking, "exponential", path, epsilon).unwrap())
        })
        .chain(several(&ranking, "one-shot-gumbel", Path::NoisyMax, 3))
        .collect();
    let pairs: Vec<(usize, usize)> = (1..cells.len()).map(|a| (a, 0)).collect();
    for streams in [Streams::Common, Streams::Independent] {
        let whole = simulate(&cells, &pairs, 9000, 1, streams);
        let threads = simulate(&cells, &pairs, 9000, 3, streams);
        for (a, b) in whole.iter().zip(&threads) {
            assert_eq!(a.digest(), b.digest());
        }
        for (cell, tally) in cells.iter().zip(&whole) {
            let alone = &simulate(std::slice::from_ref(cell), &[], 9000, 1, streams)[0];
            for (o, same) in tally.outcomes.iter().zip(&alone.outcomes) {
                assert_eq!((o.moments, &o.histogram), (same.moments, &same.histogram));
            }
        }
    }
}

/// Cells by the inverse distribution function are paired: the loss at a larger ε is never above that at a smaller one, and the variance of the
/// difference is far below that of independent draws.
#[test]
fn the_inverse_distribution_function_pairs_cells() {
    let ranking = ranking(&SCORES, 5);
    let cells = [0.5, 1.0].map(|e| one(&ranking, "exponential", Path::InverseCdf, e).unwrap());
    let paired = &simulate(&cells, &[(1, 0)], 20_000, 1, Streams::Common)[1].pairs[0];
    assert_eq!((paired.measure, paired.loss), ("utility_loss", 0));
    assert!(paired.win > 0);
    let apart = &simulate(&cells, &[(1, 0)], 20_000, 1, Streams::Independent)[1].pairs[0];
    assert!(apart.loss > 0);
    assert!(paired.moments.variance() < 0.5 * apart.moments.variance());
}

/// C12: at ε = 0 everyone is as likely; and what is never to be chosen is not.
#[test]
fn nothing_is_spent_at_epsilon_zero_and_never_is_never() {
    let ranking = ranking(&[1e308, f64::NEG_INFINITY, -1e308, 0.0], 4);
    assert_eq!(ranking.names().len(), 3);
    for mechanism in selection::REGISTRY {
        let cell = one(&ranking, mechanism.about().name, Path::InverseCdf, 0.0).unwrap();
        let tally = &simulate(&[cell], &[], 30_000, 1, Streams::Common)[0];
        // who loses 1e308 − (−1e308) has no loss that is a double, and is chosen all the same
        let beyond = outcome(tally, "all", "utility_loss").undefined;
        assert!(beyond > 9000);
        assert_eq!(tally.failed.trials, beyond);
        let worst = &outcome(tally, &ranking.names()[2], "chosen").moments;
        assert_eq!(
            (worst.n, (worst.mean * 30_000.0).round() as u64),
            (30_000, beyond)
        );
        for name in ranking.names() {
            // 5 standard errors of a third: 6e-7 for each of 18
            let share = outcome(tally, name, "chosen").moments.mean;
            assert!((share - 1.0 / 3.0).abs() < 5.0 * (2.0 / 9.0 / 30_000.0_f64).sqrt());
        }
        assert_eq!(
            tally
                .outcomes
                .iter()
                .filter(|o| o.measure == "chosen")
                .count(),
            3
        );
    }
}

/// Beyond the candidates that are counted one by one there are others, and the counts add up.
#[test]
fn many_candidates_are_told_apart_as_far_as_asked() {
    let scores: Vec<f64> = (0..5000).map(|i| f64::from(i % 50)).collect();
    let ranking = ranking(&scores, 7);
    let cell = one(&ranking, "exponential", Path::Alias, 0.2).unwrap();
    let tally = &simulate(&[cell], &[], 50_000, 2, Streams::Common)[0];
    let chosen: Vec<&OutcomeTally> = (tally.outcomes.iter())
        .filter(|o| o.measure == "chosen")
        .collect();
    assert_eq!((chosen.len(), chosen[7].subject.as_str()), (8, OTHERS));
    let total: f64 = chosen.iter().map(|o| o.moments.mean).sum();
    assert!((total - 1.0).abs() < 1e-12);
    let exact: f64 = chosen
        .iter()
        .map(|o| o.law.as_ref().unwrap().mean().unwrap())
        .sum();
    assert!((exact - 1.0).abs() < 1e-9);
    assert!(tally.fit.unwrap().p_value() > 1e-6);
    let loss = outcome(tally, "all", "utility_loss");
    let z =
        (loss.moments.mean - loss.law.as_ref().unwrap().mean().unwrap()) / loss.moments.mcse_mean();
    assert!(z.abs() < 5.0, "{z}");
}
