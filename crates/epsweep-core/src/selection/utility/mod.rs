//! Scores of candidates from data, with their sensitivity.

mod accuracy;
mod counts;
mod rank;

pub use accuracy::accuracy;
pub use counts::{counts, distinct};
pub use rank::{grid, rank, rank_sensitivity, weighted_rank};

use super::{Calibration, Form, Movement, Problem, Scores, SelectionError};

/// Candidates, their scores on a table, and how the scores move between neighbouring tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Utility {
    /// names of the candidates
    pub candidates: Vec<String>,
    /// their scores
    pub scores: Scores,
    /// Δ: the largest change of any score between neighbours, in the units of the scores
    pub sensitivity: f64,
    /// whether scores move in one direction only
    pub movement: Movement,
}

impl Utility {
    /// The problem of choosing by this utility.
    ///
    /// # Errors
    /// [`SelectionError`] if ε is outside its range, or if the monotone form is asked for where it is not private
    pub fn problem(&self, epsilon: f64, form: Form) -> Result<Problem, SelectionError> {
        let calibration = Calibration::new(epsilon, self.sensitivity, self.movement, form)?;
        Problem::new(self.scores.clone(), calibration)
    }
}
