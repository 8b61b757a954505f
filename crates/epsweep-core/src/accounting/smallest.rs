//! All methods asked, and the smallest valid total.

use super::release::{Release, grouped};
use super::{AccountingError, REGISTRY, Total, basic, error};

/// What one method says.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// the method
    pub method: &'static str,
    /// its total, or why it has none
    pub total: Result<Total, AccountingError>,
    /// by how much its ε exceeds the plain sum Σε, where both exist and it does
    pub above_sum: Option<f64>,
}

/// The smallest valid total.
#[derive(Clone, Debug, PartialEq)]
pub struct Smallest {
    /// ε
    pub epsilon: f64,
    /// δ
    pub delta: f64,
    /// the method that gave it: the first in the registry's order if several agree
    pub method: &'static str,
    /// Σε, where every release has an ε of its own and Σδ is within δ
    pub plain_sum: Option<f64>,
    /// what every method says
    pub answers: Vec<Answer>,
}

/// Asks every method of the registry about these releases at δ.
///
/// # Errors
/// [`AccountingError::Empty`] without releases, [`AccountingError::Parameter`] if δ is not in [0, 1), and the first method's refusal if
/// none has an answer
pub fn smallest(releases: &[Release], delta: f64) -> Result<Smallest, AccountingError> {
    smallest_of(releases, delta, |_| true)
}

/// As [`smallest`], asking only the methods whose names are wanted.
///
/// # Errors
/// As [`smallest`]
pub fn smallest_of(
    releases: &[Release],
    delta: f64,
    wanted: impl Fn(&str) -> bool,
) -> Result<Smallest, AccountingError> {
    error::delta(delta)?;
    let releases = grouped(releases)?;
    let plain_sum = plain_sum(&releases, delta);
    let mut answers = Vec::with_capacity(REGISTRY.len());
    let mut best: Option<(f64, &'static str)> = None;
    for accountant in REGISTRY {
        let method = accountant.about().name;
        if !wanted(method) {
            continue;
        }
        let total = accountant.total(&releases, delta);
        let mut above_sum = None;
        if let Ok(total) = &total {
            // a method must be better by more than rounding to be named instead of a simpler one
            if best.is_none_or(|(epsilon, _)| total.epsilon < epsilon * (1.0 - 1e-12)) {
                best = Some((total.epsilon, method));
            }
            above_sum = plain_sum
                .map(|sum| total.epsilon - sum)
                .filter(|excess| *excess > 0.0);
        }
        answers.push(Answer {
            method,
            total,
            above_sum,
        });
    }
    match best {
        Some((epsilon, method)) => Ok(Smallest {
            epsilon,
            delta,
            method,
            plain_sum,
            answers,
        }),
        None => Err(answers
            .into_iter()
            .find_map(|answer| answer.total.err())
            .unwrap_or(AccountingError::Empty)),
    }
}

fn plain_sum(releases: &[Release], delta: f64) -> Option<f64> {
    let mut parts = Vec::with_capacity(releases.len());
    for release in releases {
        let (epsilon, own) = release.mechanism().epsilon_delta()?;
        parts.push((
            epsilon * release.count() as f64,
            own * release.count() as f64,
        ));
    }
    basic::sums(&parts)
        .ok()
        .filter(|sum| sum.delta <= delta)
        .map(|sum| sum.epsilon)
}
