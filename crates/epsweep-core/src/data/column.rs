//! Named columns.

use super::{Bounds, DataError};

/// The values of a column, one per row.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// finite numbers
    Number(Vec<f64>),
    /// texts
    Text(Vec<String>),
}

impl Values {
    /// What they are, in words: `numbers` or `text`.
    pub fn what(&self) -> &'static str {
        match self {
            Values::Number(_) => "numbers",
            Values::Text(_) => "text",
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Number(values) => values.len(),
            Values::Text(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
    bounds: Option<Bounds>,
    /// what was clipped: the row, and the value before
    outside: Vec<(usize, f64)>,
}

impl Column {
    /// A column of numbers. With bounds, values outside are clipped to them and counted.
    ///
    /// # Errors
    /// [`DataError::NotFinite`] for the first value that is NaN or infinite
    pub fn number(
        name: impl Into<String>,
        mut values: Vec<f64>,
        bounds: Option<Bounds>,
    ) -> Result<Column, DataError> {
        let name = name.into();
        let mut outside = Vec::new();
        for (row, value) in values.iter_mut().enumerate() {
            if !value.is_finite() {
                return Err(DataError::NotFinite {
                    column: name,
                    row,
                    value: *value,
                });
            }
            // adding 0 turns −0 into 0, so that the largest of 0 and −0 does not depend on the order of the rows
            *value += 0.0;
            if let Some(bounds) = bounds.filter(|bounds| !bounds.contains(*value)) {
                outside.push((row, *value));
                *value = bounds.clip(*value);
            }
        }
        Ok(Column {
            name,
            values: Values::Number(values),
            bounds,
            outside,
        })
    }

    /// A column of texts.
    pub fn text(name: impl Into<String>, values: Vec<String>) -> Column {
        Column {
            name: name.into(),
            values: Values::Text(values),
            bounds: None,
            outside: Vec::new(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, after clipping.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Its declared bounds.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    /// How many values were clipped to the bounds.
    pub fn clipped(&self) -> u64 {
        self.outside.len() as u64
    }

    /// The column as it would be without clipping: with the values before it, and the least bounds around these and the declared ones. `None`
    /// where nothing was clipped. To say what clipping does to an answer; no query of an analysis may look at it.
    pub fn unclipped(&self) -> Option<Column> {
        let Values::Number(values) = &self.values else {
            return None;
        };
        let declared = self.bounds.filter(|_| !self.outside.is_empty())?;
        let mut values = values.clone();
        let (mut low, mut high) = (declared.low(), declared.high());
        for &(row, value) in &self.outside {
            values[row] = value;
            (low, high) = (low.min(value), high.max(value));
        }
        let bounds = Bounds::new(low, high).ok()?;
        Column::number(self.name.clone(), values, Some(bounds)).ok()
    }

    /// Its values, where they are numbers.
    ///
    /// # Errors
    /// [`DataError::NotNumbers`] for a column of texts
    pub fn numbers(&self) -> Result<&[f64], DataError> {
        match &self.values {
            Values::Number(values) => Ok(values),
            Values::Text(_) => Err(DataError::NotNumbers {
                column: self.name.clone(),
            }),
        }
    }

    /// Its values with its bounds, as a query needs them whose sensitivity follows from the bounds.
    ///
    /// # Errors
    /// [`DataError::NotNumbers`] for a column of texts, [`DataError::NoBounds`] if none are declared
    pub fn bounded(&self) -> Result<(&[f64], Bounds), DataError> {
        let values = self.numbers()?;
        match self.bounds {
            Some(bounds) => Ok((values, bounds)),
            None => Err(DataError::NoBounds {
                column: self.name.clone(),
            }),
        }
    }
}
