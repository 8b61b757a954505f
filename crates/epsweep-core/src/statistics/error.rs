//! Why a statistic cannot be had.

/// Why a statistic cannot be had from these values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StatisticsError {
    /// not enough values
    #[error("{what} needs at least {needed} values and there are {got}")]
    TooFew {
        /// the statistic
        what: &'static str,
        /// the least number of values
        needed: u64,
        /// the number of values
        got: u64,
    },
    /// a value is NaN
    #[error("value {index} is not a number; leave undefined values out and count them")]
    NotANumber {
        /// its index, from 0
        index: usize,
    },
    /// a probability or level outside its range
    #[error("{what} is {value} and must lie strictly between 0 and 1")]
    Probability {
        /// its name
        what: &'static str,
        /// its value
        value: f64,
    },
    /// more successes than trials
    #[error("{successes} successes cannot come from {trials} trials")]
    Successes {
        /// number of successes
        successes: u64,
        /// number of trials
        trials: u64,
    },
    /// two samples that should be paired differ in length
    #[error("{a} values cannot be paired with {b}")]
    Unpaired {
        /// length of the first
        a: usize,
        /// length of the second
        b: usize,
    },
}

/// A level or probability strictly between 0 and 1.
pub(super) fn open_unit(what: &'static str, value: f64) -> Result<f64, StatisticsError> {
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(StatisticsError::Probability { what, value })
    }
}

/// At least `needed` values, none of them NaN.
pub(super) fn sound(
    what: &'static str,
    data: &[f64],
    needed: usize,
) -> Result<(), StatisticsError> {
    if let Some(index) = data.iter().position(|x| x.is_nan()) {
        return Err(StatisticsError::NotANumber { index });
    }
    if data.len() < needed {
        return Err(StatisticsError::TooFew {
            what,
            needed: needed as u64,
            got: data.len() as u64,
        });
    }
    Ok(())
}
