//! Judging a run by what theory says of it: every estimate with an exact value is a test, every claim has an established verdict.
//!
//! Under common random numbers many cells carry the same evidence, so that tests are gathered into [`Piece`]s first: all cells' rows of one
//! subject, measure and statistic, of which equal deviations count once. The p values of the pieces are adjusted by Holm's rule, which
//! holds however they depend on each other. A run *fails* where an adjusted p value is below the level: of true runs at most that share
//! fails. What the trials cannot judge (see [`test`]) is counted and left out, never taken as a success.

pub mod controls;
mod evidence;
mod seeds;
mod test;

pub(crate) use evidence::distinct;
pub use evidence::{Piece, Worst};
pub use seeds::{Seeds, Uniformity, across_seeds};
pub use test::{Judged, Unjudged};

use crate::record::{ClaimRow, SummaryRow};
use epsweep_core::statistics::holm;

/// The probability with which a run that is true in everything fails, at most, unless another is asked for.
pub const LEVEL: f64 = 0.001;

/// What was found.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Verification {
    /// the level that adjusted p values are compared with
    pub level: f64,
    /// the evidence, from the worst
    pub pieces: Vec<Piece>,
    /// estimates that were judged
    pub judged: u64,
    /// distinct deviations among them
    pub distinct: u64,
    /// estimates with an exact value that these trials cannot judge
    pub unjudged: Unjudged,
    /// number of claims
    pub claims: u64,
    /// claims whose verdict is not the established one
    pub surprises: Vec<ClaimRow>,
}

impl Verification {
    /// The pieces of evidence that contradict theory.
    pub fn contradictions(&self) -> impl Iterator<Item = &Piece> {
        self.pieces
            .iter()
            .filter(|piece| piece.p_adjusted < self.level)
    }

    /// Whether nothing contradicts theory and every claim comes out as established.
    pub fn passed(&self) -> bool {
        self.contradictions().next().is_none() && self.surprises.is_empty()
    }
}

/// Judges the rows of a run. `level` lies between 0 and 1.
pub fn verify(summary: &[SummaryRow], claims: &[ClaimRow], level: f64) -> Verification {
    let gathered = evidence::gather(summary);
    let mut pieces = gathered.pieces;
    let p_values: Vec<f64> = pieces.iter().map(|piece| piece.p).collect();
    for (piece, adjusted) in pieces.iter_mut().zip(holm(&p_values)) {
        piece.p_adjusted = adjusted;
    }
    pieces.sort_by(|a, b| a.p.total_cmp(&b.p));
    Verification {
        level,
        judged: gathered.judged,
        distinct: pieces.iter().map(|piece| piece.distinct).sum(),
        pieces,
        unjudged: gathered.unjudged,
        claims: claims.len() as u64,
        surprises: (claims.iter())
            .filter(|claim| claim.verdict != claim.expected)
            .cloned()
            .collect(),
    }
}

#[cfg(test)]
mod tests;
