//! Why there is nothing to train, or no noise to train with.

use crate::accounting::AccountingError;

/// A refusal: it names the value, the rule and the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainingError {
    /// a number outside its domain
    #[error("{what} is {value:?}, but {rule}: {remedy}")]
    Parameter {
        /// the quantity
        what: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// a number of the data that is none
    #[error("record {record} has a feature or a label that is not finite")]
    NotFinite {
        /// its place, from 0
        record: usize,
    },
    /// a label that is no class
    #[error("record {record} has the label {label:?}: a logistic model needs 0 and 1")]
    Label {
        /// its place, from 0
        record: usize,
        /// the label
        label: f64,
    },
    /// nothing to learn from, or to judge by
    #[error("there is no record: give more, or divide them otherwise")]
    Empty,
    /// nothing to learn by
    #[error("the records have no feature: name at least one")]
    Featureless,
    /// the data have no shape
    #[error(
        "{records} records of {features} features each need {} numbers, but there are {numbers}", records * features
    )]
    Shape {
        /// numbers given
        numbers: usize,
        /// labels given
        records: usize,
        /// features wanted
        features: usize,
    },
    /// the loss has no single minimum
    #[error(
        "the loss has no unique minimum: features depend on each other, or the classes can be separated; a `ridge` above 0 gives it one"
    )]
    NoOptimum,
    /// no noise meets the guarantee
    #[error(transparent)]
    Accounting(#[from] AccountingError),
}

/// `value`, if it is finite and positive.
pub(super) fn positive(
    what: &'static str,
    value: f64,
    remedy: &'static str,
) -> Result<f64, TrainingError> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(TrainingError::Parameter {
        what,
        value,
        rule: "must be finite and above 0",
        remedy,
    })
}
