//! δ at a given ε, in every form.

use super::super::text::{Align, Table};
use super::show;
use crate::record::{CsvText, number, optional};
use crate::words::significant;
use epsweep_core::accounting::{Release, SmallestDelta};
use serde_json::json;

/// What was asked and what every method says.
pub(super) struct Asked {
    pub releases: Vec<Release>,
    pub epsilon: f64,
    pub found: SmallestDelta,
}

/// What is said of a method that shows no δ below 1.
const NOTHING: &str = "shows no δ below 1";

fn table(asked: &Asked) -> Table {
    let mut table = Table::new(&[
        ("method", Align::Left),
        ("δ", Align::Right),
        ("at least", Align::Right),
        ("", Align::Left),
    ]);
    for answer in &asked.found.answers {
        let mut fields = vec![answer.method.to_owned()];
        match &answer.found {
            Ok(found) => {
                let remark = match answer.method {
                    _ if found.delta >= 1.0 => NOTHING,
                    method if method == asked.found.method => "smallest",
                    _ => "",
                };
                fields.extend([
                    significant(found.delta, 8),
                    found
                        .lower
                        .map_or_else(String::new, |lower| significant(lower, 8)),
                    remark.to_owned(),
                ]);
            }
            Err(error) => fields.extend([String::new(), String::new(), error.to_string()]),
        }
        table.row(fields);
    }
    table
}

fn answer(asked: &Asked) -> String {
    let found = &asked.found;
    match found.delta < 1.0 {
        true => format!(
            "together ({}, {})-differentially private, by {}",
            number(asked.epsilon),
            significant(found.delta, 8),
            found.method
        ),
        false => format!(
            "no method shows a δ below 1 at ε = {}: raise it",
            number(asked.epsilon)
        ),
    }
}

pub(super) fn text(asked: &Asked) -> String {
    format!(
        "{}\n{}\n{}\n",
        show::asked(&asked.releases),
        table(asked).text(),
        answer(asked)
    )
}

pub(super) fn markdown(asked: &Asked) -> String {
    format!("{}\n{}\n", table(asked).markdown(), answer(asked))
}

pub(super) fn csv(asked: &Asked) -> String {
    let mut table = CsvText::new(["method", "delta", "lower", "refused"]);
    for answer in &asked.found.answers {
        let [delta, lower, refused] = match &answer.found {
            Ok(found) => [number(found.delta), optional(found.lower), String::new()],
            Err(error) => [String::new(), String::new(), error.to_string()],
        };
        table.row([answer.method, &delta, &lower, &refused]);
    }
    table.text()
}

pub(super) fn json(asked: &Asked) -> serde_json::Value {
    let methods: Vec<serde_json::Value> = (asked.found.answers.iter())
        .map(|answer| match &answer.found {
            Ok(found) => json!({
                "name": answer.method,
                "delta": found.delta,
                "lower": found.lower,
            }),
            Err(error) => json!({ "name": answer.method, "refused": error.to_string() }),
        })
        .collect();
    json!({
        "releases": show::listed(&asked.releases),
        "epsilon": asked.epsilon,
        "smallest": { "delta": asked.found.delta, "method": asked.found.method },
        "methods": methods,
    })
}
