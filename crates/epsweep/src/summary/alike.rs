//! Measures that say the same of a run: with one query that tells one number, the largest error, the mean one and the root of the mean square are all
//! its |error|.

use crate::record::{Run, SummaryRow};
use std::collections::HashMap;

/// Measures that are the same where there is one number, and the same after post-processing. Others may happen to have the same numbers, and say
/// something else all the same.
const FAMILIES: [&[&str]; 2] = [
    &["max_abs_error", "rmse", "mean_abs_error", "abs_error"],
    &["weighted_mse", "squared_error"],
];

/// Share of a value up to which a difference is one of rounding.
const ROUNDING: f64 = 1e-9;

/// Measures whose numbers are all those of another one, each with that other: a table without them says no less.
pub(crate) fn alike(run: &Run) -> Vec<(String, String)> {
    // what each measure says of a cell's only subject; nothing of a measure that has several
    let mut said: HashMap<&str, HashMap<(&str, &str), &SummaryRow>> = HashMap::new();
    let mut several: Vec<&str> = Vec::new();
    for row in &run.summary {
        let own = said.entry(&row.measure).or_default();
        if own.insert((&*row.cell, &*row.statistic), row).is_some() {
            several.push(&row.measure);
        }
    }
    let alone = |measure: &str| said.get(measure).filter(|_| !several.contains(&measure));
    let mut found = Vec::new();
    for (family, after) in FAMILIES.iter().flat_map(|f| [(f, ""), (f, "_post")]) {
        let names: Vec<String> = family.iter().map(|name| format!("{name}{after}")).collect();
        let mut kept: Vec<&String> = Vec::new();
        for name in &names {
            let Some(own) = alone(name) else { continue };
            let same = |other: &&&String| alone(other).is_some_and(|other| same(own, other));
            match kept.iter().find(same) {
                Some(first) => found.push((name.clone(), (*first).clone())),
                None => kept.push(name),
            }
        }
    }
    found
}

fn same(a: &HashMap<(&str, &str), &SummaryRow>, b: &HashMap<(&str, &str), &SummaryRow>) -> bool {
    let near = |x: f64, y: f64| x == y || (x - y).abs() <= ROUNDING * x.abs().max(y.abs());
    a.len() == b.len()
        && a.iter().all(|(key, x)| {
            (b.get(key)).is_some_and(|y| near(x.value, y.value) && x.trials == y.trials)
        })
}

/// `mean_abs_error and rmse have the same numbers as max_abs_error, and are left out`, a sentence for each that is kept.
pub(crate) fn left_out(alike: &[(String, String)]) -> Option<String> {
    let mut kept: Vec<&str> = Vec::new();
    for (_, first) in alike {
        if !kept.contains(&first.as_str()) {
            kept.push(first);
        }
    }
    let part = |first: &&str| {
        let own: Vec<&str> = (alike.iter())
            .filter(|(_, other)| other == first)
            .map(|(name, _)| name.as_str())
            .collect();
        let verb = if own.len() == 1 { "has" } else { "have" };
        format!(
            "{} {verb} the numbers of {first}",
            crate::words::join(&own, "and")
        )
    };
    let parts: Vec<String> = kept.iter().map(part).collect();
    (!parts.is_empty()).then(|| format!("{}: left out here", parts.join("; ")))
}
