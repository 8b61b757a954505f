//! How often a list of releases can run within a guarantee.

use super::Accountant;
use super::declared::total_or_declared;
use super::error::AccountingError;
use super::release::{Release, grouped};

/// More runs than this are not counted: doubles no longer tell them apart.
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
    let within = |runs: u64| -> Result<bool, AccountingError> {
        let many: Result<Vec<Release>, AccountingError> = (releases.iter())
            .map(|release| {
                Release::repeated(release.mechanism(), release.count().saturating_mul(runs))
            })
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
        bad *= 2;
        if bad > MOST {
            return Ok(MOST);
        }
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
}
