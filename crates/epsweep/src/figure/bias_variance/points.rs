//! The points of the curves: squares of estimates, of their intervals and of exact values.

use crate::figure::along::series_name;
use crate::figure::rows::Rows;
use crate::record::{ResolvedAxis, Run, SummaryRow};

/// One of the curves at a point: an estimate, its interval where it is known, and the exact value where that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
    pub(super) exact: Option<f64>,
}

/// A point of the three curves.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) cell: String,
    pub(super) label: String,
    pub(super) x: f64,
    /// bias², variance, and their sum
    pub(super) parts: [Part; 3],
}

/// The points of a panel along the axis.
pub(super) fn spots(
    run: &Run,
    rows: &Rows<'_>,
    index: usize,
    axis: &ResolvedAxis,
    name: &str,
    subject: &str,
) -> Vec<Spot> {
    let numbers = axis.numbers.as_deref().unwrap_or(&[]);
    let mut spots: Vec<Spot> = (0..rows.cells.len())
        .filter(|cell| series_name(run, rows, *cell, index) == name)
        .filter_map(|cell| {
            let label = rows.cells[cell].cell.labels.get(index)?;
            let x = *numbers.get(axis.labels.iter().position(|l| l == label)?)?;
            let row = |statistic| rows.row(cell, subject, statistic);
            let (mean, sd) = (squared(row("mean")?)?, squared(row("sd")?)?);
            let sum = Part {
                value: mean.value + sd.value,
                interval: None,
                exact: (mean.exact.zip(sd.exact)).map(|(mean, sd)| mean + sd),
            };
            (x.is_finite() && sum.value.is_finite()).then(|| Spot {
                cell: rows.cells[cell].cell.id.clone(),
                label: label.clone(),
                x,
                parts: [mean, sd, sum],
            })
        })
        .collect();
    spots.sort_by(|a, b| a.x.total_cmp(&b.x));
    spots
}

/// The square of a row's value, and of all that is known of it.
fn squared(row: &SummaryRow) -> Option<Part> {
    let square = |value: f64| Some(value * value).filter(|square| square.is_finite());
    let ends = (row.low.and_then(square)).zip(row.high.and_then(square));
    let over_zero = row.low.is_some_and(|low| low < 0.0) && row.high.is_some_and(|high| high > 0.0);
    Some(Part {
        value: square(row.value)?,
        interval: ends.map(|(low, high)| match over_zero {
            true => (0.0, low.max(high)),
            false => (low.min(high), low.max(high)),
        }),
        exact: row.exact.and_then(square),
    })
}

/// The point with the least sum: of exact values where all are known, else of estimates; the first of several.
pub(super) fn least(spots: &[Spot]) -> Option<usize> {
    let known = spots.iter().all(|spot| spot.parts[2].exact.is_some());
    let sum = |spot: &Spot| match spot.parts[2].exact {
        Some(exact) if known => exact,
        _ => spot.parts[2].value,
    };
    (0..spots.len()).min_by(|a, b| sum(&spots[*a]).total_cmp(&sum(&spots[*b])))
}
