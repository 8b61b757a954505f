//! Errors of queries in different units, taken together.

use super::standing::{Setting, compared_axis, mean_of, mean_row, names, settings};
use crate::record::{Lookup, ResolvedQuery, Run};
use crate::words::join;
use std::collections::BTreeSet;

/// Share of the largest error above which it is said to be that of one query.
const MOSTLY: f64 = 0.9;

/// The measure of the largest error.
const LARGEST: &str = "max_abs_error";

/// The title of the section that has errors query by query.
pub(crate) const EACH_QUERY: &str = "Error of each query";

/// Values of the compared axis that fit beside each other.
const MOST_COLUMNS: usize = 8;

/// Queries up to which the best of each is named.
const MOST_QUERIES: usize = 8;

/// Measures of all queries together that add up or compare their errors as they are.
const TOGETHER: [&str; 4] = [LARGEST, "mean_abs_error", "rmse", "weighted_mse"];

/// The measure of how far off a query is: |error| of a number, its average over many.
pub(crate) fn own_error(query: &ResolvedQuery) -> &'static str {
    match query.size {
        0 => "abs_error",
        _ => "mean_abs_error",
    }
}

/// What is to be said where the errors that a measure takes together have different units, and whose error it mostly is. `None` where the
/// units are the same, or the measure is of no errors.
pub(super) fn mixed(run: &Run, lookup: &Lookup, measure: &str) -> Option<String> {
    if !TOGETHER.contains(&measure) {
        return None;
    }
    let units: Vec<&str> = units(run).into_iter().collect();
    if units.len() < 2 {
        return None;
    }
    let mut text = format!(
        " But the queries have different units ({})",
        join(&units, "and")
    );
    // weights say what an error of each query counts
    let largest = mostly(run, lookup).filter(|_| measure == LARGEST);
    if let Some(query) = largest {
        text += &format!(", and the largest error is mostly that of `{query}`");
    }
    text += &match one_by_one(run, lookup, own_error) {
        Some(winners) => format!(". One by one, errors are lowest {winners}."),
        None if side_by_side(run).is_some() => {
            format!(": “{EACH_QUERY}” compares them one by one.")
        }
        None => ".".to_owned(),
    };
    Some(text)
}

/// Queries that can be put side by side along the compared axis, and that axis: at least two that every cell has, and not too many columns.
pub(crate) fn side_by_side(run: &Run) -> Option<(usize, Vec<&ResolvedQuery>)> {
    let cells = &run.resolved.cells;
    let axis = compared_axis(run)?;
    // where the queries themselves are compared, there is nothing to put side by side
    let everywhere = |query: &&ResolvedQuery| {
        (cells.iter()).all(|cell| cell.queries.iter().any(|own| own.name == query.name))
    };
    let queries: Vec<&ResolvedQuery> = cells.first()?.queries.iter().filter(everywhere).collect();
    let fits = run.resolved.axes[axis].labels.len() <= MOST_COLUMNS;
    (fits && queries.len() > 1).then_some((axis, queries))
}

/// `with even for count and age, with proportional for sum`, by a measure of each query, where the best is the same in every setting.
pub(super) fn one_by_one<'m>(
    run: &Run,
    lookup: &Lookup,
    measure: impl Fn(&ResolvedQuery) -> &'m str,
) -> Option<String> {
    let (axis, queries) = side_by_side(run)?;
    if queries.len() > MOST_QUERIES {
        return None;
    }
    let mut winners: Vec<(String, Vec<&str>)> = Vec::new();
    for query in queries {
        let settings = settings(run, lookup, &query.name, measure(query), &[axis]);
        let best = |setting: &Setting| names(run, setting.best(), &[axis]);
        let first = best(settings.first()?);
        if settings.iter().any(|setting| best(setting) != first) {
            return None;
        }
        match winners.iter_mut().find(|(name, _)| *name == first) {
            Some((_, names)) => names.push(&query.name),
            None => winners.push((first, vec![&query.name])),
        }
    }
    let parts: Vec<String> = (winners.iter())
        .map(|(winner, names)| format!("with {winner} for {}", join(names, "and")))
        .collect();
    Some(parts.join(", "))
}

/// The units of all answers of a run.
pub(crate) fn units(run: &Run) -> BTreeSet<&str> {
    let queries = run.resolved.cells.iter().flat_map(|cell| &cell.queries);
    queries.map(|query| unit(&query.definition)).collect()
}

/// The unit of an answer: what the column holds, or records.
fn unit(definition: &str) -> &str {
    let counted = ["count", "pairs", "histogram", "ranges"];
    if counted.iter().any(|word| definition.starts_with(word)) {
        return "records";
    }
    let column = definition.split(" of ").nth(1).unwrap_or(definition);
    column.split([' ', ',']).next().unwrap_or(column)
}

/// The query whose error is nearly all of the largest one, in the best cell of every setting.
fn mostly<'a>(run: &'a Run, lookup: &Lookup) -> Option<&'a str> {
    let settings = settings(run, lookup, "all", LARGEST, &[compared_axis(run)?]);
    let mut found: Option<&str> = None;
    for setting in &settings {
        let best = *setting.cells.first()?;
        let all = mean_of(mean_row(lookup, "all", LARGEST, best)?);
        let is_most = |query: &&ResolvedQuery| {
            let own = match query.size {
                0 => own_error(query),
                _ => LARGEST,
            };
            let row = mean_row(lookup, &query.name, own, best);
            row.is_some_and(|row| mean_of(row) >= MOSTLY * all)
        };
        let name = run.resolved.cells[best].queries.iter().find(is_most)?;
        if *found.get_or_insert(&name.name) != name.name {
            return None;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_definitions() {
        assert_eq!(unit("sum of income"), "income");
        assert_eq!(unit("mean of age, from sum and count"), "age");
        assert_eq!(unit("mean of income clipped to [0, 200]"), "income");
        assert_eq!(unit("count where age > 60"), "records");
        assert_eq!(unit("histogram of age"), "records");
        assert_eq!(unit("count by educ"), "records");
    }
}
