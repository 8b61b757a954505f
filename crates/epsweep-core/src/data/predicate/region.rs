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
    /// per column and record, what the record stands for
    pieces: Vec<Vec<Piece>>,
}

/// What a record's value of a column stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// the value alone
    Point(f64),
    /// the values between two ends, without them; seen from its lower or its upper end
    Between {
        low: f64,
        high: f64,
        from_above: bool,
    },
    /// all below
    Below(f64),
    /// all above
    Above(f64),
    /// all numbers
    AnyNumber,
    /// this text
    Text(String),
    /// all texts that no predicate names
    OtherText,
}

impl Piece {
    /// The limit of a number at the end from which it is seen; some value within where there is no such end.
    fn limit(&self) -> f64 {
        match *self {
            Piece::Point(value) => value,
            Piece::Between {
                low,
                high,
                from_above,
            } => {
                if from_above {
                    high
                } else {
                    low
                }
            }
            Piece::Below(_) => f64::MIN,
            Piece::Above(_) => f64::MAX,
            Piece::AnyNumber | Piece::Text(_) | Piece::OtherText => 0.0,
        }
    }

    /// A number within.
    fn number(&self) -> f64 {
        match *self {
            Piece::Between { low, high, .. } => 0.5 * low + 0.5 * high,
            _ => self.limit(),
        }
    }
}

/// What a column is cut at beyond the constants of the predicates, and whether both ends of an interval are wanted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cuts<'a> {
    /// (column, places) at which an amount that follows the column has a kink
    pub(crate) kinks: Vec<(&'a str, Vec<f64>)>,
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
        let mut of_records = Vec::new();
        // the last column changes fastest
        let mut period = total;
        for (name, of_column) in columns.iter().zip(&pieces) {
            period /= of_column.len().max(1);
            let of_column: Vec<Piece> = (0..total)
                .map(|row| of_column[row / period % of_column.len()].clone())
                .collect();
            let source = table.column(name)?;
            representatives.push(match source.values() {
                Values::Number(_) => {
                    let values = of_column.iter().map(Piece::number).collect();
                    Column::number(name, values, source.bounds())?
                }
                Values::Text(_) => Column::text(name, texts_of(&of_column)),
            });
            of_records.push(of_column);
        }
        if columns.is_empty() {
            // a table needs a column: one record that nothing is said of
            representatives.push(Column::number("record", vec![0.0], None)?);
            of_records.push(vec![Piece::AnyNumber]);
        }
        Ok(Some(Region {
            representatives: Table::new(representatives)?,
            pieces: of_records,
        }))
    }

    /// The records, one per row; every column that was named.
    pub fn records(&self) -> &Table {
        &self.representatives
    }

    /// What the records stand for in a column.
    pub(crate) fn pieces(&self, column: &str) -> Option<&[Piece]> {
        let place = (self.representatives.columns().iter()).position(|c| c.name() == column)?;
        Some(&self.pieces[place])
    }

    /// The limits of a column of numbers, one per record: where the record stands for an open interval, one of its ends.
    pub(crate) fn limits(&self, column: &str) -> Option<Vec<f64>> {
        Some(self.pieces(column)?.iter().map(Piece::limit).collect())
    }
}

/// The texts of pieces, with one that none of them names for all others.
fn texts_of(pieces: &[Piece]) -> Vec<String> {
    let named = || {
        pieces.iter().filter_map(|piece| match piece {
            Piece::Text(text) => Some(text),
            _ => None,
        })
    };
    // the longest text with something behind it is none of them
    let longest = named().max_by_key(|text| text.len());
    let other = format!("{}, other", longest.map_or("", String::as_str));
    (pieces.iter())
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            _ => other.clone(),
        })
        .collect()
}

fn pieces_of(column: &Column, predicates: &[&Predicate], kinks: &[&[f64]]) -> Vec<Piece> {
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
            let named = texts.into_iter().map(Piece::Text);
            named.chain([Piece::OtherText]).collect()
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
            intervals(&points, bounds.is_some(), !kinks.is_empty())
        }
    }
}

/// The points and the open intervals between them, and outside them unless they end at the bounds.
fn intervals(points: &[f64], bounded: bool, both_ends: bool) -> Vec<Piece> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else {
        return vec![Piece::AnyNumber];
    };
    let mut pieces: Vec<Piece> = points.iter().map(|&point| Piece::Point(point)).collect();
    for pair in points.windows(2) {
        let (low, high) = (pair[0], pair[1]);
        let middle = 0.5 * low + 0.5 * high;
        // no double lies between neighbours
        if low < middle && middle < high {
            let seen = |from_above| Piece::Between {
                low,
                high,
                from_above,
            };
            pieces.push(seen(false));
            if both_ends {
                pieces.push(seen(true));
            }
        }
    }
    if !bounded {
        if first > f64::MIN {
            pieces.push(Piece::Below(first));
        }
        if last < f64::MAX {
            pieces.push(Piece::Above(last));
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
