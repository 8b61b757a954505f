//! What the cells of a plan do, as CSV: all of them, with all digits.

use super::tables::{has_policies, of_policy};
use crate::plan::Plan;
use crate::record::{CsvText, number, optional};
use crate::study::{Kind, Study};

/// The names of the columns, and the fields of every line.
type Lines = (&'static [&'static str], Vec<Vec<String>>);

/// A line for each number of each cell.
pub fn csv(plan: &Plan) -> String {
    let (columns, lines) = match plan.study().kind() {
        Kind::Release => queries(plan),
        Kind::Select => candidates(plan),
        Kind::Compose => releases(plan),
        Kind::Stream if has_policies(&plan.resolved().cells) => policies(plan),
        Kind::Stream => gates(plan),
        Kind::Train => steps(plan),
        Kind::ClipThenSum => bounds(plan),
    };
    let mut table = CsvText::new(columns);
    for line in lines {
        table.row(line);
    }
    table.text()
}

/// The share, the budget and the noise of every query of every cell.
fn queries(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    for cell in &plan.resolved().cells {
        for query in &cell.queries {
            lines.push(vec![
                cell.id.clone(),
                query.name.clone(),
                optional(query.truth),
                number(query.l1),
                number(query.weight),
                number(query.share),
                number(query.budget),
                optional(query.scale),
            ]);
        }
    }
    (
        &[
            "cell", "query", "truth", "l1", "weight", "share", "budget", "scale",
        ],
        lines,
    )
}

/// Everything that is counted, in every cell.
fn releases(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    for cell in &plan.resolved().cells {
        let Some(compose) = &cell.compose else {
            continue;
        };
        for release in &compose.releases {
            lines.push(vec![
                cell.id.clone(),
                compose.accountant.clone(),
                number(compose.delta),
                release.mechanism.clone(),
                release.count.to_string(),
            ]);
        }
    }
    (
        &["cell", "accountant", "delta", "mechanism", "count"],
        lines,
    )
}

/// Every candidate that results name, in every cell, with its exact probability.
fn candidates(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    for cell in &plan.resolved().cells {
        for candidate in cell.select.iter().flat_map(|select| &select.shown) {
            lines.push(vec![
                cell.id.clone(),
                candidate.name.clone(),
                number(candidate.score),
                optional(candidate.probability),
            ]);
        }
    }
    (&["cell", "candidate", "score", "probability"], lines)
}

/// The noise of every gate, and what it costs.
fn gates(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    for cell in &plan.resolved().cells {
        let Some(stream) = &cell.stream else { continue };
        let Some(gate) = &stream.gate else { continue };
        lines.push(vec![
            cell.id.clone(),
            gate.name.clone(),
            stream.queries.to_string(),
            gate.limit
                .map_or_else(String::new, |limit| limit.to_string()),
            number(gate.threshold_scale),
            number(gate.query_scale),
            number(gate.claimed),
            optional(gate.epsilon),
            optional(gate.expected_above),
            optional(gate.expected_answered),
        ]);
    }
    (
        &[
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
        ],
        lines,
    )
}

/// What policy answers every cell's stream.
fn policies(plan: &Plan) -> Lines {
    let cells = plan.resolved().cells.iter();
    (
        &[
            "cell",
            "policy",
            "promised",
            "filter",
            "noise",
            "positions",
            "sensitivity",
        ],
        cells.filter_map(of_policy).collect(),
    )
}

/// The noise of every step, or rung, of every cell.
fn steps(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    if let Study::Train(cells) = plan.study() {
        for cell in cells {
            let steps = cell.plan.multipliers().iter().zip(cell.plan.costs());
            for (place, (noise, cost)) in steps.enumerate() {
                lines.push(vec![
                    cell.id.clone(),
                    (place + 1).to_string(),
                    number(*noise),
                    number(*cost),
                ]);
            }
        }
    }
    (&["cell", "place", "noise", "cost"], lines)
}

/// Every candidate for the bound, in every cell, with its exact probability and what it does.
fn bounds(plan: &Plan) -> Lines {
    let mut lines = Vec::new();
    if let Study::ClipThenSum(cells) = plan.study() {
        for cell in cells {
            let stages = &cell.stages;
            for place in 0..stages.bounds().len() {
                lines.push(vec![
                    cell.id.clone(),
                    number(stages.bounds()[place]),
                    number(stages.probabilities()[place]),
                    number(stages.biases()[place]),
                    number(stages.scales()[place]),
                ]);
            }
        }
    }
    (&["cell", "bound", "probability", "bias", "scale"], lines)
}
