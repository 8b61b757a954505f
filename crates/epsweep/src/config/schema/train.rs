//! `[procedure.train]`.

use super::{NOT_NEGATIVE, PART, POSITIVE, Shape, data, key, members, need, table, whole, words};
use epsweep_core::training::{Average, Model, schedule};

/// `[procedure.train]`.
pub(super) fn train() -> Shape {
    let models: Vec<(&str, &str)> = Model::ALL.iter().map(|model| (model.name(), "")).collect();
    let averages: Vec<(&str, &str)> = Average::ALL.iter().map(|one| (one.name(), "")).collect();
    let schedules = || members(schedule::REGISTRY.iter().map(|schedule| schedule.about()));
    let generated = table(vec![
        key("records", whole(1), "how many are learnt from"),
        key("features", whole(1), "how many features"),
        key(
            "test",
            whole(0),
            "how many more records judge; none without it",
        ),
        key(
            "signal",
            POSITIVE,
            "standard deviation of x·w; 1 without it",
        ),
        key(
            "noise",
            NOT_NEGATIVE,
            "of a linear model's labels; 1 without it",
        ),
        key("seed", whole(0), "seed of the records; 0 without it"),
    ]);
    let columns = table(vec![
        key("label", Shape::Text, "the column of labels"),
        key(
            "features",
            data::columns(),
            "columns with declared bounds, mapped to [−1, 1]",
        ),
        key(
            "intercept",
            Shape::Flag,
            "whether a constant feature is added; true without it",
        ),
        key(
            "test",
            PART,
            "the part of the rows that judge; 0 without it",
        ),
        key(
            "seed",
            whole(0),
            "seed of the draws that choose them; 0 without it",
        ),
    ]);
    let ratio = table(vec![
        need("name", schedules(), "the schedule"),
        key("ratio", POSITIVE, "its ratio"),
    ]);
    table(vec![
        key(
            "model",
            words(&models),
            "linear (squared loss) or logistic regression",
        ),
        key("generated", generated, "records: generated"),
        key("columns", columns, "records: rows of [data]"),
        key("steps", whole(1), "number of steps"),
        key("rate", POSITIVE, "learning rate"),
        key(
            "clip",
            POSITIVE,
            "the norm to which each gradient is clipped",
        ),
        key(
            "momentum",
            PART,
            "how much of the last direction is kept; 0 without it",
        ),
        key(
            "ridge",
            NOT_NEGATIVE,
            "weight of ½‖w‖² in the objective; 0 without it",
        ),
        key(
            "sampling",
            Shape::Number(&[("exclusiveMinimum", 0.0), ("maximum", 1.0)]),
            "probability of each record to be in a step's sample; 1 without it",
        ),
        key(
            "average",
            words(&averages),
            "what the result is; the last iterate without it",
        ),
        key(
            "schedule",
            Shape::Either(vec![schedules(), ratio]),
            "how the steps share the budget; \"even\" without it",
        ),
        key(
            "record",
            whole(0),
            "every how many steps the loss is recorded; a tenth of the steps without it",
        ),
    ])
}
