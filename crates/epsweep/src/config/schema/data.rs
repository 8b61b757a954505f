//! `[data]`.

use super::{ANY, Key, NOT_NEGATIVE, POSITIVE, Shape, key, list, table, whole, words};
use crate::config::data::SHAPES;

/// `[data]`.
pub(super) fn data() -> Shape {
    let mut keys = vec![key(
        "csv",
        Shape::Text,
        "a CSV file with a header line; the path is relative to the experiment file",
    )];
    keys.extend(generators());
    keys.extend([
        key(
            "neighbours",
            words(&[
                (
                    "substitute",
                    "one record is replaced; the number of records is public",
                ),
                (
                    "add-remove",
                    "one record comes or goes; the number of records is private",
                ),
            ]),
            "which data sets must not be told apart; must be said, here or by the sweep",
        ),
        key(
            "missing",
            words(&[
                (
                    "refuse",
                    "a value that cannot be used is an error (the default)",
                ),
                ("drop", "its record is left out, and the number left out said"),
            ]),
            "what happens to records with blanks, NA, NaN or infinities in a column that is used",
        ),
        key(
            "columns",
            Shape::Map(Box::new(table(vec![
                key(
                    "bounds",
                    Shape::Pair,
                    "declared, public bounds: values outside are clipped. Bounds taken from the data are not private",
                ),
                key("text", Shape::Flag, "whether the column holds text"),
            ]))),
            "what is declared of the columns, by name",
        ),
    ]);
    table(keys)
}

fn generators() -> Vec<Key> {
    let column = || key("column", Shape::Text, "the name of the column");
    let rows = || key("rows", whole(1), "how many records");
    let seed = || {
        key(
            "seed",
            whole(0),
            "seed of the records, apart from the run's",
        )
    };
    vec![
        key(
            "normal",
            table(vec![
                column(),
                key("mean", ANY, "the mean"),
                key("sd", NOT_NEGATIVE, "the standard deviation"),
                rows(),
                seed(),
            ]),
            "generated records: one column of normal draws",
        ),
        key(
            "uniform",
            table(vec![
                column(),
                key("low", ANY, "the lower end"),
                key("high", ANY, "the upper end"),
                rows(),
                seed(),
            ]),
            "generated records: one column of uniform draws on [low, high)",
        ),
        key(
            "census",
            table(vec![rows(), seed()]),
            "generated records: age, sex, education, income, household, hours with documented marginals",
        ),
        key(
            "cells",
            table(vec![
                column(),
                key(
                    "shape",
                    words(&SHAPES.iter().map(|shape| (*shape, "")).collect::<Vec<_>>()),
                    "how the probabilities of the cells differ",
                ),
                key("domain", whole(1), "the number of cells"),
                rows(),
                seed(),
            ]),
            "generated records: cell numbers from 1 to `domain`",
        ),
        key(
            "lognormal",
            table(vec![
                column(),
                key("median", POSITIVE, "the median"),
                key(
                    "log_sd",
                    NOT_NEGATIVE,
                    "the standard deviation of the logarithm",
                ),
                rows(),
                seed(),
            ]),
            "generated records: one log-normal column",
        ),
        key(
            "join",
            table(vec![
                key("keys", whole(1), "the number of keys"),
                key(
                    "exponent",
                    NOT_NEGATIVE,
                    "the exponent of the Zipf law that keys on the right follow",
                ),
                rows(),
                seed(),
            ]),
            "generated records of two tables: side (\"left\", \"right\") and key",
        ),
    ]
}

/// Texts that name columns.
pub(super) fn columns() -> Shape {
    list(Shape::Text)
}
