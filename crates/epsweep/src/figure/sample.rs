//! A run for tests: the article's three queries under several allocations, simulated by a few lines of their own.

use crate::claim::Verdict;
use crate::record::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Splitmix64; uniform on (0, 1).
pub struct Uniform(pub u64);

impl Uniform {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 + 1.0 / (1u64 << 54) as f64
    }
}

const QUERIES: [(&str, f64, f64); 3] = [
    ("mean age", 40.299, 0.12),
    ("max age", 97.791, 120.0),
    ("over 60", 98.0, 1.0),
];

fn shares(allocation: &str) -> [f64; 3] {
    let weigh = |f: fn(f64) -> f64| QUERIES.map(|q| f(q.2));
    let weights = match allocation {
        "proportional" => weigh(|d| d),
        "optimal-mse" => weigh(|d| libm::cbrt(d * d)),
        "optimal-mae" => weigh(f64::sqrt),
        _ => [1.0; 3],
    };
    let sum: f64 = weights.iter().sum();
    weights.map(|w| w / sum)
}

/// A law's probability of being at most x.
type Cdf = Box<dyn Fn(f64) -> f64>;

struct Measured {
    subject: String,
    measure: &'static str,
    values: Vec<f64>,
    exact_mean: Option<f64>,
    cdf: Option<Cdf>,
}

/// A run of these allocations at these budgets.
pub fn run(epsilons: &[f64], allocations: &[&str], trials: usize) -> Run {
    let axes = vec![
        ResolvedAxis {
            name: "epsilon".to_owned(),
            path: "budget.epsilon".to_owned(),
            labels: epsilons.iter().map(|e| number(*e)).collect(),
            numbers: Some(epsilons.to_vec()),
        },
        ResolvedAxis {
            name: "allocation".to_owned(),
            path: "allocation".to_owned(),
            labels: allocations.iter().map(|a| (*a).to_owned()).collect(),
            numbers: None,
        },
    ];
    let mut cells = Vec::new();
    let (mut summary, mut histograms, mut comparisons) = (Vec::new(), Vec::new(), Vec::new());
    for epsilon in epsilons {
        let mut baseline: Vec<f64> = Vec::new();
        for allocation in allocations {
            let labels = vec![number(*epsilon), (*allocation).to_owned()];
            let id = format!("epsilon={} allocation={allocation}", labels[0]);
            let shares = shares(allocation);
            let scales: Vec<f64> = QUERIES
                .iter()
                .zip(shares)
                .map(|(q, s)| q.2 / (epsilon * s))
                .collect();
            let queries = QUERIES
                .iter()
                .zip(shares)
                .zip(&scales)
                .map(|((q, share), scale)| ResolvedQuery {
                    name: q.0.to_owned(),
                    definition: format!("{} in words", q.0),
                    truth: Some(q.1),
                    l1: q.2,
                    l2: q.2,
                    declared: None,
                    weight: 1.0,
                    share,
                    budget: share * epsilon,
                    scale: Some(*scale),
                    derived: false,
                    size: 0,
                    numbers: Vec::new(),
                    floored: false,
                    steps: Vec::new(),
                })
                .collect();
            cells.push(ResolvedCell {
                id: id.clone(),
                labels: labels.clone(),
                data: 0,
                guarantee: format!("ε = {}", labels[0]),
                total: *epsilon,
                composition: "basic".to_owned(),
                divided: String::new(),
                noise: "laplace".to_owned(),
                allocation: (*allocation).to_owned(),
                joint: None,
                oracle: false,
                queries,
                ..ResolvedCell::default()
            });
            let measures = simulate(&scales, trials);
            if let Some(largest) = measures.iter().find(|m| m.measure == "max_abs_error") {
                if *allocation == "even" {
                    baseline.clone_from(&largest.values);
                } else if baseline.len() == trials {
                    comparisons.push(compare(&labels[0], allocation, &largest.values, &baseline));
                }
            }
            for measured in measures {
                record(&mut summary, &mut histograms, &id, &labels, measured);
            }
        }
    }
    let resolved = Resolved {
        target: None,
        schema: 1,
        name: "sample".to_owned(),
        title: "Even split against sensitivity-proportional budgets".to_owned(),
        question:
            "Does giving a sensitive query more of the budget make the answers more accurate?"
                .to_owned(),
        seed: 42,
        trials: trials as u64,
        level: 0.95,
        streams: "common".to_owned(),
        quantiles: "histogram".into(),
        on_error: "stop".into(),
        procedure: "release".to_owned(),
        neighbours: "substitute".to_owned(),
        axes,
        measures: ["answer", "abs_error", "max_abs_error", "rmse"]
            .map(str::to_owned)
            .to_vec(),
        data: vec![ResolvedData {
            source: "data/ages.csv".to_owned(),
            digest: "d1ce".to_owned(),
            rows: 1000,
            columns: vec![ResolvedColumn {
                name: "age".to_owned(),
                bounds: Some([0.0, 120.0]),
                clipped: 3,
            }],
        }],
        cells,
        compare: Some(ResolvedCompare {
            baseline: BTreeMap::from([("allocation".to_owned(), "even".to_owned())]),
            all_pairs: false,
        }),
        figures: Vec::new(),
        warnings: vec!["3 values of age were clipped to [0, 120]".to_owned()],
    };
    let manifest = Manifest {
        precision: Vec::new(),
        failed: Vec::new(),
        schema: 1,
        epsweep: "0.1.0".to_owned(),
        revision: None,
        identity: BTreeMap::new(),
        experiment_digest: "e0e0".to_owned(),
        file: None,
        notes: Vec::new(),
        generator: String::new(),
        seed: 42,
        trials: trials as u64,
        digest: "abc123".to_owned(),
        files: BTreeMap::new(),
        warnings: Vec::new(),
        machine: None,
        times: None,
    };
    let convergence = settle(&summary);
    Run {
        dir: PathBuf::from("results/sample"),
        experiment: "name = \"sample\"\n".to_owned(),
        resolved,
        manifest,
        summary,
        comparisons,
        claims: claims(),
        histograms,
        convergence,
        audits: Vec::new(),
    }
}

/// Means as if after fewer trials: the same ones, with wider intervals.
fn settle(summary: &[SummaryRow]) -> Vec<SummaryRow> {
    let mut rows = Vec::new();
    for row in summary.iter().filter(|row| &*row.statistic == "mean") {
        for part in [64, 16, 4, 1]
            .into_iter()
            .filter(|part| row.trials >= *part)
        {
            let wider = libm::sqrt(f64::from(part as u32));
            let mut row = row.clone();
            row.trials /= part;
            row.mcse = row.mcse.map(|m| m * wider);
            rows.push(row);
        }
    }
    rows
}

/// A run over three axes: budget, size of the data and allocation.
pub fn factorial() -> Run {
    let mut run = run(&[0.1, 1.0, 10.0], &["even", "proportional"], 40);
    let (cells, summary) = (run.resolved.cells.clone(), run.summary.clone());
    let sizes = ["10", "1000"];
    run.resolved.axes.insert(
        1,
        ResolvedAxis {
            name: "size".to_owned(),
            path: "data.size".to_owned(),
            labels: sizes.map(str::to_owned).to_vec(),
            numbers: Some(vec![10.0, 1000.0]),
        },
    );
    run.resolved.cells.clear();
    run.summary.clear();
    for cell in &cells {
        for (place, size) in sizes.iter().enumerate() {
            let mut new = cell.clone();
            new.labels.insert(1, (*size).to_owned());
            new.id = format!(
                "epsilon={} size={size} allocation={}",
                new.labels[0], new.labels[2]
            );
            for row in summary.iter().filter(|row| row.cell == cell.id) {
                let mut row = row.clone();
                row.cell = Text::from(&new.id);
                row.axes = new.labels.clone().into();
                let factor = (place + 1) as f64;
                row.value *= factor;
                for end in [&mut row.low, &mut row.high] {
                    *end = end.map(|value| value * factor);
                }
                run.summary.push(row);
            }
            run.resolved.cells.push(new);
        }
    }
    run.comparisons.clear();
    run.histograms.clear();
    run
}

/// The same run under other names of its allocations, wherever they stand.
pub fn renamed(mut run: Run, names: &[(&str, &str)]) -> Run {
    let rename = |text: &mut String| {
        if let Some((_, new)) = names.iter().find(|(old, _)| *old == text.as_str()) {
            *text = (*new).to_owned();
        }
    };
    run.resolved
        .axes
        .iter_mut()
        .flat_map(|a| &mut a.labels)
        .for_each(rename);
    run.resolved
        .cells
        .iter_mut()
        .flat_map(|c| &mut c.labels)
        .for_each(rename);
    for row in &mut run.comparisons {
        rename(&mut row.a);
        rename(&mut row.b);
    }
    if let Some(compare) = &mut run.resolved.compare {
        compare.baseline.values_mut().for_each(rename);
    }
    run
}

fn simulate(scales: &[f64], trials: usize) -> Vec<Measured> {
    let mut uniform = Uniform(7);
    let noise: Vec<Vec<f64>> = scales
        .iter()
        .map(|scale| {
            (0..trials)
                .map(|_| {
                    let u = uniform.next() - 0.5;
                    -scale * u.signum() * libm::log(1.0 - 2.0 * u.abs())
                })
                .collect()
        })
        .collect();
    let mut all = Vec::new();
    for ((query, errors), scale) in QUERIES.iter().zip(&noise).zip(scales) {
        let (truth, scale) = (query.1, *scale);
        all.push(Measured {
            subject: query.0.to_owned(),
            measure: "answer",
            values: errors.iter().map(|e| e + truth).collect(),
            exact_mean: Some(truth),
            cdf: Some(Box::new(move |x| {
                let z = (x - truth) / scale;
                if z < 0.0 {
                    0.5 * libm::exp(z)
                } else {
                    1.0 - 0.5 * libm::exp(-z)
                }
            })),
        });
        all.push(Measured {
            subject: query.0.to_owned(),
            measure: "abs_error",
            values: errors.iter().map(|e| e.abs()).collect(),
            exact_mean: Some(scale),
            cdf: Some(Box::new(move |x| 1.0 - libm::exp(-x.max(0.0) / scale))),
        });
    }
    let b = scales.to_vec();
    let pairs = 1.0 / (1.0 / b[0] + 1.0 / b[1])
        + 1.0 / (1.0 / b[0] + 1.0 / b[2])
        + 1.0 / (1.0 / b[1] + 1.0 / b[2]);
    let exact = b.iter().sum::<f64>() - pairs + 1.0 / (1.0 / b[0] + 1.0 / b[1] + 1.0 / b[2]);
    all.push(Measured {
        subject: "all".to_owned(),
        measure: "max_abs_error",
        values: (0..trials)
            .map(|t| noise.iter().map(|n| n[t].abs()).fold(0.0, f64::max))
            .collect(),
        exact_mean: Some(exact),
        cdf: Some(Box::new(move |x| {
            b.iter().map(|b| 1.0 - libm::exp(-x.max(0.0) / b)).product()
        })),
    });
    all.push(Measured {
        subject: "all".to_owned(),
        measure: "rmse",
        values: (0..trials)
            .map(|t| (noise.iter().map(|n| n[t] * n[t]).sum::<f64>() / 3.0).sqrt())
            .collect(),
        exact_mean: None,
        cdf: None,
    });
    all
}

fn record(
    summary: &mut Vec<SummaryRow>,
    histograms: &mut Vec<HistogramRow>,
    id: &str,
    labels: &[String],
    measured: Measured,
) {
    let Measured {
        subject,
        measure,
        mut values,
        exact_mean,
        cdf,
    } = measured;
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let sd = (values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (n - 1.0)).sqrt();
    let quantile = |p: f64| values[((p * (n - 1.0)) as usize).min(values.len() - 1)];
    let mut push = |statistic: &'static str, value: f64, mcse: Option<f64>, exact: Option<f64>| {
        summary.push(SummaryRow {
            cell: id.to_owned().into(),
            axes: labels.into(),
            subject: subject.clone().into(),
            measure: measure.to_owned().into(),
            statistic: statistic.into(),
            value,
            mcse,
            low: mcse.map(|m| value - 1.96 * m),
            high: mcse.map(|m| value + 1.96 * m),
            exact,
            z: exact.zip(mcse).map(|(e, m)| (value - e) / m),
            trials: n as u64,
            method: "moments".into(),
        });
    };
    push("mean", mean, Some(sd / n.sqrt()), exact_mean);
    push("sd", sd, Some(sd / n.sqrt()), None);
    push("min", values[0], None, None);
    for (name, p) in [
        ("q01", 0.01),
        ("q05", 0.05),
        ("q25", 0.25),
        ("median", 0.5),
        ("q75", 0.75),
        ("q95", 0.95),
        ("q99", 0.99),
    ] {
        push(name, quantile(p), Some(sd / n.sqrt()), None);
    }
    push("max", values[values.len() - 1], None, None);
    // bins of 1/32 of an octave, by the float's own bits
    let mut at = 0;
    while at < values.len() {
        let bits = values[at].to_bits();
        let (inner, outer) = (
            f64::from_bits(bits >> 47 << 47),
            f64::from_bits(((bits >> 47) + 1) << 47),
        );
        let (low, high) = if values[at] < 0.0 {
            (outer, inner)
        } else {
            (inner, outer)
        };
        let end = at
            + values[at..]
                .iter()
                .take_while(|v| v.to_bits() >> 47 == bits >> 47)
                .count();
        histograms.push(HistogramRow {
            cell: id.to_owned(),
            axes: labels.to_vec(),
            subject: subject.clone(),
            measure: measure.to_owned(),
            low,
            high,
            count: (end - at) as u64,
            exact: cdf.as_ref().map(|cdf| cdf(high) - cdf(low)),
        });
        at = end;
    }
}

fn compare(epsilon: &str, allocation: &str, a: &[f64], b: &[f64]) -> ComparisonRow {
    let n = a.len() as f64;
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let mean = differences.iter().sum::<f64>() / n;
    let sd = (differences
        .iter()
        .map(|d| (d - mean) * (d - mean))
        .sum::<f64>()
        / (n - 1.0))
        .sqrt();
    let mcse = sd / n.sqrt();
    let win = differences.iter().filter(|d| **d < 0.0).count() as u64;
    ComparisonRow {
        axes: vec![epsilon.to_owned(), String::new()],
        subject: "all".to_owned(),
        measure: "max_abs_error".to_owned(),
        a: allocation.to_owned(),
        b: "even".to_owned(),
        difference: mean,
        mcse,
        low: mean - 1.96 * mcse,
        high: mean + 1.96 * mcse,
        p_adjusted: 1e-300,
        win,
        tie: 0,
        loss: a.len() as u64 - win,
        trials: a.len() as u64,
    }
}

fn claims() -> Vec<ClaimRow> {
    let claim = |id: &str, text: &str, claimed: &str, value: &str, verdict, expected| ClaimRow {
        claim: id.to_owned(),
        kind: "value".to_owned(),
        statistic: "max_abs_error.mean at allocation=proportional".to_owned(),
        claimed: claimed.to_owned(),
        value: value.to_owned(),
        low: Some(221.2),
        high: Some(223.1),
        exact: Some(222.0533),
        verdict,
        expected,
        text: text.to_owned(),
        note: if verdict == Verdict::Undecided {
            "about 400000 trials would decide".to_owned()
        } else {
            String::new()
        },
    };
    vec![
        claim(
            "B3",
            "even: the mean of the largest error is about 360",
            "360",
            "359.4",
            Verdict::Holds,
            Verdict::Holds,
        ),
        claim(
            "B4",
            "the mean of the worst error falls to about 120",
            "120",
            "222.1",
            Verdict::Refuted,
            Verdict::Refuted,
        ),
        claim(
            "B5",
            "the worst error falls by <two thirds> & more",
            "0.667",
            "0.383",
            Verdict::Undecided,
            Verdict::Refuted,
        ),
    ]
}
