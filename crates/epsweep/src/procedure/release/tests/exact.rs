//! Exact quantiles: those of sorting all values, however the work is divided.

use super::*;
use crate::engine::order_statistics_within;
use crate::procedure::Quantiles;
use crate::summary::quantile_ranks;
use epsweep_core::random::Draws;
use epsweep_core::statistics::quantile_sorted;

const PROBABILITIES: [f64; 7] = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99];

fn exact<'a>(asked: &Request<'a>) -> Request<'a> {
    Request {
        quantiles: Quantiles::Exact {
            ranks: quantile_ranks,
        },
        ..*asked
    }
}

/// The errors of the three queries of a cell with these scales, trial by trial, from the draws' addresses.
fn errors(scales: [f64; 3], trials: usize) -> Vec<[f64; 3]> {
    let sources =
        NAMES.map(|name| Source::new(&format!("laplace/{name}"), StandardLaw::Laplace, 1));
    let mut draws = Draws::new(42, Release::CHUNK, &sources);
    let mut errors = Vec::with_capacity(trials);
    for t in 0..trials {
        draws.go_to((t / Release::CHUNK) as u64);
        let noise = [0, 1, 2].map(|q| draws.row(q, 0)[t % Release::CHUNK]);
        errors.push([0, 1, 2].map(|q| scales[q] * noise[q]));
    }
    errors
}

#[test]
fn exact_quantiles_are_those_of_sorting_all_values() {
    let trials = 30_000;
    let (cells, pairs) = article();
    let asked = exact(&request(&cells, &pairs, trials as u64));
    for (tallied, cell) in tallies(&asked).iter().zip(&cells) {
        let scales = [0, 1, 2].map(|q: usize| cell.queries[q].noise.scale());
        let errors = errors(scales, trials);
        let check = |subject: &str, measure: &str, of: &dyn Fn(&[f64; 3]) -> f64| {
            let mut values: Vec<f64> = errors.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            let order = outcome(tallied, subject, measure).order.as_ref().unwrap();
            for p in PROBABILITIES {
                let (got, want) = (
                    order.quantile(p).unwrap(),
                    quantile_sorted(&values, p).unwrap(),
                );
                // what is rescaled, or summed in another order, is rounded otherwise
                assert!(
                    (got / want - 1.0).abs() < 1e-14,
                    "{measure} {p}: {got} {want}"
                );
            }
        };
        for q in 0..3 {
            check(NAMES[q], "abs_error", &|e| e[q].abs());
            check(NAMES[q], "error", &|e| e[q]);
        }
        check("all", "max_abs_error", &|e| {
            e.iter().fold(0.0, |m, x| x.abs().max(m))
        });
        check("all", "rmse", &|e| {
            (e.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt()
        });
    }
}

#[test]
fn neither_threads_nor_passes_change_an_order_statistic() {
    let (cells, pairs) = article();
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = exact(&request(&cells, &pairs, 20_001));
        asked.streams = streams;
        asked.jobs = 1;
        let alone = tallies(&asked);
        asked.jobs = 3;
        for (a, b) in alone.iter().zip(tallies(&asked)) {
            assert_eq!(a.digest(), b.digest());
            assert!(a.outcomes.iter().any(|o| o.order.is_some()));
        }
    }
    // so little room that the brackets must be narrowed first
    let question = Question {
        cells: &cells,
        measures: measure::REGISTRY,
        streams: Streams::Common,
        level: 0.95,
    };
    let plan = Plan::new(&question, &[(0, false), (1, false)], &[]);
    let (schedule, stop) = (Schedule::new(42, level()), AtomicBool::new(false));
    let done = Mutex::new(None);
    let job = Job {
        work: &plan.tile,
        trials: 20_001,
        chunks: 0..5,
        start: None,
    };
    let keep = |_, tally| *done.lock().unwrap() = Some(tally);
    simulate(vec![job], &schedule, &Progress::default(), &stop, &keep).unwrap();
    let tally = done.into_inner().unwrap().unwrap();
    let ranks = |n| quantile_ranks(n, 0.95);
    let within = |most| {
        let found = order_statistics_within(most, &plan.tile, &tally, &ranks, &schedule, &stop);
        found.unwrap().unwrap()
    };
    let roomy = within(1 << 22);
    assert!(roomy.iter().flatten().count() > 10);
    assert_eq!(roomy, within(100));
    assert_eq!(roomy, within(0));
    stop.store(true, Ordering::Relaxed);
    let stopped = order_statistics_within(100, &plan.tile, &tally, &ranks, &schedule, &stop);
    assert!(stopped.unwrap().is_none());
}

/// The bound that the documentation gives of quantiles from histograms, and what their error is like for laws with a density.
#[test]
fn quantiles_of_histograms_are_within_a_bin_and_typically_much_nearer() {
    let (cells, pairs) = article();
    let asked = exact(&request(&cells, &pairs, 200_000));
    let (mut squares, mut number) = (0.0, 0.0);
    for tallied in tallies(&asked) {
        for outcome in &tallied.outcomes {
            let Some(order) = &outcome.order else {
                continue;
            };
            for p in PROBABILITIES {
                let exact = order.quantile(p).unwrap();
                let off = (outcome.histogram.quantile(p) - exact).abs();
                if matches!(
                    outcome.measure,
                    "abs_error" | "error" | "max_abs_error" | "rmse"
                ) {
                    // signed or not: of the distance from zero
                    assert!(off <= exact.abs() / 128.0, "{} {p}", outcome.measure);
                }
                // the median of signed errors is near zero itself
                if outcome.measure != "answer" && (outcome.measure != "error" || p != 0.5) {
                    squares += (off / exact) * (off / exact);
                    number += 1.0;
                }
            }
        }
    }
    let typical = f64::sqrt(squares / number);
    assert!(number > 100.0 && typical < 4e-4, "{typical}");
    // and the comparison can fail: histograms are not exact
    assert!(typical > 1e-6, "{typical}");
}
