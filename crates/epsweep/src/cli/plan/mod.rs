//! `epsweep plan`

mod numbers;
mod tables;

use super::arguments::{Format, Plan};
use super::text::duration;
use super::{Failure, exit, load, load_in_batches, output};
use crate::pipeline::{self, Expected};
use crate::plan::Cost;
use crate::words::{grouped, several};
use serde_json::json;
use tables::what;

/// Cells up to which a terminal shows them all.
const CELLS: usize = 30;
/// Values of an axis up to which all are named.
const VALUES: usize = 16;

/// Shows the grid, what each query gets, and what the run will cost; simulates nothing.
pub fn plan(arguments: &Plan) -> Result<u8, Failure> {
    // a reader sees the first cells of a large grid; the other forms have them all
    let plan = match arguments.format {
        Format::Text => load_in_batches(&arguments.experiment, false)?,
        _ => load(&arguments.experiment)?,
    };
    output::warn(plan.warnings());
    output::remark(plan.notes());
    let expected = pipeline::expected(&plan, arguments.jobs)?;
    let cost = match expected {
        Some(expected) => plan.cost_of(expected.mean, arguments.jobs),
        None => plan.cost(arguments.jobs),
    };
    output::result(&match arguments.format {
        Format::Text => text(&plan, &cost, expected)?,
        Format::Json => output::document(json!({
            "cells": plan.len(),
            "trials": plan.settings().trials,
            "expected_trials": expected.map(|e| json!({ "least": e.least, "most": e.most, "mean": e.mean, "pilot": e.pilot })),
            "pairs": plan.pairs().len(),
            "threads": cost.threads,
            "seconds": cost.seconds,
            "bytes": cost.bytes,
            "resolved": plan.resolved(),
        })),
        Format::Csv => numbers::csv(&plan),
        Format::Markdown => what(plan.study().kind(), &plan.resolved().cells).markdown(),
    })?;
    Ok(exit::DONE)
}

fn text(
    plan: &crate::plan::Plan,
    cost: &Cost,
    expected: Option<Expected>,
) -> Result<String, Failure> {
    let resolved = plan.resolved();
    let mut out = format!("{}\n\n", resolved.title);
    for axis in &resolved.axes {
        out += &format!(
            "axis {} ({}): {}\n",
            axis.name,
            axis.path,
            values(&axis.labels)
        );
    }
    out += &format!(
        "{}{}, {}, measures {}\n",
        several(plan.len() as u64, "cell"),
        match resolved.trials {
            0 => String::new(),
            most if resolved.target.is_some() => {
                format!(" × at most {}", several(most, "trial"))
            }
            trials => format!(" × {}", several(trials, "trial")),
        },
        several(plan.pairs().len() as u64, "compared pair"),
        resolved.measures.join(", "),
    );
    if let Some(target) = target(plan, expected) {
        out += &format!("{target}\n");
    }
    out += &format!(
        "expected on {}: about {}, {} MB of memory\n\n",
        several(cost.threads as u64, "thread"),
        duration(cost.seconds),
        grouped((cost.bytes as f64 / 1e6).ceil() as u64),
    );
    // where the cells are not held, those that are shown are resolved, and no more
    let numbers: Vec<usize> = (0..plan.len().min(CELLS)).collect();
    let first = plan.resolved_with(&numbers)?;
    // each once, in the order of the grid
    let mut divided: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for cell in &first.cells {
        if !cell.divided.is_empty() && seen.insert(cell.divided.as_str()) {
            divided.push(&cell.divided);
        }
    }
    for divided in divided.iter().take(CELLS) {
        out += &format!("{divided}\n");
    }
    let shown = &first.cells[..first.cells.len().min(CELLS)];
    out += &what(plan.study().kind(), shown).text();
    let left_out = plan.len() - shown.len();
    if left_out > 0 {
        out += &format!(
            "… and {} (--format csv shows all)\n",
            several(left_out as u64, "more cell")
        );
    }
    Ok(out)
}

/// The values of an axis, of many the first ones and the last.
fn values(labels: &[String]) -> String {
    match labels.split_last() {
        Some((last, others)) if labels.len() > VALUES => format!(
            "{}, … {last} ({} values)",
            others[..VALUES / 2].join(", "),
            grouped(labels.len() as u64)
        ),
        _ => labels.join(", "),
    }
}

/// How many trials a target takes.
pub(super) fn target(plan: &crate::plan::Plan, expected: Option<Expected>) -> Option<String> {
    let target = plan.resolved().target.as_ref()?;
    let bounds = format!(
        "trials until they are precise enough: at least {}, at most {} a cell",
        grouped(target.at_least),
        grouped(target.at_most)
    );
    // to two digits: a pilot knows no more
    let about = |trials: u64| {
        let unit = 10_u64.pow(trials.max(1).ilog10().saturating_sub(1));
        grouped((trials + unit / 2) / unit * unit)
    };
    Some(match expected {
        None => bounds,
        Some(Expected {
            least, most, pilot, ..
        }) => {
            let expected = match about(least) == about(most) {
                true => about(most),
                false => format!("{} to {}", about(least), about(most)),
            };
            format!("{bounds}; about {expected}, as a pilot of {pilot} says")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_values_the_ends_are_shown() {
        let labels = |n: usize| -> Vec<String> { (0..n).map(|i| i.to_string()).collect() };
        assert_eq!(values(&labels(3)), "0, 1, 2");
        assert!(values(&labels(VALUES)).ends_with(", 14, 15"));
        assert_eq!(
            values(&labels(2000)),
            format!("0, 1, 2, 3, 4, 5, 6, 7, … 1999 ({} values)", grouped(2000))
        );
    }
}
