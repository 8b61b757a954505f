//! How far two cells are apart in a statistic.

use crate::record::{Lookup, SummaryRow};

/// How a difference was had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// both cells carry the same numbers
    Same,
    /// from their paired trials
    Paired,
    /// from the pairs of each with the baseline
    ThroughBaseline,
    /// from the interval of each
    Separate,
}

/// The difference a − b of a statistic between two cells, with an interval that holds whatever the dependence between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// a − b
    pub value: f64,
    /// lower end of its interval
    pub low: f64,
    /// upper end of its interval
    pub high: f64,
    /// how it was had
    pub how: How,
}

/// The difference a − b of a statistic. Means use the paired trials of a and b, or else of each with the baseline (the errors of both pairs
/// add up at worst); other statistics, and means without pairs, the interval of each (likewise). `None` if a row is missing or has no
/// interval.
pub fn difference(
    lookup: &Lookup,
    a: usize,
    b: usize,
    subject: &str,
    measure: &str,
    statistic: &str,
) -> Option<Difference> {
    let left = lookup.row(a, subject, measure, statistic)?;
    let right = lookup.row(b, subject, measure, statistic)?;
    if a == b || same_numbers(left, right) {
        return Some(Difference {
            value: 0.0,
            low: 0.0,
            high: 0.0,
            how: How::Same,
        });
    }
    let separate = separate(left, right);
    if statistic != "mean" {
        return separate;
    }
    if let Some(pair) = lookup.paired(a, b, subject, measure) {
        return Some(Difference {
            value: pair.difference,
            low: pair.low,
            high: pair.high,
            how: How::Paired,
        });
    }
    match (through_baseline(lookup, a, b, subject, measure), separate) {
        (Some(x), Some(y)) if x.high - x.low <= y.high - y.low => Some(x),
        (x, None) => x,
        (_, y) => y,
    }
}

/// Common random numbers give allocations that come to the same shares the same numbers, up to rounding.
fn same_numbers(a: &SummaryRow, b: &SummaryRow) -> bool {
    let close = |x: f64, y: f64| (x - y).abs() <= 1e-12 * x.abs().max(y.abs());
    let errors = match (a.mcse, b.mcse) {
        (Some(x), Some(y)) => (x - y).abs() <= 1e-9 * x.max(y),
        (None, None) => true,
        _ => false,
    };
    close(a.value, b.value) && errors && a.trials == b.trials
}

fn separate(a: &SummaryRow, b: &SummaryRow) -> Option<Difference> {
    let (a_ends, b_ends) = (ends(a)?, ends(b)?);
    Some(Difference {
        value: a.value - b.value,
        low: a_ends.0 - b_ends.1,
        high: a_ends.1 - b_ends.0,
        how: How::Separate,
    })
}

/// The interval of a row. Observed extremes have none. Values that were the same in every trial have none either, since what did not happen
/// may change their mean by any amount; they are taken for certain all the same, as they mostly are, and one trial says nothing.
fn ends(row: &SummaryRow) -> Option<(f64, f64)> {
    let extreme = matches!(&*row.statistic, "min" | "max");
    let alike = &*row.method == "observed" && row.trials > 1 && !extreme;
    match (row.low, row.high) {
        (Some(low), Some(high)) => Some((low, high)),
        _ if row.mcse == Some(0.0) || alike => Some((row.value, row.value)),
        _ => None,
    }
}

fn through_baseline(
    lookup: &Lookup,
    a: usize,
    b: usize,
    subject: &str,
    measure: &str,
) -> Option<Difference> {
    let base = lookup.baseline(a)?;
    if lookup.baseline(b)? != base {
        return None;
    }
    let left = lookup.paired(a, base, subject, measure)?;
    let right = lookup.paired(b, base, subject, measure)?;
    Some(Difference {
        value: left.difference - right.difference,
        low: left.low - right.high,
        high: left.high - right.low,
        how: How::ThroughBaseline,
    })
}
