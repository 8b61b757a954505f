//! A simulated run for tests: the mean, the largest and a count of ages, Δ = 0.12, 120 and 1, at ε = 1.

use super::{Summary, summarise};
use crate::engine::{Kept, Progress};
use crate::measure;
use crate::procedure::release::{Request, run};
use crate::procedure::{Quantiles, Streams};
use crate::record::{
    Resolved, ResolvedAxis, ResolvedCell, ResolvedCompare, ResolvedData, ResolvedQuery, SCHEMA,
};
use crate::study::release::{ReleaseCell, ReleaseQuery};
use crate::tally::{CellTally, OutcomeTally};
use epsweep_core::theory::Law;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

const SENSITIVITIES: [f64; 3] = [0.12, 120.0, 1.0];
const TRUTHS: [f64; 3] = [40.3, 97.8, 98.0];
const QUERIES: [&str; 3] = ["mean age", "max age", "over 60"];

/// A strategy: ε is shared in proportion to Δ^power.
pub(crate) const STRATEGIES: [(&str, f64); 5] = [
    ("even", 0.0),
    ("proportional", 1.0),
    ("sqrt-weighted", 1.0),
    ("optimal-mse", 2.0 / 3.0),
    ("optimal-mae", 0.5),
];

/// What a simulation yields.
pub(crate) struct Sample {
    pub cells: Vec<CellTally>,
    pub resolved: Resolved,
}

/// A sweep over ε and [`STRATEGIES`], each compared with the even split at the same ε.
pub(crate) fn simulate(seed: u64, trials: u64, epsilons: &[f64], streams: Streams) -> Sample {
    let mut release = Vec::new();
    let mut cells = Vec::new();
    for epsilon in epsilons {
        for (name, power) in STRATEGIES {
            let id = format!("epsilon={epsilon} allocation={name}");
            let weights = SENSITIVITIES.map(|d| libm::pow(d, power));
            let total: f64 = weights.iter().sum();
            let shares = weights.map(|w| w / total);
            let scale = |i: usize| SENSITIVITIES[i] / (epsilon * shares[i]);
            release.push(ReleaseCell {
                id: id.clone(),
                queries: (0..3)
                    .map(|i| ReleaseQuery::laplace(QUERIES[i], TRUTHS[i], scale(i)))
                    .collect(),
                rows: 1000,
                ..ReleaseCell::default()
            });
            cells.push(ResolvedCell {
                id,
                labels: vec![epsilon.to_string(), name.into()],
                data: 0,
                guarantee: format!("ε = {epsilon}"),
                total: *epsilon,
                composition: "basic".into(),
                divided: String::new(),
                noise: "laplace".into(),
                allocation: name.into(),
                joint: None,
                oracle: false,
                queries: (0..3)
                    .map(|i| ResolvedQuery {
                        name: QUERIES[i].into(),
                        definition: format!("{} of age", QUERIES[i]),
                        truth: Some(TRUTHS[i]),
                        l1: SENSITIVITIES[i],
                        l2: SENSITIVITIES[i],
                        declared: None,
                        weight: 1.0,
                        share: shares[i],
                        budget: epsilon * shares[i],
                        scale: Some(scale(i)),
                        derived: false,
                        size: 0,
                        numbers: Vec::new(),
                        floored: false,
                        steps: Vec::new(),
                    })
                    .collect(),
                ..ResolvedCell::default()
            });
        }
    }
    let n = STRATEGIES.len();
    let pairs: Vec<(usize, usize)> = (0..cells.len())
        .filter(|i| i % n != 0)
        .map(|i| (i, i - i % n))
        .collect();
    let found = Mutex::new(Vec::new());
    let request = Request {
        seed,
        trials,
        jobs: 1,
        cells: &release,
        pairs: &pairs,
        measures: measure::USUAL,
        streams,
        level: 0.95,
        quantiles: Quantiles::Histogram,
        until: None,
        kept: Kept::default(),
        on_error: Default::default(),
    };
    run(
        &request,
        &Progress::default(),
        &AtomicBool::new(false),
        &|cell| {
            found.lock().expect("no panic before").push(cell);
        },
    )
    .expect("a sound request");
    let mut tallies = found.into_inner().expect("no panic before");
    tallies.sort_by_key(|c: &CellTally| c.cell);
    let axis = |name: &str, path: &str, labels: Vec<String>, numbers| ResolvedAxis {
        name: name.into(),
        path: path.into(),
        labels,
        numbers,
    };
    let resolved = Resolved {
        target: None,
        schema: SCHEMA,
        name: "sample".into(),
        title: "A sample".into(),
        question: "Which split is best?".into(),
        seed,
        trials,
        level: 0.95,
        streams: streams.name().into(),
        quantiles: "histogram".into(),
        on_error: "stop".into(),
        procedure: "release".into(),
        neighbours: "substitute".into(),
        axes: vec![
            axis(
                "epsilon",
                "budget.epsilon",
                epsilons.iter().map(f64::to_string).collect(),
                Some(epsilons.to_vec()),
            ),
            axis(
                "allocation",
                "allocation",
                STRATEGIES.iter().map(|s| s.0.to_string()).collect(),
                None,
            ),
        ],
        measures: measure::names().iter().map(|m| m.to_string()).collect(),
        data: vec![ResolvedData {
            source: "ages.csv".into(),
            digest: "0".into(),
            rows: 1000,
            columns: Vec::new(),
        }],
        cells,
        compare: Some(ResolvedCompare {
            baseline: [("allocation".to_string(), "even".to_string())].into(),
            all_pairs: false,
        }),
        figures: Vec::new(),
        warnings: Vec::new(),
    };
    Sample {
        cells: tallies,
        resolved,
    }
}

/// An outcome with these values.
pub(crate) fn outcome(values: &[f64], law: Option<Arc<dyn Law>>) -> OutcomeTally {
    OutcomeTally::of_values(values, law)
}

/// The summary of one outcome in one cell.
pub(crate) fn alone(outcome: OutcomeTally) -> Summary {
    let mut resolved = simulate(1, 2, &[1.0], Streams::Common).resolved;
    resolved.cells.truncate(1);
    let cell = CellTally {
        cell: 0,
        trials: outcome.moments.n + outcome.undefined,
        outcomes: vec![outcome],
        pairs: Vec::new(),
        fit: None,
        exact: Vec::new(),
        failed: Default::default(),
    };
    summarise(&[cell], &resolved).unwrap()
}
