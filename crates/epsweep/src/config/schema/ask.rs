//! What is asked of the cells: `[sweep]`, `[compare]`, `[[claim]]`, `[[figure]]`.

use super::query::inline;
use super::{
    ANY, Key, NOT_NEGATIVE, Shape, Table, at, key, list, members, names, need, table, whole, words,
};
use crate::config::claims::{FACTS, KINDS};
use crate::config::figures::SIZES;
use crate::config::path::SHORT_NAMES;
use crate::figure;
use crate::figure::language::Language;

/// `[sweep]`: short names take what their place takes; other keys are paths.
pub(super) fn sweep() -> Shape {
    let short = SHORT_NAMES.iter().map(|(short, path)| {
        let about = format!("axis: {path}");
        let values = at(path).unwrap_or(Shape::Any);
        key(short, Shape::Either(vec![list(values), steps()]), &about)
    });
    Shape::Table(Table {
        keys: short.collect(),
        rest: Some(Box::new(Shape::Any)),
        ..Table::default()
    })
}

/// The forms of an axis besides a list.
fn steps() -> Shape {
    let points = || key("points", whole(2), "how many values");
    let path = || {
        key(
            "path",
            Shape::Text,
            "what it changes, where the key is a name of its own",
        )
    };
    let (log, linear) = (
        key("log", Shape::Pair, "evenly spaced in the logarithm"),
        key("linear", Shape::Pair, "evenly spaced"),
    );
    let values = key("values", list(Shape::Any), "the values");
    table(vec![path(), values, log, linear, points()])
}

/// An axis, or the first part of a dotted path.
fn cell() -> Shape {
    Shape::Map(Box::new(Shape::Any))
}

/// `[compare]`.
pub(super) fn compare() -> Shape {
    let pairs = words(&[
        ("baseline", "each cell with its baseline (the default)"),
        (
            "all",
            "every pair of cells that differ in the baseline's axes only; without a baseline, every pair",
        ),
    ]);
    table(vec![
        key(
            "baseline",
            cell(),
            "AXIS = value: each cell is compared with the one that differs from it in these only",
        ),
        key("pairs", pairs, "which pairs are compared"),
    ])
}

/// The keys of a quantity.
fn quantity() -> Vec<Key> {
    let facts: Vec<&str> = FACTS.iter().map(|(name, _)| *name).collect();
    let about = format!(
        "\"MEASURE.STATISTIC\", with .mcse or .exact behind it, or a fact: {}",
        facts.join(", ")
    );
    vec![
        need("of", Shape::Text, &about),
        key(
            "subject",
            Shape::Text,
            "the query or candidate; left out for measures of all together",
        ),
        key(
            "cell",
            cell(),
            "AXIS = value for every axis that has more than one value",
        ),
        key(
            "query",
            inline(),
            "with of = \"sensitivity\": a query that is not released",
        ),
    ]
}

/// The keys of a band, of which one must be there.
fn band() -> Vec<Key> {
    vec![
        key(
            "claimed",
            Shape::Any,
            "the number that is claimed, with a tolerance",
        ),
        key(
            "tolerance",
            tolerance(),
            "how near a number must be to agree with the one claimed",
        ),
        key("at_most", ANY, "the largest number that agrees"),
        key("at_least", ANY, "the least number that agrees"),
        key("between", Shape::Pair, "the numbers that agree"),
    ]
}

fn tolerance() -> Shape {
    Shape::Table(Table {
        keys: vec![
            key("relative", NOT_NEGATIVE, "times the number that is claimed"),
            key("absolute", NOT_NEGATIVE, "as it is"),
        ],
        one_of: vec![vec!["relative", "absolute"]],
        ..Table::default()
    })
}

fn banded(mut keys: Vec<Key>) -> Shape {
    keys.extend(band());
    Shape::Table(Table {
        keys,
        one_of: vec![vec!["claimed", "at_most", "at_least", "between"]],
        ..Table::default()
    })
}

/// What a kind of claim says, and what it takes.
fn kind(name: &str) -> (&'static str, Shape) {
    let with = |more: Vec<Key>| [quantity(), more].concat();
    let axis = || need("axis", Shape::Text, "the axis");
    match name {
        "value" => ("an estimate lies in a band", banded(quantity())),
        "exact" => (
            "an exact value or a fact lies in a band",
            banded(quantity()),
        ),
        "ratio" => {
            let over = need(
                "over",
                table(quantity()),
                "the quantity that it is divided by",
            );
            (
                "a quantity divided by another lies in a band",
                banded(with(vec![over])),
            )
        }
        "order" => {
            let keys = vec![
                need("lower", table(quantity()), "the lower quantity"),
                need("higher", table(quantity()), "the higher quantity"),
            ];
            ("a quantity is below another", table(keys))
        }
        "best_on_axis" => {
            let keys = with(vec![
                axis(),
                need("claimed", Shape::Any, "the value of the axis that is best"),
                key(
                    "highest",
                    Shape::Flag,
                    "whether the highest is best; false without it",
                ),
            ]);
            ("which value of an axis is best", table(keys))
        }
        "equal_across" => {
            let relative = need("relative", NOT_NEGATIVE, "times the larger of two numbers");
            let keys = with(vec![
                axis(),
                key(
                    "tolerance",
                    table(vec![relative]),
                    "how near numbers must be; 1e-9 without it",
                ),
            ]);
            (
                "a quantity is the same for every value of an axis, or with axis = \"subject\" for every query",
                table(keys),
            )
        }
        _ => {
            let keys = with(vec![
                key(
                    "measure",
                    names::measures(),
                    "with of = \"win\": the measure that is lower",
                ),
                key("a", cell(), "with of = \"win\": the cell that wins"),
                key("b", cell(), "with of = \"win\": the other cell"),
            ]);
            (
                "a probability lies in a band; with of = \"win\" the share of paired trials in which cell `a` has the lower value",
                banded(keys),
            )
        }
    }
}

/// `[[claim]]`.
pub(super) fn claim() -> Shape {
    let verdict = words(&[
        ("holds", "the interval lies inside the band"),
        ("refuted", "it lies outside"),
        ("undecided", "neither"),
    ]);
    let mut keys = vec![
        need("id", Shape::Text, "each claim has an id of its own"),
        need("text", Shape::Text, "the statement in plain words"),
        need(
            "verdict",
            verdict,
            "what has been established: `verify` fails if a run says otherwise",
        ),
    ];
    keys.extend(KINDS.iter().map(|name| {
        let (about, shape) = kind(name);
        key(name, shape, about)
    }));
    Shape::Table(Table {
        keys,
        one_of: vec![KINDS.to_vec()],
        ..Table::default()
    })
}

/// `[[figure]]`.
pub(super) fn figure() -> Shape {
    let plain = |names: &[&str]| words(&names.iter().map(|name| (*name, "")).collect::<Vec<_>>());
    let show = words(&[
        ("value", "the values themselves"),
        ("regret", "by how much a value exceeds the least of its row"),
        ("absolute", "differences as they are"),
        ("relative", "differences in per cent of the baseline's mean"),
    ]);
    table(vec![
        need(
            "kind",
            members(figure::REGISTRY.iter().map(|kind| kind.about())),
            "what is drawn",
        ),
        key(
            "name",
            Shape::Text,
            "file name without its ending; the kind without it",
        ),
        key(
            "measure",
            names::measures(),
            "what is drawn, where the kind leaves a choice",
        ),
        key(
            "cells",
            cell(),
            "AXIS = value or list of values: only these",
        ),
        key(
            "size",
            plain(SIZES),
            "one column (85 mm), two columns (180 mm), or a slide",
        ),
        key("scale", plain(&["linear", "log"]), "of the axis of values"),
        key("title", Shape::Text, "in place of the usual title"),
        key(
            "columns",
            Shape::Text,
            "of a heat map: the axis that goes across",
        ),
        key(
            "statistics",
            list(Shape::Text),
            "of a heat map: MEASURE.STATISTIC, one row each",
        ),
        key(
            "show",
            show,
            "of a heat map: values or regret; of differences: absolute or relative ones",
        ),
        key(
            "subjects",
            list(Shape::Text),
            "names of queries: only these, in this order",
        ),
        key(
            "axes",
            list(Shape::Text),
            "of a nested loop: names of axes, from the outermost loop to the innermost",
        ),
        key(
            "language",
            plain(&Language::NAMES),
            "of titles, axes, legends and captions",
        ),
        key(
            "fonts",
            list(Shape::Text),
            "font files for characters that the built-in font lacks, relative to this file",
        ),
    ])
}
