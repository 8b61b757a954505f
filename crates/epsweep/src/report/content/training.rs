//! What is learnt, how, and what could be learnt without privacy.

use super::MOST_ROWS;
use crate::record::Run;
use crate::report::document::{Block, Table};
use crate::words::{grouped, significant};
use std::collections::BTreeMap;

/// The section.
pub fn blocks(run: &Run, labels: &BTreeMap<&str, String>) -> Vec<Block> {
    let cells =
        || (run.resolved.cells.iter()).filter_map(|cell| Some((cell, cell.train.as_ref()?)));
    if cells().next().is_none() {
        return Vec::new();
    }
    let known = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| significant(x, 5));
    let mut how = Table::new(
        "Descents",
        &[
            "cell",
            "guarantee",
            "#steps",
            "#rate",
            "#clipping norm",
            "#sampling",
            "schedule",
            "result",
            "counted in",
            "#budget",
            "#first σ/C",
            "#last σ/C",
        ],
    );
    let mut without = Table::new(
        "Without privacy",
        &[
            "model",
            "#records",
            "#features",
            "#loss of w = 0",
            "#least loss",
            "#test loss",
            "#accuracy",
            "#length of the optimum",
        ],
    );
    for (cell, train) in cells() {
        let label = labels.get(cell.id.as_str()).cloned();
        let schedule = match train.ratio {
            Some(ratio) => format!("{} (ratio {})", train.schedule, significant(ratio, 4)),
            None => train.schedule.clone(),
        };
        how.rows.push(vec![
            label.unwrap_or_else(|| cell.id.clone()).into(),
            cell.guarantee.as_str().into(),
            grouped(train.steps).into(),
            significant(train.rate, 5).into(),
            significant(train.clip, 5).into(),
            significant(train.sampling, 5).into(),
            schedule.into(),
            train.average.as_str().into(),
            train.counted.as_str().into(),
            significant(train.budget, 5).into(),
            significant(train.noise[0], 5).into(),
            significant(train.noise[1], 5).into(),
        ]);
        let row = vec![
            train.model.as_str().into(),
            grouped(train.records).into(),
            grouped(train.features).into(),
            significant(train.losses[0], 5).into(),
            significant(train.losses[1], 5).into(),
            known(train.test_loss).into(),
            known(train.accuracy).into(),
            significant(train.length, 5).into(),
        ];
        if !without.rows.contains(&row) {
            without.rows.push(row);
        }
    }
    for table in [&mut how, &mut without] {
        table.limit(MOST_ROWS, "resolved.json");
    }
    vec![
        Block::Paragraph(format!(
            "Each step sums the gradients of a sample of the records, every one clipped to the clipping norm C, and adds Gaussian noise of standard deviation σ; neighbouring data sets: {}. What the steps cost is added up by a filter in every trial, which refuses what would exceed the budget. The number of records is taken as public.",
            run.resolved.neighbours
        )),
        Block::Table(how),
        Block::Table(without),
    ]
}
