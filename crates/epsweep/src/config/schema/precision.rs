//! `trials = { precision = … }`.

use super::{POSITIVE, Shape, Table, key, list, need, table};
use crate::config::precision::{AT_LEAST, AT_MOST};
use crate::config::settings::MOST_TRIALS;

/// A target.
pub(super) fn target() -> Shape {
    let trials = Shape::Whole(2, MOST_TRIALS);
    table(vec![
        need(
            "precision",
            Shape::Either(vec![goal(), list(goal())]),
            "how precise what is to be; of a list, all of it",
        ),
        key(
            "at_least",
            trials.clone(),
            &format!("trials before the first look; {AT_LEAST} without it"),
        ),
        key(
            "at_most",
            trials,
            &format!("most trials of a cell; {AT_MOST} without it"),
        ),
    ])
}

fn goal() -> Shape {
    let cell = || Shape::Map(Box::new(Shape::Any));
    let pair = table(vec![
        need("a", cell(), "a cell, AXIS = value"),
        need("b", cell(), "the cell that is subtracted"),
    ]);
    let mut goal = Table::new(vec![
        need(
            "measure",
            Shape::Either(vec![Shape::Text, list(Shape::Text)]),
            "a measure, whose mean is meant, or MEASURE.STATISTIC, or a list of these",
        ),
        key(
            "relative",
            POSITIVE,
            "most half-width of the interval, as a part of the estimate",
        ),
        key(
            "absolute",
            POSITIVE,
            "most half-width of the interval, in the measure's unit",
        ),
        key(
            "subject",
            Shape::Text,
            "what it is of; every subject without it",
        ),
        key(
            "differences",
            Shape::Either(vec![Shape::Flag, list(pair)]),
            "not the estimates but differences between cells: all that are compared, or those listed",
        ),
    ]);
    goal.one_of = vec![vec!["relative", "absolute"]];
    Shape::Table(goal)
}
