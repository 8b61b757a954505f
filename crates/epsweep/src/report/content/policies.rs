//! How a stream is answered, and what is promised.

use super::MOST_ROWS;
use crate::record::Run;
use crate::report::document::{Block, Table};
use crate::words::significant;
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells = || {
        (run.resolved.cells.iter()).filter_map(|cell| {
            let stream = cell.stream.as_ref()?;
            Some((cell, stream, stream.policy.as_ref()?))
        })
    };
    if cells().next().is_none() {
        return Vec::new();
    }
    let mut table = Table::new(
        "Policies",
        &[
            "cell",
            "policy",
            "parameters",
            "promised",
            "filter",
            "#positions",
            "#Δ",
            "decisions",
        ],
    );
    for (cell, stream, policy) in cells() {
        let set: Vec<String> = (policy.parameters.iter())
            .map(|parameter| format!("{} = {}", parameter.name, significant(parameter.value, 6)))
            .collect();
        let decisions = match (cell.oracle, policy.known_in_advance) {
            (true, _) => "oracle: see the data for free",
            (_, true) => "known in advance",
            _ => "from what was told",
        };
        let label = labels.get(cell.id.as_str()).cloned();
        table.rows.push(vec![
            label.unwrap_or_else(|| cell.id.clone()).as_str().into(),
            policy.name.as_str().into(),
            set.join(", ").into(),
            cell.guarantee.as_str().into(),
            cell.composition.as_str().into(),
            stream.queries.to_string().as_str().into(),
            significant(stream.sensitivity, 5).into(),
            decisions.into(),
        ]);
    }
    table.limit(MOST_ROWS, "resolved.json");
    vec![
        Block::Paragraph(
            "Every amount goes through a filter, trial by trial: it is admitted while the exact sum of the doubles stays within the budget, so that of ten times 0.1 against a total of 1 the tenth is refused. Where the filter refuses, the last release stands and the request is counted as refused. What was recorded as spent is summed anew in every trial and compared with the guarantee; had one trial exceeded it, this run would have failed."
                .to_owned(),
        ),
        Block::Table(table),
    ]
}
