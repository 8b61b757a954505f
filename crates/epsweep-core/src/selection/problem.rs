//! Scores under a calibration.

use super::{Calibration, Scores, SelectionError};

/// What every mechanism chooses from: scores, and how steeply the choice follows them.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    scores: Scores,
    calibration: Calibration,
    gaps: Vec<f64>,
}

impl Problem {
    /// # Errors
    /// [`SelectionError::TooManyCandidates`] beyond 2³² − 1 of them
    pub fn new(scores: Scores, calibration: Calibration) -> Result<Problem, SelectionError> {
        let count = scores.len();
        if u32::try_from(count).is_err() {
            return Err(SelectionError::TooManyCandidates { count });
        }
        let best = scores.best();
        let gaps = scores
            .as_slice()
            .iter()
            .map(|&score| calibration.gap(best, score))
            .collect();
        Ok(Problem {
            scores,
            calibration,
            gaps,
        })
    }

    /// The scores.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// The calibration.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// How far each candidate is behind the best one, in units of the noise's scale ([`Calibration::gap`]): at least one 0, none
    /// negative, +∞ for what is never chosen.
    pub fn gaps(&self) -> &[f64] {
        &self.gaps
    }
}

/// Candidates of equal gaps, which every mechanism treats alike: laws are computed once for each group.
pub(super) struct Groups {
    /// distinct finite gaps, ascending; the first is 0
    pub gaps: Vec<f64>,
    /// how many candidates have each
    pub counts: Vec<f64>,
    /// the group of each candidate; `None` for those that are never chosen
    of: Vec<Option<u32>>,
}

impl Groups {
    /// Groups by any key that is ascending from the best; an infinite key is "never".
    pub fn new(keys: &[f64]) -> Groups {
        let mut order: Vec<u32> = (0..keys.len() as u32)
            .filter(|&index| keys[index as usize] < f64::INFINITY)
            .collect();
        order.sort_unstable_by(|&a, &b| keys[a as usize].total_cmp(&keys[b as usize]));
        let mut groups = Groups {
            gaps: Vec::new(),
            counts: Vec::new(),
            of: vec![None; keys.len()],
        };
        for index in order {
            let key = keys[index as usize];
            if groups.gaps.last() != Some(&key) {
                groups.gaps.push(key);
                groups.counts.push(0.0);
            }
            let last = groups.gaps.len() - 1;
            groups.counts[last] += 1.0;
            groups.of[index as usize] = Some(last as u32);
        }
        groups
    }

    /// From one value per group to one per candidate.
    pub fn spread(&self, values: &[f64], never: f64) -> Vec<f64> {
        self.of
            .iter()
            .map(|group| group.map_or(never, |group| values[group as usize]))
            .collect()
    }
}
