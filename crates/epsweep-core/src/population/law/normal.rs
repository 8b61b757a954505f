//! The normal law, and that of a number whose logarithm is normal.

use super::Law;
use crate::population::error::{PopulationError, number};
use crate::statistics::{normal_cdf, normal_density, normal_quantile};

/// The normal law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    mean: f64,
    sd: f64,
}

impl Normal {
    /// # Errors
    /// [`PopulationError::Parameter`] unless the mean is finite, and the standard deviation finite and above 0
    pub fn new(mean: f64, sd: f64) -> Result<Normal, PopulationError> {
        Ok(Normal {
            mean: number("the mean of a normal law", mean, false)?,
            sd: number("the standard deviation of a normal law", sd, true)?,
        })
    }
}

/// ∫φ, ∫zφ and ∫z²φ between the ends, which may be infinite.
fn normal_inside(low: f64, high: f64) -> [f64; 3] {
    if !(low < high) {
        return [0.0; 3];
    }
    // in the tail where both ends lie, differences keep their digits
    let probability = if low > 0.0 {
        normal_cdf(-low) - normal_cdf(-high)
    } else {
        normal_cdf(high) - normal_cdf(low)
    };
    let weighted = |z: f64| {
        if z.is_finite() {
            z * normal_density(z)
        } else {
            0.0
        }
    };
    [
        probability,
        normal_density(low) - normal_density(high),
        probability + weighted(low) - weighted(high),
    ]
}

impl Law for Normal {
    fn cdf(&self, x: f64) -> f64 {
        normal_cdf((x - self.mean) / self.sd)
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        normal_quantile(p).map_or(f64::NAN, |z| self.mean + self.sd * z)
    }

    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let z = |x: f64| (x - self.mean) / self.sd;
        let [p, first, second] = normal_inside(z(low), z(high));
        let shift = self.mean - from;
        [
            p,
            shift * p + self.sd * first,
            shift * shift * p + 2.0 * shift * self.sd * first + self.sd * self.sd * second,
        ]
    }
}

/// The law of a number whose logarithm is normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    median: f64,
    log_sd: f64,
}

impl LogNormal {
    /// By its median and the standard deviation of the natural logarithm.
    ///
    /// # Errors
    /// [`PopulationError::Parameter`] unless both are finite and above 0
    pub fn new(median: f64, log_sd: f64) -> Result<LogNormal, PopulationError> {
        Ok(LogNormal {
            median: number("the median of a log-normal law", median, true)?,
            log_sd: number("the standard deviation of the logarithm", log_sd, true)?,
        })
    }
}

impl Law for LogNormal {
    fn cdf(&self, x: f64) -> f64 {
        if x > 0.0 {
            normal_cdf(libm::log(x / self.median) / self.log_sd)
        } else {
            0.0
        }
    }

    fn below(&self, x: f64) -> f64 {
        self.cdf(x)
    }

    fn quantile(&self, p: f64) -> f64 {
        normal_quantile(p).map_or(f64::NAN, |z| self.median * libm::exp(self.log_sd * z))
    }

    /// E X^k on an event is the probability of the event moved by k·sd, times E X^k.
    fn inside(&self, low: f64, high: f64, from: f64) -> [f64; 3] {
        let z = |x: f64| {
            if x > 0.0 {
                libm::log(x / self.median) / self.log_sd
            } else {
                f64::NEG_INFINITY
            }
        };
        let power = |k: f64| {
            let moved = normal_inside(z(low) - k * self.log_sd, z(high) - k * self.log_sd)[0];
            let size = libm::exp(k * k * self.log_sd * self.log_sd / 2.0);
            moved * size
        };
        let [p, first, second] = [0.0, 1.0, 2.0].map(power);
        let (first, second) = (first * self.median, second * self.median * self.median);
        [
            p,
            first - from * p,
            second - 2.0 * from * first + from * from * p,
        ]
    }
}
