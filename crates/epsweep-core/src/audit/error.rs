//! What is wrong with an audit.

use crate::noise::NoiseError;
use crate::query::QueryError;
use crate::selection::SelectionError;
use crate::stream::StreamError;

/// Why an audit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AuditError {
    /// a claimed value outside its domain
    #[error("the claimed {key} is {value:?}, but must be {rule}")]
    Claim {
        /// the key
        key: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
    /// an argument of a mechanism
    #[error("{0}")]
    Argument(#[from] QueryError),
    /// noise that cannot be calibrated
    #[error("{0}")]
    Noise(#[from] NoiseError),
    /// a selection that cannot be made
    #[error("{0}")]
    Selection(#[from] SelectionError),
    /// a gate that cannot be calibrated
    #[error("{0}")]
    Stream(#[from] StreamError),
    /// a budget that is none
    #[error("{0}")]
    Budget(#[from] crate::budget::BudgetError),
    /// an input that the mechanism does not take
    #[error("an input of `{mechanism}` is {what}, but must be {rule}")]
    Input {
        /// the name of the mechanism
        mechanism: &'static str,
        /// what was given
        what: String,
        /// what holds for it
        rule: String,
    },
    /// two ways to state one budget
    #[error("`{mechanism}` takes `{first}` or `{second}`, but not both: each states a budget")]
    Exclusive {
        /// the name of the mechanism
        mechanism: &'static str,
        /// one argument
        first: &'static str,
        /// the other
        second: &'static str,
    },
    /// no amount of noise
    #[error("`{mechanism}` without a scale: {rule}")]
    Scale {
        /// the name of the mechanism
        mechanism: &'static str,
        /// what would be right
        rule: &'static str,
    },
}
