//! Measures of a pipeline as a whole.

use crate::study::clip_then_sum::StagedCell;
use crate::tally::RowKind;
use epsweep_core::theory::Law;
use std::sync::Arc;

/// How a measure comes from the candidate that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct StagedRule {
    /// what its values are
    pub kind: fn(&StagedCell) -> RowKind,
    /// its value, from the place of the bound that was chosen
    pub value: fn(&StagedCell, usize) -> f64,
    /// its exact law
    pub law: fn(&StagedCell) -> Option<Arc<dyn Law>>,
}
