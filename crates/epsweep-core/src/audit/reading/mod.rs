//! What a guarantee says about one event: from P(event) on one input and on its neighbour to a lower bound of the privacy parameter.
//!
//! Every reading is increasing in the first probability and decreasing in the second, so that confidence bounds of the two give one of
//! the parameter. To add one: a file here, and a line in [`REGISTRY`].

mod approximate;
mod concentrated;
mod divergence;
mod gaussian;
mod pure;
mod renyi;

use super::AuditError;
use crate::about::About;
use std::fmt::Debug;

/// A claimed guarantee, as an audit reads it.
pub trait Reading: Debug + Send + Sync {
    /// name, formula, source
    fn about(&self) -> &'static About;

    /// The letter of the parameter that is bounded.
    fn symbol(&self) -> &'static str;

    /// The value claimed of that parameter.
    fn claimed(&self) -> f64;

    /// The guarantee in words.
    fn words(&self) -> String;

    /// The least value of the parameter for which an event can have probability `p` on one input and `q` on its neighbour, both in
    /// [0, 1]; at least 0, and 0 where p ≤ q. Increasing in `p`, decreasing in `q`.
    fn least(&self, p: f64, q: f64) -> f64;
}

/// A kind of guarantee, by the keys that state it.
pub trait ReadingKind: Sync {
    /// name, formula, source
    fn about(&self) -> &'static About;

    /// The keys that state it, all of which are needed.
    fn keys(&self) -> &'static [&'static str];

    /// The guarantee with the values of those keys, in their order.
    ///
    /// # Errors
    /// [`AuditError::Claim`] for a value outside its domain
    fn of(&self, values: &[f64]) -> Result<Box<dyn Reading>, AuditError>;
}

/// All kinds, in the order in which they are listed.
pub const REGISTRY: &[&dyn ReadingKind] = &[
    &pure::PureKind,
    &approximate::ApproximateKind,
    &gaussian::GaussianKind,
    &concentrated::ConcentratedKind,
    &renyi::RenyiKind,
];

/// The kind that is stated by exactly these keys, in any order.
pub fn stated_by(keys: &[&str]) -> Option<&'static dyn ReadingKind> {
    (REGISTRY.iter().copied()).find(|kind| {
        kind.keys().len() == keys.len() && kind.keys().iter().all(|key| keys.contains(key))
    })
}

/// A value that must be finite and at least 0 (or `above` a bound).
fn checked(
    key: &'static str,
    value: f64,
    good: bool,
    rule: &'static str,
) -> Result<f64, AuditError> {
    if good {
        Ok(value)
    } else {
        Err(AuditError::Claim { key, value, rule })
    }
}

fn non_negative(key: &'static str, value: f64) -> Result<f64, AuditError> {
    let good = (0.0..f64::INFINITY).contains(&value);
    checked(key, value, good, "finite and at least 0")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<Box<dyn Reading>> {
        let values: [&[f64]; 5] = [&[1.0], &[1.0, 1e-3], &[0.7], &[0.25], &[2.0, 0.5]];
        (REGISTRY.iter().zip(values))
            .map(|(kind, values)| kind.of(values).unwrap())
            .collect()
    }

    #[test]
    fn readings_rise_with_the_first_probability_and_fall_with_the_second() {
        for reading in all() {
            let grid: Vec<f64> = (0..=40).map(|i| f64::from(i) / 40.0).collect();
            for &q in &grid {
                let mut before = 0.0;
                for &p in &grid {
                    let found = reading.least(p, q);
                    assert!(found >= before, "{reading:?} {p} {q}: {found} {before}");
                    assert!(found == 0.0 || p > q, "{reading:?} {p} {q}");
                    before = found;
                    if q > 0.0 {
                        let lower = reading.least(p, q - 0.025);
                        assert!(lower >= found * (1.0 - 1e-9), "{reading:?} {p} {q}");
                    }
                }
            }
        }
    }

    #[test]
    fn keys_name_the_kind_in_any_order() {
        for kind in REGISTRY {
            let mut keys = kind.keys().to_vec();
            keys.reverse();
            assert_eq!(stated_by(&keys).unwrap().about(), kind.about());
        }
        assert!(stated_by(&["epsilon", "mu"]).is_none() && stated_by(&[]).is_none());
    }

    #[test]
    fn values_outside_their_domain_are_refused_by_their_key() {
        for kind in REGISTRY {
            for (place, key) in kind.keys().iter().enumerate() {
                for wrong in [-1.0, f64::NAN, f64::INFINITY] {
                    let mut values = vec![0.5; kind.keys().len()];
                    if kind.keys().contains(&"alpha") {
                        values[0] = 2.0;
                    }
                    values[place] = wrong;
                    let error = kind.of(&values).unwrap_err();
                    assert!(
                        matches!(error, AuditError::Claim { key: named, .. } if named == *key),
                        "{error:?}"
                    );
                }
            }
        }
    }
}
