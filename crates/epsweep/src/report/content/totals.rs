//! What releases cost together: a column for each method of counting.

use super::MOST_ROWS;
use crate::record::{Lookup, Run};
use crate::report::document::{Block, Table};
use crate::words::significant;

/// The axis whose values get columns.
const ACCOUNTANT: &str = "procedure.compose.accountant";
/// The axis of which the number of runs within a guarantee does not depend.
const TIMES: &str = "procedure.compose.k";

/// The section.
pub fn blocks(run: &Run) -> Vec<Block> {
    let cells = run.resolved.cells.iter();
    let Some(first) = cells.filter_map(|cell| cell.compose.as_ref()).next() else {
        return Vec::new();
    };
    let mut blocks = vec![Block::Paragraph(
        "The ε of all releases together at δ, by each method; a dash where a method cannot serve, which the warnings explain. All are valid bounds, also where later releases are chosen in view of earlier answers, as long as their budgets are fixed in advance: the smallest is the one to report."
            .to_owned(),
    )];
    blocks.extend(table(run, "total_epsilon", "Total ε", &[], 6));
    if first.within.is_some() {
        blocks.push(Block::Paragraph(
            "How often the releases can run within the (ε, δ) of the budget.".to_owned(),
        ));
        blocks.extend(table(
            run,
            "most_runs",
            "Runs within the guarantee",
            &[TIMES],
            12,
        ));
    }
    blocks
}

/// A measure, with a row for each setting of the axes but the accountants and those left out.
fn table(run: &Run, measure: &str, title: &str, left_out: &[&str], digits: i32) -> Option<Block> {
    let axes = &run.resolved.axes;
    let lookup = Lookup::new(&run.resolved, &run.summary, &run.comparisons);
    let across = axes.iter().position(|axis| axis.path == ACCOUNTANT);
    let down: Vec<usize> = (0..axes.len())
        .filter(|i| Some(*i) != across && axes[*i].labels.len() > 1)
        .filter(|i| !left_out.contains(&axes[*i].path.as_str()))
        .collect();
    let columns: Vec<String> = match across {
        Some(axis) => axes[axis].labels.clone(),
        None => vec![
            run.resolved
                .cells
                .first()?
                .compose
                .as_ref()?
                .accountant
                .clone(),
        ],
    };
    let mut header: Vec<String> = down.iter().map(|i| axes[*i].name.clone()).collect();
    header.extend(columns.iter().map(|column| format!("#{column}")));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(title, &header);
    let mut rows: Vec<(Vec<&str>, Vec<Option<f64>>)> = Vec::new();
    for (index, cell) in run.resolved.cells.iter().enumerate() {
        let labels: Vec<&str> = down.iter().map(|i| cell.labels[*i].as_str()).collect();
        let column = across.map_or(0, |axis| {
            let found = columns
                .iter()
                .position(|column| *column == cell.labels[axis]);
            found.unwrap_or(0)
        });
        let place = match rows.iter().position(|(known, _)| *known == labels) {
            Some(place) => place,
            None => {
                rows.push((labels, vec![None; columns.len()]));
                rows.len() - 1
            }
        };
        let value = lookup
            .row(index, "all", measure, "mean")
            .map(|row| row.value);
        rows[place].1[column] = rows[place].1[column].or(value);
    }
    if rows
        .iter()
        .all(|(_, values)| values.iter().all(Option::is_none))
    {
        return None;
    }
    for (labels, values) in rows {
        let numbers = values
            .into_iter()
            .map(|value| value.map_or_else(|| "–".to_owned(), |value| significant(value, digits)));
        let labels = labels.into_iter().map(str::to_owned);
        table
            .rows
            .push(labels.chain(numbers).map(Into::into).collect());
    }
    table.limit(MOST_ROWS, "summary.csv");
    Some(Block::Table(table))
}

/// The section on the method.
pub fn method() -> Vec<Block> {
    vec![Block::List(vec![
        "Nothing is simulated: every number is a bound that a theorem gives, computed in double precision. `epsweep list accountants` names formulas and sources.".to_owned(),
        "The optimum for equal releases is exact for releases of which only (ε, δ) is known; the privacy loss distribution is computed for the noise itself and rounded so that its bound is valid, with a certified lower bound beside it.".to_owned(),
        "A method whose theorem is about releases with an ε of their own is told of Gaussian noise as (εᵢ, δᵢ): half of δ divided evenly, εᵢ the least at δᵢ.".to_owned(),
    ])]
}
