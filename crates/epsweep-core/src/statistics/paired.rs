//! Paired differences.

use super::error::{StatisticsError, open_unit};
use super::{Interval, Moments, interval, student};

/// The mean difference of paired values, with its error and the test of "no difference".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedDifference {
    /// mean of a − b
    pub difference: f64,
    /// its standard error
    pub mcse: f64,
    /// its t interval
    pub interval: Interval,
    /// difference / mcse; 0 where both are 0, infinite where only the error is 0
    pub t: f64,
    /// two-sided p value of the t test with n − 1 degrees of freedom; 1 where all differences are 0, 0 where all are the same other number
    pub p: f64,
}

/// From the moments of the differences a − b (at least two).
pub fn paired_difference(
    differences: &Moments,
    level: f64,
) -> Result<PairedDifference, StatisticsError> {
    let level = open_unit("the level", level)?;
    let n = differences.n;
    if n < 2 {
        return Err(StatisticsError::TooFew {
            what: "a paired difference",
            needed: 2,
            got: n,
        });
    }
    let difference = differences.mean;
    let mcse = (differences.m2 / (n - 1) as f64 / n as f64).sqrt();
    let t = if difference == 0.0 {
        0.0
    } else {
        difference / mcse
    };
    Ok(PairedDifference {
        difference,
        mcse,
        interval: interval::mean_interval(n, difference, mcse, level)?,
        t,
        p: student::t_two_sided(t, (n - 1) as f64),
    })
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
        let got = paired_difference(&same, 0.95).unwrap();
        assert_eq!((got.difference, got.mcse, got.p), (0.0, 0.0, 1.0));
        let constant = Moments {
            n: 10,
            mean: -3.0,
            ..Moments::default()
        };
        let got = paired_difference(&constant, 0.95).unwrap();
        assert_eq!(
            (got.p, got.interval.low, got.interval.high),
            (0.0, -3.0, -3.0)
        );
        assert!(
            paired_difference(
                &Moments {
                    n: 1,
                    ..Moments::default()
                },
                0.95
            )
            .is_err()
        );
    }
}
