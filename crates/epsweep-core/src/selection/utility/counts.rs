//! How often each value occurs.

use super::Utility;
use crate::data::{Table, Values};
use crate::selection::{Movement, Scores, SelectionError};
use crate::sensitivity::Neighbours;
use crate::shortest::Shortest;
use std::collections::HashMap;

/// The number of rows of each candidate in a column. The candidates must be known publicly; rows with other values count for
/// nobody.
///
/// Δ = 1 under both relations. When a record is added all counts stay or rise; when one is substituted, one count may fall and
/// another rise.
///
/// # Errors
/// [`SelectionError`] if there is no such column, if there is no candidate or one is given twice, or if it is not a number where the
/// column holds numbers
pub fn counts(
    table: &Table,
    column: &str,
    candidates: &[String],
    neighbours: Neighbours,
) -> Result<Utility, SelectionError> {
    let column = table.column(column)?;
    let mut counts = vec![0.0; candidates.len()];
    match column.values() {
        Values::Text(values) => {
            let places = places(candidates, |candidate| Ok(candidate.as_str()))?;
            for value in values {
                if let Some(&place) = places.get(value.as_str()) {
                    counts[place] += 1.0;
                }
            }
        }
        Values::Number(values) => {
            let places = places(candidates, |candidate| {
                let number = candidate.trim().parse::<f64>().ok();
                number
                    .filter(|number| number.is_finite())
                    // adding 0 makes zeros of both signs one
                    .map(|number| (number + 0.0).to_bits())
                    .ok_or_else(|| SelectionError::CandidateNotNumber {
                        candidate: candidate.clone(),
                        column: column.name().to_owned(),
                    })
            })?;
            for value in values {
                if let Some(&place) = places.get(&(value + 0.0).to_bits()) {
                    counts[place] += 1.0;
                }
            }
        }
    }
    Ok(Utility {
        candidates: candidates.to_vec(),
        scores: Scores::new(counts)?,
        sensitivity: 1.0,
        movement: match neighbours {
            Neighbours::AddRemove => Movement::OneWay,
            Neighbours::Substitute => Movement::AnyWay,
        },
    })
}

/// Where each candidate stands, by its key.
fn places<'a, K: std::hash::Hash + Eq>(
    candidates: &'a [String],
    key: impl Fn(&'a String) -> Result<K, SelectionError>,
) -> Result<HashMap<K, usize>, SelectionError> {
    let mut places = HashMap::with_capacity(candidates.len());
    for (place, candidate) in candidates.iter().enumerate() {
        if places.insert(key(candidate)?, place).is_some() {
            return Err(SelectionError::DuplicateCandidate {
                candidate: candidate.clone(),
            });
        }
    }
    Ok(places)
}

/// The values that occur in a column, sorted: candidates for an example. Reading candidates off private data is not private in itself;
/// in earnest they come from public knowledge.
///
/// # Errors
/// [`SelectionError::Data`] if there is no such column
pub fn distinct(table: &Table, column: &str) -> Result<Vec<String>, SelectionError> {
    Ok(match table.column(column)?.values() {
        Values::Text(values) => {
            let mut values = values.clone();
            values.sort_unstable();
            values.dedup();
            values
        }
        Values::Number(values) => {
            let mut values = values.clone();
            values.sort_unstable_by(f64::total_cmp);
            values.dedup();
            values
                .into_iter()
                .map(|value| Shortest(value).to_string())
                .collect()
        }
    })
}
