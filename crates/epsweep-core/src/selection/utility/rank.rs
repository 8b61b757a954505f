//! How near a value is to a quantile, by rank.

use super::Utility;
use crate::data::{Bounds, Table};
use crate::selection::{Movement, Scores, SelectionError};
use crate::sensitivity::Neighbours;
use crate::shortest::Shortest;

/// The rank utility of candidates for the q-quantile of a column: u(r) = −|#{x < r} − q·n| (Smith, STOC 2011).
///
/// Δ = max(q, 1 − q) under add-remove, 1 under substitute; scores may move both ways.
///
/// # Errors
/// [`SelectionError`] if the column is missing or holds text, q is not within (0, 1), or a candidate is NaN; none may be given twice
pub fn rank(
    table: &Table,
    column: &str,
    quantile: f64,
    candidates: &[f64],
    neighbours: Neighbours,
) -> Result<Utility, SelectionError> {
    utility(
        table,
        column,
        quantile,
        candidates,
        neighbours,
        |below, _, n| -(below - quantile * n).abs(),
    )
}

/// Δ of the rank utility for the q-quantile: the number of rows below a candidate moves by 1, and q·n by q where n does.
pub fn rank_sensitivity(quantile: f64, neighbours: Neighbours) -> f64 {
    match neighbours {
        Neighbours::AddRemove => quantile.max(1.0 - quantile),
        Neighbours::Substitute => 1.0,
    }
}

/// The rank utility that weighs both sides: u(r) = −|(1 − q)·#{x < r} − q·#{x > r}|, which treats rows equal to r fairly.
///
/// Δ = max(q, 1 − q) under add-remove, 1 under substitute; scores may move both ways.
///
/// # Errors
/// As [`rank`].
pub fn weighted_rank(
    table: &Table,
    column: &str,
    quantile: f64,
    candidates: &[f64],
    neighbours: Neighbours,
) -> Result<Utility, SelectionError> {
    utility(
        table,
        column,
        quantile,
        candidates,
        neighbours,
        |below, above, _| -((1.0 - quantile) * below - quantile * above).abs(),
    )
}

/// `points` candidates at equal distances from one bound to the other, both included: public, as the bounds are. The middle for one
/// point.
pub fn grid(bounds: Bounds, points: usize) -> Vec<f64> {
    if points == 1 {
        return vec![0.5 * bounds.low() + 0.5 * bounds.high()];
    }
    let last = points.saturating_sub(1) as f64;
    (0..points)
        .map(|place| {
            let part = place as f64 / last;
            bounds.low() * (1.0 - part) + bounds.high() * part
        })
        .collect()
}

/// Scores from the number of rows below and above each candidate, and of all rows.
fn utility(
    table: &Table,
    column: &str,
    quantile: f64,
    candidates: &[f64],
    neighbours: Neighbours,
    score: impl Fn(f64, f64, f64) -> f64,
) -> Result<Utility, SelectionError> {
    if !(quantile > 0.0 && quantile < 1.0) {
        return Err(SelectionError::Quantile { value: quantile });
    }
    if let Some(index) = candidates.iter().position(|candidate| candidate.is_nan()) {
        return Err(SelectionError::NotANumber { index });
    }
    let mut distinct = candidates.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    if let Some(pair) = distinct.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(SelectionError::DuplicateCandidate {
            candidate: Shortest(pair[0]).to_string(),
        });
    }
    let mut sorted = table.column(column)?.numbers()?.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let scores = candidates.iter().map(|&candidate| {
        let below = sorted.partition_point(|&x| x < candidate);
        let not_above = sorted.partition_point(|&x| x <= candidate);
        score(below as f64, n - not_above as f64, n)
    });
    Ok(Utility {
        scores: Scores::new(scores.collect())?,
        candidates: candidates
            .iter()
            .map(|&candidate| Shortest(candidate).to_string())
            .collect(),
        sensitivity: rank_sensitivity(quantile, neighbours),
        movement: Movement::AnyWay,
    })
}
