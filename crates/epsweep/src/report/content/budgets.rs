//! What every query gets of the budget.

use super::MOST_ROWS;
use crate::record::{ResolvedCell, ResolvedQuery, Run};
use crate::report::document::{Block, Table};
use crate::words::significant;
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells = &run.resolved.cells;
    let (Some(first), true) = (cells.first(), cells.iter().any(|c| !c.queries.is_empty())) else {
        return Vec::new();
    };
    let mut blocks = Vec::new();
    let mut queries = Table::new(
        "Queries",
        &[
            "query",
            "definition",
            "#true answer",
            "#sensitivity Δ₁",
            "#weight",
        ],
    );
    let mut seen: Vec<(&str, Option<u64>, u64)> = Vec::new();
    for query in cells.iter().flat_map(|c| &c.queries) {
        let key = (
            query.name.as_str(),
            query.truth.map(f64::to_bits),
            query.l1.to_bits(),
        );
        if !seen.contains(&key) && seen.len() < 2 * MOST_ROWS {
            seen.push(key);
            queries.rows.push(vec![
                query.name.as_str().into(),
                query.definition.as_str().into(),
                truth(query).into(),
                significant(query.l1, 6).into(),
                significant(query.weight, 6).into(),
            ]);
        }
    }
    queries.limit(MOST_ROWS, "resolved.json");
    let mut spent = Table::new(
        "Shares, budgets and noise scales",
        &["cell", "query", "#share", "#budget", "#noise scale"],
    );
    for cell in cells {
        for query in &cell.queries {
            spent.rows.push(vec![
                labels
                    .get(cell.id.as_str())
                    .map_or(cell.id.as_str(), String::as_str)
                    .into(),
                query.name.as_str().into(),
                significant(query.share, 4).into(),
                significant(query.budget, 4).into(),
                query
                    .scale
                    .map_or_else(|| "∞".to_owned(), |s| significant(s, 5))
                    .into(),
            ]);
        }
    }
    spent.limit(MOST_ROWS, "resolved.json");
    let mut guarantees: Vec<&str> = cells.iter().map(|c| c.guarantee.as_str()).collect();
    guarantees.dedup();
    let total = if guarantees.len() == 1 {
        format!("The total is {}.", first.guarantee)
    } else {
        "The totals are those of the cells.".to_owned()
    };
    let mut divided: Vec<&str> = cells.iter().map(|c| c.divided.as_str()).collect();
    divided.dedup();
    if let [one] = divided.as_slice()
        && !one.is_empty()
    {
        blocks.push(Block::Paragraph(format!("Here {one}.")));
    }
    blocks.push(Block::Paragraph(format!(
        "{total} Composition: {}; neighbouring data sets: {}; noise: {}.",
        first.composition, run.resolved.neighbours, first.noise
    )));
    blocks.extend(shown_besides(cells).into_iter().map(Block::Paragraph));
    blocks.push(Block::Table(queries));
    blocks.push(Block::Table(spent));
    blocks
}

/// What the joint sensitivity saved, and the steps taken on released answers.
fn shown_besides(cells: &[ResolvedCell]) -> Vec<String> {
    let mut said = Vec::new();
    let savings: Vec<f64> = (cells.iter().filter_map(|cell| cell.joint))
        .map(|joint| joint.separate / joint.together)
        .collect();
    if !savings.is_empty() {
        let most = savings.iter().copied().fold(1.0, f64::max);
        said.push(format!(
            "Budgets are raised to what the joint sensitivity of the queries allows, by a factor of up to {}: one record cannot do the worst to all of them at once.",
            significant(most, 4)
        ));
    }
    for query in cells.iter().flat_map(|cell| &cell.queries) {
        if query.steps.is_empty() {
            continue;
        }
        let sentence = format!(
            "Post-processing of {}: {}; it costs no budget.",
            query.name,
            query.steps.join(", then ")
        );
        if !said.contains(&sentence) && said.len() < MOST_ROWS {
            said.push(sentence);
        }
    }
    said
}

/// The true answer, or how many numbers there are.
fn truth(query: &ResolvedQuery) -> String {
    match query.truth {
        Some(truth) => significant(truth, 6),
        None => format!("{} numbers", query.size),
    }
}
