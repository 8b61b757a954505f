//! All kinds of records that predicates can tell apart.
//!
//! A predicate compares columns with constants. The constants cut the values of a column into points, open intervals between
//! them, and, for texts, each text named and "any other". Within a piece every predicate has one value, so that one record per
//! combination of pieces stands for *all* possible records: what holds for these holds for every data set. That decides whether
//! predicates exclude each other, instead of guessing it. Values outside a column's declared bounds do not occur.

use super::tree::Literal;
use super::{DataError, Predicate, Table};
use crate::data::{Column, Values};

/// A record for every combination of pieces, as the rows of a table.
#[derive(Clone, Debug)]
pub struct Region {
    representatives: Table,
    /// per column, the limit of the values at the end of the piece for which the row stands
    limits: Vec<Vec<f64>>,
}

/// What a column is cut at beyond the constants of the predicates, and whether both ends of an interval are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts<'a> {
    /// (column, places) at which an amount that follows the column has a kink
    pub(crate) kinks: Vec<(&'a str, Vec<f64>)>,
}

/// A piece of a column: a value in it, and the limit at the end that is meant.
#[derive(Clone, Debug)]
enum Pieces {
    Numbers(Vec<(f64, f64)>),
    Texts(Vec<String>),
}

impl Pieces {
    fn len(&self) -> usize {
        match self {
            Pieces::Numbers(pieces) => pieces.len(),
            Pieces::Texts(texts) => texts.len(),
        }
    }
}

impl Region {
    /// The records that the predicates tell apart in the columns named (each once), of which the first at least is there. `None`
    /// if there are more than `most`.
    pub(crate) fn new(
        table: &Table,
        columns: &[String],
        predicates: &[&Predicate],
        cuts: &Cuts<'_>,
        most: usize,
    ) -> Result<Option<Region>, DataError> {
        let mut pieces = Vec::new();
        let mut total = 1_usize;
        for name in columns {
            let column = table.column(name)?;
            let kinks: Vec<&[f64]> = (cuts.kinks.iter())
                .filter(|(of, _)| of == name)
                .map(|(_, places)| places.as_slice())
                .collect();
            let of_column = pieces_of(column, predicates, &kinks);
            total = total.saturating_mul(of_column.len());
            if total > most {
                return Ok(None);
            }
            pieces.push(of_column);
        }
        let mut representatives = Vec::new();
        let mut limits = Vec::new();
        // the last column changes fastest
        let mut period = total;
        for (name, of_column) in columns.iter().zip(&pieces) {
            period /= of_column.len().max(1);
            let at = |row: usize| row / period % of_column.len();
            match of_column {
                Pieces::Numbers(list) => {
                    let values = (0..total).map(|row| list[at(row)].0).collect();
                    let bounds = table.column(name)?.bounds();
                    representatives.push(Column::number(name, values, bounds)?);
                    limits.push((0..total).map(|row| list[at(row)].1).collect());
                }
                Pieces::Texts(list) => {
                    let values = (0..total).map(|row| list[at(row)].clone()).collect();
                    representatives.push(Column::text(name, values));
                    limits.push(Vec::new());
                }
            }
        }
        if columns.is_empty() {
            // a table needs a column: one record that nothing is said of
            representatives.push(Column::number("record", vec![0.0], None)?);
            limits.push(vec![0.0]);
        }
        Ok(Some(Region {
            representatives: Table::new(representatives)?,
            limits,
        }))
    }

    /// The records, one per row; every column that was named.
    pub fn records(&self) -> &Table {
        &self.representatives
    }

    /// The limits of a column of numbers, one per record: where the record stands for an open interval, one of its ends.
    pub(crate) fn limits(&self, column: &str) -> Option<&[f64]> {
        let place = (self.representatives.columns().iter()).position(|c| c.name() == column)?;
        Some(&self.limits[place])
    }
}

fn pieces_of(column: &Column, predicates: &[&Predicate], kinks: &[&[f64]]) -> Pieces {
    let literals = || {
        predicates
            .iter()
            .flat_map(|predicate| predicate.literals(column.name()))
    };
    match column.values() {
        Values::Text(_) => {
            let mut texts: Vec<String> = literals()
                .filter_map(|literal| match literal {
                    Literal::Text(text) => Some(text.clone()),
                    Literal::Number(_) => None,
                })
                .collect();
            texts.sort_unstable();
            texts.dedup();
            // the longest text with something behind it is none of them
            let longest = texts.iter().max_by_key(|text| text.len());
            let other = format!("{}, other", longest.map_or("", String::as_str));
            texts.push(other);
            Pieces::Texts(texts)
        }
        Values::Number(_) => {
            let bounds = column.bounds();
            let mut points: Vec<f64> = literals()
                .filter_map(|literal| match literal {
                    // −0 and 0 are one point
                    Literal::Number(value) => Some(value + 0.0),
                    Literal::Text(_) => None,
                })
                .chain(kinks.iter().flat_map(|places| places.iter().copied()))
                .chain(bounds.into_iter().flat_map(|b| [b.low(), b.high()]))
                .filter(|&value| {
                    value.is_finite() && bounds.is_none_or(|bounds| bounds.contains(value))
                })
                .collect();
            points.sort_unstable_by(f64::total_cmp);
            points.dedup();
            Pieces::Numbers(intervals(&points, bounds.is_some(), !kinks.is_empty()))
        }
    }
}

/// The points and the open intervals between them, and outside them unless they end at the bounds.
fn intervals(points: &[f64], bounded: bool, both_ends: bool) -> Vec<(f64, f64)> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return vec![(0.0, 0.0)];
    };
    let mut pieces: Vec<(f64, f64)> = points.iter().map(|&point| (point, point)).collect();
    for pair in points.windows(2) {
        let middle = 0.5 * pair[0] + 0.5 * pair[1];
        // no double lies between neighbours
        if pair[0] < middle && middle < pair[1] {
            pieces.push((middle, pair[0]));
            if both_ends {
                pieces.push((middle, pair[1]));
            }
        }
    }
    if !bounded {
        for (value, end) in [(f64::MIN, first), (f64::MAX, last)] {
            if value != end {
                pieces.push((value, value));
            }
        }
    }
    pieces
}

/// How many kinds of records are tried before the question is left open.
const MOST_RECORDS: usize = 1 << 18;

/// Whether no record can satisfy both, whatever its values within the declared bounds. Exact for every pair of predicates: `None`
/// only if they tell more than 2¹⁸ kinds of records apart.
///
/// # Errors
/// [`DataError`] if the table lacks a column or has it with values of another type
pub fn disjoint(
    one: &Predicate,
    other: &Predicate,
    table: &Table,
) -> Result<Option<bool>, DataError> {
    one.check(table)?;
    other.check(table)?;
    let both = one.and(other);
    let cuts = Cuts::default();
    let Some(region) = Region::new(table, &both.columns(), &[&both], &cuts, MOST_RECORDS)? else {
        return Ok(None);
    };
    Ok(Some(both.count(region.records())? == 0))
}
