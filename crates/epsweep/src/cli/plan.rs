//! `epsweep plan`

use super::arguments::{Format, Plan};
use super::text::{Align, Table, duration, short};
use super::{Failure, exit, load, output};
use crate::plan::Cost;
use crate::procedure::Kind;
use crate::record::number;
use crate::words::{grouped, significant};
use serde_json::json;

/// Cells up to which a terminal shows them all.
const CELLS: usize = 30;

/// Shows the grid, what each query gets, and what the run will cost; simulates nothing.
pub fn plan(arguments: &Plan) -> Result<u8, Failure> {
    let plan = load(&arguments.experiment)?;
    for warning in plan.warnings() {
        output::note(&format!("warning: {warning}"));
    }
    for note in plan.notes().iter().take(CELLS) {
        output::note(&format!("note: {note}"));
    }
    let cost = plan.cost(arguments.jobs);
    output::result(&match arguments.format {
        Format::Text => text(&plan, &cost),
        Format::Json => output::json(&json!({
            "cells": plan.study().len(),
            "trials": plan.settings().trials,
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

fn text(plan: &crate::plan::Plan, cost: &Cost) -> String {
    let resolved = plan.resolved();
    let mut out = format!("{}\n\n", resolved.title);
    for axis in &resolved.axes {
        out += &format!(
            "axis {} ({}): {}\n",
            axis.name,
            axis.path,
            axis.labels.join(", ")
        );
    }
    out += &format!(
        "{} cells{}, {} compared pairs, measures {}\n",
        plan.study().len(),
        match resolved.trials {
            0 => String::new(),
            trials => format!(" × {} trials", grouped(trials)),
        },
        plan.pairs().len(),
        resolved.measures.join(", "),
    );
    out += &format!(
        "expected on {} thread{}: about {}, {}B of memory\n\n",
        cost.threads,
        if cost.threads == 1 { "" } else { "s" },
        duration(cost.seconds),
        short(cost.bytes as f64),
    );
    let mut divided: Vec<&str> = (resolved.cells.iter())
        .map(|cell| cell.divided.as_str())
        .filter(|divided| !divided.is_empty())
        .collect();
    divided.sort_unstable();
    divided.dedup();
    for divided in divided.iter().take(CELLS) {
        out += &format!("{divided}\n");
    }
    let (table, left_out) = what(plan, CELLS);
    out += &table.text();
    if left_out > 0 {
        out += &format!("… and {left_out} more cells (--format csv shows all)\n");
    }
    out
}

/// What each cell does, and of how many cells that is left out.
fn what(plan: &crate::plan::Plan, most: usize) -> (Table, usize) {
    match plan.study().kind() {
        Kind::Release => budgets(plan, most),
        Kind::Select => choices(plan, most),
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
