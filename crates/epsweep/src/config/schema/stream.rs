//! `[procedure.stream]`.

use super::names::with_parameters;
use super::procedures::{form, movement};
use super::{ANY, NOT_NEGATIVE, OPEN, PART, Shape, data, key, list, members, table, whole, words};
use epsweep_core::stream::{gate, policy, sequence};

/// `[procedure.stream]`.
pub(super) fn stream() -> Shape {
    let policies: Vec<_> = (policy::REGISTRY.iter())
        .map(|family| (&family.about, family.parameters))
        .collect();
    let sequences: Vec<_> = (sequence::REGISTRY.iter())
        .map(|sequence| (sequence.about(), sequence.parameters()))
        .collect();
    let column = table(vec![key("column", Shape::Text, "a column of [data]")]);
    table(vec![
        key(
            "answers",
            Shape::Either(vec![list(ANY), column]),
            "the true answers in order: in the file, or a column row after row",
        ),
        key(
            "counts",
            data::columns(),
            "the true answers: how many rows of [data] satisfy each predicate",
        ),
        key(
            "sequence",
            with_parameters(&sequences),
            "the true answers: a generated stream, with `positions` and `seed` beside it",
        ),
        key(
            "positions",
            whole(1),
            "how many answers a generated stream has",
        ),
        key(
            "seed",
            whole(0),
            "seed of the generated stream, apart from the run's; 1 without it",
        ),
        key(
            "sensitivity",
            NOT_NEGATIVE,
            "Δ, how much a neighbour can change any answer, where it does not follow from the data",
        ),
        movement(),
        key(
            "gate",
            gate(),
            "what answers: whether each query is above its threshold",
        ),
        key(
            "policy",
            with_parameters(&policies),
            "what answers: values, each for as much as a policy decides",
        ),
        key(
            "start",
            ANY,
            "what stands for an answer before the first release: public; 0 without it",
        ),
        key(
            "threshold",
            ANY,
            "what is to be decided, for `refinement` and the measure `misjudged`",
        ),
        key(
            "window",
            whole(1),
            "the guarantee holds for any so many positions in a row",
        ),
        key(
            "groups",
            whole(1),
            "groups of positions that results name; 8 without it",
        ),
        key(
            "controls",
            Shape::Flag,
            "permits the policy `oracle`, which is not private",
        ),
    ])
}

fn gate() -> Shape {
    let split = words(&[
        ("even", "ε₁ = ε₂"),
        ("optimal", "1 : (2c)^⅔, monotone 1 : c^⅔"),
    ]);
    table(vec![
        key(
            "name",
            members(gate::REGISTRY.iter().map(|gate| gate.about())),
            "the gate; must be said, here or by the sweep",
        ),
        key(
            "c",
            whole(1),
            "positive answers after which it closes; 1 without it",
        ),
        key(
            "threshold",
            Shape::Either(vec![ANY, list(ANY)]),
            "a number for all queries, or one for each",
        ),
        key(
            "split",
            Shape::Either(vec![split, OPEN]),
            "ε₁ : ε₂ between threshold and queries, or the threshold's share",
        ),
        key(
            "numeric",
            PART,
            "share of ε for numeric answers beside the positive ones; 0 without it",
        ),
        form(),
        key("control", Shape::Flag, "permits a broken gate"),
        key(
            "neighbour",
            list(ANY),
            "the true answers on a neighbouring data set: then what leaks is told",
        ),
    ])
}
