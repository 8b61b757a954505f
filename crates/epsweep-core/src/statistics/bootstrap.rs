//! Bootstrap intervals from given replicates.

use super::error::{StatisticsError, open_unit, sound};
use super::quantile::quantile_sorted;
use super::{Interval, normal};

/// An estimate, its bootstrap replicates and its jackknife values, ready for intervals (Efron & Tibshirani, "An Introduction to the
/// Bootstrap", 1993, chapters 13 and 14).
#[derive(Clone, Debug)]
pub struct Bootstrap {
    sorted: Vec<f64>,
    se: f64,
    z0: f64,
    acceleration: f64,
}

impl Bootstrap {
    /// From the `estimate`, its `replicates` on resamples, and its values on the samples without one value each (`jackknife`).
    /// A replicate within 1e-12 relative of the estimate counts as equal to it: half of those enter the bias correction.
    ///
    /// # Errors
    /// [`StatisticsError`] if there are fewer than two replicates or jackknife values, or a NaN among them
    pub fn new(
        estimate: f64,
        replicates: &[f64],
        jackknife: &[f64],
    ) -> Result<Self, StatisticsError> {
        sound("a bootstrap", replicates, 2)?;
        sound("a jackknife", jackknife, 2)?;
        let mut sorted = replicates.to_vec();
        sorted.sort_by(f64::total_cmp);
        let n = sorted.len() as f64;
        let mean = sorted.iter().sum::<f64>() / n;
        let scatter: f64 = sorted.iter().map(|r| (r - mean) * (r - mean)).sum();

        let slack = 1e-12 * estimate.abs();
        let less = sorted.iter().filter(|r| **r < estimate - slack).count() as f64;
        let equal = sorted
            .iter()
            .filter(|r| (**r - estimate).abs() <= slack)
            .count() as f64;
        let share = (less + equal / 2.0) / n;
        // all replicates on one side: the correction is as large as their number can show
        let z0 = normal::normal_quantile(share.clamp(0.5 / n, 1.0 - 0.5 / n))?;

        let centre = jackknife.iter().sum::<f64>() / jackknife.len() as f64;
        let (mut squares, mut cubes) = (0.0, 0.0);
        for value in jackknife {
            let d = centre - value;
            squares += d * d;
            cubes += d * d * d;
        }
        let acceleration = if squares > 0.0 {
            cubes / (6.0 * squares * squares.sqrt())
        } else {
            0.0
        };
        Ok(Bootstrap {
            sorted,
            se: (scatter / (n - 1.0)).sqrt(),
            z0,
            acceleration,
        })
    }

    /// Standard deviation of the replicates.
    pub fn se(&self) -> f64 {
        self.se
    }

    /// The bias correction z₀.
    pub fn bias_correction(&self) -> f64 {
        self.z0
    }

    /// The acceleration, Σd³/(6(Σd²)^(3/2)), d the mean of the jackknife values minus each.
    pub fn acceleration(&self) -> f64 {
        self.acceleration
    }

    /// The percentile interval.
    ///
    /// # Errors
    /// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
    pub fn percentile(&self, level: f64) -> Result<Interval, StatisticsError> {
        let tail = (1.0 - open_unit("the level", level)?) / 2.0;
        self.at(tail, 1.0 - tail)
    }

    /// The probabilities at which the BCa interval reads the replicates.
    ///
    /// # Errors
    /// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
    pub fn bca_levels(&self, level: f64) -> Result<(f64, f64), StatisticsError> {
        let z = normal::normal_quantile(0.5 + open_unit("the level", level)? / 2.0)?;
        let moved = |z: f64| {
            let shifted = self.z0 + z;
            normal::normal_cdf(self.z0 + shifted / (1.0 - self.acceleration * shifted))
        };
        Ok((moved(-z), moved(z)))
    }

    /// The bias-corrected and accelerated interval.
    ///
    /// # Errors
    /// [`StatisticsError::Probability`] on a `level` that is not strictly between 0 and 1
    pub fn bca(&self, level: f64) -> Result<Interval, StatisticsError> {
        let (low, high) = self.bca_levels(level)?;
        self.at(low, high)
    }

    fn at(&self, low: f64, high: f64) -> Result<Interval, StatisticsError> {
        Ok(Interval {
            low: quantile_sorted(&self.sorted, low)?,
            high: quantile_sorted(&self.sorted, high)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symmetric_bootstrap_needs_no_correction() {
        let replicates: Vec<f64> = (-50..=50).map(f64::from).collect();
        let b = Bootstrap::new(0.0, &replicates, &[-1.0, 0.0, 1.0]).unwrap();
        assert!(b.bias_correction().abs() < 1e-12 && b.acceleration() == 0.0);
        let (p, c) = (b.percentile(0.9).unwrap(), b.bca(0.9).unwrap());
        assert!((p.low - c.low).abs() < 1e-9 && (p.high - 45.0).abs() < 1e-9);
        assert!(Bootstrap::new(0.0, &[1.0], &[1.0, 2.0]).is_err());
    }
}
