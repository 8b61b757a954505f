//! What the cells of a plan do, as tables for readers.

use crate::cli::text::{Align, Table};
use crate::record::{ResolvedCell, number};
use crate::study::Kind;
use crate::words::{grouped, significant};

/// What each cell does.
pub fn what(kind: Kind, cells: &[ResolvedCell]) -> Table {
    match kind {
        Kind::Release => budgets(cells),
        Kind::Select => choices(cells),
        Kind::Stream if has_policies(cells) => policies(cells),
        Kind::Stream => gates(cells),
        Kind::Train => trainings(cells),
        Kind::ClipThenSum => pipelines(cells),
        Kind::Compose => counted(cells),
    }
}

/// What is counted in every cell, by whom.
fn counted(cells: &[ResolvedCell]) -> Table {
    let mut table = Table::new(&[
        ("cell", Align::Left),
        ("accountant", Align::Left),
        ("δ", Align::Right),
        ("releases", Align::Left),
    ]);
    for cell in cells {
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
    table
}

/// Who is chosen from in every cell, and how.
fn choices(cells: &[ResolvedCell]) -> Table {
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
    let digits = |x: f64| significant(x, 6);
    for cell in cells {
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
    table
}

/// Whether policies answer the streams.
pub fn has_policies(cells: &[ResolvedCell]) -> bool {
    let mut streams = cells.iter().filter_map(|cell| cell.stream.as_ref());
    streams.any(|stream| stream.policy.is_some())
}

/// What policy answers every cell's stream, as fields of a table.
pub fn of_policy(cell: &ResolvedCell) -> Option<Vec<String>> {
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

/// By which policy every cell is answered.
fn policies(cells: &[ResolvedCell]) -> Table {
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
    for fields in cells.iter().filter_map(of_policy) {
        table.row(fields);
    }
    table
}

/// What answers the stream of every cell.
fn gates(cells: &[ResolvedCell]) -> Table {
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
    let digits = |x: f64| significant(x, 6);
    for cell in cells {
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
    table
}

/// How every cell descends.
fn trainings(cells: &[ResolvedCell]) -> Table {
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
    let digits = |x: f64| significant(x, 6);
    for cell in cells {
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
    table
}

/// What the stages of every cell get.
fn pipelines(cells: &[ResolvedCell]) -> Table {
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
    for cell in cells {
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
    table
}

/// What every query of every cell gets.
fn budgets(cells: &[ResolvedCell]) -> Table {
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
    for cell in cells {
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
    table
}
