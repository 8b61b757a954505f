//! The answer in words.

use super::*;

#[test]
fn the_answer_names_the_best_and_by_how_much() {
    let run = run_of(&simulate(42, 100_000, &[1.0], Streams::Common));
    let text = answer(&run);
    assert!(
        text.starts_with("At ε = 1, optimal-mse has the lowest mean largest error (131."),
        "{text}"
    );
    assert!(text.contains("64 % below even (360."), "{text}");
    assert!(text.contains("of the paired trials."), "{text}");
    assert!(!text.contains("tied"), "{text}");

    // eight trials cannot tell, unless theory does
    let without_theory = |sample: &Sample| {
        let mut run = run_of(sample);
        run.summary.iter_mut().for_each(|row| row.exact = None);
        run
    };
    let few = simulate(3, 8, &[1.0], Streams::Common);
    let known = answer(&run_of(&few));
    assert!(!known.contains("tell"), "{known}");
    let few = answer(&without_theory(&few));
    assert!(
        few.contains("does not tell it from") && few.contains("pairs = \"all\""),
        "{few}"
    );

    let one = answer(&without_theory(&simulate(5, 1, &[1.0], Streams::Common)));
    assert!(one.contains("one trial does not"), "{one}");

    let many = answer(&run_of(&simulate(
        42,
        20_000,
        &[0.1, 1.0, 10.0],
        Streams::Common,
    )));
    assert!(
        many.contains("at every value of epsilon (3 settings)"),
        "{many}"
    );
    assert!(many.contains("below even"), "{many}");
}

#[test]
fn a_compared_number_is_named_with_its_axis() {
    let mut sample = simulate(42, 2_000, &[0.1, 10.0], Streams::Common);
    sample.resolved.compare = Some(crate::record::ResolvedCompare {
        baseline: [("epsilon".to_string(), "0.1".to_string())].into(),
        all_pairs: false,
    });
    let text = answer(&run_of(&sample));
    assert!(
        text.starts_with("epsilon = 10 has the lowest mean largest error at every value of allocation (5 settings), 99.0 % below epsilon = 0.1"),
        "{text}"
    );
}

#[test]
fn answers_without_comparisons_are_sentences_too() {
    let mut sample = simulate(5, 2_000, &[1.0], Streams::Independent);
    sample.resolved.compare = None;
    sample.cells.iter_mut().for_each(|c| c.pairs.clear());
    let text = answer(&run_of(&sample));
    assert!(text.contains("the lowest mean largest error"), "{text}");

    let mut one = simulate(5, 2_000, &[1.0], Streams::Common);
    one.cells.truncate(1);
    one.resolved.cells.truncate(1);
    one.resolved.compare = None;
    one.resolved.axes[1].labels.truncate(1);
    let text = answer(&run_of(&one));
    assert!(
        text.starts_with("At ε = 1, the mean largest error is 3"),
        "{text}"
    );

    let mut empty = run_of(&one);
    empty.summary.clear();
    assert_eq!(answer(&empty), "The run has no estimate of a mean.");
}

#[test]
fn equal_means_are_no_range() {
    let sample = simulate(5, 2_000, &[0.1, 1.0], Streams::Common);
    let mut run = run_of(&sample);
    run.resolved.compare = None;
    // what is asked of which records is no choice that could be best
    (run.resolved.axes[1].name, run.resolved.axes[1].path) = ("rows".into(), "data.rows".into());
    let text = answer(&run);
    assert!(text.contains("ranges from"), "{text}");
    for r in &mut run.summary {
        (r.value, r.low, r.high, r.exact) = (0.0, Some(0.0), Some(0.0), None);
    }
    let cells = run.resolved.cells.len();
    let text = answer(&run);
    let wanted = format!("The mean largest error is 0 in all {cells} cells;");
    assert!(text.starts_with(&wanted), "{text}");
}

#[test]
fn the_winner_may_change_along_an_axis() {
    let mut run = run_of(&simulate(42, 20_000, &[0.1, 1.0, 10.0], Streams::Common));
    // at ε = 10 the even split is made the best
    for r in &mut run.summary {
        if r.cell == "epsilon=10 allocation=even" && r.measure == "max_abs_error" {
            (r.value, r.low, r.high) = (1.0, Some(0.9), Some(1.1));
            r.exact = r.exact.map(|_| 1.0);
        }
    }
    run.comparisons.clear();
    let text = answer(&run);
    assert!(
        text.contains(
            "changes with epsilon: optimal-mse from epsilon = 0.1 to 1 and even at epsilon = 10"
        ),
        "{text}"
    );
}

/// Without [compare] the best is named all the same, and what tells more.
#[test]
fn the_best_is_named_without_a_baseline() {
    let mut run = run_of(&simulate(42, 20_000, &[0.1, 1.0], Streams::Common));
    run.resolved.compare = None;
    run.resolved.axes[1].name = "way".into();
    run.resolved.axes[1].path = "procedure.release.allocation".into();
    let text = answer(&run);
    assert!(
        text.starts_with(
            "optimal-mse has the lowest mean largest error at every value of epsilon (2 settings)"
        ),
        "{text}"
    );
    assert!(text.contains("[compare] with a baseline"), "{text}");
    // two choices are compared together, and both are named
    run.resolved.axes[0].name = "size".into();
    run.resolved.axes[0].path = "procedure.release.size".into();
    let text = answer(&run);
    assert!(
        text.starts_with("size = 1 (optimal-mse) has the lowest mean largest error (13"),
        "{text}"
    );
    assert!(text.contains("below size = 0.1 (even) (3"), "{text}");
    // losses of scores in another unit are no better ones
    run.resolved.axes[0].path = "procedure.select.scale".into();
    let text = answer(&run);
    assert!(
        text.starts_with("optimal-mse has the lowest mean largest error at every value of size"),
        "{text}"
    );
}

/// Errors that are counted from different answers make no winner: that comes first.
#[test]
fn different_true_answers_are_said_before_the_lowest_error() {
    let mut run = run_of(&simulate(42, 2_000, &[0.1, 1.0], Streams::Common));
    assert!(!answer(&run).contains("true answers"));
    let mut clipped = run.resolved.data[0].clone();
    for (data, high) in [(&mut run.resolved.data[0], 90.0), (&mut clipped, 60.0)] {
        data.columns.push(crate::record::ResolvedColumn {
            name: "age".into(),
            bounds: Some([0.0, high]),
            clipped: 1,
        });
    }
    run.resolved.data.push(clipped);
    for cell in &mut run.resolved.cells {
        if cell.allocation == "optimal-mse" {
            cell.data = 1;
            cell.queries[1].truth = Some(60.0);
        }
    }
    let text = answer(&run);
    assert!(
        text.starts_with(
            "The true answers differ along allocation, so that the lowest error is not the best setting: that of `max age` is 97.8 at even and 60 at optimal-mse, 37.8 (39 %) apart, and each error is counted from the true answer of its own cell. The queries `clipped-mean`"
        ),
        "{text}"
    );
    assert!(
        text.contains("By these errors alone, optimal-mse has the lowest"),
        "{text}"
    );
    // another question has another answer, and that is no fault
    for cell in &mut run.resolved.cells {
        cell.queries[1].definition = format!("max of age, {}", cell.allocation);
    }
    assert!(!answer(&run).contains("true answers"));
}
