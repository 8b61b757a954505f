//! Estimates of a real simulation against theory.

mod answers;
mod paired;

use super::sample::{Sample, alone, outcome, simulate};
use super::{Summary, answer, comparisons, histogram_rows, summarise};
use crate::procedure::Streams;
use crate::record::{Lookup, Manifest, Run, SummaryRow};
use crate::tally::{Bin, Histogram, Nature, OutcomeTally};
use epsweep_core::statistics::Moments;
use epsweep_core::theory::{Bernoulli, Exponential, Law};
use std::collections::BTreeMap;
use std::sync::Arc;

fn run_of(sample: &Sample) -> Run {
    Run {
        dir: "results/sample".into(),
        experiment: String::new(),
        manifest: Manifest {
            precision: Vec::new(),
            failed: Vec::new(),
            schema: 1,
            epsweep: "0".into(),
            revision: None,
            identity: BTreeMap::new(),
            experiment_digest: String::new(),
            file: None,
            notes: Vec::new(),
            generator: String::new(),
            seed: 1,
            trials: sample.resolved.trials,
            digest: String::new(),
            files: BTreeMap::new(),
            warnings: Vec::new(),
            machine: None,
            times: None,
        },
        summary: summarise(&sample.cells, &sample.resolved).unwrap().rows,
        comparisons: comparisons(&sample.cells, &sample.resolved).unwrap(),
        claims: Vec::new(),
        histograms: histograms_of(sample),
        convergence: Vec::new(),
        audits: Vec::new(),
        resolved: sample.resolved.clone(),
    }
}

fn histograms_of(sample: &super::sample::Sample) -> Vec<crate::record::HistogramRow> {
    histogram_rows(&sample.cells, &sample.resolved, &|_, _| false)
}

fn row<'a>(summary: &'a Summary, statistic: &str) -> &'a SummaryRow {
    let found = summary.rows.iter().find(|r| r.statistic == statistic);
    found.unwrap_or_else(|| panic!("no {statistic}"))
}

/// Ten seeds, 100 000 trials. Under common random numbers the rows of a seed are mostly rescalings of a few pieces of evidence: 3
/// queries and 4 different strategies times 4 measures of all queries, with 9 statistics each and 3 kinds of measure per query: at
/// most 300 different z per seed. P(|z| > 5) = 6e-7 for a normal z; the slight skew of quantiles at 1 % and of the sd of squares
/// makes it a few times that: below 1 % that any of 3000 is beyond 5. The seeds are fixed.
#[test]
fn every_estimate_is_near_its_exact_value() {
    for seed in 0..10 {
        let sample = simulate(seed, 100_000, &[1.0], Streams::Common);
        let summary = summarise(&sample.cells, &sample.resolved).unwrap();
        let mut checked = 0;
        for r in &summary.rows {
            if let Some(z) = r.z {
                assert!(z.abs() < 5.0, "seed {seed}: {r:?}");
                checked += 1;
            }
            if let (Some(low), Some(high)) = (r.low, r.high) {
                assert!(low <= r.value && r.value <= high, "{r:?}");
            }
        }
        assert!(checked > 500, "{checked}");
    }
}

#[test]
fn exact_values_are_those_of_the_literature() {
    let sample = simulate(42, 1_000, &[1.0], Streams::Common);
    let summary = summarise(&sample.cells, &sample.resolved).unwrap();
    let exact = |allocation: &str, measure: &str, statistic: &str| {
        let cell = format!("epsilon=1 allocation={allocation}");
        let found = summary.rows.iter().find(|r| {
            r.cell == cell && r.measure == measure && r.statistic == statistic && r.subject == "all"
        });
        found.and_then(|r| r.exact).unwrap()
    };
    for (allocation, largest, rmse) in [
        ("even", 360.0249, 207.9121),
        ("proportional", 222.0533, 147.2087),
        ("optimal-mse", 131.0595, 78.8145),
        ("optimal-mae", 135.8362, 79.4468),
    ] {
        assert!((exact(allocation, "max_abs_error", "mean") - largest).abs() < 1e-3);
        assert!((exact(allocation, "rmse", "mean") - rmse).abs() < 1e-3);
    }
    assert!((exact("even", "max_abs_error", "q95") - 1078.4636).abs() < 1e-3);
}

#[test]
fn a_wrong_law_is_seen() {
    // 100 000 values of the exponential law of scale 1 against that of scale 1.03: 9 standard errors of the mean
    let n = 100_000;
    let values: Vec<f64> = (0..n)
        .map(|i| -libm::log((f64::from(i) + 0.5) / f64::from(n)))
        .collect();
    let right = alone(outcome(&values, Some(Arc::new(Exponential::new(1.0)))));
    let wrong = alone(outcome(&values, Some(Arc::new(Exponential::new(1.03)))));
    for statistic in ["mean", "sd", "q25", "median", "q75", "q95"] {
        let z = |s: &Summary| row(s, statistic).z.unwrap().abs();
        assert!(z(&right) < 0.2, "{statistic} {}", z(&right));
        assert!(z(&wrong) > 4.0, "{statistic} {}", z(&wrong));
    }
}

/// 10¹² values of the exponential law in bins of 2⁻⁷ of their value: the straight line inside a bin is off by many sampling errors, which
/// the reported error must own up to.
#[test]
fn the_error_of_reading_a_bin_is_part_of_the_error() {
    let n = 1e12;
    let tiny = Bin {
        low: 0.0,
        high: libm::exp2(-22.0),
        count: (n * -libm::expm1(-libm::exp2(-22.0))).round() as u64,
    };
    let bins: Vec<Bin> = std::iter::once(tiny)
        .chain((-22 * 128..5 * 128).map(|k| {
            let edge = |k: i32| {
                let (octave, step) = (k.div_euclid(128), k.rem_euclid(128));
                libm::exp2(f64::from(octave)) * (1.0 + f64::from(step) / 128.0)
            };
            let (low, high) = (edge(k), edge(k + 1));
            let share = libm::exp(-low) - libm::exp(-high);
            Bin {
                low,
                high,
                count: (n * share).round() as u64,
            }
        }))
        .collect();
    let mut o = outcome(&[1.0, 2.0], Some(Arc::new(Exponential::new(1.0))));
    o.histogram = Histogram::new(bins);
    let total = o.histogram.total();
    o.moments = Moments {
        n: total,
        mean: 1.0,
        m2: n,
        m3: 2.0 * n,
        m4: 9.0 * n,
    };
    (o.min, o.max) = (o.histogram.min(), o.histogram.max());
    let s = alone(o);
    let mut blind = 0.0_f64;
    for (statistic, p) in [("q05", 0.05), ("median", 0.5), ("q95", 0.95), ("q99", 0.99)] {
        let r = row(&s, statistic);
        let exact = -libm::log1p(-p);
        assert!((r.value - exact).abs() <= r.mcse.unwrap(), "{r:?}");
        assert!(r.low.unwrap() <= exact && exact <= r.high.unwrap(), "{r:?}");
        assert!(
            r.mcse.unwrap() < 5e-5 * exact,
            "more than a bin's curvature, w²/8 for w ≤ 2⁻⁷·4: {r:?}"
        );
        let sampling = (p * (1.0 - p) / n).sqrt() / (1.0 - p);
        blind = blind.max((r.value - exact).abs() / sampling);
    }
    assert!(
        blind > 3.0,
        "without it some quantile would be off by {blind} errors"
    );
}

/// Coverage of the intervals over 400 small runs of 200 trials: the number of misses of a 95 % interval is Bin(400, 0.05), of which
/// [6, 38] holds all but 1e-3. Order statistics are conservative (up to 97 %), the sd of Laplace errors at n = 200 covers about 92 %.
#[test]
fn intervals_cover_as_often_as_they_say() {
    let mut misses: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..400 {
        let sample = simulate(1_000 + seed, 200, &[1.0], Streams::Common);
        let summary = summarise(&sample.cells[..1], &sample.resolved).unwrap();
        for statistic in ["mean", "sd", "q05", "median", "q95"] {
            let r = (summary.rows.iter())
                .find(|r| {
                    r.measure == "error" && r.subject == "max age" && r.statistic == statistic
                })
                .unwrap();
            let (exact, low, high) = (r.exact.unwrap(), r.low.unwrap(), r.high.unwrap());
            *misses.entry(statistic).or_default() += u32::from(exact < low || exact > high);
        }
    }
    for (statistic, misses) in misses {
        let most = if statistic == "sd" { 60 } else { 38 };
        assert!((4..=most).contains(&misses), "{statistic}: {misses} of 400");
    }
}

#[test]
fn flags_are_proportions() {
    let law: Arc<dyn Law> = Arc::new(Bernoulli::new(0.95));
    let mut values = vec![1.0; 200];
    let all = alone(OutcomeTally {
        nature: Nature::Flag,
        ..outcome(&values, Some(law.clone()))
    });
    let mean = row(&all, "mean");
    assert_eq!((mean.value, mean.high), (1.0, Some(1.0)));
    // 1 − 0.025^(1/200), and the score z: 0.05/√(0.95·0.05/200)
    assert!((mean.low.unwrap() - 0.98172).abs() < 1e-4);
    assert!((mean.z.unwrap() - 3.244).abs() < 1e-2);
    values[0] = 0.0;
    values[1] = 0.0;
    let most = alone(OutcomeTally {
        nature: Nature::Flag,
        ..outcome(&values, Some(law.clone()))
    });
    assert_eq!(row(&most, "mean").value, 0.99);
    assert_eq!(most.rows.len(), 2, "quantiles of flags say nothing");
    assert!(most.warnings.is_empty());
    // numbers that happen to be zeros and ones have all that numbers have
    let numbers = alone(outcome(&values, Some(law)));
    assert_eq!(row(&numbers, "mean").value, 0.99);
    assert_eq!(row(&numbers, "min").value, 0.0);
    assert_eq!(
        (row(&numbers, "median").value, row(&numbers, "max").value),
        (1.0, 1.0)
    );
}

#[test]
fn constants_have_no_error() {
    let fixed = OutcomeTally {
        nature: Nature::Fixed,
        ..outcome(&[3.5; 10], None)
    };
    let s = alone(fixed);
    assert!(
        s.rows
            .iter()
            .all(|r| r.method == "constant" && r.z.is_none())
    );
    let mean = row(&s, "mean");
    assert_eq!(
        (mean.value, mean.mcse, mean.low, mean.high),
        (3.5, Some(0.0), Some(3.5), Some(3.5))
    );
    assert_eq!(row(&s, "sd").value, 0.0);
    let law = |x: f64| Some(Arc::new(epsweep_core::theory::Constant::new(x)) as Arc<dyn Law>);
    assert_eq!(
        row(&alone(outcome(&[3.5; 10], law(3.5))), "median").z,
        Some(0.0)
    );
    assert_eq!(
        row(&alone(outcome(&[3.5; 10], law(3.0))), "mean").z,
        Some(f64::INFINITY)
    );
    // an error of 0 in every trial is no flag
    assert_eq!(
        row(&alone(outcome(&[0.0; 10], law(0.0))), "mean").method,
        "constant"
    );
}

#[test]
fn values_that_happen_to_agree_are_not_called_constant() {
    let s = alone(outcome(&[0.0; 300], None));
    for statistic in ["mean", "sd", "median", "max"] {
        let r = row(&s, statistic);
        assert_eq!((r.value, r.method.as_str()), (0.0, "observed"));
        assert_eq!((r.mcse, r.low, r.high, r.z), (None, None, None, None));
    }
    assert!(
        s.warnings[0].contains("fewer than 1 of 100 trials"),
        "{:?}",
        s.warnings
    );
    // a law says how far off it is: 300 exponential errors of mean 1 that are all 0
    let law = alone(outcome(&[0.0; 300], Some(Arc::new(Exponential::new(1.0)))));
    let mean = row(&law, "mean");
    assert_eq!((mean.exact, mean.low), (Some(1.0), None));
    assert!((mean.z.unwrap() + 300.0_f64.sqrt()).abs() < 1e-12);
    // of flags the interval is known: up to 1 − 0.025^(1/300)
    let flags = OutcomeTally {
        nature: Nature::Flag,
        ..outcome(&[0.0; 300], None)
    };
    let mean = row(&alone(flags), "mean").clone();
    assert_eq!((mean.value, mean.low), (0.0, Some(0.0)));
    assert!((mean.high.unwrap() - 0.012221).abs() < 1e-4, "{mean:?}");
}

#[test]
fn undefined_trials_are_counted_and_said() {
    let s = alone(outcome(&[1.0, 2.0, f64::NAN, 4.0, f64::NAN], None));
    let mean = row(&s, "mean");
    assert_eq!(mean.trials, 3);
    assert!((mean.value - 2.333333).abs() < 1e-6 && (mean.mcse.unwrap() - 0.881917).abs() < 1e-6);
    assert!((row(&s, "sd").value - 1.527525).abs() < 1e-6);
    assert_eq!((row(&s, "min").value, row(&s, "max").value), (1.0, 4.0));
    assert!(
        s.warnings[0].contains("undefined in up to 2 of 5 trials"),
        "{:?}",
        s.warnings
    );
    assert!(
        s.warnings
            .iter()
            .any(|w| w.contains("too few for both ends"))
    );
    let none = alone(outcome(&[f64::NAN; 4], None));
    assert_eq!(none.rows.len(), 1);
    assert!(none.rows[0].value.is_nan() && none.rows[0].trials == 0);
    let one = alone(outcome(&[7.0], None));
    assert_eq!(
        (row(&one, "mean").value, row(&one, "mean").mcse),
        (7.0, None)
    );
    assert_eq!(
        (row(&one, "median").value, row(&one, "median").mcse),
        (7.0, None)
    );
    assert!(one.rows.iter().all(|r| r.statistic != "sd"));
    assert!(
        one.warnings
            .iter()
            .all(|w| w.starts_with("one trial gives no intervals")),
        "{:?}",
        one.warnings
    );
}

#[test]
fn skew_that_spoils_an_interval_is_said() {
    let mut values = vec![0.0; 1_000];
    values[0] = 1.0e6;
    values[1] = 2.5;
    let s = alone(outcome(&values, None));
    assert!(
        s.warnings.iter().any(|w| w.contains("skewness of 32")),
        "{:?}",
        s.warnings
    );
    // the middle of it is an atom
    assert_eq!(row(&s, "median").mcse, Some(0.0));
    assert!(s.warnings.iter().any(|w| w.contains("no z")));
}

#[test]
fn histograms_hold_every_trial_and_their_exact_probability() {
    let sample = simulate(42, 10_000, &[1.0], Streams::Common);
    let rows = histograms_of(&sample);
    let of = |measure: &str, subject: &str| {
        rows.iter()
            .filter(|r| {
                r.measure == measure && r.subject == subject && r.cell.ends_with("=optimal-mae")
            })
            .collect::<Vec<_>>()
    };
    for (measure, subject) in [("max_abs_error", "all"), ("answer", "max age")] {
        let bins = of(measure, subject);
        assert_eq!(
            bins.iter().map(|r| r.count).sum::<u64>(),
            10_000,
            "{measure}"
        );
        assert!(bins.windows(2).all(|w| w[0].high <= w[1].low));
        let exact: f64 = bins.iter().filter_map(|r| r.exact).sum();
        // what lies in empty stretches and beyond the extremes of 10 000 trials is missing
        assert!(exact > 0.99 && exact <= 1.0 + 1e-9, "{measure}: {exact}");
        // counts against n·p in the bulk: 6 standard deviations of 150 binomial bins, false alarms below 1e-6
        for r in bins.iter().filter(|r| r.count > 30) {
            let expected = 10_000.0 * r.exact.unwrap();
            assert!(
                (r.count as f64 - expected).abs() < 6.0 * expected.sqrt(),
                "{r:?}"
            );
        }
    }
    assert!(
        of("abs_error", "max age").is_empty(),
        "no figure asks for it"
    );
}
