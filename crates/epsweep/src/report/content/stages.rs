//! How the stages of a pipeline share the budget, and what that does.

use super::MOST_ROWS;
use crate::record::Run;
use crate::report::document::{Block, Table};
use crate::words::significant;
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells =
        || (run.resolved.cells.iter()).filter_map(|cell| Some((cell, cell.staged.as_ref()?)));
    if cells().next().is_none() {
        return Vec::new();
    }
    let mut how = Table::new(
        "Stages, exactly",
        &[
            "cell",
            "guarantee",
            "#choosing",
            "#summing",
            "#counting",
            "bound",
            "#its mean",
            "#its sd",
            "#bias of the sum",
            "#scale of the sum",
            "#scale of the count",
        ],
    );
    let mut truths = Table::new("True answers", &["column", "answer", "#value"]);
    for (cell, staged) in cells() {
        let label = labels.get(cell.id.as_str()).cloned();
        let mut row = vec![
            label.unwrap_or_else(|| cell.id.clone()).into(),
            cell.guarantee.as_str().into(),
        ];
        row.extend(staged.shares.map(|share| significant(share, 4).into()));
        row.push(staged.bound.as_str().into());
        let numbers = [
            staged.chosen[0],
            staged.chosen[1],
            staged.bias,
            staged.sum_scale,
            staged.count_scale,
        ];
        row.extend(numbers.map(|number| significant(number, 5).into()));
        how.rows.push(row);
        for answer in &staged.answers {
            let row = vec![
                staged.column.as_str().into(),
                answer.name.as_str().into(),
                significant(answer.truth, 8).into(),
            ];
            if !truths.rows.contains(&row) {
                truths.rows.push(row);
            }
        }
    }
    for table in [&mut how, &mut truths] {
        table.limit(MOST_ROWS, "resolved.json");
    }
    vec![
        Block::Paragraph(
            "A bound B is chosen (or declared), Σ min(x, B) is told with Laplace noise of scale B/ε₂, and the number of records with noise of scale 1/ε₃; the three ε add up. The mean is the noisy sum over the noisy count, which is taken as at least 1. Bias and scale are expected values over the exact law of the bound."
                .to_owned(),
        ),
        Block::Table(how),
        Block::Table(truths),
    ]
}
