//! From counts of an event to a certified bound and a verdict.

use super::Reading;
use crate::statistics::{StatisticsError, clopper_pearson};

/// How an audit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// the certified lower bound exceeds the claim
    Violated,
    /// it does not, and so many runs could have shown a violation
    Consistent,
    /// not even an event that always happens on one input and never on the other could have shown a violation in so many runs
    NoPower,
}

impl Verdict {
    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Violated => "violated",
            Verdict::Consistent => "consistent",
            Verdict::NoPower => "no power",
        }
    }
}

/// What runs that took no part in choosing the event say about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// how often the event happened: on the input where it is likelier, and on the other
    pub hits: [u64; 2],
    /// runs on each
    pub runs: u64,
    /// lower bound of the first probability
    pub p: f64,
    /// upper bound of the second
    pub q: f64,
    /// lower bound of the privacy parameter
    pub bound: f64,
    /// the largest bound that so many runs could give
    pub ceiling: f64,
    /// what follows for the claim
    pub verdict: Verdict,
}

/// The bound that holds with this confidence: Clopper–Pearson bounds of the two probabilities, each wrong with probability at most
/// (1 − confidence)/2, so that both hold together by Bonferroni's inequality, whether or not the inputs share their noise.
///
/// # Errors
/// [`StatisticsError`] without a run, for more hits than runs, or for a confidence outside (0, 1)
pub fn certify(
    reading: &dyn Reading,
    hits: [u64; 2],
    runs: u64,
    confidence: f64,
) -> Result<Finding, StatisticsError> {
    let bounds = |hits: [u64; 2]| -> Result<(f64, f64), StatisticsError> {
        let p = clopper_pearson(hits[0], runs, confidence)?.low;
        Ok((p, clopper_pearson(hits[1], runs, confidence)?.high))
    };
    let (p, q) = bounds(hits)?;
    let (most, least) = bounds([runs, 0])?;
    let (bound, ceiling) = (reading.least(p, q), reading.least(most, least));
    let verdict = if bound > reading.claimed() {
        Verdict::Violated
    } else if ceiling <= reading.claimed() {
        Verdict::NoPower
    } else {
        Verdict::Consistent
    };
    Ok(Finding {
        hits,
        runs,
        p,
        q,
        bound,
        ceiling,
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::reading::stated_by;

    fn pure(epsilon: f64) -> Box<dyn Reading> {
        stated_by(&["epsilon"]).unwrap().of(&[epsilon]).unwrap()
    }

    #[test]
    fn the_bound_follows_from_both_tails() {
        // 1 − 0.025^(1/1000) and 0.025^(1/1000)
        let tail = libm::exp(libm::log(0.025) / 1000.0);
        let finding = certify(pure(1.0).as_ref(), [1000, 0], 1000, 0.95).unwrap();
        assert!((finding.bound - libm::log(tail / (1.0 - tail))).abs() < 1e-9);
        assert_eq!(finding.bound, finding.ceiling);
        assert_eq!(finding.verdict, Verdict::Violated);
    }

    #[test]
    fn verdicts_follow_their_rules() {
        let verdict = |claim, hits, runs| {
            let finding = certify(pure(claim).as_ref(), hits, runs, 0.95).unwrap();
            finding.verdict
        };
        assert_eq!(verdict(1.0, [600, 200], 1000), Verdict::Consistent);
        assert_eq!(verdict(0.5, [600, 200], 1000), Verdict::Violated);
        // ln(1000/3.7) = 5.6 is the most that 1000 runs can show
        assert_eq!(verdict(6.0, [1000, 0], 1000), Verdict::NoPower);
        assert_eq!(verdict(5.0, [1000, 0], 1000), Verdict::Violated);
        assert_eq!(verdict(5.0, [0, 0], 1000), Verdict::Consistent);
        assert!(certify(pure(1.0).as_ref(), [1, 0], 0, 0.95).is_err());
        assert!(certify(pure(1.0).as_ref(), [1, 0], 10, 1.0).is_err());
    }
}
