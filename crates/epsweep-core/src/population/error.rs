//! Why a population is refused.

use crate::data::DataError;
use crate::query::QueryError;

/// Why a law or a population is refused, or a parameter cannot be told.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PopulationError {
    /// a number outside its range
    #[error("{what} is {value:?}, but must be {rule}")]
    Parameter {
        /// of which law and parameter
        what: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
    /// a list that cannot be used
    #[error("{what}: {found}, but {rule}")]
    List {
        /// of which law
        what: &'static str,
        /// what is wrong with it
        found: String,
        /// what holds for it
        rule: &'static str,
    },
    /// a name that is there already
    #[error("`{name}` is there twice: give each its own name")]
    Twice {
        /// the name
        name: String,
    },
    /// a column that depends on one that is not there
    #[error(
        "column `{column}` is given `{on}`, which must be a column of texts that comes before it"
    )]
    NotGiven {
        /// the column
        column: String,
        /// on which it depends
        on: String,
    },
    /// a text without a law
    #[error(
        "column `{column}` has no law for `{text}`: give one for every text of the column that it is given"
    )]
    NoLaw {
        /// the column
        column: String,
        /// the text
        text: String,
    },
    /// a table that cannot be made
    #[error(transparent)]
    Data(#[from] DataError),
    /// a query that the table does not allow
    #[error(transparent)]
    Query(#[from] QueryError),
}

/// Weights divided by their sum.
pub(super) fn normalised(weights: &[f64]) -> Result<Vec<f64>, PopulationError> {
    let largest = weights
        .iter()
        .fold(0.0_f64, |most, &weight| most.max(weight));
    for &value in weights {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(PopulationError::Parameter {
                what: "a weight",
                value,
                rule: "finite and at least 0",
            });
        }
    }
    if !(largest > 0.0) {
        return Err(PopulationError::List {
            what: "the weights",
            found: format!("{} of them, none above 0", weights.len()),
            rule: "at least one must be",
        });
    }
    // relative to the largest, the sum does not overflow
    let relative: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
    let sum = crate::summation::sum(&relative);
    Ok(relative.into_iter().map(|weight| weight / sum).collect())
}

/// A number, if it is finite and, where asked for, above 0.
pub(super) fn number(
    what: &'static str,
    value: f64,
    positive: bool,
) -> Result<f64, PopulationError> {
    let rule = match positive {
        true if value > 0.0 && value.is_finite() => return Ok(value),
        false if value.is_finite() => return Ok(value),
        true => "finite and above 0",
        false => "finite",
    };
    Err(PopulationError::Parameter { what, value, rule })
}
