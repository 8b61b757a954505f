//! Why a stream, or a gate for it, is refused.

use crate::accounting::LedgerError;
use crate::budget::BudgetError;
use crate::shortest::Shortest;

/// Why queries or the setting of a gate are refused. Places are counted from 0 in the fields and from 1 in the messages.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StreamError {
    /// no queries
    #[error("the stream has no query: give at least one")]
    Empty,
    /// neither one threshold for all nor one for each
    #[error("{thresholds} thresholds for {queries} queries: give one for all, or one for each")]
    Thresholds {
        /// how many thresholds there are
        thresholds: usize,
        /// how many queries
        queries: usize,
    },
    /// a true answer or a threshold that is not finite, or too far from the other
    #[error("query {}: {what} is {value:?}, but must be finite: correct it", place + 1)]
    NotFinite {
        /// its place
        place: usize,
        /// which number
        what: &'static str,
        /// the value refused
        value: f64,
    },
    /// a number of the setting outside its range
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
    /// a setting that the gate does not have
    #[error("`{gate}` has no {what}: {remedy}")]
    Unsupported {
        /// the gate
        gate: &'static str,
        /// what it does not have
        what: &'static str,
        /// what to do
        remedy: &'static str,
    },
    /// the monotone form where it is not private
    #[error(
        "the monotone form (half the noise on the queries) is private only where all answers move in one direction between \
         neighbours, but these may rise and fall at once, as counts do when a record is substituted: use the general form, or \
         for counts neighbours = \"add-remove\""
    )]
    NotMonotone,
    /// an exact law that costs too much
    #[error(
        "the exact law would take about {} steps, and at most {} are spent: ask fewer queries or let fewer be above, or rely on \
         simulation", Shortest(*steps), Shortest(*limit)
    )]
    LawTooDear {
        /// steps that it would take
        steps: f64,
        /// steps that are allowed
        limit: f64,
    },
    /// a pattern of answers that the gate cannot give
    #[error(
        "the gate never gives these answers: it gives one for each query until it closes, and none after"
    )]
    NoSuchOutput,
    /// a spend beyond the guarantee
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// a number that is no budget
    #[error(transparent)]
    Budget(#[from] BudgetError),
}
