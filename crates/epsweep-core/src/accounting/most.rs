//! How often a list of releases can run within a guarantee.

use super::Accountant;
use super::declared::total_or_declared;
use super::error::AccountingError;
use super::release::{Release, grouped};

/// More releases of a kind than this are not counted: doubles no longer tell them apart.
const MOST: u64 = 1 << 53;

/// The largest k for which k runs of all these releases are (ε, δ)-private by a method's count; 0 if one run is not.
/// The search doubles k and halves the bracket, as totals grow with k. Methods that need releases with an ε of their own are told one,
/// see [`total_or_declared`].
///
/// # Errors
/// [`AccountingError`] if the method cannot serve the releases, or reaches its limit while k still grows
pub fn most_runs(
    accountant: &dyn Accountant,
    releases: &[Release],
    epsilon: f64,
    delta: f64,
) -> Result<u64, AccountingError> {
    let releases = grouped(releases)?;
    // that many runs of the most frequent release are as many as one can count
    let largest = releases.iter().map(Release::count).max().unwrap_or(1);
    let most = MOST / largest;
    let within = |runs: u64| -> Result<bool, AccountingError> {
        let many: Result<Vec<Release>, AccountingError> = (releases.iter())
            .map(|release| Release::repeated(release.mechanism(), release.count() * runs))
            .collect();
        match total_or_declared(accountant, &many?, delta) {
            Ok(total) => Ok(total.epsilon <= epsilon * (1.0 + 1e-12)),
            // their own δ is more than may be spent
            Err(AccountingError::Infeasible { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    };
    let (mut good, mut bad) = (0, 1);
    while within(bad)? {
        good = bad;
        if good == most {
            return Ok(most);
        }
        bad = (2 * bad).min(most);
    }
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if within(middle)? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Ok(good)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::{Mechanism, REGISTRY, accountant};
    use crate::budget::Epsilon;

    fn laplace(epsilon: f64) -> Release {
        Release::once(Mechanism::Laplace(Epsilon::new(epsilon).unwrap()))
    }

    #[test]
    fn one_more_run_would_be_too_many() {
        for method in REGISTRY {
            let Ok(most) = most_runs(*method, &[laplace(0.1)], 1.0, 1e-6) else {
                assert_eq!(method.about().name, "gaussian");
                continue;
            };
            let total = |runs: u64| {
                let releases = [Release::repeated(laplace(0.1).mechanism(), runs).unwrap()];
                method.total(&releases, 1e-6).unwrap().epsilon
            };
            assert!(total(most + 1) > 1.0, "{:?}: {most}", method.about().name);
            assert!(most == 0 || total(most) <= 1.0 + 1e-12);
        }
        // ten times a tenth is the whole, whatever its last bit
        let basic = accountant("basic").unwrap();
        assert_eq!(most_runs(basic, &[laplace(0.1)], 1.0, 0.0).unwrap(), 10);
        assert_eq!(most_runs(basic, &[laplace(2.0)], 1.0, 0.0).unwrap(), 0);
        assert_eq!(
            most_runs(basic, &[laplace(0.1), laplace(0.2)], 1.0, 0.0).unwrap(),
            3
        );
    }

    /// Three releases a run reach 2^53 of a kind between two doublings.
    #[test]
    fn what_cannot_be_counted_is_the_limit_and_no_error() {
        let basic = accountant("basic").unwrap();
        let tiny = |count| Release::repeated(laplace(1e-30).mechanism(), count).unwrap();
        for count in [1, 2, 3, 1 << 53] {
            let most = most_runs(basic, &[tiny(count)], 1.0, 0.0).unwrap();
            assert_eq!(most, MOST / count, "{count}");
        }
        // the last one below the limit is found as well
        let three = Release::repeated(laplace(2.0_f64.powi(-53)).mechanism(), 3).unwrap();
        assert_eq!(most_runs(basic, &[three], 1.0, 0.0).unwrap(), MOST / 3);
        let more = Release::repeated(laplace(1.25 * 2.0_f64.powi(-53)).mechanism(), 3).unwrap();
        let most = most_runs(basic, &[more], 1.0, 0.0).unwrap() as f64;
        assert!(
            (most * 3.75 * 2.0_f64.powi(-53) - 1.0).abs() < 1e-12,
            "{most}"
        );
    }
}
