//! `epsweep plan`

use super::arguments::{Format, Plan};
use super::text::{Align, Table, duration};
use super::{Failure, exit, load, output};
use crate::pipeline::{self, Expected};
use crate::plan::Cost;
use crate::procedure::Kind;
use crate::record::number;
use crate::words::{grouped, several, significant};
use serde_json::json;

/// Cells up to which a terminal shows them all.
const CELLS: usize = 30;
/// Values of an axis up to which all are named.
const VALUES: usize = 16;

/// Shows the grid, what each query gets, and what the run will cost; simulates nothing.
pub fn plan(arguments: &Plan) -> Result<u8, Failure> {
    let plan = load(&arguments.experiment)?;
    output::warn(plan.warnings());
    for note in plan.notes().iter().take(CELLS) {
        output::note(&format!("note: {note}"));
    }
    let expected = pipeline::expected(&plan, arguments.jobs)?;
    let cost = match expected {
        Some(expected) => plan.cost_of(expected.mean, arguments.jobs),
        None => plan.cost(arguments.jobs),
    };
    output::result(&match arguments.format {
        Format::Text => text(&plan, &cost, expected),
        Format::Json => output::document(json!({
            "cells": plan.study().len(),
            "trials": plan.settings().trials,
            "expected_trials": expected.map(|e| json!({ "least": e.least, "most": e.most, "mean": e.mean, "pilot": e.pilot })),
            "pairs": plan.pairs().len(),
            "threads": cost.threads,
            "seconds": cost.seconds,
            "bytes": cost.bytes,
            "resolved": plan.resolved(),
        })),
        Format::Csv => csv(&plan),
        Format::Markdown => what(&plan, usize::MAX).0.markdown(),
    })?;
    Ok(exit::DONE)
}

fn text(plan: &crate::plan::Plan, cost: &Cost, expected: Option<Expected>) -> String {
    let resolved = plan.resolved();
    let mut out = format!("{}\n\n", resolved.title);
    for axis in &resolved.axes {
        out += &format!(
            "axis {} ({}): {}\n",
            axis.name,
            axis.path,
            values(&axis.labels)
        );
    }
    out += &format!(
        "{}{}, {}, measures {}\n",
        several(plan.study().len() as u64, "cell"),
        match resolved.trials {
            0 => String::new(),
            most if resolved.target.is_some() => {
                format!(" × at most {}", several(most, "trial"))
            }
            trials => format!(" × {}", several(trials, "trial")),
        },
        several(plan.pairs().len() as u64, "compared pair"),
        resolved.measures.join(", "),
    );
    if let Some(target) = target(plan, expected) {
        out += &format!("{target}\n");
    }
    out += &format!(
        "expected on {}: about {}, {} MB of memory\n\n",
        several(cost.threads as u64, "thread"),
        duration(cost.seconds),
        grouped((cost.bytes as f64 / 1e6).ceil() as u64),
    );
    // each once, in the order of the grid
    let mut divided: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for cell in &resolved.cells {
        if !cell.divided.is_empty() && seen.insert(cell.divided.as_str()) {
            divided.push(&cell.divided);
        }
    }
    for divided in divided.iter().take(CELLS) {
        out += &format!("{divided}\n");
    }
    let (table, left_out) = what(plan, CELLS);
    out += &table.text();
    if left_out > 0 {
        out += &format!(
            "… and {} (--format csv shows all)\n",
            several(left_out as u64, "more cell")
        );
    }
    out
}

/// The values of an axis, of many the first ones and the last.
fn values(labels: &[String]) -> String {
    match labels.split_last() {
        Some((last, others)) if labels.len() > VALUES => format!(
            "{}, … {last} ({} values)",
            others[..VALUES / 2].join(", "),
            grouped(labels.len() as u64)
        ),
        _ => labels.join(", "),
    }
}

/// How many trials a target takes.
pub(super) fn target(plan: &crate::plan::Plan, expected: Option<Expected>) -> Option<String> {
    let target = plan.resolved().target.as_ref()?;
    let bounds = format!(
        "trials until they are precise enough: at least {}, at most {} a cell",
        grouped(target.at_least),
        grouped(target.at_most)
    );
    // to two digits: a pilot knows no more
    let about = |trials: u64| {
        let unit = 10_u64.pow(trials.max(1).ilog10().saturating_sub(1));
        grouped((trials + unit / 2) / unit * unit)
    };
    Some(match expected {
        None => bounds,
        Some(Expected {
            least, most, pilot, ..
        }) => {
            let expected = match about(least) == about(most) {
                true => about(most),
                false => format!("{} to {}", about(least), about(most)),
            };
            format!("{bounds}; about {expected}, as a pilot of {pilot} says")
        }
    })
}

/// What each cell does, and of how many cells that is left out.
fn what(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    match plan.study().kind() {
        Kind::Release => budgets(plan, most),
        Kind::Select => choices(plan, most),
        Kind::Stream if has_policies(plan) => policies(plan, most),
        Kind::Stream => gates(plan, most),
        Kind::Train => trainings(plan, most),
        Kind::ClipThenSum => pipelines(plan, most),
        Kind::Compose => counted(plan, most),
    }
}

/// What is counted in every cell, by whom, and of how many cells that is left out.
fn counted(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let mut table = Table::new(&[
        ("cell", Align::Left),
        ("accountant", Align::Left),
        ("δ", Align::Right),
        ("releases", Align::Left),
    ]);
    let cells = &plan.resolved().cells;
    for cell in cells.iter().take(most) {
        let Some(compose) = &cell.compose else {
            continue;
        };
        table.row(vec![
            cell.id.clone(),
            compose.accountant.clone(),
            number(compose.delta),
            compose.words(),
        ]);
    }
    (table, cells.len().saturating_sub(most))
}

/// Who is chosen from in every cell, and how, and of how many cells that is left out.
fn choices(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("mechanism", Align::Left),
        ("path", Align::Left),
        ("candidates", Align::Right),
        ("slots", Align::Right),
        ("sensitivity", Align::Right),
        ("noise scale", Align::Right),
        ("best", Align::Left),
        ("P(best)", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    let digits = |x: f64| significant(x, 6);
    for cell in cells.iter().take(most) {
        let Some(select) = &cell.select else { continue };
        let best = select.shown.first();
        table.row(vec![
            cell.id.clone(),
            select.mechanism.clone(),
            select.path.clone(),
            grouped(select.candidates),
            select.slots.to_string(),
            digits(select.sensitivity),
            select.noise_scale.map_or_else(|| "∞".to_owned(), digits),
            best.map_or_else(String::new, |best| best.name.clone()),
            best.and_then(|best| best.probability)
                .map_or_else(String::new, digits),
        ]);
    }
    (table, cells.len().saturating_sub(most))
}

/// Whether policies answer the streams.
fn has_policies(plan: &crate::plan::Plan) -> bool {
    let mut streams = (plan.resolved().cells.iter()).filter_map(|cell| cell.stream.as_ref());
    streams.any(|stream| stream.policy.is_some())
}

/// What policy answers every cell's stream, as fields of a table.
fn of_policy(cell: &crate::record::ResolvedCell) -> Option<Vec<String>> {
    let stream = cell.stream.as_ref()?;
    let policy = stream.policy.as_ref()?;
    Some(vec![
        cell.id.clone(),
        policy.name.clone(),
        cell.guarantee.clone(),
        cell.composition.clone(),
        cell.noise.clone(),
        stream.queries.to_string(),
        number(stream.sensitivity),
    ])
}

/// By which policy every cell is answered, and of how many cells that is left out.
fn policies(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("policy", Align::Left),
        ("promised", Align::Left),
        ("filter", Align::Left),
        ("noise", Align::Left),
        ("positions", Align::Right),
        ("sensitivity", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    for fields in cells.iter().take(most).filter_map(of_policy) {
        table.row(fields);
    }
    (table, cells.len().saturating_sub(most))
}

/// The same as CSV.
fn policy_numbers(plan: &crate::plan::Plan) -> String {
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

/// What answers the stream of every cell, and of how many cells that is left out.
fn gates(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("gate", Align::Left),
        ("queries", Align::Right),
        ("above", Align::Right),
        ("c", Align::Right),
        ("threshold noise", Align::Right),
        ("query noise", Align::Right),
        ("claims ε", Align::Right),
        ("has ε", Align::Right),
        ("E positive", Align::Right),
        ("E answered", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    let digits = |x: f64| significant(x, 6);
    for cell in cells.iter().take(most) {
        let Some(stream) = &cell.stream else { continue };
        let Some(gate) = &stream.gate else { continue };
        table.row(vec![
            cell.id.clone(),
            gate.name.clone(),
            grouped(stream.queries),
            grouped(gate.positives),
            gate.limit.map_or_else(|| "∞".to_owned(), grouped),
            digits(gate.threshold_scale),
            digits(gate.query_scale),
            digits(gate.claimed),
            gate.epsilon.map_or_else(|| "∞".to_owned(), digits),
            gate.expected_above.map_or_else(String::new, digits),
            gate.expected_answered.map_or_else(String::new, digits),
        ]);
    }
    (table, cells.len().saturating_sub(most))
}

/// How every cell descends, and of how many cells that is left out.
fn trainings(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("model", Align::Left),
        ("records", Align::Right),
        ("steps", Align::Right),
        ("sampling", Align::Right),
        ("schedule", Align::Left),
        ("first σ/C", Align::Right),
        ("last σ/C", Align::Right),
        ("accuracy without privacy", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    let digits = |x: f64| significant(x, 6);
    for cell in cells.iter().take(most) {
        let Some(train) = &cell.train else { continue };
        table.row(vec![
            cell.id.clone(),
            train.model.clone(),
            grouped(train.records),
            grouped(train.steps),
            digits(train.sampling),
            train.schedule.clone(),
            digits(train.noise[0]),
            digits(train.noise[1]),
            train.accuracy.map_or_else(String::new, digits),
        ]);
    }
    (table, cells.len().saturating_sub(most))
}

/// What the stages of every cell get, and of how many cells that is left out.
fn pipelines(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("choose", Align::Right),
        ("sum", Align::Right),
        ("count", Align::Right),
        ("mean bound", Align::Right),
        ("mean bias", Align::Right),
        ("mean scale of the sum", Align::Right),
        ("scale of the count", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    for cell in cells.iter().take(most) {
        let Some(staged) = &cell.staged else { continue };
        let mut row = vec![cell.id.clone()];
        let numbers = staged.shares.into_iter().chain([
            staged.chosen[0],
            staged.bias,
            staged.sum_scale,
            staged.count_scale,
        ]);
        row.extend(numbers.map(|x| significant(x, 6)));
        table.row(row);
    }
    (table, cells.len().saturating_sub(most))
}

/// What every query of every cell gets, and of how many cells that is left out.
fn budgets(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    let heads = [
        ("cell", Align::Left),
        ("query", Align::Left),
        ("true answer", Align::Right),
        ("sensitivity", Align::Right),
        ("share", Align::Right),
        ("budget", Align::Right),
        ("scale", Align::Right),
    ];
    let mut table = Table::new(&heads);
    let cells = &plan.resolved().cells;
    for cell in cells.iter().take(most) {
        for query in &cell.queries {
            let digits = |x: f64| significant(x, 6);
            table.row(vec![
                cell.id.clone(),
                query.name.clone(),
                query
                    .truth
                    .map_or_else(|| format!("{} numbers", query.size), digits),
                digits(query.l1),
                digits(query.share),
                digits(query.budget),
                query.scale.map_or_else(|| "∞".to_owned(), digits),
            ]);
        }
    }
    (table, cells.len().saturating_sub(most))
}

fn csv(plan: &crate::plan::Plan) -> String {
    match plan.study().kind() {
        Kind::Release => {}
        Kind::Select => return candidates(plan),
        Kind::Compose => return releases(plan),
        Kind::Stream if has_policies(plan) => return policy_numbers(plan),
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
fn releases(plan: &crate::plan::Plan) -> String {
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
fn candidates(plan: &crate::plan::Plan) -> String {
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
fn gate_numbers(plan: &crate::plan::Plan) -> String {
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
fn noises(plan: &crate::plan::Plan) -> String {
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
fn stages(plan: &crate::plan::Plan) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_values_the_ends_are_shown() {
        let labels = |n: usize| -> Vec<String> { (0..n).map(|i| i.to_string()).collect() };
        assert_eq!(values(&labels(3)), "0, 1, 2");
        assert!(values(&labels(VALUES)).ends_with(", 14, 15"));
        assert_eq!(
            values(&labels(2000)),
            format!("0, 1, 2, 3, 4, 5, 6, 7, … 1999 ({} values)", grouped(2000))
        );
    }
}
