//! The same bits however the work is divided, exact laws, and spends within the guarantee in every trial.

use super::*;
use crate::measure;
use crate::plan::{Overrides, Plan};
use crate::procedure::Quantiles;
use crate::study::Study;
use crate::tally::OutcomeTally;
use std::path::Path;
use std::sync::Mutex;

/// Two cells, one of which adapts.
const SMALL: &str = r#"name = "small"
trials = 1000
[procedure.train]
model = "logistic"
generated = { records = 120, features = 3, test = 50, signal = 2, seed = 3 }
steps = 6
rate = 5
clip = 0.5
record = 2
[budget]
epsilon = 2
delta = 1e-5
[sweep]
"procedure.train.schedule" = ["even", "adaptive"]
"#;

fn cells(text: &str) -> Vec<TrainCell> {
    let plan = Plan::from_text("small.toml", text, Path::new(""), &Overrides::default());
    match plan.unwrap_or_else(|errors| panic!("{errors}")).study() {
        Study::Train(cells) => cells.clone(),
        other => panic!("{other:?}"),
    }
}

fn simulate(
    cells: &[TrainCell],
    trials: u64,
    jobs: usize,
    streams: crate::procedure::Streams,
    pairs: &[(usize, usize)],
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
        kept: crate::engine::Kept::default(),
        on_error: Default::default(),
    };
    let tallies = Mutex::new(Vec::new());
    let keep = |tally: CellTally| tallies.lock().unwrap().push(tally);
    let stop = AtomicBool::new(false);
    run(cells, &task, &Progress::default(), &stop, &keep).unwrap();
    let mut tallies = tallies.into_inner().unwrap();
    tallies.sort_by_key(|tally| tally.cell);
    tallies
}

fn bits(tallies: &[CellTally]) -> Vec<u64> {
    let of = |outcome: &OutcomeTally| {
        let m = outcome.moments;
        [m.mean, m.m2, m.m3, m.m4, outcome.min, outcome.max].map(f64::to_bits)
    };
    (tallies.iter())
        .flat_map(|tally| tally.outcomes.iter().flat_map(of).collect::<Vec<_>>())
        .collect()
}

fn outcome<'a>(tally: &'a CellTally, measure: &str, subject: &str) -> &'a OutcomeTally {
    (tally.outcomes.iter())
        .find(|o| o.measure == measure && o.subject == subject)
        .unwrap_or_else(|| panic!("{measure} of {subject}"))
}

const COMMON: crate::procedure::Streams = crate::procedure::Streams::Common;

#[test]
fn threads_and_company_change_no_bit() {
    let cells = cells(SMALL);
    let all = simulate(&cells, 100, 1, COMMON, &[(1, 0)]);
    assert_eq!(bits(&all), bits(&simulate(&cells, 100, 2, COMMON, &[])));
    for (place, cell) in cells.iter().enumerate() {
        let alone = simulate(std::slice::from_ref(cell), 100, 1, COMMON, &[]);
        assert_eq!(bits(&alone), bits(&all[place..=place]));
    }
    let pair = &all[1].pairs;
    assert!(pair.iter().any(|p| p.measure == "accuracy"));
    assert!(
        pair.iter()
            .any(|p| p.measure == "step_loss" && p.subject == "step 4")
    );
    // what is no better high or low is not compared
    assert!(
        pair.iter()
            .all(|p| !["steps", "budget_used"].contains(&p.measure))
    );
    let own = simulate(&cells, 100, 1, crate::procedure::Streams::Independent, &[]);
    assert_ne!(bits(&own), bits(&all));
}

#[test]
fn no_trial_spends_more_than_the_guarantee() {
    let sampled = SMALL.replace("steps = 6", "steps = 6\nsampling = 0.3");
    for text in [SMALL, &sampled] {
        for tally in simulate(&cells(text), 400, 2, COMMON, &[]) {
            let used = outcome(&tally, "budget_used", "all");
            assert_eq!((used.moments.n, used.undefined), (400, 0));
            assert!(used.max <= 1.0 && used.min > 0.3, "{}", used.min);
            let steps = outcome(&tally, "steps", "all");
            assert!(steps.max <= 6.0 && steps.min >= 1.0);
            // before the first step every trial is at w = 0
            let start = outcome(&tally, "step_loss", "step 0");
            assert!((start.min / start.max - 1.0).abs() < 1e-14);
        }
    }
}

#[test]
fn a_single_step_agrees_with_its_exact_law_and_not_with_another() {
    let one = SMALL.replace("steps = 6", "steps = 1");
    let other = one.replace("epsilon = 2", "epsilon = 5");
    let (right, wrong) = (cells(&one), cells(&other));
    let tally = &simulate(&right[..1], 20_000, 2, COMMON, &[])[0];
    let other = &simulate(&wrong[..1], 8, 1, COMMON, &[])[0];
    for measure in ["loss", "test_loss", "accuracy", "distance"] {
        let found = outcome(tally, measure, "all");
        let n = found.moments.n as f64;
        let error = (found.moments.m2 / n / n).sqrt();
        let z = |from: &OutcomeTally| {
            let mean = from.law.as_ref().and_then(|law| law.mean()).unwrap();
            ((found.moments.mean - mean) / error).abs()
        };
        // 5 standard errors: a false alarm in 1e6 seeds, and the seed is fixed
        assert!(z(found) < 5.0, "{measure}: {}", z(found));
        // after one short step the distance is nearly that of w = 0, whatever the noise
        if measure != "distance" {
            assert!(z(outcome(other, measure, "all")) > 5.0, "{measure}");
        }
    }
    // after several steps nothing is claimed
    let tally = &simulate(&cells(SMALL)[..1], 8, 1, COMMON, &[])[0];
    assert!(outcome(tally, "loss", "all").law.is_none());
}
