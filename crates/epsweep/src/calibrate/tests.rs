//! Intervals that are right are called so, and wrong ones are found.

use super::*;
use crate::plan::{Overrides, Plan};
use std::path::Path;

/// Laplace noise on two counts: errors are smooth, their squares are skewed, `covered` is a flag, and the two allocations come to the same
/// shares, so that nothing differs between the cells but their draws.
const FILE: &str = r#"
name = "small"
seed = 7
trials = 400
streams = "independent"
measures = ["error", "abs_error", "squared_error", "covered", "max_abs_error"]
[data]
normal = { column = "age", mean = 40, sd = 15, rows = 100, seed = 1 }
neighbours = "substitute"
[data.columns]
age = { bounds = [0, 120] }
[[query]]
name = "old"
count = { where = "age > 60" }
[[query]]
name = "young"
count = { where = "age < 30" }
[budget]
epsilon = 1
[sweep]
allocation = ["even", "proportional", "optimal-mse"]
[compare]
baseline = { allocation = "even" }
"#;

fn plan() -> Plan {
    Plan::from_text("small.toml", FILE, Path::new(""), &Overrides::default()).unwrap()
}

fn calibrated(plan: &Plan, jobs: usize) -> Calibration {
    let settings = Settings {
        repeats: 600,
        reference: 100_000,
        jobs,
    };
    calibrate(
        plan,
        &settings,
        &Progress::default(),
        &AtomicBool::new(false),
    )
    .unwrap()
    .unwrap()
}

/// Few repeats call anything nominal, and say so.
#[test]
fn what_repeats_can_tell_is_said() {
    let least = |repeats| super::count::least_nominal(repeats, 0.95).unwrap();
    assert_eq!(least(1), 0.0);
    assert!((0.7..0.9).contains(&least(50)), "{}", least(50));
    // the tolerance of a point, and 3.29 standard errors of √(0.94·0.06/20 000)
    assert!(
        (least(20_000) - (0.94 - 0.0055)).abs() < 1e-3,
        "{}",
        least(20_000)
    );
    assert!((least(100_000_000) - 0.94).abs() < 1e-4);
}

/// A coverage is called short where its 99.9 % interval lies below 94 %: of a nominal one, once in several thousand. The seeds are fixed.
#[test]
fn intervals_cover_or_have_said_that_they_do_not() {
    let plan = plan();
    let found = calibrated(&plan, 2);
    let short: Vec<_> = (found.coverages.iter())
        .filter(|of| of.judgement == Judgement::Short)
        .collect();
    assert!(found.passed(), "{short:#?} {:#?}", found.families);
    for group in [
        Group::Mean,
        Group::Proportion,
        Group::Sd,
        Group::Quantile(50),
        Group::Difference,
    ] {
        assert!(found.group(group).count() > 0, "{group:?}");
    }
    // the mean of an error is as nearly normal as can be
    let means = |measure: &str| {
        (found.group(Group::Mean))
            .filter(move |of| of.name.measure == measure)
            .collect::<Vec<_>>()
    };
    assert!(
        means("error")
            .iter()
            .all(|of| of.judgement == Judgement::Nominal && of.exact)
    );
    // that of its square is not at 400 trials, and most runs warn of it: the others have seen no large error
    assert!(
        means("squared_error")
            .iter()
            .all(|of| of.warned_share() > 0.6),
        "{:?}",
        means("squared_error")
            .iter()
            .map(|of| of.warned_share())
            .collect::<Vec<_>>()
    );
    assert!(
        found
            .families
            .iter()
            .all(|of| of.nulls == 2 && of.comparisons == 2)
    );
    assert!(found.families.iter().any(|of| of.errors > 0));
    assert_eq!(found.zips.len(), found.groups().len());
    for zip in &found.zips {
        let truth = found.coverages[zip.of].truth;
        let order: Vec<f64> = zip
            .intervals
            .iter()
            .map(|i| extremeness(i, truth))
            .collect();
        assert!(order.is_sorted());
        let missed = order.iter().filter(|x| **x > 1.0).count() as u64;
        let of = &found.coverages[zip.of];
        assert_eq!(missed, of.below + of.above, "all repeats are in the zip");
    }
    // the same on one thread
    let alone = calibrated(&plan, 1);
    assert_eq!(alone, found);
    let [files, again] = [&found, &alone].map(|of| files(&plan, of).unwrap());
    assert_eq!(files, again);
    assert!(files.iter().any(|(name, _)| name == "figures/zip.png"));
}

/// Pictures have nothing that overlaps or is cut.
#[test]
fn pictures_are_sound() {
    let found = calibrated(&plan(), 2);
    let style = crate::figure::Style::named(None).unwrap();
    for drawing in [
        figures::coverage(&found, &style),
        figures::zip(&found, &style),
    ] {
        assert_eq!(
            drawing.canvas.faults(),
            Vec::<String>::new(),
            "{}",
            drawing.title
        );
        assert!(!drawing.plotted.rows.is_empty());
    }
}

/// Means that are said to be somewhere else, by half a standard error: coverage falls from 95 % to 92 %, 2.7 standard errors of 600 repeats; by
/// a whole one to 83 %.
#[test]
fn a_wrong_truth_is_found() {
    let plan = plan();
    let stop = AtomicBool::new(false);
    let mut long = once(&plan, 7, 100_000, 1, &stop).unwrap();
    for row in &mut long.summary.rows {
        if let (Some(exact), "mean", "error") = (&mut row.exact, &*row.statistic, &*row.measure) {
            // the error of a mean of 400 values of scale 2
            *exact += 2.0 * std::f64::consts::SQRT_2 / 20.0;
        }
    }
    let truths = truth::Truths::new(&long);
    let mut counts = Counts::new(&truths);
    for seed in 0..600 {
        counts.take(
            &truths,
            &once(&plan, 1000 + seed, 400, 1, &stop).unwrap(),
            0.05,
        );
    }
    let found = counts.coverages(&truths, 400, 0.95).unwrap();
    let mut wrong = found
        .iter()
        .filter(|of| of.name.measure == "error" && of.group == Group::Mean);
    assert!(
        wrong.all(|of| of.judgement == Judgement::Short && of.above < of.below),
        "{found:#?}"
    );
}

#[test]
fn work_beyond_what_can_be_counted_is_the_most_there_is() {
    let settings = |repeats, reference| Settings {
        repeats,
        reference,
        jobs: 1,
    };
    assert_eq!(work(&settings(20, 1000), 50, 3), 6000);
    assert_eq!(work(&settings(u64::MAX, 1), 2, 3), u64::MAX);
    assert_eq!(work(&settings(1, u64::MAX), 1, 1), u64::MAX);
    assert_eq!(work(&settings(1 << 40, 0), 1 << 20, 1 << 20), u64::MAX);
}

#[test]
fn a_directory_of_something_else_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    assert!(place_is_free(&dir.path().join("new")).is_ok());
    assert!(place_is_free(dir.path()).is_ok());
    std::fs::write(dir.path().join("thesis.tex"), "").unwrap();
    assert!(place_is_free(dir.path()).is_err());
    std::fs::write(dir.path().join(FILES[0]), "").unwrap();
    assert!(place_is_free(dir.path()).is_ok());
}
