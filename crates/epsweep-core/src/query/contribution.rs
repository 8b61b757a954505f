//! What one record adds to a query that is a sum over the records.

use super::QueryError;
use crate::data::{Bounds, Predicate, Table};

/// A number that a record adds, as a function of one column.
#[derive(Clone, Debug, PartialEq)]
pub enum Amount {
    /// always this
    Constant(f64),
    /// factor · (clip(x) − centre), where x is the record's value of the column
    Column {
        /// the column
        column: String,
        /// the bounds to which x is clipped
        clip: Bounds,
        /// what is taken off
        centre: f64,
        /// by what the difference is multiplied
        factor: f64,
    },
}

impl Amount {
    /// factor · x, where the bounds of the column are these.
    pub(super) fn of_column(column: &str, bounds: Bounds, factor: f64) -> Amount {
        Amount::Column {
            column: column.to_owned(),
            clip: bounds,
            centre: 0.0,
            factor,
        }
    }

    /// The amount where the column has the value x.
    pub(super) fn at(&self, x: f64) -> f64 {
        match self {
            Amount::Constant(value) => *value,
            Amount::Column {
                clip,
                centre,
                factor,
                ..
            } => factor * (clip.clip(x) - centre),
        }
    }
}

/// What every record of a region adds to some parts of the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Contribution {
    /// which records; all without a predicate
    pub region: Option<Predicate>,
    /// (part, amount); a part may occur several times, which adds up
    pub adds: Vec<(usize, Amount)>,
}

impl Contribution {
    /// The columns on which it depends, each once.
    pub fn columns(&self) -> Vec<String> {
        let mut names = self
            .region
            .as_ref()
            .map(Predicate::columns)
            .unwrap_or_default();
        for (_, amount) in &self.adds {
            if let Amount::Column { column, .. } = amount
                && !names.contains(column)
            {
                names.push(column.clone());
            }
        }
        names
    }
}

/// A number that is not whole, among what the records of a table and the bounds of their columns add.
pub(super) fn fraction(all: &[Contribution], table: &Table) -> Result<Option<f64>, QueryError> {
    let whole = |x: &f64| x.fract() == 0.0;
    for (_, amount) in all.iter().flat_map(|contribution| &contribution.adds) {
        let found = match amount {
            Amount::Constant(value) => Some(*value).filter(|value| !whole(value)),
            Amount::Column { column, clip, .. } => (table.column(column)?.numbers()?.iter())
                .chain([&clip.low(), &clip.high()])
                .map(|x| amount.at(*x))
                .find(|added| !whole(added)),
        };
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}
