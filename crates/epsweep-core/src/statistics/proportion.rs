//! Proportions and their intervals.

use super::error::{StatisticsError, open_unit};
use super::quantile::{at_least, at_most};
use super::{Interval, beta, normal};

fn checked(successes: u64, trials: u64) -> Result<(), StatisticsError> {
    if trials == 0 {
        return Err(StatisticsError::TooFew {
            what: "a proportion",
            needed: 1,
            got: 0,
        });
    }
    if successes > trials {
        return Err(StatisticsError::Successes { successes, trials });
    }
    Ok(())
}

/// The standard error √(p̂(1−p̂)/n).
///
/// # Errors
/// [`StatisticsError`] if there is no trial, or fewer trials than successes
pub fn proportion_mcse(successes: u64, trials: u64) -> Result<f64, StatisticsError> {
    checked(successes, trials)?;
    let (k, n) = (successes as f64, trials as f64);
    Ok((k / n * ((trials - successes) as f64 / n) / n).sqrt())
}

/// Clopper and Pearson's interval ("The use of confidence or fiducial limits", Biometrika 1934): both tail probabilities are at most
/// (1−level)/2, so that the coverage is never below the level.
///
/// # Errors
/// [`StatisticsError`] if there is no trial, or fewer trials than successes; on a `level` that is not strictly between 0 and 1
pub fn clopper_pearson(
    successes: u64,
    trials: u64,
    level: f64,
) -> Result<Interval, StatisticsError> {
    checked(successes, trials)?;
    let tail = (1.0 - open_unit("the level", level)?) / 2.0;
    let (k, misses, n) = (successes as f64, (trials - successes) as f64, trials as f64);
    // closed forms where one of the counts is 0: tail^(1/n)
    let low = match successes {
        0 => 0.0,
        s if s == trials => libm::exp(libm::log(tail) / n),
        _ => beta::quantile(k, misses + 1.0, tail),
    };
    let high = match successes {
        s if s == trials => 1.0,
        0 => -libm::expm1(libm::log(tail) / n),
        _ => beta::quantile(k + 1.0, misses, 1.0 - tail),
    };
    Ok(Interval { low, high })
}

/// Wilson's score interval ("Probable inference", JASA 1927): closer to the level than the normal one (Brown, Cai & DasGupta,
/// "Interval estimation for a binomial proportion", 2001). Exactly 0 or 1 where no success or no failure was seen.
///
/// # Errors
/// [`StatisticsError`] if there is no trial, or fewer trials than successes; on a `level` that is not strictly between 0 and 1
pub fn wilson(successes: u64, trials: u64, level: f64) -> Result<Interval, StatisticsError> {
    checked(successes, trials)?;
    let z = normal::normal_quantile(0.5 + open_unit("the level", level)? / 2.0)?;
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let square = z * z / n;
    let centre = p + square / 2.0;
    let half = z * (p * ((trials - successes) as f64 / n) / n + square / (4.0 * n)).sqrt();
    Ok(Interval {
        low: if successes == 0 {
            0.0
        } else {
            (centre - half) / (1.0 + square)
        },
        high: if successes == trials {
            1.0
        } else {
            (centre + half) / (1.0 + square)
        },
    })
}

/// The interval that summaries use: Clopper and Pearson's where fewer than 10 successes or failures were seen, so that rare events are
/// never understated, and Wilson's elsewhere.
///
/// # Errors
/// [`StatisticsError`] if there is no trial, or fewer trials than successes; on a `level` that is not strictly between 0 and 1
pub fn proportion_interval(
    successes: u64,
    trials: u64,
    level: f64,
) -> Result<Interval, StatisticsError> {
    checked(successes, trials)?;
    if successes.min(trials - successes) < 10 {
        clopper_pearson(successes, trials, level)
    } else {
        wilson(successes, trials, level)
    }
}

/// The probability with which [`proportion_interval`] covers `p`, exactly: that of all counts whose interval holds it. Since counts are
/// whole numbers it is hardly ever the level itself (Brown, Cai & DasGupta 2001).
///
/// # Errors
/// No trials, or `p` or `level` is no probability.
pub fn proportion_coverage(trials: u64, p: f64, level: f64) -> Result<f64, StatisticsError> {
    coverage(trials, p, |successes| {
        let interval = proportion_interval(successes, trials, level)?;
        Ok(interval.low <= p && p <= interval.high)
    })
}

/// The interval of the standard deviation √(p(1 − p)) of a flag: what that of its probability ([`proportion_interval`]) maps to. It covers
/// whenever that covers p or 1 − p, also near p = ½, where the standard deviation hardly moves with p and its error is not normal.
///
/// # Errors
/// As of [`proportion_interval`].
pub fn proportion_sd_interval(
    successes: u64,
    trials: u64,
    level: f64,
) -> Result<Interval, StatisticsError> {
    let p = proportion_interval(successes, trials, level)?;
    let sd = |p: f64| (p * (1.0 - p)).max(0.0).sqrt();
    let (a, b) = (sd(p.low), sd(p.high));
    let high = match p.low <= 0.5 && p.high >= 0.5 {
        true => 0.5,
        false => a.max(b),
    };
    Ok(Interval {
        low: a.min(b),
        high,
    })
}

/// The probability with which [`proportion_sd_interval`] covers, exactly, as [`proportion_coverage`].
///
/// # Errors
/// No trials, or `p` or `level` is no probability.
pub fn proportion_sd_coverage(trials: u64, p: f64, level: f64) -> Result<f64, StatisticsError> {
    let mirrored = 1.0 - p;
    coverage(trials, p, |successes| {
        let interval = proportion_interval(successes, trials, level)?;
        Ok([p, mirrored]
            .iter()
            .any(|p| interval.low <= *p && *p <= interval.high))
    })
}

/// The probability of the counts for which `holds`, which are summed up in stretches.
fn coverage(
    trials: u64,
    p: f64,
    holds: impl Fn(u64) -> Result<bool, StatisticsError>,
) -> Result<f64, StatisticsError> {
    checked(0, trials)?;
    let p = open_unit("the success probability", p)?;
    let mut coverage = 0.0;
    let mut first = None;
    for successes in 0..=trials {
        match (holds(successes)?, first) {
            (true, None) => first = Some(successes),
            (false, Some(from)) => {
                coverage += between(trials, p, from, successes - 1);
                first = None;
            }
            _ => {}
        }
    }
    Ok(first.map_or(coverage, |from| coverage + between(trials, p, from, trials)))
}

/// P(first ≤ B ≤ last) for B ~ Bin(n, p).
fn between(n: u64, p: f64, first: u64, last: u64) -> f64 {
    let below = first.checked_sub(1).map_or(0.0, |k| at_most(n, p, k));
    at_most(n, p, last) - below
}

/// Two-sided p value of `successes` under a success probability of exactly `p`: twice the smaller tail of the binomial law, at most 1
/// (Clopper & Pearson, Biometrika 1934). The probability of a p value of α or less is at most α, however few the trials.
///
/// # Errors
/// [`StatisticsError`] if there is no trial, or fewer trials than successes, or if `p` is no probability
pub fn proportion_p_value(successes: u64, trials: u64, p: f64) -> Result<f64, StatisticsError> {
    checked(successes, trials)?;
    if !(0.0..=1.0).contains(&p) {
        return Err(StatisticsError::Probability {
            what: "the success probability",
            value: p,
        });
    }
    let (upper, lower) = (
        at_least(trials, p, successes),
        at_most(trials, p, successes),
    );
    Ok((2.0 * upper.min(lower)).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum of the binomial law over the counts whose interval holds p.
    #[test]
    fn coverage_is_that_of_the_counts_whose_interval_holds_the_probability() {
        for (n, p) in [(1_u64, 0.5), (20, 0.3), (50, 0.02), (400, 0.6)] {
            let mut mass = libm::pow(1.0 - p, n as f64);
            let mut sum = 0.0;
            for k in 0..=n {
                let i = proportion_interval(k, n, 0.95).unwrap();
                if i.low <= p && p <= i.high {
                    sum += mass;
                }
                mass *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
            }
            let found = proportion_coverage(n, p, 0.95).unwrap();
            assert!((found - sum).abs() < 1e-9, "{n} {p}: {found} {sum}");
        }
        assert!(proportion_coverage(0, 0.5, 0.95).is_err());
        assert!(proportion_coverage(10, 0.0, 0.95).is_err());
    }

    /// The interval of the standard deviation against the definition, and its coverage against the sum over all counts.
    #[test]
    fn the_sd_of_a_flag_is_covered_as_its_probability_is() {
        for (n, p) in [(20_u64, 0.3), (50, 0.5), (400, 0.48), (50, 0.95)] {
            let truth = f64::sqrt(p * (1.0 - p));
            let (mut mass, mut sum) = (libm::pow(1.0 - p, n as f64), 0.0);
            for k in 0..=n {
                // at p = 1 a rounding of 10⁻¹⁶ in p is one of 10⁻⁸ in the root
                let of = proportion_interval(k, n, 0.95).unwrap();
                let sd = proportion_sd_interval(k, n, 0.95).unwrap();
                let inside = (0..=1000).map(|i| of.low + (of.high - of.low) * f64::from(i) / 1e3);
                let sds: Vec<f64> = inside.map(|p| (p * (1.0 - p)).max(0.0).sqrt()).collect();
                let (least, most) = (
                    sds.iter().copied().fold(1.0, f64::min),
                    sds.iter().copied().fold(0.0, f64::max),
                );
                assert!(
                    (sd.low - least).abs() < 1e-7 && (sd.high - most).abs() < 1e-5,
                    "{k} {n}: {sd:?}"
                );
                if sd.low - 1e-12 <= truth && truth <= sd.high + 1e-12 {
                    sum += mass;
                }
                mass *= (n - k) as f64 / (k + 1) as f64 * p / (1.0 - p);
            }
            let found = proportion_sd_coverage(n, p, 0.95).unwrap();
            assert!((found - sum).abs() < 1e-9, "{n} {p}: {found} {sum}");
            assert!(found >= proportion_coverage(n, p, 0.95).unwrap() - 1e-12);
        }
    }

    #[test]
    fn clopper_pearson_meets_its_definition() {
        for (k, n) in [
            (1, 10),
            (5, 17),
            (3, 1_000_000),
            (64_050, 100_000),
            (9, 1_000_000_000_000),
        ] {
            for level in [0.9, 0.95, 0.999] {
                let i = clopper_pearson(k, n, level).unwrap();
                let tail = (1.0 - level) / 2.0;
                assert!(
                    (at_least(n, i.low, k) / tail - 1.0).abs() < 1e-9,
                    "{k} {n} {i:?}"
                );
                assert!(
                    (at_most(n, i.high, k) / tail - 1.0).abs() < 1e-9,
                    "{k} {n} {i:?}"
                );
                let w = wilson(k, n, level).unwrap();
                assert!(w.low < k as f64 / n as f64 && k as f64 / (n as f64) < w.high);
            }
        }
    }

    #[test]
    fn no_failure_still_has_an_interval() {
        // the rule of three: 1 − 0.025^(1/n)
        let i = proportion_interval(1_000, 1_000, 0.95).unwrap();
        assert_eq!(i.high, 1.0);
        assert!((i.low - 0.9963179).abs() < 1e-6, "{i:?}");
        assert!(
            proportion_interval(2, 1, 0.95).is_err() && proportion_interval(0, 0, 0.95).is_err()
        );
    }

    #[test]
    fn p_values_are_those_of_the_binomial_tails() {
        // R: 2·pbinom(2, 10, 0.5) = 0.109375; 2·(1 − pbinom(1, 100, 0.0005)) = 0.00241…
        assert!((proportion_p_value(2, 10, 0.5).unwrap() - 0.109375).abs() < 1e-15);
        let rare = 2.0 * (1.0 - 0.9995_f64.powi(100) - 100.0 * 0.0005 * 0.9995_f64.powi(99));
        assert!((proportion_p_value(2, 100, 0.0005).unwrap() - rare).abs() < 1e-12);
        assert_eq!(proportion_p_value(5, 10, 0.5).unwrap(), 1.0);
        assert_eq!(proportion_p_value(0, 10, 0.0).unwrap(), 1.0);
        assert_eq!(proportion_p_value(1, 10, 0.0).unwrap(), 0.0);
        assert_eq!(proportion_p_value(9, 10, 1.0).unwrap(), 0.0);
        assert!(
            proportion_p_value(1, 10, 1.5).is_err() && proportion_p_value(1, 10, f64::NAN).is_err()
        );
    }
}
