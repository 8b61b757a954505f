//! Intervals of means and standard deviations.

use super::error::{StatisticsError, open_unit};
use super::{normal, student};

/// Two ends, low ≤ high, in the units of the estimate. An end may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// lower end
    pub low: f64,
    /// upper end
    pub high: f64,
}

impl Interval {
    /// centre ± half a width
    pub fn around(centre: f64, half_width: f64) -> Self {
        Interval {
            low: centre - half_width,
            high: centre + half_width,
        }
    }
}

/// The t interval of a mean of `n` independent values with sample mean `mean` and standard error `se` = sd/√n:
/// mean ± t₍₁₊level₎/₂,ₙ₋₁ · se (Student, "The probable error of a mean", Biometrika 1908). Exact for normal values; for others it
/// rests on the central limit theorem (see [`cochran_sufficient`]).
///
/// # Errors
/// [`StatisticsError`] on fewer than two values, or a `level` that is not strictly between 0 and 1
pub fn mean_interval(n: u64, mean: f64, se: f64, level: f64) -> Result<Interval, StatisticsError> {
    let level = open_unit("the level", level)?;
    if n < 2 {
        return Err(StatisticsError::TooFew {
            what: "an interval of a mean",
            needed: 2,
            got: n,
        });
    }
    let t = student::t_quantile(0.5 + level / 2.0, (n - 1) as f64)?;
    Ok(Interval::around(mean, t * se))
}

/// The normal interval of an estimate with standard error `se`: estimate ± z·se.
///
/// # Errors
/// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
pub fn normal_interval(estimate: f64, se: f64, level: f64) -> Result<Interval, StatisticsError> {
    let z = normal::normal_quantile(0.5 + open_unit("the level", level)? / 2.0)?;
    Ok(Interval::around(estimate, z * se))
}

/// The interval of a standard deviation on the log scale: sd · exp(± z · mcse/sd). It stays positive, and its coverage is better
/// than that of sd ± z·mcse because log sd is closer to normal.
///
/// # Errors
/// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
pub fn sd_interval(sd: f64, mcse: f64, level: f64) -> Result<Interval, StatisticsError> {
    let z = normal::normal_quantile(0.5 + open_unit("the level", level)? / 2.0)?;
    if sd == 0.0 {
        return Ok(Interval {
            low: 0.0,
            high: 0.0,
        });
    }
    let factor = libm::exp(z * mcse / sd);
    Ok(Interval {
        low: sd / factor,
        high: sd * factor,
    })
}

/// Whether `n` values are enough for a 95 % interval of the mean to err by less than one point in a hundred: n > 25·g₁²
/// (Cochran, "Sampling Techniques", 3rd ed. 1977, equation 2.23), g₁ the skewness of a single value.
pub fn cochran_sufficient(n: u64, skewness: f64) -> bool {
    n as f64 > 25.0 * skewness * skewness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_and_wrong_levels_are_errors() {
        assert!(mean_interval(1, 0.0, 1.0, 0.95).is_err());
        for level in [0.0, 1.0, f64::NAN, 95.0] {
            assert!(mean_interval(3, 0.0, 1.0, level).is_err());
            assert!(sd_interval(1.0, 0.1, level).is_err());
        }
        // ST: errors 1, 2, 3 → [−0.484138, 4.484138]
        let i = mean_interval(3, 2.0, (1.0_f64 / 3.0).sqrt(), 0.95).unwrap();
        assert!((i.low + 0.484138).abs() < 1e-6 && (i.high - 4.484138).abs() < 1e-6);
    }
}
