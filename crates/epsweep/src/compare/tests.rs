use super::*;
use crate::figure::sample;
use crate::record::Run;

const QUESTION: Question = Question {
    level: 0.001,
    margin: None,
    only: Vec::new(),
};

fn side<'a>(name: &'a str, run: &'a Run) -> Side<'a> {
    Side {
        name,
        resolved: &run.resolved,
        summary: &run.summary,
        claims: &run.claims,
    }
}

fn beside(a: &Run, b: &Run, question: &Question) -> Result<Compared, Incomparable> {
    compare(&side("A", a), &side("B", b), question)
}

/// A mean with an error.
fn first_mean(run: &mut Run) -> &mut SummaryRow {
    (run.summary.iter_mut())
        .find(|row| &*row.statistic == "mean" && row.mcse.is_some_and(|s| s > 0.0))
        .expect("a mean")
}

#[test]
fn a_run_agrees_with_itself_to_the_last_bit() {
    let run = sample::run(&[0.1, 1.0], &["even", "proportional"], 500);
    let found = beside(&run, &run, &QUESTION).expect("comparable");
    assert!(found.agree());
    assert_eq!(found.common, run.summary.len() as u64);
    assert_eq!((found.identical, found.unjudged), (found.common, 0));
    assert_eq!((found.only_a, found.only_b), (0, 0));
    assert_eq!(found.differences, []);
}

#[test]
fn what_moves_by_ten_errors_is_found_and_what_moves_by_one_is_not() {
    let run = sample::run(&[0.1, 1.0], &["even", "proportional"], 500);
    for (errors, moved) in [(1.0, 0), (10.0, 1)] {
        let mut other = run.clone();
        let row = first_mean(&mut other);
        row.value += errors * row.mcse.unwrap_or(0.0);
        let what = row.clone();
        let found = beside(&run, &other, &QUESTION).expect("comparable");
        assert_eq!(found.moved().count(), moved, "{errors} errors");
        assert_eq!(found.agree(), moved == 0);
        let first = &found.differences[0];
        assert_eq!(
            (&*first.subject, &*first.measure),
            (&*what.subject, &*what.measure)
        );
        // both runs have this error
        let expected = errors / 2f64.sqrt();
        assert!((first.difference / first.mcse - expected).abs() < 1e-9);
    }
}

#[test]
fn welchs_degrees_of_freedom_widen_what_few_trials_say() {
    let run = sample::run(&[1.0], &["even"], 500);
    let p = |trials: u64| {
        let (mut a, mut b) = (run.clone(), run.clone());
        first_mean(&mut a).trials = trials;
        let row = first_mean(&mut b);
        row.trials = trials;
        row.value += 3.0 * row.mcse.unwrap_or(0.0);
        beside(&a, &b, &QUESTION).expect("comparable").differences[0].p
    };
    // equal errors: t = 3/√2 with 2(n − 1) degrees of freedom
    for trials in [3, 10, 1000] {
        let expected =
            epsweep_core::statistics::t_two_sided(4.5f64.sqrt(), 2.0 * (trials as f64 - 1.0));
        assert!((p(trials) / expected - 1.0).abs() < 1e-9, "{trials}");
    }
}

#[test]
fn a_margin_tells_equivalent_from_undecided_and_forgives_what_does_not_matter() {
    let run = sample::run(&[1.0], &["even"], 500);
    let mut other = run.clone();
    let row = first_mean(&mut other);
    let error = row.mcse.unwrap_or(0.0);
    row.value += 10.0 * error;
    let outcome = |margin: f64| {
        let question = Question {
            margin: Some(Margin::Absolute(margin * error)),
            ..QUESTION
        };
        beside(&run, &other, &question)
            .expect("comparable")
            .differences[0]
            .outcome
    };
    // the standard error of the difference is √2 errors; t at 0.999 is 3.1
    assert_eq!(outcome(0.0), Outcome::Moved);
    assert_eq!(outcome(5.0 - 1.0), Outcome::Moved);
    assert_eq!(outcome(12.0), Outcome::Unclear);
    assert_eq!(outcome(16.0), Outcome::Equivalent);
    let share = |share: f64| {
        let question = Question {
            margin: Some(Margin::Relative(share)),
            ..QUESTION
        };
        beside(&run, &other, &question)
            .expect("comparable")
            .differences[0]
            .outcome
    };
    assert_eq!(share(1e-9), Outcome::Moved);
    assert_eq!(share(10.0), Outcome::Equivalent);
}

/// One number of many that differs: it is the least p value of as many as were compared, not of one.
#[test]
fn numbers_that_are_the_same_are_of_the_family() {
    let run = sample::run(&[1.0], &["even"], 500);
    let mut other = run.clone();
    let row = first_mean(&mut other);
    // 3.4 standard errors of the difference: p = 7·10⁻⁴, below the level of 0.001 by itself
    row.value += 3.4 * std::f64::consts::SQRT_2 * row.mcse.unwrap_or(0.0);
    let found = beside(&run, &other, &QUESTION).expect("comparable");
    let [difference] = &found.differences[..] else {
        panic!("{:?}", found.differences);
    };
    assert!(difference.p < QUESTION.level, "{}", difference.p);
    let family = difference.p_adjusted / difference.p;
    let tested = (run.summary.iter()).filter(|row| row.mcse.is_some_and(|error| error > 0.0));
    assert!(
        (family / tested.count() as f64 - 1.0).abs() < 1e-9,
        "{family}"
    );
    assert_eq!(difference.outcome, Outcome::Unclear);
}

#[test]
fn theory_that_moved_is_found_without_any_error() {
    let mut run = sample::run(&[1.0], &["even"], 500);
    first_mean(&mut run).exact = Some(2.0);
    let mut other = run.clone();
    first_mean(&mut other).exact = Some(2.0 * (1.0 + 1e-12));
    assert!(beside(&run, &other, &QUESTION).expect("comparable").agree());
    first_mean(&mut other).exact = Some(2.000_01);
    let found = beside(&run, &other, &QUESTION).expect("comparable");
    assert_eq!(found.moved().count(), 1);
    assert!(found.differences[0].exact);
    let question = Question {
        margin: Some(Margin::Absolute(0.001)),
        ..QUESTION
    };
    assert!(beside(&run, &other, &question).expect("comparable").agree());
}

#[test]
fn verdicts_that_turned_are_named() {
    let run = sample::run(&[1.0], &["even"], 500);
    let mut other = run.clone();
    other.claims[0].verdict = Verdict::Undecided;
    let found = beside(&run, &other, &QUESTION).expect("comparable");
    assert!(!found.agree());
    assert_eq!(found.claims[0].claim, run.claims[0].claim);
    assert_eq!(found.claims[0].b, Verdict::Undecided);
}

#[test]
fn rows_are_matched_by_what_they_are_about() {
    let small = sample::run(&[1.0], &["even"], 500);
    let mut wide = sample::run(&[1.0, 2.0], &["even"], 500);
    // an axis of two values, of which the small run has one
    let found = beside(&small, &wide, &QUESTION).expect("comparable");
    assert_eq!(found.common, small.summary.len() as u64);
    assert_eq!(
        (found.only_a, found.only_b),
        (0, small.summary.len() as u64)
    );
    // an axis that the small run does not have at all
    let at = wide
        .resolved
        .axes
        .iter()
        .position(|axis| axis.labels.len() == 2)
        .expect("an axis");
    wide.resolved.axes[at].name = "strength".to_owned();
    let error = beside(&small, &wide, &QUESTION).expect_err("which one?");
    assert!(error.to_string().contains("--where strength="), "{error}");
    let label = wide.resolved.axes[at].labels[0].clone();
    let only = |axis: &str, label: &str| Question {
        only: vec![(axis.to_owned(), label.to_owned())],
        ..QUESTION
    };
    let found = beside(&small, &wide, &only("strength", &label)).expect("one is chosen");
    assert_eq!(found.common, small.summary.len() as u64);
    let error = beside(&small, &wide, &only("strenght", "1")).expect_err("no such axis");
    assert!(
        error.to_string().contains("did you mean `strength`"),
        "{error}"
    );
    let error = beside(&small, &wide, &only("strength", "7")).expect_err("no such value");
    assert!(
        error.to_string().contains("B has no strength `7`"),
        "{error}"
    );
}

#[test]
fn runs_without_a_common_number_are_refused() {
    let run = sample::run(&[1.0], &["even"], 50);
    let mut other = run.clone();
    other.summary.clear();
    assert!(matches!(
        beside(&run, &other, &QUESTION),
        Err(Incomparable::Nothing { .. })
    ));
}

/// Two runs of one truth with other seeds agree; one whose noise is 5 % too wide does not. Sixty seeds; a false alarm has probability at
/// most 0.001 for each, 0.06 for all, and the seeds are fixed.
#[test]
fn independent_runs_of_one_truth_agree_and_a_wrong_scale_is_found() {
    use epsweep_core::statistics::Moments;
    let mut uniform = sample::Uniform(7);
    let mut simulated = |scale: f64| {
        let mut run = sample::run(&[1.0], &["even"], 10);
        let values: Vec<f64> = (0..40_000)
            .map(|_| -scale * libm::log(uniform.next()))
            .collect();
        let moments = Moments::from_values(&values);
        let row = first_mean(&mut run);
        (row.value, row.mcse) = (moments.mean, Some(moments.mcse_mean()));
        row.trials = 40_000;
        run
    };
    let mut missed = 0;
    for _ in 0..60 {
        let (a, b, wide) = (simulated(1.0), simulated(1.0), simulated(1.05));
        assert!(beside(&a, &b, &QUESTION).expect("comparable").agree());
        missed += usize::from(beside(&a, &wide, &QUESTION).expect("comparable").agree());
    }
    // the wrong scale lies 7 errors away
    assert!(missed <= 1, "{missed}");
}

/// A quantile of rounded answers jumps by a step, which its interval holds and its standard error does not; one beyond the interval moved.
#[test]
fn steps_of_a_lattice_are_no_differences() {
    let run = sample::run(&[1.0], &["even"], 500);
    let place = (run.summary.iter())
        .position(|row| &*row.statistic == "median" && row.mcse.is_some_and(|s| s > 0.0))
        .expect("a median");
    let with = |value: f64, low: f64, high: f64| {
        let mut run = run.clone();
        let row = &mut run.summary[place];
        (row.value, row.mcse) = (value, Some(0.06));
        (row.low, row.high) = (Some(low), Some(high));
        run
    };
    let (step, next) = (with(7.03, 6.995, 8.04), with(8.01, 7.0, 8.05));
    let found = beside(&step, &next, &QUESTION).expect("comparable");
    assert!(found.agree(), "{:?}", found.differences);
    // downwards, too
    assert!(beside(&next, &step, &QUESTION).expect("comparable").agree());
    let far = with(12.0, 11.9, 12.1);
    let found = beside(&step, &far, &QUESTION).expect("comparable");
    assert_eq!(found.moved().count(), 1);
    // where the interval has no end nothing can be judged
    let mut open = step.clone();
    open.summary[place].high = None;
    let found = beside(&open, &far, &QUESTION).expect("comparable");
    assert_eq!((found.moved().count(), found.unjudged), (0, 1));
}
