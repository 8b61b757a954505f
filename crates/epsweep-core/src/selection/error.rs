//! Why a selection is refused.

use crate::data::DataError;
use crate::shortest::Shortest;

/// Why candidates, scores, budgets or exact laws of a selection are refused. Indices are counted from 0 in the fields and from 1
/// in the messages.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SelectionError {
    /// nothing to choose from
    #[error("there is no candidate, but one is to be chosen: give at least one score")]
    NoCandidates,
    /// a score that is NaN
    #[error(
        "the score of candidate {} is NaN, but must be a number; use -inf for a candidate that is never to be chosen",
        index + 1
    )]
    NotANumber {
        /// its place
        index: usize,
    },
    /// a score of +∞
    #[error("the score of candidate {} is inf, but must be finite, or -inf for \"never\": give the largest score that is meant", index + 1)]
    Infinite {
        /// its place
        index: usize,
    },
    /// every score is −∞
    #[error(
        "all {count} scores are -inf (\"never\"), so that nothing can be chosen: give at least one finite score"
    )]
    AllNever {
        /// how many candidates there are
        count: usize,
    },
    /// ε of a selection outside its range
    #[error(
        "ε is {value:?}, but must be finite and at least 0 (at 0 the choice is uniform): usual values lie between 0.1 and 10"
    )]
    Epsilon {
        /// the value refused
        value: f64,
    },
    /// Δ of a utility outside its range
    #[error(
        "the sensitivity of the scores is {value:?}, but must be finite and at least 0: it is the largest change of any score \
         between neighbouring data sets"
    )]
    Sensitivity {
        /// the value refused
        value: f64,
    },
    /// the monotone form where it is not private
    #[error(
        "the monotone form (ε/Δ in place of ε/(2Δ)) is private only where all scores move in one direction between neighbours, \
         but these may rise and fall at once, as counts do when a record is substituted: use the general form, or for counts \
         neighbours = \"add-remove\""
    )]
    NotMonotone,
    /// an exact law that costs too much
    #[error(
        "the exact law of `{mechanism}` would take about {} steps here, and at most {} are spent: use fewer candidates with \
         distinct scores, or rely on simulation", Shortest(*steps), Shortest(*limit)
    )]
    LawTooDear {
        /// the mechanism
        mechanism: &'static str,
        /// steps that it would take
        steps: f64,
        /// steps that are allowed
        limit: f64,
    },
    /// scores for which rounding is not defined well enough
    #[error(
        "the exact law of `{mechanism}` needs scores and noise below 2⁵² in size, where whole numbers are exact, but here they \
         reach {}: rescale the scores together with their sensitivity", Shortest(*size)
    )]
    LawTooLarge {
        /// the mechanism
        mechanism: &'static str,
        /// the largest size
        size: f64,
    },
    /// more slots than candidates, or none
    #[error(
        "{slots} slots are to be filled from {candidates} candidates that may be chosen: use from 1 to {candidates} slots"
    )]
    Slots {
        /// how many are wanted
        slots: usize,
        /// candidates whose score is not −∞
        candidates: usize,
    },
    /// slots of unequal budgets where all slots share one noise
    #[error(
        "`{mechanism}` adds one noise to each score, so that all slots get the same share of the budget: use even shares, or \
         `peeling`"
    )]
    UnevenSlots {
        /// the mechanism
        mechanism: &'static str,
    },
    /// too many candidates for the samplers
    #[error(
        "there are {count} candidates, but at most {} can be sampled from: group them",
        u32::MAX
    )]
    TooManyCandidates {
        /// how many there are
        count: usize,
    },
    /// the table lacks what is needed
    #[error(transparent)]
    Data(#[from] DataError),
    /// a candidate given twice
    #[error("the candidate `{candidate}` is given twice: remove one of them")]
    DuplicateCandidate {
        /// its name
        candidate: String,
    },
    /// a candidate that cannot be compared with a column of numbers
    #[error(
        "the candidate `{candidate}` is not a finite number, as the values of column `{column}` are: correct it"
    )]
    CandidateNotNumber {
        /// its name
        candidate: String,
        /// the column
        column: String,
    },
    /// a quantile outside (0, 1)
    #[error(
        "the quantile is {value:?}, but must lie between 0 and 1, for example 0.5 for the median"
    )]
    Quantile {
        /// the value refused
        value: f64,
    },
    /// no rows to take an accuracy of
    #[error(
        "the accuracy on `{column}` is undefined, for the table has no rows: give at least one"
    )]
    NoRows {
        /// the column of true labels
        column: String,
    },
    /// accuracy under add-remove
    #[error(
        "the accuracy on `{column}` divides by the number of rows, which is private under add-remove: use neighbours = \
         \"substitute\""
    )]
    PrivateSize {
        /// the column of true labels
        column: String,
    },
}
