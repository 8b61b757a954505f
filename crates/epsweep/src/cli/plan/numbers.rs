//! What the cells of a plan do, as CSV: all of them, with all digits.

use super::tables::{has_policies, of_policy};
use crate::plan::Plan;
use crate::procedure::Kind;
use crate::record::number;

/// A line for each number of each cell.
pub fn csv(plan: &Plan) -> String {
    match plan.study().kind() {
        Kind::Release => {}
        Kind::Select => return candidates(plan),
        Kind::Compose => return releases(plan),
        Kind::Stream if has_policies(&plan.resolved().cells) => return policy_numbers(plan),
        Kind::Stream => return gate_numbers(plan),
        Kind::Train => return noises(plan),
        Kind::ClipThenSum => return stages(plan),
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record([
        "cell", "query", "truth", "l1", "weight", "share", "budget", "scale",
    ]);
    for cell in &plan.resolved().cells {
        for query in &cell.queries {
            let numbers = [query.l1, query.weight, query.share, query.budget];
            let mut record = vec![
                cell.id.clone(),
                query.name.clone(),
                crate::record::optional(query.truth),
            ];
            record.extend(numbers.map(number));
            record.push(crate::record::optional(query.scale));
            let _ = writer.write_record(record);
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Everything that is counted, in every cell.
fn releases(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(["cell", "accountant", "delta", "mechanism", "count"]);
    for cell in &plan.resolved().cells {
        let Some(compose) = &cell.compose else {
            continue;
        };
        for release in &compose.releases {
            let _ = writer.write_record([
                &cell.id,
                &compose.accountant,
                &number(compose.delta),
                &release.mechanism,
                &release.count.to_string(),
            ]);
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Every candidate that results name, in every cell, with its exact probability.
fn candidates(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(["cell", "candidate", "score", "probability"]);
    for cell in &plan.resolved().cells {
        for candidate in cell.select.iter().flat_map(|select| &select.shown) {
            let _ = writer.write_record([
                cell.id.clone(),
                candidate.name.clone(),
                number(candidate.score),
                crate::record::optional(candidate.probability),
            ]);
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The noise of every gate, and what it costs.
fn gate_numbers(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record([
        "cell",
        "gate",
        "queries",
        "limit",
        "threshold_scale",
        "query_scale",
        "claimed",
        "epsilon",
        "expected_above",
        "expected_answered",
    ]);
    for cell in &plan.resolved().cells {
        let Some(stream) = &cell.stream else { continue };
        let Some(gate) = &stream.gate else { continue };
        let _ = writer.write_record([
            cell.id.clone(),
            gate.name.clone(),
            stream.queries.to_string(),
            gate.limit
                .map_or_else(String::new, |limit| limit.to_string()),
            number(gate.threshold_scale),
            number(gate.query_scale),
            number(gate.claimed),
            crate::record::optional(gate.epsilon),
            crate::record::optional(gate.expected_above),
            crate::record::optional(gate.expected_answered),
        ]);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// The noise of every step, or rung, of every cell.
fn noises(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(["cell", "place", "noise", "cost"]);
    if let crate::procedure::Study::Train(cells) = plan.study() {
        for cell in cells {
            let steps = cell.plan.multipliers().iter().zip(cell.plan.costs());
            for (place, (noise, cost)) in steps.enumerate() {
                let _ = writer.write_record([
                    cell.id.clone(),
                    (place + 1).to_string(),
                    number(*noise),
                    number(*cost),
                ]);
            }
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// Every candidate for the bound, in every cell, with its exact probability and what it does.
fn stages(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record(["cell", "bound", "probability", "bias", "scale"]);
    if let crate::procedure::Study::ClipThenSum(cells) = plan.study() {
        for cell in cells {
            let stages = &cell.stages;
            for place in 0..stages.bounds().len() {
                let numbers = [
                    stages.bounds()[place],
                    stages.probabilities()[place],
                    stages.biases()[place],
                    stages.scales()[place],
                ];
                let record = std::iter::once(cell.id.clone()).chain(numbers.map(number));
                let _ = writer.write_record(record);
            }
        }
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// What policy answers every cell's stream.
fn policy_numbers(plan: &Plan) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // writing to memory cannot fail
    let _ = writer.write_record([
        "cell",
        "policy",
        "promised",
        "filter",
        "noise",
        "positions",
        "sensitivity",
    ]);
    for fields in plan.resolved().cells.iter().filter_map(of_policy) {
        let _ = writer.write_record(fields);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
