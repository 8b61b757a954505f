//! What can be set of a policy or of a sequence, by name.

use std::fmt::Debug;

/// A number that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// the name that a file uses
    pub name: &'static str,
    /// one line in plain words, with the unit
    pub summary: &'static str,
    /// what it is where nothing is said; `None` where it must be said
    pub default: Option<f64>,
    /// what holds for it
    pub range: Range,
}

/// Where a parameter may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// any finite number
    Finite,
    /// finite, at least 0
    NonNegative,
    /// finite, above 0
    Positive,
    /// above 0 and below 1
    Open,
    /// a whole number from 1 to a million
    Count,
}

/// The largest [`Range::Count`].
const MOST: f64 = 1e6;

impl Range {
    /// What holds for a number of this range.
    pub fn rule(self) -> &'static str {
        match self {
            Range::Finite => "a finite number",
            Range::NonNegative => "a finite number, at least 0",
            Range::Positive => "a finite number above 0",
            Range::Open => "a number above 0 and below 1",
            Range::Count => "a whole number from 1 to 1000000",
        }
    }

    /// Whether a number lies in it.
    pub fn holds(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Range::Finite => true,
                Range::NonNegative => value >= 0.0,
                Range::Positive => value > 0.0,
                Range::Open => value > 0.0 && value < 1.0,
                Range::Count => (1.0..=MOST).contains(&value) && value.fract() == 0.0,
            }
    }
}

/// Parameters that cannot serve.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// not as many values as parameters
    #[error("`{of}` has {wanted} parameters, but {found} values are given: one for each, in order")]
    Length {
        /// of what
        of: &'static str,
        /// how many there are
        wanted: usize,
        /// how many are given
        found: usize,
    },
    /// a value outside its range
    #[error("`{name}` of `{of}` is {value:?}, but must be {rule}")]
    Value {
        /// of what
        of: &'static str,
        /// the parameter
        name: &'static str,
        /// the value refused
        value: f64,
        /// what holds for it
        rule: &'static str,
    },
}

/// Sees that there is a value for each parameter, in its range.
pub(super) fn check(
    of: &'static str,
    parameters: &[Parameter],
    values: &[f64],
) -> Result<(), ParameterError> {
    if values.len() != parameters.len() {
        return Err(ParameterError::Length {
            of,
            wanted: parameters.len(),
            found: values.len(),
        });
    }
    match (parameters.iter().zip(values)).find(|(parameter, value)| !parameter.range.holds(**value))
    {
        None => Ok(()),
        Some((parameter, &value)) => Err(ParameterError::Value {
            of,
            name: parameter.name,
            value,
            rule: parameter.range.rule(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_hold_what_their_rule_says() {
        let values = [f64::NAN, f64::INFINITY, -1.0, 0.0, 0.5, 1.0, 1.5, 1e6, 1e7];
        let held = |range: Range| values.map(|value| range.holds(value));
        let expected = |text: &str| -> Vec<bool> { text.chars().map(|c| c == 'x').collect() };
        assert_eq!(held(Range::Finite).to_vec(), expected("..xxxxxxx"));
        assert_eq!(held(Range::NonNegative).to_vec(), expected("...xxxxxx"));
        assert_eq!(held(Range::Positive).to_vec(), expected("....xxxxx"));
        assert_eq!(held(Range::Open).to_vec(), expected("....x...."));
        assert_eq!(held(Range::Count).to_vec(), expected(".....x.x."));
    }
}
