//! `[procedure.release]`, `[procedure.select]`, `[procedure.compose]` and `[procedure.clip-then-sum]`.

use super::{
    ANY, Key, NOT_NEGATIVE, OPEN, POSITIVE, Shape, data, key, list, members, need, table, whole,
    words,
};
use crate::config::mechanisms;
use crate::config::noise::NoiseSpec;
use crate::config::release::ORACLES;
use crate::study::select::Path;
use epsweep_core::selection::top_k;
use epsweep_core::{accounting, allocation, selection};

/// Shares in the order of the queries, or by their names.
pub(super) fn named_shares() -> Shape {
    Shape::Either(vec![list(ANY), Shape::Map(Box::new(ANY))])
}

/// `[procedure.release]`.
pub(super) fn release() -> Shape {
    let own = table(vec![
        key(
            "name",
            Shape::Text,
            "how results call it; \"custom\" without it",
        ),
        need(
            "shares",
            named_shares(),
            "shares that sum to 1: in the order of the queries, or by their names",
        ),
    ]);
    let rules = (allocation::REGISTRY.iter().map(|rule| rule.about()))
        .chain(ORACLES.iter().map(|oracle| oracle.about));
    let noises: Vec<_> = NoiseSpec::all().map(|noise| noise.about()).collect();
    table(vec![
        key(
            "noise",
            members(noises),
            "the noise; \"laplace\" without it",
        ),
        key(
            "allocation",
            Shape::Either(vec![members(rules), own]),
            "how the budget is divided among the queries; \"even\" without it",
        ),
    ])
}

/// Shares of slots or stages.
fn shares() -> Vec<Shape> {
    let named = table(vec![
        need("name", Shape::Text, "labels an axis"),
        need("shares", list(NOT_NEGATIVE), "shares that sum to 1"),
    ]);
    vec![list(NOT_NEGATIVE), named]
}

pub(super) fn movement() -> Key {
    let names = words(&[
        (
            "any-way",
            "neighbours may raise some and lower others (the default)",
        ),
        ("one-way", "between neighbours all move up, or all down"),
    ]);
    key(
        "movement",
        names,
        "how scores or answers move between neighbours, where that does not follow from the data",
    )
}

pub(super) fn form() -> Key {
    let names = words(&[
        ("general", "with the factor 2 (the default)"),
        (
            "monotone",
            "without it: refused unless all scores or answers move one way between neighbours",
        ),
    ]);
    key(
        "form",
        names,
        "with or without the factor 2; \"general\" without it",
    )
}

/// `[procedure.select]`.
pub(super) fn select() -> Shape {
    let column = |about: &str| key("column", Shape::Text, about);
    let candidates = || key("candidates", whole(1), "how many candidates");
    let one = selection::REGISTRY
        .iter()
        .map(|mechanism| mechanism.about());
    let several = top_k::REGISTRY.iter().map(|mechanism| mechanism.about());
    let paths: Vec<(&str, &str)> = (Path::ALL.iter())
        .map(|path| (path.name(), path.summary()))
        .collect();
    let even = words(&[("even", "all slots the same")]);
    table(vec![
        key(
            "scores",
            Shape::Either(vec![
                list(ANY),
                table(vec![
                    column("the column of scores: each row of [data] is a candidate"),
                    key("names", Shape::Text, "the column of names"),
                ]),
            ]),
            "candidates: their scores, in the file or in a column",
        ),
        key(
            "names",
            list(Shape::Text),
            "the candidates' names, beside a list of scores",
        ),
        key(
            "counts",
            table(vec![
                column("the column whose values are counted"),
                key(
                    "candidates",
                    list(Shape::Text),
                    "the values; those that occur without it",
                ),
            ]),
            "candidates: values of a column, scored by how often they occur",
        ),
        key(
            "rank",
            table(vec![
                column("a column with declared bounds"),
                key("quantile", ANY, "the quantile in rank; 0.5 without it"),
                key(
                    "points",
                    whole(1),
                    "how many numbers, evenly over the bounds",
                ),
            ]),
            "candidates: numbers on a grid, scored by how near they are to a quantile in rank",
        ),
        key(
            "accuracy",
            table(vec![
                key("labels", Shape::Text, "the column of true labels"),
                key("models", data::columns(), "the columns of predictions"),
            ]),
            "candidates: columns of predictions, scored by how often they are right",
        ),
        key(
            "zipf",
            table(vec![
                candidates(),
                key("exponent", NOT_NEGATIVE, "the power; 1 without it"),
                key("top", NOT_NEGATIVE, "the count of the first"),
            ]),
            "made-up candidates: the i-th has the count ⌊top / i^exponent⌋",
        ),
        key(
            "leader",
            table(vec![candidates(), key("lead", ANY, "by how much it leads")]),
            "made-up candidates: one leads, the others are equal",
        ),
        key(
            "mechanism",
            members(one.chain(several)),
            "how candidates are chosen; \"exponential\" without it, with `k` \"peeling\"",
        ),
        key("k", whole(1), "slots, for the mechanisms that fill several"),
        key(
            "shares",
            Shape::Either([vec![even], shares()].concat()),
            "how the slots share ε; \"even\" without it",
        ),
        form(),
        key(
            "path",
            words(&paths),
            "how choices are drawn; changes no law",
        ),
        key(
            "sensitivity",
            NOT_NEGATIVE,
            "Δ, how much a neighbour can change any score, where it does not follow from the data",
        ),
        movement(),
        key(
            "range",
            Shape::Pair,
            "scores are clipped to it; Δ is its length if nothing else is said",
        ),
        key(
            "scale",
            POSITIVE,
            "the clipped scores and Δ are multiplied by it; 1 without it",
        ),
        key(
            "show",
            whole(1),
            "how many of the best candidates results name; 20 without it",
        ),
    ])
}

/// The parameters of a release that is counted.
pub fn parameters_of_loss(kind: &mechanisms::Kind) -> Vec<Key> {
    (kind.parameters.iter())
        .map(|parameter| need(parameter, ANY, mechanisms::parameter(parameter)))
        .collect()
}

/// `[procedure.compose]`.
pub(super) fn compose() -> Shape {
    let accountants = accounting::REGISTRY.iter().map(|one| one.about());
    let mut keys: Vec<Key> = (mechanisms::KINDS.iter())
        .map(|kind| {
            let parameters = table(parameters_of_loss(kind));
            let shape = match kind.parameters.len() {
                1 => Shape::Either(vec![ANY, parameters]),
                _ => parameters,
            };
            key(kind.about.name, shape, kind.about.summary)
        })
        .collect();
    keys.push(key("count", whole(1), "how often it runs; once without it"));
    keys.push(key("name", Shape::Text, "labels an axis"));
    let release = table(keys);
    table(vec![
        key(
            "accountant",
            members(accountants),
            "who counts; must be said, here or by the sweep",
        ),
        key(
            "release",
            Shape::Either(vec![release.clone(), list(release)]),
            "what runs: a release, or a list of them",
        ),
        key("k", whole(1), "how often all of them run; once without it"),
    ])
}

/// `[procedure.clip-then-sum]`.
pub(super) fn clip_then_sum() -> Shape {
    let chosen = table(vec![
        key(
            "name",
            Shape::Text,
            "its label, where it is a value of an axis",
        ),
        key("quantile", OPEN, "the quantile that it is to be near"),
        key("points", whole(2), "candidates within the declared bounds"),
        key("name", Shape::Text, "labels an axis"),
    ]);
    table(vec![
        key("column", Shape::Text, "a column with declared bounds"),
        key(
            "bound",
            Shape::Either(vec![ANY, chosen]),
            "the clipping bound: a public number, or chosen near a quantile by the exponential mechanism",
        ),
        key(
            "shares",
            Shape::Either(shares()),
            "three shares of ε: for choosing, summing and counting",
        ),
    ])
}
