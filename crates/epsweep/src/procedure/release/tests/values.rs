//! Exact values, undefined trials, evidence.

use super::*;
use crate::study::release::{ReleaseCell, ReleaseQuery};

/// At a fixed seed each of 8 means passes |z| < 4 with probability 1 − 6.3e-5, so a sound program fails with
/// probability 5e-4 at a seed chosen blindly. A mean that is wrong by 1 % is 5 to 10 standard errors off.
#[test]
fn the_means_of_the_article_are_the_exact_ones() {
    let (mut cells, pairs) = article();
    cells.push(cell("mse", [12.613237, 126.132370, 25.572086]));
    cells.push(cell("mae", [4.2611, 134.7492, 12.3009]));
    let tallied = tallies(&request(&cells, &pairs, 400_000));
    let exact = [
        (360.0249, 207.9121),
        (222.0533, 147.2087),
        (131.0595, 78.8145),
        (135.8362, 79.4468),
    ];
    for (cell, (largest, rmse)) in tallied.iter().zip(exact) {
        let largest_error = outcome(cell, "all", "max_abs_error");
        assert!(
            z(largest_error, largest).abs() < 4.0,
            "{}",
            z(largest_error, largest)
        );
        let rmse_error = outcome(cell, "all", "rmse");
        assert!(z(rmse_error, rmse).abs() < 4.0, "{}", z(rmse_error, rmse));
        // the power of the test: one per cent more is rejected
        assert!(z(largest_error, 1.01 * largest).abs() > 4.0);
        assert!(z(rmse_error, 1.01 * rmse).abs() > 4.0);
    }
    // proportional beats even in 64.05 % of paired trials
    let wins = pair(&tallied[1], "all", "max_abs_error");
    let n = 400_000.0;
    let share = wins.win as f64 / n;
    assert!((share - 0.640507).abs() < 4.0 * (0.64 * 0.36 / n).sqrt());
    assert_eq!(wins.win + wins.tie + wins.loss, 400_000);
}

/// Every mean, standard deviation and quantile against its law: the laws know 2·(3·7 + 4) outcomes, of which many share their
/// evidence. For some 400 numbers, |z| < 5 fails with probability 400·5.7e-7 = 2.3e-4.
#[test]
fn every_estimate_agrees_with_its_law() {
    let (cells, pairs) = article();
    let trials = 200_000;
    let tallied = tallies(&request(&cells, &pairs, trials));
    let (mut checked, mut quantiles) = (0, 0);
    for outcome in tallied.iter().flat_map(|c| &c.outcomes) {
        let law = outcome.law.as_ref().unwrap();
        let what = format!("{} of {}", outcome.measure, outcome.subject);
        let m = &outcome.moments;
        assert_eq!(
            (m.n, outcome.undefined, outcome.histogram.total()),
            (trials, 0, trials)
        );
        let within = |value: f64, exact: f64, mcse: f64| {
            let slack = 1e-9 * exact.abs();
            assert!(
                (value - exact).abs() <= 5.0 * mcse + slack,
                "{what}: {value} {exact}"
            );
        };
        if let Some(mean) = law.mean() {
            within(m.mean, mean, m.mcse_mean());
            checked += 1;
        }
        if let Some(sd) = law.sd() {
            within(m.sd(), sd, m.mcse_sd());
            checked += 1;
        }
        if outcome.measure == "covered" {
            continue;
        }
        for p in [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] {
            if let Some(exact) = law.quantile(p) {
                let density = outcome.histogram.density(exact);
                let mcse = (p * (1.0 - p) / trials as f64).sqrt() / density;
                within(outcome.histogram.quantile(p), exact, mcse);
                quantiles += 1;
            }
        }
        assert!(outcome.min <= outcome.histogram.quantile(0.01));
        assert!(outcome.max >= outcome.histogram.quantile(0.99));
    }
    assert!(checked >= 90 && quantiles >= 250, "{checked} {quantiles}");
}

/// Four numbers at |z| < 4: false alarm 2.5e-4.
#[test]
fn coverage_is_the_level_and_independent_streams_win_less() {
    let (cells, pairs) = article();
    let trials = 200_000;
    let mut asked = request(&cells, &pairs, trials);
    asked.streams = Streams::Independent;
    let tallied = tallies(&asked);
    for name in NAMES {
        assert!(z(outcome(&tallied[0], name, "covered"), 0.95).abs() < 4.0);
    }
    let wins = pair(&tallied[1], "all", "max_abs_error");
    let share = wins.win as f64 / trials as f64;
    assert!((share - 0.575920).abs() < 4.0 * (0.576 * 0.424 / trials as f64).sqrt());
    assert!(share < 0.63, "the share under common noise is rejected");
    // single queries are compared trial by trial: scales 0.36 and 121.12, P(a < b) = b_b/(b_a + b_b)
    let single = pair(&tallied[1], "mean age", "abs_error");
    assert_eq!(single.moments.n, trials);
    let exact = 121.12 - 0.36;
    assert!((single.moments.mean - exact).abs() < 4.0 * single.moments.mcse_mean());
    let share = single.win as f64 / trials as f64;
    let exact: f64 = 0.36 / 121.48;
    assert!((share - exact).abs() < 4.0 * (exact * (1.0 - exact) / trials as f64).sqrt());
}

/// Independent streams draw per cell what common streams draw once: each row must agree with what is computed from the
/// draws themselves, trial by trial.
#[test]
fn tallies_are_those_of_the_trials_computed_one_by_one() {
    let (cells, pairs) = article();
    let trials = 5000usize;
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = request(&cells, &pairs, trials as u64);
        asked.streams = streams;
        let tallied = tallies(&asked);
        let errors = |c: usize| -> Vec<[f64; 3]> {
            let sources: Vec<Source> = (cells[c].queries.iter())
                .map(|q| {
                    let purpose = match streams {
                        Streams::Common => format!("laplace/{}", q.name),
                        Streams::Independent => format!("laplace/{}\u{1f}{}", q.name, cells[c].id),
                    };
                    Source::new(&purpose, q.noise.standard(), 1)
                })
                .collect();
            let mut draws = Draws::new(42, 4096, &sources);
            (0..trials)
                .map(|t| {
                    draws.go_to((t / 4096) as u64);
                    [0, 1, 2].map(|q| cells[c].queries[q].noise.scale() * draws.row(q, 0)[t % 4096])
                })
                .collect()
        };
        let all = [errors(0), errors(1)];
        let value = |measure: &str, e: &[f64; 3], q: usize| match measure {
            "answer" => TRUTHS[q] + e[q],
            "error" => e[q],
            "abs_error" => e[q].abs(),
            "squared_error" => e[q] * e[q],
            "relative_error" => e[q].abs() / TRUTHS[q],
            "max_abs_error" => e.iter().fold(0.0, |m: f64, x| m.max(x.abs())),
            "mean_abs_error" => e.iter().map(|x| x.abs()).sum::<f64>() / 3.0,
            "rmse" => (e.iter().map(|x| x * x).sum::<f64>() / 3.0).sqrt(),
            "weighted_mse" => e.iter().map(|x| x * x).sum::<f64>() / 3.0,
            other => panic!("{other}"),
        };
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
        for (c, tallied) in tallied.iter().enumerate() {
            for o in &tallied.outcomes {
                if ["covered", "interval_width"].contains(&o.measure) {
                    continue;
                }
                let q = NAMES.iter().position(|n| *n == o.subject).unwrap_or(0);
                let x: Vec<f64> = all[c].iter().map(|e| value(o.measure, e, q)).collect();
                let m = epsweep_core::statistics::Moments::from_values(&x);
                let spread = m.sd() * 1e-9;
                assert!(
                    (o.moments.mean - m.mean).abs() < spread,
                    "{} of {}",
                    o.measure,
                    o.subject
                );
                assert!(close(o.moments.m2, m.m2) && close(o.moments.m4, m.m4));
                assert!(close(
                    o.min,
                    x.iter().copied().fold(f64::INFINITY, f64::min)
                ));
                assert!(close(
                    o.max,
                    x.iter().copied().fold(f64::NEG_INFINITY, f64::max)
                ));
                let half = x.iter().filter(|v| **v <= m.mean).count() as f64 / trials as f64;
                assert!((o.histogram.cdf(m.mean) - half).abs() < 2e-2);
            }
        }
        for p in &tallied[1].pairs {
            if ["covered", "interval_width"].contains(&p.measure) {
                continue;
            }
            let q = NAMES.iter().position(|n| *n == p.subject).unwrap_or(0);
            let of = |c: usize, t: usize| value(p.measure, &all[c][t], q);
            let d: Vec<f64> = (0..trials).map(|t| of(1, t) - of(0, t)).collect();
            let m = epsweep_core::statistics::Moments::from_values(&d);
            assert!(
                (p.moments.mean - m.mean).abs() < m.sd() * 1e-9,
                "{} of {}",
                p.measure,
                p.subject
            );
            assert!(close(p.moments.m2, m.m2));
            let wins = d.iter().filter(|d| **d < 0.0).count() as u64;
            let ties = d.iter().filter(|d| **d == 0.0).count() as u64;
            assert_eq!(
                (p.win, p.tie, p.loss),
                (wins, ties, trials as u64 - wins - ties)
            );
        }
        let width = pair(&tallied[1], NAMES[0], "interval_width");
        let expected = 2.0 * -libm::log1p(-0.95) * (121.12 - 0.36);
        assert!((width.moments.mean / expected - 1.0).abs() < 1e-12);
        assert_eq!((width.moments.sd(), width.loss), (0.0, trials as u64));
        let covered = pair(&tallied[1], NAMES[0], "covered");
        assert_eq!(covered.win + covered.tie + covered.loss, trials as u64);
        match streams {
            // the same noise is inside both intervals or outside both
            Streams::Common => assert_eq!(covered.tie, trials as u64),
            Streams::Independent => assert!(covered.win > 0 && covered.loss > 0),
        }
        assert!(tallied[1].pairs.iter().all(|p| p.measure != "answer"));
        // 6 compared measures of each query, 4 of all
        assert_eq!((tallied[0].pairs.len(), tallied[1].pairs.len()), (0, 22));
    }
}

#[test]
fn what_is_undefined_is_reported_and_never_dropped() {
    let mut cells = vec![
        cell("a", [0.0, 1.0, 2.0]),
        cell("b", [f64::INFINITY, 1.0, 2.0]),
        cell("c", [0.0, 0.0, 0.0]),
        cell("d", [3.0, 1.0, 2.0]),
    ];
    cells[0].queries[1].truth = 0.0;
    cells[3].queries.iter_mut().for_each(|q| q.weight = 0.0);
    let pairs = [(0, 1), (0, 2), (3, 2), (2, 3), (3, 0)];
    for streams in [Streams::Common, Streams::Independent] {
        let mut asked = request(&cells, &pairs, 1000);
        asked.streams = streams;
        let tallied = tallies(&asked);
        let undefined = |c: usize, subject: &str, measure: &str| {
            let o = outcome(&tallied[c], subject, measure);
            assert_eq!(o.moments.n + o.undefined, 1000);
            assert_eq!(o.histogram.total(), o.moments.n);
            assert_eq!(o.min.is_nan(), o.undefined == 1000);
            o.undefined
        };
        // a truth of zero; an infinite scale; no weights
        assert_eq!(undefined(0, NAMES[1], "relative_error"), 1000);
        for measure in [
            "answer",
            "error",
            "abs_error",
            "squared_error",
            "covered",
            "interval_width",
        ] {
            assert_eq!(undefined(1, NAMES[0], measure), 1000, "{measure}");
            assert_eq!(undefined(1, NAMES[1], measure), 0);
        }
        assert_eq!(undefined(1, "all", "max_abs_error"), 1000);
        assert_eq!(undefined(3, "all", "weighted_mse"), 1000);
        assert_eq!(undefined(0, "all", "rmse"), 0);
        // no noise: the answer is the truth, and the interval of width zero holds it
        let free = outcome(&tallied[0], NAMES[0], "answer");
        assert_eq!(
            (free.min, free.max, free.moments.sd()),
            (TRUTHS[0], TRUTHS[0], 0.0)
        );
        assert_eq!(outcome(&tallied[0], NAMES[0], "covered").moments.mean, 1.0);
        assert_eq!(outcome(&tallied[2], "all", "rmse").max, 0.0);
        // comparisons: without what is undefined on either side; with cells that are without noise
        let compared = |a: usize, b: usize, subject: &str, measure: &str| {
            (tallied[a].pairs.iter())
                .find(|p| p.against == b && p.subject == subject && p.measure == measure)
        };
        assert!(compared(0, 1, "all", "rmse").is_none());
        assert!(compared(0, 1, NAMES[0], "abs_error").is_none());
        assert!(compared(0, 1, NAMES[1], "abs_error").is_some());
        assert!(compared(3, 2, "all", "weighted_mse").is_none());
        for (a, b, sign) in [(3, 2, 1.0), (2, 3, -1.0)] {
            for (subject, measure) in [
                ("all", "rmse"),
                (NAMES[0], "abs_error"),
                (NAMES[2], "squared_error"),
            ] {
                let p = compared(a, b, subject, measure).unwrap();
                let alone = outcome(&tallied[3], subject, measure);
                let mean = sign * alone.moments.mean;
                assert!(
                    (p.moments.mean - mean).abs() < 1e-12 * mean.abs(),
                    "{subject} {measure}"
                );
                assert_eq!(if sign > 0.0 { p.loss } else { p.win }, 1000);
            }
            let p = compared(a, b, NAMES[0], "covered").unwrap();
            assert_eq!(
                p.tie as f64,
                1000.0 * outcome(&tallied[3], NAMES[0], "covered").moments.mean
            );
        }
        let same = compared(3, 0, NAMES[1], "error").unwrap();
        if streams == Streams::Common {
            assert_eq!(
                (same.tie, same.moments.mean, same.moments.sd()),
                (1000, 0.0, 0.0)
            );
        }
    }
}

#[test]
fn scales_of_any_size_work() {
    let queries = (0..50).map(|i| {
        let scale = libm::pow(10.0, f64::from(i) * 24.0 / 49.0 - 12.0);
        ReleaseQuery::laplace(&format!("q{i}"), 1.0, scale)
    });
    let mut cells = vec![ReleaseCell {
        id: String::from("wide"),
        queries: queries.collect(),
        rows: 1000,
        ..ReleaseCell::default()
    }];
    // squares of these leave the floats
    cells.push(cell("huge", [1e200, 1e190, 1e180]));
    cells.push(cell("tiny", [1e-200, 1e-190, 1e-180]));
    let tallied = tallies(&request(&cells, &[(1, 2)], 20_000));
    let largest = outcome(&tallied[0], "all", "max_abs_error");
    let exact = largest.law.as_ref().and_then(|law| law.mean()).unwrap();
    // one number at |z| < 4: false alarm 6e-5
    assert!(z(largest, exact).abs() < 4.0);
    for cell in &tallied[1..] {
        let rmse = outcome(cell, "all", "rmse");
        let median = rmse.histogram.quantile(0.5);
        let scale = if cell.cell == 1 { 1e200 } else { 1e-180 };
        assert!((0.2..1.0).contains(&(median / scale)), "{median}");
        // the variance cannot be held by a float: it is not said to be something
        assert!(!rmse.moments.mcse_mean().is_finite());
        let first = outcome(cell, NAMES[0], "abs_error");
        assert!(
            (first.moments.mean / cells[cell.cell].queries[0].noise.scale() - 1.0).abs() < 0.03
        );
    }
}

#[test]
fn evidence_is_shared_where_the_noise_is() {
    let (cells, pairs) = grid(&[0.1, 1.0]);
    let tallied = tallies(&request(&cells, &pairs, 100));
    let of = |c: usize, s: &str, m: &str| outcome(&tallied[c], s, m).evidence.clone();
    assert_eq!(of(0, NAMES[0], "abs_error"), of(3, NAMES[0], "abs_error"));
    assert_ne!(of(0, NAMES[0], "abs_error"), of(0, NAMES[1], "abs_error"));
    assert_ne!(
        of(0, NAMES[0], "abs_error"),
        of(0, NAMES[0], "squared_error")
    );
    // the same split at another ε is the same noise, rescaled; another split is not
    assert_eq!(of(0, "all", "rmse"), of(2, "all", "rmse"));
    assert_ne!(of(0, "all", "rmse"), of(1, "all", "rmse"));
    let mut asked = request(&cells, &pairs, 100);
    asked.streams = Streams::Independent;
    let alone = tallies(&asked);
    let of = |c: usize| outcome(&alone[c], NAMES[0], "abs_error").evidence.clone();
    assert_ne!(of(0), of(3));
}
