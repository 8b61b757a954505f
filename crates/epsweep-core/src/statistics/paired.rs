//! Paired differences.

use super::error::StatisticsError;
use super::{Interval, Moments, interval, student};

/// The mean difference of paired values, with its error and the test of "no difference".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// number of pairs
    pub n: u64,
    /// mean of a − b
    pub difference: f64,
    /// its standard error
    pub mcse: f64,
    /// difference / mcse; 0 where both are 0, infinite where only the error is 0
    pub t: f64,
    /// two-sided p value of the t test with n − 1 degrees of freedom; 1 where all differences are 0, 0 where all are the same other number
    pub p: f64,
}

impl PairedDifference {
    /// From the moments of the differences a − b (at least two).
    ///
    /// # Errors
    /// [`StatisticsError::TooFew`] on fewer than two pairs
    pub fn new(differences: &Moments) -> Result<Self, StatisticsError> {
        let n = differences.n;
        if n < 2 {
            return Err(StatisticsError::TooFew {
                what: "a paired difference",
                needed: 2,
                got: n,
            });
        }
        let difference = differences.mean;
        let mcse = differences.mcse_mean();
        let t = if difference == 0.0 {
            0.0
        } else {
            difference / mcse
        };
        let p = student::t_two_sided(t, (n - 1) as f64);
        Ok(PairedDifference {
            n,
            difference,
            mcse,
            t,
            p,
        })
    }

    /// The t interval of the mean difference.
    ///
    /// # Errors
    /// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
    pub fn interval(&self, level: f64) -> Result<Interval, StatisticsError> {
        interval::mean_interval(self.n, self.difference, self.mcse, level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_pairs_show_no_difference_and_constant_ones_do() {
        let same = Moments {
            n: 10,
            ..Moments::default()
        };
        let got = PairedDifference::new(&same).unwrap();
        assert_eq!((got.difference, got.mcse, got.p), (0.0, 0.0, 1.0));
        let constant = Moments {
            n: 10,
            mean: -3.0,
            ..Moments::default()
        };
        let got = PairedDifference::new(&constant).unwrap();
        let interval = got.interval(0.95).unwrap();
        assert_eq!((got.p, interval.low, interval.high), (0.0, -3.0, -3.0));
        assert!(PairedDifference::new(&Moments::constant(1, 2.0)).is_err());
    }
}
