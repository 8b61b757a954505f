//! Basic composition: the ε and the δ add up, also for adaptively chosen releases (Dwork, Kenthapadi, McSherry, Mironov and Naor,
//! EUROCRYPT 2006, theorem 1; Dwork and Roth 2014, theorem 3.16).

use super::declared::epsilon_alone;
use super::error::{self, AccountingError};
use super::release::Release;
use super::{Accountant, Total};
use crate::about::About;
use crate::shortest::Rounded;

/// Σε and Σδ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sum {
    /// Σεᵢ
    pub epsilon: f64,
    /// Σδᵢ, which may exceed 1
    pub delta: f64,
}

impl Sum {
    /// δ as a probability.
    pub fn delta_capped(&self) -> f64 {
        self.delta.min(1.0)
    }
}

/// The sums of ε and δ, each correctly rounded but for a last place.
///
/// # Errors
/// [`AccountingError::Parameter`] for a value that is negative or not finite; [`AccountingError::Limit`] for a sum beyond the
/// largest double
pub fn sums(parts: &[(f64, f64)]) -> Result<Sum, AccountingError> {
    for &(epsilon, delta) in parts {
        error::non_negative("ε", epsilon)?;
        error::non_negative("δ", delta)?;
    }
    let epsilons: Vec<f64> = parts.iter().map(|part| part.0).collect();
    let deltas: Vec<f64> = parts.iter().map(|part| part.1).collect();
    let epsilon = crate::summation::sum(&epsilons);
    finite(epsilon)?;
    Ok(Sum {
        epsilon,
        delta: crate::summation::sum(&deltas),
    })
}

fn finite(epsilon: f64) -> Result<f64, AccountingError> {
    if epsilon.is_finite() {
        return Ok(epsilon);
    }
    Err(AccountingError::Limit {
        method: "basic",
        what: "Σε",
        value: epsilon,
        limit: f64::MAX,
        remedy: "no such guarantee means anything; lower ε",
    })
}

/// The accountant.
#[derive(Debug)]
pub struct Basic;

const ABOUT: About = About {
    name: "basic",
    summary: "ε and δ add up; releases that have no pure ε share what is left of δ equally",
    formula: "ε = Σ εᵢ, δ = Σ δᵢ",
    source: "Dwork, Kenthapadi, McSherry, Mironov, Naor, EUROCRYPT 2006, theorem 1",
};

impl Accountant for Basic {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn total(&self, releases: &[Release], delta: f64) -> Result<Total, AccountingError> {
        let own: f64 = releases
            .iter()
            .map(|release| release.count() as f64 * release.mechanism().own_delta())
            .sum();
        let impure: f64 = releases
            .iter()
            .filter(|release| release.mechanism().epsilon_delta().is_none())
            .map(|release| release.count() as f64)
            .sum();
        if own > delta || (impure > 0.0 && own >= delta) {
            return Err(AccountingError::Infeasible {
                method: ABOUT.name,
                delta,
                least: own,
            });
        }
        // divided, not subtracted one by one: the parts must not sum to more than there is
        let each = (delta - own) / impure * (1.0 - f64::EPSILON);
        let mut parts = Vec::with_capacity(releases.len());
        for release in releases {
            let epsilon = epsilon_alone(release.mechanism(), each)?;
            parts.push(finite(epsilon * release.count() as f64)?);
        }
        let note = (impure > 0.0).then(|| {
            format!(
                "each of {impure} releases without a pure ε has δ = {}",
                Rounded(each)
            )
        });
        Ok(Total {
            note,
            ..Total::upper(finite(crate::summation::sum(&parts))?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_refused_rather_than_infinite() {
        assert!(matches!(
            sums(&[(f64::MAX, 0.0), (f64::MAX, 0.0)]),
            Err(AccountingError::Limit { .. })
        ));
        assert!(sums(&[(f64::NAN, 0.0)]).is_err() && sums(&[(1.0, -0.1)]).is_err());
        assert_eq!(
            sums(&[(0.1, 0.6); 10]).unwrap(),
            Sum {
                epsilon: 1.0,
                delta: 6.0
            }
        );
        assert_eq!(sums(&[(0.1, 0.6); 10]).unwrap().delta_capped(), 1.0);
    }
}
