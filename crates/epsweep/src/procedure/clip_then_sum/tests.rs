//! Simulated errors against their exact laws, and the same bits however the work is divided.

use super::*;
use crate::measure;
use crate::plan::{Overrides, Plan};
use crate::procedure::{Quantiles, Streams};
use crate::study::Study;
use crate::tally::OutcomeTally;
use std::path::Path;
use std::sync::Mutex;

const SMALL: &str = r#"name = "small"
trials = 1000
[data]
lognormal = { column = "income", median = 30, log_sd = 0.8, rows = 300, seed = 3 }
neighbours = "add-remove"
[data.columns]
income = { bounds = [0, 500] }
[procedure.clip-then-sum]
column = "income"
bound = { quantile = 0.95, points = 51 }
shares = [0.2, 0.5, 0.3]
[budget]
epsilon = 1
"#;

fn cells(text: &str) -> Vec<StagedCell> {
    let plan = Plan::from_text("small.toml", text, Path::new(""), &Overrides::default());
    match plan.unwrap_or_else(|errors| panic!("{errors}")).study() {
        Study::ClipThenSum(cells) => cells.clone(),
        other => panic!("{other:?}"),
    }
}

fn simulate(cells: &[StagedCell], trials: u64, jobs: usize) -> Vec<CellTally> {
    let measures: Vec<&'static dyn Measure> = measure::REGISTRY.to_vec();
    let task = Task {
        seed: 42,
        trials,
        jobs,
        pairs: &[],
        measures: &measures,
        streams: Streams::Common,
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
    tallies.into_inner().unwrap()
}

#[test]
fn every_measure_agrees_with_its_exact_law_and_not_with_another() {
    let (right, wrong) = (
        cells(SMALL),
        cells(&SMALL.replace("[0.2, 0.5, 0.3]", "[0.1, 0.55, 0.35]")),
    );
    let (tally, other) = (&simulate(&right, 200_000, 2)[0], &simulate(&wrong, 8, 1)[0]);
    let named: Vec<(&str, &str)> = (tally.outcomes.iter())
        .map(|o| (o.measure, o.subject.as_str()))
        .collect();
    assert_eq!(named.len(), 10, "{named:?}");
    let mut seen = 0;
    for (found, other) in tally.outcomes.iter().zip(&other.outcomes) {
        let n = found.moments.n as f64;
        let error = (found.moments.m2 / n / n).sqrt();
        let off = |from: &OutcomeTally| {
            let law = from.law.as_ref().unwrap();
            ((found.moments.mean - law.mean().unwrap()) / error).abs()
        };
        // 5 standard errors in ten means: a false alarm in 2e5 seeds, and the seed is fixed
        let what = format!("{} of {}", found.measure, found.subject);
        assert!(off(found) < 5.0, "{what}: {}", off(found));
        seen += usize::from(off(other) > 5.0);
        // a binomial count about the exact median, where it is known; the bound's law has steps
        let law = found.law.as_ref().unwrap();
        if let (Some(median), true) = (law.quantile(0.5), found.measure != "bound") {
            let below = found.histogram.cdf(median);
            // and half of a bin of relative width 2⁻⁷
            assert!(
                (below - 0.5).abs() < 5.0 * 0.5 / n.sqrt() + 0.005,
                "{what}: {below}"
            );
        }
    }
    assert!(seen >= 6, "other shares are seen: {seen}");
}

#[test]
fn threads_change_no_bit() {
    let cells = cells(SMALL);
    let bits = |tallies: &[CellTally]| -> Vec<u64> {
        let outcomes = tallies.iter().flat_map(|tally| &tally.outcomes);
        outcomes
            .flat_map(|o| [o.moments.mean, o.moments.m4].map(f64::to_bits))
            .collect()
    };
    let one = bits(&simulate(&cells, 20_000, 1));
    assert_eq!(one, bits(&simulate(&cells, 20_000, 2)));
}
