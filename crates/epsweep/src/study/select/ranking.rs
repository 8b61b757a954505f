//! The candidates of a selection, from the best to the worst.

use epsweep_core::selection::{Scores, SelectionError};

/// Candidates in the order of their scores, which is how the procedure knows them: rank 0 is the best, equal scores keep the order in which
/// they were given, and what is never chosen comes last.
#[derive(Clone, Debug)]
pub struct Ranking {
    scores: Scores,
    names: Vec<String>,
    lowest: f64,
    /// Σ of the gains of the best candidates, discounted: the best there can be for that many slots
    ideal: Vec<f64>,
}

/// Slots up to which the ideal is remembered.
pub const MOST_SLOTS: usize = 1000;

impl Ranking {
    /// Of candidates with these scores, as given. `name` gives the name of a candidate by its place; the best `shown` are named in results.
    ///
    /// # Errors
    /// What [`Scores::new`] refuses.
    pub fn new(
        given: &[f64],
        shown: usize,
        name: impl Fn(usize) -> String,
    ) -> Result<Ranking, SelectionError> {
        // refused with the places as given
        let scores = Scores::new(given.to_vec())?;
        let mut order: Vec<u32> = (0..given.len() as u32).collect();
        let score = |index: u32| scores.as_slice()[index as usize] + 0.0;
        order.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        let sorted = order.iter().map(|&index| score(index)).collect();
        let names = (order.iter())
            .take(shown.min(scores.permitted()))
            .map(|&index| name(index as usize))
            .collect();
        let scores = Scores::new(sorted)?;
        let lowest = scores.as_slice()[scores.permitted() - 1];
        let mut total = 0.0;
        let ideal = (0..scores.permitted().min(MOST_SLOTS))
            .map(|rank| {
                total += discount(rank) * (scores.as_slice()[rank] - lowest);
                total
            })
            .collect();
        Ok(Ranking {
            scores,
            names,
            lowest,
            ideal,
        })
    }

    /// The scores, descending.
    pub fn scores(&self) -> &Scores {
        &self.scores
    }

    /// Names of the best candidates: those that results tell apart.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many candidates may be chosen that results do not tell apart.
    pub fn others(&self) -> usize {
        self.scores.permitted() - self.names.len()
    }

    /// The score of a rank.
    pub fn score(&self, rank: u32) -> f64 {
        self.scores.as_slice()[rank as usize]
    }

    /// What a rank is worth: its score above the lowest one that may be chosen.
    pub fn gain(&self, rank: u32) -> f64 {
        self.score(rank) - self.lowest
    }

    /// The largest gain.
    pub fn largest_gain(&self) -> f64 {
        self.gain(0)
    }

    /// The discounted sum of the gains of the best candidates for that many slots.
    pub fn ideal(&self, slots: usize) -> f64 {
        self.ideal[slots.min(self.ideal.len()) - 1]
    }

    /// Σ of the scores of the best candidates for that many slots.
    pub fn best_sum(&self, slots: usize) -> f64 {
        (0..slots as u32).map(|rank| self.score(rank)).sum()
    }

    /// The least score of the best `slots` candidates: who reaches it is one of the best, ties included.
    pub fn threshold(&self, slots: usize) -> f64 {
        self.score(slots as u32 - 1)
    }
}

/// What the gain in a slot counts: 1/log₂(slot + 2), slots counted from 0 (Järvelin and Kekäläinen, ACM Trans. Inf. Syst. 20, 2002).
pub fn discount(slot: usize) -> f64 {
    1.0 / libm::log2(slot as f64 + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_ranked_stably_and_never_comes_last() {
        let given = [2.0, f64::NEG_INFINITY, 5.0, 2.0, -1.0];
        let ranking = Ranking::new(&given, 3, |place| format!("c{place}")).unwrap();
        assert_eq!(ranking.names(), ["c2", "c0", "c3"]);
        assert_eq!(ranking.scores().as_slice()[..4], [5.0, 2.0, 2.0, -1.0]);
        assert_eq!(ranking.others(), 1);
        assert_eq!((ranking.gain(0), ranking.gain(3)), (6.0, 0.0));
        assert_eq!((ranking.threshold(2), ranking.best_sum(2)), (2.0, 7.0));
        // 6 + 3/log₂3
        assert!((ranking.ideal(2) - (6.0 + 3.0 / libm::log2(3.0))).abs() < 1e-15);
        let error = Ranking::new(&[1.0, f64::NAN], 3, |_| String::new()).unwrap_err();
        assert_eq!(error, SelectionError::NotANumber { index: 1 });
    }
}
