//! `[[query]]`.

use super::names::{kinds, parameters};
use super::procedures::named_shares;
use super::{NOT_NEGATIVE, POSITIVE, Shape, key, list, members, need, table};
use epsweep_core::postprocess;
use epsweep_core::query;

/// `[[query]]`.
pub(super) fn query() -> Shape {
    let mut keys = vec![
        need(
            "name",
            Shape::Text,
            "what results call it: each query has a name of its own",
        ),
        key(
            "weight",
            NOT_NEGATIVE,
            "how much its error counts; 1 without it",
        ),
        key(
            "floor",
            NOT_NEGATIVE,
            "the least magnitude by which relative_error divides; 0 without it",
        ),
        key(
            "split",
            named_shares(),
            "how its budget is divided among its parts, each with noise of its own scale; one scale for all without it",
        ),
        key(
            "postprocess",
            list(step()),
            "steps on the released answer, in this order; they cost no budget",
        ),
        key(
            "declared_sensitivity",
            POSITIVE,
            "what the noise is calibrated to in place of the true sensitivity, to show what an error does",
        ),
    ];
    keys.extend(definitions());
    table(keys)
}

/// A query that is only asked about.
pub(super) fn inline() -> Shape {
    table(definitions())
}

fn definitions() -> Vec<super::Key> {
    kinds((query::REGISTRY.iter()).map(|kind| (kind.about(), parameters(kind.parameters()))))
}

fn step() -> Shape {
    let kinds = kinds(
        (postprocess::REGISTRY.iter()).map(|kind| (kind.about(), parameters(kind.parameters()))),
    );
    let names = members(postprocess::REGISTRY.iter().map(|kind| kind.about()));
    Shape::Either(vec![names, table(kinds)])
}
