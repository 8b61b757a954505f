//! `[budget]`.

use super::{NOT_NEGATIVE, PART, POSITIVE, Shape, key, members, table};
use crate::config::policy;
use epsweep_core::about::About;
use epsweep_core::accounting::{self, Composition};

/// `[budget]`, whatever the procedure: which keys go together is said by the readers.
pub(super) fn budget() -> Shape {
    let releases: Vec<&About> = Composition::ALL.iter().map(|c| c.about()).collect();
    let accountants = accounting::REGISTRY.iter().map(|one| one.about());
    let others = accountants.filter(|about| releases.iter().all(|known| known.name != about.name));
    let compositions = (releases.iter().copied())
        .chain(others)
        .chain(policy::COMPOSITIONS);
    table(vec![
        key(
            "epsilon",
            NOT_NEGATIVE,
            "the total ε: finite, above 0 (a selection also takes 0)",
        ),
        key(
            "delta",
            PART,
            "with `epsilon`: the total δ; of a composition, the δ at which ε is asked for",
        ),
        key(
            "rho",
            POSITIVE,
            "the total ρ of zero-concentrated privacy, in place of ε",
        ),
        key(
            "divergence",
            POSITIVE,
            "the total Rényi divergence, of a stream with a policy",
        ),
        key("order", POSITIVE, "the order of the divergence, above 1"),
        key(
            "composition",
            members(compositions),
            "how the losses of the parts add up; \"basic\" without it, \"zcdp\" with `rho`, a filter of a stream with a policy",
        ),
        key(
            "joint",
            Shape::Flag,
            "whether budgets are raised to what the joint sensitivity of all queries allows; false without it",
        ),
    ])
}
