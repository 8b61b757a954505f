//! What every query gets of the budget.

use super::MOST_ROWS;
use crate::record::Run;
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
    let mut seen: Vec<(&str, u64, u64)> = Vec::new();
    for query in cells.iter().flat_map(|c| &c.queries) {
        let key = (
            query.name.as_str(),
            query.truth.to_bits(),
            query.l1.to_bits(),
        );
        if !seen.contains(&key) && seen.len() < 2 * MOST_ROWS {
            seen.push(key);
            queries.rows.push(vec![
                query.name.as_str().into(),
                query.definition.as_str().into(),
                significant(query.truth, 6).into(),
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
    blocks.push(Block::Table(queries));
    blocks.push(Block::Table(spent));
    blocks
}
