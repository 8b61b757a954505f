//! The totals in every form.

use super::super::text::{Align, Table};
use super::Accounted;
use crate::record::{CsvText, number, optional};
use crate::words::{grouped, significant};
use epsweep_core::accounting::{Answer, Release};
use serde_json::json;

fn table(accounted: &Accounted) -> Table {
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("ε", Align::Right),
        ("at least", Align::Right),
        ("", Align::Left),
    ]);
    for answer in &accounted.answers {
        let mut fields = vec![answer.method.to_owned()];
        match &answer.total {
            Ok(total) => fields.extend([
                significant(total.epsilon, 8),
                total
                    .lower
                    .map_or_else(String::new, |lower| significant(lower, 8)),
                remarks(accounted, answer, total.note.as_deref()),
            ]),
            Err(error) => fields.extend([String::new(), String::new(), error.to_string()]),
        }
        table.row(fields);
    }
    table
}

fn remarks(accounted: &Accounted, answer: &Answer, note: Option<&str>) -> String {
    let mut remarks = Vec::new();
    if answer.method == accounted.smallest.1 {
        remarks.push("smallest".to_owned());
    }
    if let Some(excess) = answer.above_sum {
        remarks.push(format!("{} above the plain sum", significant(excess, 3)));
    }
    remarks.extend(note.map(str::to_owned));
    remarks.join("; ")
}

fn answer(accounted: &Accounted) -> String {
    let (epsilon, method) = accounted.smallest;
    let sum = match accounted.plain_sum {
        Some(sum) => format!(" (the plain sum is {})", significant(sum, 8)),
        None => String::new(),
    };
    format!(
        "together ({}, {})-differentially private, by {method}{sum}",
        significant(epsilon, 8),
        number(accounted.delta)
    )
}

/// The releases, a line each.
pub(super) fn asked(releases: &[Release]) -> String {
    let mut out = String::new();
    for release in releases {
        out += &format!(
            "{:>8} × {}\n",
            grouped(release.count()),
            release.mechanism()
        );
    }
    out
}

/// The releases as JSON.
pub(super) fn listed(releases: &[Release]) -> Vec<serde_json::Value> {
    (releases.iter())
        .map(|release| {
            json!({ "mechanism": release.mechanism().to_string(), "count": release.count() })
        })
        .collect()
}

pub(super) fn text(accounted: &Accounted) -> String {
    format!(
        "{}\n{}\n{}\n",
        asked(&accounted.releases),
        table(accounted).text(),
        answer(accounted)
    )
}

pub(super) fn markdown(accounted: &Accounted) -> String {
    format!("{}\n{}\n", table(accounted).markdown(), answer(accounted))
}

pub(super) fn csv(accounted: &Accounted) -> String {
    let mut table = CsvText::new(["method", "epsilon", "lower", "above_sum", "note", "refused"]);
    for answer in &accounted.answers {
        let (epsilon, lower, note, refused) = match &answer.total {
            Ok(total) => (
                number(total.epsilon),
                optional(total.lower),
                total.note.clone().unwrap_or_default(),
                String::new(),
            ),
            Err(error) => (
                String::new(),
                String::new(),
                String::new(),
                error.to_string(),
            ),
        };
        let above = optional(answer.above_sum);
        table.row([answer.method, &epsilon, &lower, &above, &note, &refused]);
    }
    table.text()
}

pub(super) fn json(accounted: &Accounted) -> serde_json::Value {
    let methods: Vec<serde_json::Value> = (accounted.answers.iter())
        .map(|answer| match &answer.total {
            Ok(total) => json!({
                "name": answer.method,
                "epsilon": total.epsilon,
                "lower": total.lower,
                "above_sum": answer.above_sum,
                "note": total.note,
            }),
            Err(error) => json!({ "name": answer.method, "refused": error.to_string() }),
        })
        .collect();
    json!({
        "releases": listed(&accounted.releases),
        "delta": accounted.delta,
        "plain_sum": accounted.plain_sum,
        "smallest": { "epsilon": accounted.smallest.0, "method": accounted.smallest.1 },
        "methods": methods,
    })
}
