//! The question turned round: the δ of releases at an ε that is given.

use super::release::{Release, grouped};
use super::{AccountingError, REGISTRY, Total, error};
use crate::numeric;

/// What a method says of a list of releases at a given ε.
#[derive(Clone, Debug, PartialEq)]
pub struct AtEpsilon {
    /// an upper bound on δ: the releases together are (ε, δ)-differentially private. 1, which says nothing, where the method shows no less
    pub delta: f64,
    /// a certified lower bound on the smallest such δ for the releases as described, where the method has one
    pub lower: Option<f64>,
}

/// What one method says.
#[derive(Clone, Debug, PartialEq)]
pub struct DeltaAnswer {
    /// the method
    pub method: &'static str,
    /// its δ, or why it has none
    pub found: Result<AtEpsilon, AccountingError>,
}

/// The smallest valid δ at an ε.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallestDelta {
    /// δ
    pub delta: f64,
    /// the method that gave it: the first in the registry's order if several agree
    pub method: &'static str,
    /// what every method says
    pub answers: Vec<DeltaAnswer>,
}

/// Asks the methods of the registry whose names are wanted for the δ of these releases at an ε.
///
/// # Errors
/// [`AccountingError::Empty`] without releases, [`AccountingError::Parameter`] if ε is negative or not finite, and the first method's refusal
/// if none has an answer
///
/// ```
/// use epsweep_core::accounting::{Mechanism, NoiseMultiplier, Release, smallest_delta_of};
///
/// let releases = [Release::once(Mechanism::Gaussian(NoiseMultiplier::new(0.025)?))];
/// let found = smallest_delta_of(&releases, 800.0, |name| name == "gaussian")?;
/// assert!((found.delta - 0.49003266).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn smallest_delta_of(
    releases: &[Release],
    epsilon: f64,
    wanted: impl Fn(&str) -> bool,
) -> Result<SmallestDelta, AccountingError> {
    error::non_negative("ε", epsilon)?;
    let releases = grouped(releases)?;
    let mut answers = Vec::with_capacity(REGISTRY.len());
    let mut best: Option<(f64, &'static str)> = None;
    let mut pure = None;
    for accountant in REGISTRY {
        let method = accountant.about().name;
        if !wanted(method) {
            continue;
        }
        let mut found = accountant.at_epsilon(&releases, epsilon);
        // a δ below the least double is no pure guarantee: the least double bounds it
        if let Ok(found) = &mut found
            && found.delta == 0.0
            && !*pure.get_or_insert_with(|| is_pure(&releases, epsilon))
        {
            found.delta = f64::from_bits(1);
        }
        if let Ok(found) = &found
            // a method must be better by more than rounding to be named instead of a simpler one
            && best.is_none_or(|(delta, _)| found.delta < delta * (1.0 - 1e-12))
        {
            best = Some((found.delta, method));
        }
        answers.push(DeltaAnswer { method, found });
    }
    match best {
        Some((delta, method)) => Ok(SmallestDelta {
            delta,
            method,
            answers,
        }),
        None => Err(answers
            .into_iter()
            .find_map(|answer| answer.found.err())
            .unwrap_or(AccountingError::Empty)),
    }
}

/// Whether some method shows that the releases are together (ε, 0)-differentially private.
fn is_pure(releases: &[Release], epsilon: f64) -> bool {
    let shows = |accountant: &&dyn super::Accountant| {
        (accountant.total(releases, 0.0)).is_ok_and(|total| total.epsilon <= epsilon)
    };
    REGISTRY.iter().any(shows)
}

/// ln of the smallest δ that is looked for: what is below it is as good as 0.
const LEAST: f64 = -690.0;

/// The least δ at which a method's total is within ε: its total falls as δ rises.
pub(super) fn by_search(
    epsilon: f64,
    total: impl Fn(f64) -> Result<Total, AccountingError>,
) -> Result<AtEpsilon, AccountingError> {
    error::non_negative("ε", epsilon)?;
    let upper = |delta| AtEpsilon { delta, lower: None };
    let holds = |delta: f64| total(delta).is_ok_and(|total| total.epsilon <= epsilon);
    if holds(0.0) {
        return Ok(upper(0.0));
    }
    let most = 1.0 - 1e-9;
    if total(most)?.epsilon > epsilon {
        return Ok(upper(1.0));
    }
    let (_, log_delta) = numeric::bisect(LEAST, libm::log(most), |log| holds(libm::exp(log)));
    // up by what the logarithm and its inverse may lose
    Ok(upper((libm::exp(log_delta) * (1.0 + 1e-12)).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::{Mechanism, NoiseMultiplier};
    use crate::budget::Epsilon;

    #[test]
    fn what_is_too_small_for_a_double_is_not_nothing() {
        let gaussian = [Release::once(Mechanism::Gaussian(
            NoiseMultiplier::new(4.0).unwrap(),
        ))];
        let found = smallest_delta_of(&gaussian, 20.0, |_| true).unwrap();
        assert_eq!(found.delta, f64::from_bits(1));
        // Laplace noise is purely private from its own ε on
        let laplace = [Release::once(Mechanism::Laplace(
            Epsilon::new(1.0).unwrap(),
        ))];
        let at = |epsilon| {
            smallest_delta_of(&laplace, epsilon, |_| true)
                .unwrap()
                .delta
        };
        assert_eq!(at(1.0), 0.0);
        assert!(at(0.9) > 0.01);
    }
}
