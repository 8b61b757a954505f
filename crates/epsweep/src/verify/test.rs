//! The test of one estimate against its exact value.

use crate::record::SummaryRow;
use epsweep_core::statistics::{ChiSquare, proportion_p_value, t_two_sided};

/// Values that must lie on either side of a quantile: fewer, and the normal law is not that of its far deviations.
const BEYOND: f64 = 100.0;

/// What must be expected of a cell of a chi-square test; rarer ones are pooled. Thresholds of 10⁻⁶ are in the far tail, where the law of a cell of
/// which 5 are expected, enough at 5 %, is exceeded 69 times too often, one of 100 still 2.9 times, and one of 1000 1.2 times. Each frequency
/// is judged by its own binomial law besides.
pub(super) const FREQUENT: f64 = 1000.0;

/// Whether a row is the test of all frequencies of a choice together.
pub(super) fn is_fit(row: &SummaryRow) -> bool {
    (&*row.method, &*row.statistic) == ("chi-square", "chi_square")
}

/// Trials per square of the skewness from which on the far deviations of a mean are near enough to normal ones (Cochran, *Sampling
/// Techniques*, §2.15, asks 25 for an interval at 95 %).
const PER_SQUARED_SKEWNESS: f64 = 25.0;

/// An estimate of a run, with what else the run says of the same outcome.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'a> {
    /// the estimate
    pub row: &'a SummaryRow,
    /// the standard deviation of the same outcome
    pub sd: Option<&'a SummaryRow>,
    /// whether the outcome is a flag, 0 or 1
    pub flag: bool,
    /// the largest deviation of its quantiles in standard errors; 0 where theory knows none
    pub quantiles: f64,
}

/// Share by which a standard deviation may be too small because what is rare and large did not happen.
const RARE: f64 = 0.01;

/// Deviation of a quantile that is out of the ordinary.
const LARGE: f64 = 5.0;

/// What came of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Judged {
    /// how far the estimate is off in standard errors, and the probability of a deviation as large under theory, two-sided
    Tested {
        /// deviation in standard errors
        z: f64,
        /// p value
        p: f64,
    },
    /// the trials are too few for the skewness of the outcome
    Skewed,
    /// too few values lie beyond the quantile
    Few,
    /// nothing of its own: theory knows no value, or another statistic tests the same
    Nothing,
}

/// Estimates that a run cannot judge, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Unjudged {
    /// the trials are too few for the skewness of the outcome
    pub skewed: u64,
    /// too few values lie beyond a quantile
    pub few: u64,
}

impl Subject<'_> {
    pub fn judge(&self) -> Judged {
        let row = self.row;
        if is_fit(row) {
            return chi_square(row);
        }
        let (Some(z), Some(exact)) = (row.z, row.exact) else {
            return Judged::Nothing;
        };
        // no error at all: the two agree, or they do not
        if &*row.method == "constant" || z.is_infinite() {
            let p = if z == 0.0 { 1.0 } else { 0.0 };
            return Judged::Tested { z, p };
        }
        // equal up to the rounding of what is computed
        if z == 0.0 {
            return Judged::Tested { z, p: 1.0 };
        }
        match (&*row.statistic, self.flag) {
            ("mean", true) => flag(row, z, exact),
            // values that happen to be all the same say nothing of their error
            _ if row.mcse == Some(0.0) => Judged::Few,
            // a function of the flag's mean
            ("sd", true) => Judged::Nothing,
            ("mean", false) => self.mean(z),
            ("sd", false) => self.sd(z),
            (quantile, _) => quantile_test(row, quantile, z),
        }
    }

    /// A mean against its exact value: with the exact standard deviation where theory knows it, by Student's law elsewhere.
    fn mean(&self, z: f64) -> Judged {
        let (n, row) = (self.row.trials as f64, self.row);
        let Some(sd) = self.sd else {
            return Judged::Few;
        };
        if let Some(kurtosis) = kurtosis(sd) {
            // skewness² ≤ kurtosis − 1 (Pearson, Phil. Trans. A 216, 1916)
            if n < PER_SQUARED_SKEWNESS * (kurtosis - 1.0) {
                return Judged::Skewed;
            }
        }
        match (sd.exact.filter(|sd| *sd > 0.0 && sd.is_finite()), row.exact) {
            (Some(sd), Some(exact)) => {
                let z = (row.value - exact) / (sd / n.sqrt());
                Judged::normal(z)
            }
            _ => Judged::Tested {
                z,
                p: t_two_sided(z, n - 1.0),
            },
        }
    }

    /// A standard deviation. The skewness of squared deviations is taken to be as large as the kurtosis, which it is for normal (2.8 and 3),
    /// Laplace (6.6 and 6) and exponential deviations, and for their squares.
    fn sd(&self, z: f64) -> Judged {
        let n = self.row.trials as f64;
        // much of an exact deviation can come from events too rare for the trials, of which the sample's own kurtosis knows nothing: then the
        // sample's is too small, and the bulk is where it should be
        let short = self
            .row
            .exact
            .is_some_and(|exact| self.row.value < (1.0 - RARE) * exact);
        if short && self.quantiles < LARGE {
            return Judged::Skewed;
        }
        match kurtosis(self.row) {
            Some(kurtosis) if n >= 4.0 * PER_SQUARED_SKEWNESS * kurtosis * kurtosis => {
                Judged::normal(z)
            }
            Some(_) => Judged::Skewed,
            None => Judged::Few,
        }
    }
}

impl Judged {
    fn normal(z: f64) -> Judged {
        Judged::Tested {
            z,
            p: libm::erfc(z.abs() / std::f64::consts::SQRT_2),
        }
    }
}

/// The kurtosis of an outcome from the error of its standard deviation s: Var(s) ≈ s²·(kurtosis − 1)/(4n).
fn kurtosis(sd: &SummaryRow) -> Option<f64> {
    let (mcse, n) = (sd.mcse?, sd.trials as f64);
    let ratio = mcse / sd.value;
    Some(1.0 + 4.0 * n * ratio * ratio).filter(|k| k.is_finite())
}

/// A frequency, by the binomial law itself: rare events have no normal one.
fn flag(row: &SummaryRow, z: f64, exact: f64) -> Judged {
    let successes = (row.value * row.trials as f64).round() as u64;
    match proportion_p_value(successes, row.trials, exact.clamp(0.0, 1.0)) {
        Ok(p) => Judged::Tested { z, p },
        Err(_) => Judged::Few,
    }
}

fn quantile_test(row: &SummaryRow, name: &str, z: f64) -> Judged {
    let p = match name {
        "median" => Some(0.5),
        _ => (name.strip_prefix('q'))
            .and_then(|percent| percent.parse::<f64>().ok())
            .map(|percent| percent / 100.0),
    };
    match p {
        None => Judged::Nothing,
        Some(p) if row.trials as f64 * p.min(1.0 - p) < BEYOND => Judged::Few,
        Some(_) => Judged::normal(z),
    }
}

/// All frequencies of a choice together: the upper tail, since too good a fit is no fault.
fn chi_square(row: &SummaryRow) -> Judged {
    let (Some(degrees), Some(z)) = (row.exact, row.z) else {
        return Judged::Nothing;
    };
    let fit = ChiSquare {
        statistic: row.value,
        degrees: degrees as u64,
    };
    Judged::Tested {
        z,
        p: fit.p_value(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIALS: u64 = 1_000_000;

    fn log_factorial(n: u64) -> f64 {
        libm::lgamma(n as f64 + 1.0)
    }

    /// The probability that the test of all frequencies falls below a level under its own law: the exact multinomial law of rare cells, with all
    /// that is left as one more.
    fn false_alarms(rare: &[f64], least: f64, level: f64) -> f64 {
        let mut probabilities: Vec<f64> = rare.iter().map(|x| x / TRIALS as f64).collect();
        probabilities.push(1.0 - probabilities.iter().sum::<f64>());
        let range = |expected: f64| {
            let reach = 9.0 * expected.sqrt() + 30.0;
            (expected - reach).max(0.0) as u64..=(expected + reach) as u64
        };
        let mut all: Vec<Vec<u64>> = vec![Vec::new()];
        for expected in rare {
            let grown = all.iter().flat_map(|counts| {
                range(*expected).map(|count| [counts.as_slice(), &[count]].concat())
            });
            all = grown.collect();
        }
        let mut sum = 0.0;
        for mut counts in all {
            counts.push(TRIALS - counts.iter().sum::<u64>());
            let fit = ChiSquare::pooled(&counts, &probabilities, least).unwrap();
            if fit.p_value() < level {
                let each = counts.iter().zip(&probabilities);
                let log: f64 = each
                    .map(|(count, p)| *count as f64 * libm::log(*p) - log_factorial(*count))
                    .sum();
                sum += libm::exp(log_factorial(TRIALS) + log);
            }
        }
        sum
    }

    /// Exact, so that nothing is left to chance: at the thresholds that Holm's rule asks of a run of a thousand pieces. With cells of which 5
    /// are expected the same count finds the rate 69 times too high.
    #[test]
    fn frequencies_that_are_tested_together_hold_their_rate_in_the_far_tail() {
        for level in [1e-3, 1e-5, 1e-6] {
            for rare in [
                vec![FREQUENT],
                vec![3000.0],
                vec![TRIALS as f64 / 2.0],
                vec![FREQUENT; 2],
            ] {
                let rate = false_alarms(&rare, FREQUENT, level);
                assert!(rate < 1.25 * level, "{rare:?} {level}: {rate}");
                assert!(rate > 0.7 * level, "{rare:?} {level}: {rate}");
            }
        }
        let often = false_alarms(&[5.0], 5.0, 1e-6);
        assert!((often / 1e-6 - 69.0).abs() < 1.0, "{often}");
    }
}
